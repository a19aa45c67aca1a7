"""How far a rehearsal is from the mission in orbit: what differs, how much, and how late it is."""

import math
from dataclasses import replace

import numpy as np

from proxops.core.frame import rotation_of
from proxops.facility.common.guard.table import RUNNING
from proxops.results.compared import Difference
from proxops.results.run import Run

FINEST = 64  # parts of a sample's period to which a lateness is found
LONGEST_S = 0.25  # lateness that is looked for
EFFECTOR = 3  # row of the end effector, where there is one
EXPLAINED = 0.5  # of a difference that a lateness must take away to count as one


def compare(orbit: Run, rehearsal: Run) -> tuple[Difference, ...]:
    """What of a rehearsal differs from the orbit run, over the time that both have and in which
    the guard lets commands through: after that nobody shows the models."""
    rehearsal = _guided(rehearsal)
    rows = [
        difference("chaser", "m", *_pair(orbit, rehearsal, "chaser.p_HC")),
        difference("target", "m", *_pair(orbit, rehearsal, "target.p_HT")),
        difference("relative position", "m", *_pair(orbit, rehearsal, "relative.p_CT")),
        _turn("relative attitude", *_attitudes(orbit, rehearsal, "relative.q_CT")),
        difference("relative rate", "rad/s", *_pair(orbit, rehearsal, "relative.w_CT_C")),
    ]
    names = {signal.name for signal in orbit.signals()} & {s.name for s in rehearsal.signals()}
    if "relative.p_GE" in names:
        apart = _pair(orbit, rehearsal, "relative.p_GE")
        rows.insert(EFFECTOR, difference("end effector at grapple", "m", *apart))
    for signal in orbit.signals():
        parts = signal.name.split(".")
        if signal.name in names and parts[0] == "contacts" and parts[-1] == "f":
            label = f"contact force {parts[1]}"
            rows.append(difference(label, "N", *_pair(orbit, rehearsal, signal.name)))
    rows.append(_shown(rehearsal))
    return tuple(rows)


def compared_part(rehearsal: Run) -> str:
    """How much of the mission is compared with the orbit, in words; empty if it is all of it."""
    guided, end = _guided(rehearsal).rows, rehearsal.planned_end
    until = float(guided[-1, 0]) if len(guided) else 0.0
    if end is None or until > end - 1e-6:
        return ""
    return f"compared from 0 to {until:.4g} s of {end:g} s"


def _guided(rehearsal: Run) -> Run:
    """What comes before the guard drops a command."""
    if not any(signal.name == "lab.guard.mode" for signal in rehearsal.signals()):
        return rehearsal
    lets = rehearsal["lab.guard.mode"][1] == RUNNING
    return rehearsal if lets.all() else replace(rehearsal, rows=rehearsal.rows[: np.argmin(lets)])


