"""Physical plants for the tests of laws: a chaser with arms near a heavy target."""

from typing import Any

import numpy as np

from proxops import plant
from proxops.core.description import (
    AppendageDescription,
    ArmDescription,
    CraftDescription,
    JointDescription,
    MountedArm,
    OrbitDescription,
    RigidInertia,
    WheelDescription,
)
from proxops.core.jit import kernel
from proxops.physics.flexible import beam
from proxops.physics.flexible.appendage import cantilever, from_modal_data
from proxops.physics.integrate.rk4 import K
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.ledger import Tally, tally
from proxops.plant.model import Craft
from proxops.plant.step import advance
from proxops.plant.workspace import quiet_drive, workspace

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


def appendages(
    rng: np.random.Generator, size: float, zeta: float
) -> tuple[AppendageDescription, ...]:
    """One beam bending along one axis, one along two, and one by modal data."""

    def start(modes: int) -> tuple[np.ndarray, np.ndarray]:
        return 0.02 * size * rng.uniform(-1, 1, modes), 0.02 * size * rng.uniform(-1, 1, modes)

    made = []
    for name, axes, shapes in (("mast", "y", 2), ("boom", "yz", 2)):
        mass, length = 5.0 * size, 2.0 * size
        stiffness = mass * length**3 * (2.0 * np.pi * 0.3) ** 2 / beam.shape(1).beta_L ** 4
        data = beam.Beam(mass, length, stiffness, zeta, shapes, axes)
        root = rng.uniform(-0.3, 0.3, 3) * size
        made.append(cantilever(name, data, rotation(rng), root, start(shapes * len(axes))))
    panel = solid(rng, 4.0 * size, size)
    # participations well inside what the mass allows: the coupled inertia stays positive
    modes = [
        (2.0 * np.pi * f, zeta, 0.3 * np.sqrt(size) * rng.uniform(-1, 1, 3),
         0.3 * np.sqrt(size) * size * rng.uniform(-1, 1, 3))
        for f in (0.4, 1.1)
    ]  # fmt: skip
    made.append(from_modal_data("panel", panel, modes, start(2)))
    return tuple(made)


def eccentric_orbit() -> OrbitDescription:
    """e = 0.05 about Earth, at periapsis, inclined."""
    a, e = 7.0e6, 0.05
    r = a * (1.0 - e)
    v = np.sqrt(EARTH * (1.0 + e) / r)
    return OrbitDescription(
        EARTH, np.array([r, 0.0, 0.0]), v * np.array([0.0, np.cos(0.9), np.sin(0.9)])
    )


def wheel(axis: np.ndarray, **changes: Any) -> WheelDescription:
    """A wheel of 50 N m s about an axis of any length, at rest at the hub's centre of mass."""
    made: dict[str, Any] = {
        "name": "wheel",
        "p_C": np.zeros(3),
        "axis": axis / np.linalg.norm(axis),
        "inertia": 0.08,
        "mass": 4.0,
        "max_torque": 0.2,
        "max_speed": 628.0,
        "speed": 0.0,
        "viscous": 0.0,
        "coulomb": 0.0,
    }
    return WheelDescription(**made | changes)


class Bench:
    """A plant in a state, with room to step it and to look at it."""

    def __init__(
        self,
        seed: int,
        *,
        joints: int = 4,
        orbit: OrbitDescription | None = None,
        zeta: float | None = None,
        wheels: tuple[WheelDescription, ...] = (),
        **own: float,
    ) -> None:
        """With `zeta` both spacecraft carry appendages of that damping, deflected and moving."""
        rng = np.random.default_rng(seed)

        def flexible(size: float) -> tuple[AppendageDescription, ...]:
            return () if zeta is None else appendages(rng, size, zeta)

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
            flexible(2.0),
            wheels,
        )
        target = CraftDescription(
            8000.0,
            np.diag([17e3, 129e3, 124e3]),
            np.zeros(3),
            np.zeros(3),
            np.array([1.0, 0.0, 0.0, 0.0]),
            rng.uniform(-0.05, 0.05, 3),
            (),
            flexible(10.0),
        )
        self.chaser, self.target = chaser, target
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
    chaser_craft = Craft(Tree(plant.chaser, plant.chaser_topology), plant.chaser_modes)
    target_craft = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    return (
        tally(chaser_craft, y[:target], work.stages[K], work.scratch[:bodies]),
        tally(
            target_craft,
            y[target : layout.ledger_start(plant)],
            work.stages[K],
            work.scratch[bodies:],
        ),
    )
