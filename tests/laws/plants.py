"""Physical plants for the tests of laws: a chaser with arms near a heavy target."""

import numpy as np

from proxops import plant
from proxops.core.description import (
    ArmDescription,
    CraftDescription,
    JointDescription,
    MountedArm,
    OrbitDescription,
    RigidInertia,
)
from proxops.core.jit import kernel
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.build import quiet_drive, start_state, workspace
from proxops.plant.ledger import Tally, tally
from proxops.plant.step import advance

EARTH = 3.986004418e14  # [m3/s2]


def rotation(rng: np.random.Generator) -> np.ndarray:
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.linalg.det(Q)


def solid(rng: np.random.Generator, mass: float, size: float) -> RigidInertia:
    """A box of about that size whose centre of mass is off the frame's origin."""
    sides = size * rng.uniform(0.3, 1.0, 3)
    about = mass / 12.0 * np.diag(sides @ sides - sides**2)
    R = rotation(rng)
    com = rng.uniform(-0.5, 0.5, 3) * size
    shift = mass * (com @ com * np.eye(3) - np.outer(com, com))
    return RigidInertia(mass, com, R @ about @ R.T + shift)


def arm(rng: np.random.Generator, joints: int, **own: float) -> ArmDescription:
    """An arm of mixed joints; `own` overrides what each joint does by itself."""
    laws = {
        "lower": -np.inf,
        "upper": np.inf,
        "effort": np.inf,
        "speed": np.inf,
        "viscous": 0.0,
        "coulomb": 0.0,
        "rotor_inertia": 0.3,
        "stop_stiffness": 1e3,
        "stop_damping": 5.0,
    } | own
    made = tuple(
        JointDescription(
            f"joint{i}",
            i % 3 == 2,
            rotation(rng),
            rng.uniform(-0.4, 0.4, 3),
            solid(rng, rng.uniform(5.0, 20.0), 0.4),
            **laws,
        )
        for i in range(joints)
    )
    return ArmDescription("arm", solid(rng, 8.0, 0.3), made, np.eye(3), np.zeros(3))


def eccentric_orbit() -> OrbitDescription:
    """e = 0.05 about Earth, at periapsis, inclined."""
    a, e = 7.0e6, 0.05
    r = a * (1.0 - e)
    v = np.sqrt(EARTH * (1.0 + e) / r)
    return OrbitDescription(
        EARTH, np.array([r, 0.0, 0.0]), v * np.array([0.0, np.cos(0.9), np.sin(0.9)])
    )


class Bench:
    """A plant in a state, with room to step it and to look at it."""

    def __init__(
        self, seed: int, *, joints: int = 4, orbit: OrbitDescription | None = None, **own: float
    ) -> None:
        rng = np.random.default_rng(seed)
        arms = tuple(
            MountedArm(
                name,
                arm(rng, joints, **own),
                rotation(rng),
                rng.uniform(-1.0, 1.0, 3),
                rng.uniform(-0.3, 0.3, joints),
                rng.uniform(-0.1, 0.1, joints),
            )
            for name in ("left", "right")
        )
        chaser = CraftDescription(
            800.0,
            np.diag([500.0, 600.0, 700.0]),
            np.array([20.0, -30.0, 10.0]),
            np.array([0.02, -0.03, 0.01]),
            np.array([0.5, 0.5, -0.5, 0.5]),
            rng.uniform(-0.05, 0.05, 3),
            arms,
        )
        target = CraftDescription(
            8000.0,
            np.diag([17e3, 129e3, 124e3]),
            np.zeros(3),
            np.zeros(3),
            np.array([1.0, 0.0, 0.0, 0.0]),
            rng.uniform(-0.05, 0.05, 3),
        )
        self.plant = plant.build(chaser, target, orbit)
        self.work = workspace(self.plant)
        self.drive = quiet_drive(self.plant)
        self.y = start_state(self.plant, chaser, target)
        self.t = 0.0

    def go(self, duration: float, h: float) -> None:
        """Steps forward with the drive held."""
        steps = round(duration / h)
        status = many_steps(self.plant, self.drive, self.work, self.y, (self.t, h), steps)
        assert status == 0
        self.t += steps * h

    def ledger(self) -> np.ndarray:
        return self.y[layout.slices(self.plant)[2]]

    def carried(self) -> Tally:
        """Momentum, angular momentum and energy of both spacecraft together."""
        chaser, target = tallies(self.plant, self.work, self.y)
        return Tally(*(np.asarray(a) + np.asarray(b) for a, b in zip(chaser, target, strict=True)))


@kernel
def many_steps(plant, drive, work, y, when, steps):
    """Steps with one call."""
    t, h = when
    for step in range(steps):
        status = advance(plant, drive, work, y, t + step * h, h)
        if status != 0:
            return status
    return 0


@kernel
def tallies(plant, work, y):
    """What chaser and target carry."""
    target, bodies = layout.target_start(plant), plant.chaser.shape[0]
    return (
        tally(Tree(plant.chaser, plant.chaser_topology), y[:target], work.scratch[:bodies]),
        tally(
            Tree(plant.target, plant.target_topology),
            y[target : layout.ledger_start(plant)],
            work.scratch[bodies:],
        ),
    )
