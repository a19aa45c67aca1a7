"""How far the commands that the paper integrates get from those taken from the plant."""

import math
from collections.abc import Mapping

import numpy as np

from proxops.core.frame import frame, rotation_of
from proxops.facility.common.representation import LAB_Q, Representation
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.lab import CellLab
from proxops.physics.relative.entry import nominal_at
from proxops.physics.relative.motion import MOTION_WIDTH, TWIST, P, Q
from proxops.physics.relative.nominal import Course
from proxops.physics.relative.published import SHOWN
from proxops.plant import Plant, layout
from proxops.results.compared import Difference
from proxops.results.run import Run, Signal
from proxops.validation.published_commands import PublishedCommands

# For each spacecraft: how far the published command is from the one that is followed
DRIFT, TURN = 0, 3  # in L [m]; rotation vector in hub axes [rad]
DRIFT_WIDTH = 6
WIDTH = PAIR * DRIFT_WIDTH

SIGNALS = (
    Signal("lab.published.target.drift", "m", "L", (3,)),
    Signal("lab.published.target.turn", "rad", "Tl", (3,)),
    Signal("lab.published.chaser.drift", "m", "L", (3,)),
    Signal("lab.published.chaser.turn", "rad", "Cl", (3,)),
)
EQUATIONS = {"target": "(11)", "chaser": "(18)"}


def drift_of(
    published: PublishedCommands, lab: CellLab, plant: Plant, y: np.ndarray, t: float
) -> np.ndarray:
    """How far both commands are from those that show the models' state y at the time t [s]
    (WIDTH,)."""
    shows, M = lab.representation, lab.state.nominal
    motion, parts = np.zeros(MOTION_WIDTH), layout.slices(plant)
    nominal_at(Course(shows.nominal, M.scratch), M.y, t, M.rate, motion)
    hubs = (TARGET, y[parts.target]), (CHASER, y[parts.chaser])
    rows = [drift_from(shows, motion, published.y[which, SHOWN:], hub) for which, hub in hubs]
    return np.concatenate(rows)


def drift_from(
    shows: Representation, nominal: np.ndarray, command: np.ndarray, hub: np.ndarray
) -> np.ndarray:
    """How far the published command (X_MB, V_MB) of a hub is from the one that shows the hub's
    state (DRIFT_WIDTH,); `nominal` is M's motion."""
    X_OM, X_OB, X_MB = (frame(row[P:Q], row[Q:TWIST]) for row in (nominal, hub, command))
    shown = X_OM.inverse() @ X_OB
    R_LM = rotation_of(shows.X_LM[LAB_Q:])
    return np.concatenate([R_LM @ (X_MB.p - shown.p), _rotation_vector(shown.R.T @ X_MB.R)])


def _rotation_vector(R: np.ndarray) -> np.ndarray:
    """Axis times angle [rad], less than half a turn."""
    sine = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    size = float(np.linalg.norm(sine))
    angle = math.atan2(size, 0.5 * (np.trace(R) - 1.0))
    return sine * (angle / size if size > 0.0 else 1.0)


def drift_rows(rehearsal: Run) -> list[Difference]:
    """A row for each, largest and root mean square."""
    rows = []
    for signal in SIGNALS:
        _, _, craft, what = signal.name.split(".")
        label = f"published {EQUATIONS[craft]} {'attitude' if what == 'turn' else craft}"
        if craft == "target" and _is_flexible(rehearsal):
            label += ", rigid"
        rows.append(_row(label, signal.unit, *rehearsal[signal.name]))
    return rows


def _is_flexible(rehearsal: Run) -> bool:
    """Whether the target has appendages: of their motion (11) knows nothing."""
    scenario = rehearsal.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, Mapping) else None
    return bool(mission["target"].get("appendages")) if mission else False


def _row(name: str, unit: str, t: np.ndarray, drift: np.ndarray) -> Difference:
    size = np.linalg.norm(drift, axis=1)
    worst = int(np.argmax(size))
    rms = float(np.sqrt(np.mean(size**2)))
    largest = float(size[worst])
    return Difference(name, unit, largest, float(t[worst]), rms, 0.0, largest, 0.0)
