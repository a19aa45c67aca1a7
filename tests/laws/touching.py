"""Two spacecraft that touch or hold each other, for the tests of contact."""

from dataclasses import replace
from typing import Any

import numpy as np

from proxops import plant
from proxops.core.description import (
    ContactDescription,
    CraftDescription,
    HoldDescription,
    OrbitDescription,
)
from proxops.core.jit import kernel
from proxops.physics.contact.normal import SPRING
from proxops.plant import contact_array, hold_array, layout, model
from proxops.plant.build import start_state
from proxops.plant.ledger import Tally
from proxops.plant.rates import System, plant_rates
from proxops.plant.step import begin, step
from proxops.plant.switching import CLOSED, COUNT, NUMBER, TIME
from proxops.plant.workspace import quiet_drive, workspace
from tests.laws.plants import tallies

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
NONE = np.zeros(3)
BOUNDLESS = (np.inf, np.inf)


def body(mass: float, inertia: Any, **changes: Any) -> CraftDescription:
    """A rigid spacecraft at rest at the origin, unless told otherwise."""
    about = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia)
    made = {"p_H": NONE, "v_H": NONE, "q_N": UPRIGHT, "w": NONE} | changes
    return CraftDescription(mass, about, **made)


def contact(pads: Any, **changes: Any) -> ContactDescription:
    """Points of the chaser on the target's boundless face at the origin with normal -x."""
    made: dict[str, Any] = {
        "name": "pads", "arm": "", "pads_on_chaser": True, "pads": np.atleast_2d(pads),
        "radius": 0.0, "centre": NONE, "normal": np.array([-1.0, 0.0, 0.0]),
        "along": np.array([0.0, 1.0, 0.0]), "half": BOUNDLESS, "ball_radius": 0.0,
        "law": SPRING, "stiffness": 1e5, "damping": 0.0, "exponent": 1.0, "depth": 1.0,
        "bilateral": False, "mu_static": 0.0, "mu_kinetic": 0.0, "grip_stiffness": 0.0,
        "grip_damping": 0.0,
    }  # fmt: skip
    return ContactDescription(**(made | changes))


def rubbing(given: ContactDescription, mu: float, stiffness: float, damping: float):
    """The same contact with friction, static and kinetic alike."""
    return replace(
        given, mu_static=mu, mu_kinetic=mu, grip_stiffness=stiffness, grip_damping=damping
    )


def hold(**changes: Any) -> HoldDescription:
    """A hold at the target's origin that does nothing, unless told otherwise."""
    made: dict[str, Any] = {
        "name": "hold", "arm": "", "p_TB": NONE, "R_TB": np.eye(3), "stiffness": NONE,
        "rotational_stiffness": NONE, "damping": NONE, "rotational_damping": NONE, "pull": NONE,
        "max_force": np.inf, "max_torque": np.inf, "start": 0.0, "end": np.inf,
    }  # fmt: skip
    return HoldDescription(**(made | changes))


class Pair:
    """Chaser and target in a state, with room to step them and to look at them."""

    def __init__(
        self,
        chaser: CraftDescription,
        target: CraftDescription,
        contacts: tuple[ContactDescription, ...] = (),
        holds: tuple[HoldDescription, ...] = (),
        orbit: OrbitDescription | None = None,
    ) -> None:
        self.plant = plant.build(chaser, target, orbit, contacts, holds)
        self.work = workspace(self.plant)
        self.drive = quiet_drive(self.plant)
        self.y = start_state(self.plant, chaser, target)
        self.parts = layout.slices(self.plant)
        self.t = 0.0
        self.events: list[tuple[float, int, bool]] = []
        begin(self.plant, self.work, self.y, 0.0)
        self._note()

    def _note(self) -> None:
        for row in self.work.switches[1 : 1 + int(self.work.switches[0, COUNT])]:
            self.events.append((row[TIME], int(row[NUMBER]), row[CLOSED] == 1.0))

    def step(self, h: float) -> None:
        """One step with the drive held."""
        status = step(self.plant, self.drive, self.work, self.y, self.t, h)
        assert status == 0, status
        self.t += h
        self._note()

    def go(self, duration: float, h: float) -> "Pair":
        """Equal steps."""
        for _ in range(round(duration / h)):
            self.step(h)
        return self

    def push(self, force: Any, torque: Any = NONE, on_target: bool = False) -> None:
        """Sets what acts on a hub from now on, its own axes."""
        row = self.drive[len(self.plant.chaser) if on_target else 0]
        row[model.DRIVE_FORCE :][:3] = force
        row[model.DRIVE_TORQUE :][:3] = torque

    @property
    def chaser(self) -> np.ndarray:
        return self.y[self.parts.chaser]

    @property
    def target(self) -> np.ndarray:
        return self.y[self.parts.target]

    @property
    def ledger(self) -> np.ndarray:
        return self.y[self.parts.ledger]

    def contact_memory(self, row: int = 0) -> np.ndarray:
        return self.y[self.parts.contacts].reshape(-1, contact_array.MEMORY_WIDTH)[row]

    def hold_memory(self, row: int = 0) -> np.ndarray:
        return self.y[self.parts.holds].reshape(-1, hold_array.MEMORY_WIDTH)[row]

    def mode(self, row: int = 0) -> float:
        return float(self.contact_memory(row)[contact_array.MODE])

    def p_TC(self) -> np.ndarray:
        """Chaser's hub from the target's, inertial axes [m]."""
        return self.chaser[layout.P :][:3] - self.target[layout.P :][:3]

    def v_TC(self) -> np.ndarray:
        """The difference of their velocities, inertial axes [m/s]."""
        return self.chaser[layout.V :][:3] - self.target[layout.V :][:3]

    def rates(self) -> np.ndarray:
        """dy/dt now, of all but the memory."""
        rate = np.zeros(self.parts.ledger.stop)
        rates_now(self.plant, self.drive, self.work, self.y, rate)
        return rate

    def carried(self) -> Tally:
        """Momentum, angular momentum and energy of both spacecraft together."""
        both = tallies(self.plant, self.work, self.y)
        return Tally(*(np.asarray(a) + np.asarray(b) for a, b in zip(*both, strict=True)))


@kernel
def rates_now(plant, drive, work, y, rate):
    """dy/dt at t = 0."""
    moving = layout.contacts_start(plant)
    plant_rates(System(plant, drive, y[moving:], work.scratch, work.sky), y[:moving], 0.0, rate)


class Balance:
    """What is to stay as it was, over the scale of what moves."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.before = pair, pair.carried()

    def residuals(self) -> tuple[float, float, float]:
        """Of momentum, angular momentum and energy, against what the ledger says."""
        before, after, ledger = self.before, self.pair.carried(), self.pair.ledger
        impulse = ledger[layout.TIDE_IMPULSE :][:3] + ledger[layout.APPLIED_IMPULSE :][:3]
        angular = ledger[layout.TIDE_ANGULAR :][:3] + ledger[layout.APPLIED_ANGULAR :][:3]
        work = ledger[layout.TIDE_WORK :].sum()
        return (
            float(np.linalg.norm(after.momentum - before.momentum - impulse) / before.sum_momentum),
            float(np.linalg.norm(after.angular - before.angular - angular) / before.sum_angular),
            float(abs(after.energy - before.energy - work) / before.energy),
        )


def closings(pair: Pair) -> list[float]:
    """Instants of all touch-downs [s]."""
    return [t for t, _, closed in pair.events if closed]


def openings(pair: Pair) -> list[float]:
    """Instants of all lift-offs [s]."""
    return [t for t, _, closed in pair.events if not closed]
