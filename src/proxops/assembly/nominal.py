"""Which nominal motion M a rehearsal takes off both spacecraft.

    unforced         the target's own motion, were nothing to touch it, under the orbit's tide
    constant-rate    its centre of mass goes the same way, but the target keeps its first rate
    data             any motion that is given, from a CSV file

M begins where the target does, so that the lab shows the target at its start pose; of a motion that
is given, the frame that moves with it and is the target's at the start is taken.
"""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.core.description import RigidInertia, point_inertia
from proxops.core.errors import InputError
from proxops.core.frame import frame, quaternion_of, rotation_of
from proxops.core.spatial.quaternion import quat_mul
from proxops.core.text import nearest
from proxops.physics.relative.motion import SPIN, STATE_WIDTH, VELOCITY, P, Q
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.nominal_build import free, from_samples
from proxops.plant import layout
from proxops.plant.build import whole_hub
from proxops.plant.frames import rows_from_hill
from proxops.scenario.files import read_text
from proxops.scenario.history import line_of, parse_table
from proxops.scenario.problems import shown

# Of a file: position and velocity in H, attitude against N, rate in the moving axes
COLUMNS = (
    *("t_s", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"),
    *("vx_m_s", "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s"),
)
LOOSEST = 1e-3  # by which numbers in a file, rounded, may make a quaternion longer or shorter
SHORTEST_S = 1e-9  # between two rows
LOOSELY = 0.5  # by which rates may miss the way between two rows, as a share of either
SLACK = 0.01  # and besides, for what is estimated and rounded [m, rad]
KEYWORDS = ("unforced", "constant-rate")


@dataclass(frozen=True)
class NominalChoice:
    """A choice by its name; one that is given has the text of its file."""

    name: str = "unforced"
    text: str | None = None

    @property
    def suffix(self) -> str:
        """What the representation is relative to, where that needs to be said."""
        return "" if self == UNFORCED else f" to {self.name}"

    def to_dict(self) -> dict[str, str]:
        """Plain data that `load_nominal` turns into the same choice."""
        return {"name": self.name} | ({} if self.text is None else {"text": self.text})


UNFORCED = NominalChoice()
NominalGiven = str | os.PathLike[str] | Mapping[str, Any] | NominalChoice


def load_nominal(given: NominalGiven) -> NominalChoice:
    """One of KEYWORDS, a CSV file, or what a run's provenance has."""
    if isinstance(given, NominalChoice):
        return given
    if isinstance(given, Mapping):
        name, text = given.get("name"), given.get("text")
        if not isinstance(name, str) or not (text is None or isinstance(text, str)):
            raise InputError("stored nominal motion: must have a name, and a text if it is data")
        choice = NominalChoice(name, text)
    else:
        named = os.fspath(given)
        path, data = Path(named), named.endswith(".csv")
        choice = NominalChoice(path.name, read_text(path)) if data else NominalChoice(named)
    if choice.text is not None:
        _rows(choice)
    elif choice.name not in KEYWORDS:
        raise InputError(
            f"nominal {shown(choice.name)}: no choice and no file that ends in .csv"
            f"{nearest(choice.name, KEYWORDS)}"
        )
    return choice


def check_nominal(choice: NominalChoice, representation: str) -> None:
    """Refuses a choice where there is none."""
    if choice != UNFORCED and representation != "relative":
        raise InputError(
            f"nominal {shown(choice.name)}: only the relative representation takes a choice, "
            f"not {representation}"
        )


def nominal_of(choice: NominalChoice, built: Built) -> Nominal:
    """The motion that was chosen, for a mission whose target starts as built."""
    body, orbit = whole_hub(built.target), built.plant.orbit
    if choice.text is not None:
        return from_samples(_samples(_rows(choice), built), orbit)
    return free(body if choice.name == "unforced" else _evened(body), orbit)


def _evened(body: RigidInertia) -> RigidInertia:
    """A body of the same mass and centre of mass that turns alike about every axis."""
    spread = point_inertia(body.mass, body.com)
    moment = np.trace(body.inertia - spread) / 3.0
    return RigidInertia(body.mass, body.com, moment * np.eye(3) + spread)


def _rows(choice: NominalChoice) -> np.ndarray:
    """Rows of a file: time and state in H (n, 14)."""
    assert choice.text is not None
    rows = parse_table(choice.text, choice.name, COLUMNS)
    if rows[0, 0] != 0.0:
        raise InputError(f"{choice.name}: begins at {rows[0, 0]:g} s; must begin at 0 s")
    length = np.linalg.norm(rows[:, 1 + Q : 1 + VELOCITY], axis=1)
    bad = np.flatnonzero(np.abs(length - 1.0) > LOOSEST)
    if len(bad):
        t, found = rows[bad[0], 0], length[bad[0]]
        raise InputError(f"{choice.name}: at {t:g} s the quaternion has length {found:g}, not 1")
    rows[:, 1 + Q : 1 + VELOCITY] /= length[:, np.newaxis]
    _reject_jumps(rows, choice)
    return rows


def _reject_jumps(rows: np.ndarray, choice: NominalChoice) -> None:
    """Refuses rows that no smooth motion joins: too close in time, half a turn apart, or with rates
    that tell of another way than their poses do."""
    h, states = np.diff(rows[:, 0]), rows[:, 1:]
    q, v, w = states[:, Q:VELOCITY], states[:, VELOCITY:SPIN], states[:, SPIN:]
    rotations = _rotations(q)
    turned = np.linalg.norm(rotations, axis=1)
    spun = h * np.maximum(*(np.linalg.norm(each, axis=1) for each in (w[:-1], w[1:])))
    for problem, text in (
        (h < SHORTEST_S, f"follows the row before within less than {SHORTEST_S:g} s"),
        (
            np.maximum(spun, turned) > math.pi - SLACK,
            "is half a turn or more from the row before, or its rates make that much",
        ),
        (
            _misses(np.diff(states[:, P:Q], axis=0), v, h),
            "velocities do not lead here from the row before",
        ),
        (_misses(rotations, w, h), "rates do not turn the row before into this one"),
    ):
        if problem.any():
            line = line_of(choice.text or "", int(np.argmax(problem)) + 1)
            raise InputError(f"{choice.name}, line {line}: {text}")


def _rotations(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (n - 1, 3) from each attitude (n, 4) to the next, in body axes [rad]."""
    back = q[:-1] * np.array([1.0, -1.0, -1.0, -1.0])
    scalar, *parts = quat_mul.py_func(tuple(back.T), tuple(q[1:].T))
    axis = np.copysign(1.0, scalar) * np.array(parts)
    sine = np.linalg.norm(axis, axis=0)
    return np.asarray((2.0 * np.arctan2(sine, np.abs(scalar)) / np.maximum(sine, 1e-300) * axis).T)


def _misses(rotation: np.ndarray, rates: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Where a way (n - 1, 3) is not what the mean of rates (n, 3) makes in the times h [s]."""
    made = 0.5 * h[:, np.newaxis] * (rates[:-1] + rates[1:])
    missed, *sizes = (np.linalg.norm(each, axis=1) for each in (rotation - made, rotation, made))
    return np.asarray(missed > LOOSELY * np.maximum(*sizes) + SLACK)


def _samples(rows: np.ndarray, built: Built) -> np.ndarray:
    """Samples in O of the frame that goes with the motion and is T at the start."""
    t, states = rows[:, 0].copy(), rows[:, 1:].copy()
    rows_from_hill(built.plant.orbit, t, states)
    start = target_state(built)
    X_FO = frame(states[0, P:Q], states[0, Q:VELOCITY]).inverse()
    X_FT = X_FO @ frame(start[P:Q], start[Q:VELOCITY])
    quaternions, w = tuple(states[:, Q:VELOCITY].T), states[:, SPIN:]
    R_OF = np.moveaxis(rotation_of(quaternions), -1, 0)
    carried = np.einsum("nij,nj->ni", R_OF, np.cross(w, X_FT.p))
    turned = quat_mul.py_func(quaternions, tuple(quaternion_of(X_FT.R)))
    return np.column_stack(
        [
            states[:, P:Q] + R_OF @ X_FT.p,
            *turned,
            states[:, VELOCITY:SPIN] + carried,
            w @ X_FT.R,
            t,
        ]
    )


def target_state(built: Built) -> np.ndarray:
    """The target's hub at the start (13,): p, q, v in O, w in T."""
    start = layout.slices(built.plant).target.start
    return built.y[start : start + STATE_WIDTH].copy()