def _pair(orbit: Run, rehearsal: Run, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    t, ours = orbit[name]
    _, theirs = rehearsal[name]
    n = min(len(ours), len(theirs))
    return t[:n], ours[:n], theirs[:n]


def _attitudes(orbit: Run, rehearsal: Run, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Quaternions whose signs go on from sample to sample, and begin alike."""
    t, ours, theirs = _pair(orbit, rehearsal, name)
    ours, theirs = _continuous(ours), _continuous(theirs)
    return t, ours, theirs if ours[0] @ theirs[0] >= 0.0 else -theirs


def _continuous(quaternions: np.ndarray) -> np.ndarray:
    turns_back = np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0.0
    signs = np.concatenate([[1.0], np.where(turns_back, -1.0, 1.0)])
    return np.asarray(quaternions * np.cumprod(signs)[:, np.newaxis])


def _turn(name: str, t: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> Difference:
    """The difference of attitudes as an angle [rad]."""
    row = difference(name, "rad", t, ours, theirs)
    farthest = float(np.linalg.norm(ours - ours[0], axis=1).max())
    return replace(
        row,
        largest=_angle(row.largest),
        rms=_angle(row.rms),
        aligned=_angle(row.aligned),
        scale=_angle(farthest),
    )


def _angle(chord: float) -> float:
    """Angle [rad] between attitudes whose quaternions differ by that length, 2 sin(θ/4)."""
    return 4.0 * math.asin(min(0.5 * chord, 1.0))


def difference(
    name: str, unit: str, t: np.ndarray, ours: np.ndarray, theirs: np.ndarray
) -> Difference:
    """How far samples (n, k) at times t are from those in orbit."""
    apart = np.linalg.norm(theirs - ours, axis=1)
    worst = int(np.argmax(apart))
    late, aligned = _aligned(t, ours, theirs)
    return Difference(
        name,
        unit,
        float(apart[worst]),
        float(t[worst]),
        float(np.sqrt(np.mean(apart**2))),
        late,
        aligned,
        float(np.linalg.norm(ours, axis=1).max()),
    )


def _aligned(t: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float]:
    """The lateness [s] that explains most of the difference, and the largest one that is left."""
    if len(t) < 3:
        return 0.0, float(np.linalg.norm(theirs - ours, axis=1).max())
    period = float(t[1] - t[0])
    max_shift = min(int(LONGEST_S / period), len(t) // 4)
    best = _best(t, ours, theirs, np.arange(0, max_shift + 1) * period)
    fine = best + period * np.arange(-FINEST, FINEST + 1) / FINEST
    late = _best(t, ours, theirs, fine[fine >= 0.0])
    if _rms(t, ours, theirs, late) > EXPLAINED * _rms(t, ours, theirs, 0.0):
        late = 0.0
    return late, float(np.linalg.norm(_left(t, ours, theirs, late), axis=1).max())


def _best(t: np.ndarray, ours: np.ndarray, theirs: np.ndarray, lates: np.ndarray) -> float:
    return float(lates[int(np.argmin([_rms(t, ours, theirs, late) for late in lates]))])


def _rms(t: np.ndarray, ours: np.ndarray, theirs: np.ndarray, late: float) -> float:
    return float(np.sqrt(np.mean(_left(t, ours, theirs, late) ** 2)))


def _left(t: np.ndarray, ours: np.ndarray, theirs: np.ndarray, late: float) -> np.ndarray:
    """What is left of the difference where the rehearsal, `late` earlier, is known."""
    known = t <= t[-1] - late
    shifted = np.stack([np.interp(t[known] + late, t, column) for column in theirs.T], axis=1)
    return np.asarray(shifted - ours[known])


def _shown(rehearsal: Run) -> Difference:
    """The relative position that the lab shows, against the one of the models."""
    t, p_CT, seen = mock_ups_show(rehearsal)
    return difference("mock-ups against models", "m", t, p_CT, seen)


def mock_ups_show(rehearsal: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times [s], p_CT of the models and as the mock-ups show it (n, 3) [m]."""
    t, p_LT = rehearsal["lab.p_LTl"]
    _, p_LC = rehearsal["lab.p_LCl"]
    _, q_LC = rehearsal["lab.q_LCl"]
    _, p_CT = rehearsal["relative.p_CT"]
    R = np.moveaxis(rotation_of(tuple(q_LC.T)), -1, 0)
    return t, p_CT, np.einsum("nji,nj->ni", R, p_LT - p_LC)


def sensed(rehearsal: Run) -> tuple[Difference, ...]:
    """What the facility knows of itself: the relative position that on-board software sees against
    the one of the models, and the force sensors against each other."""
    rehearsal = _guided(rehearsal)
    t, p_CT = rehearsal["relative.p_CT"]
    seen = difference(
        "seen by the on-board software", "m", t, p_CT, rehearsal["lab.measured.p_CT"][1]
    )
    _, apart = rehearsal["lab.mismatch"]
    _, measured = rehearsal["lab.measured_wrench"]
    force, torque = slice(3), slice(3, None)
    return (
        seen,
        _mismatch("N", t, apart[:, force], measured[:, force]),
        _mismatch("N m", t, apart[:, torque], measured[:, torque]),
    )


def _mismatch(unit: str, t: np.ndarray, apart: np.ndarray, measured: np.ndarray) -> Difference:
    """How far the flange's sensor is from the wrist's; neither is later than the other."""
    size = np.linalg.norm(apart, axis=1)
    worst = int(np.argmax(size))
    largest, rms = float(size[worst]), float(np.sqrt(np.mean(size**2)))
    scale = float(np.linalg.norm(measured, axis=1).max())
    name = "flange against wrist sensor"
    return Difference(name, unit, largest, float(t[worst]), rms, 0.0, largest, scale)
