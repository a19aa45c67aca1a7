"""What thrusters did to the path: delta-v as strokes along it, and in sum for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from proxops.assembly.describe import describe, describe_thrusters
from proxops.core.errors import ProxopsError
from proxops.report.tables import number, table
from proxops.results.drift import hill_axes
from proxops.results.run import Run
from proxops.scenario.load import Scenario

IMPULSE, DELTA_V, ATTITUDE = "chaser.thrusters.impulse", "chaser.delta_v", "chaser.q_NC"
STRETCHES = 120  # of the run: burns in one of them are one stroke
LEAST = 0.02  # of the largest stroke: shorter ones are left out


@dataclass(frozen=True, eq=False)
class Burns:
    """What pushed the chaser, a stretch of the run at a time."""

    places: np.ndarray  # (n, 3) of the chaser's centre of mass from the target's, in H [m]
    impulses: np.ndarray  # (n, 3) in H [N s]


def burns_of(run: Run) -> Burns | None:
    """The burns of a run; None where nothing pushed, or where that is not known."""
    try:
        scenario = Scenario.from_dict(run.provenance.get("scenario", {}))
        orbit = describe(scenario)[2]
        thrusters = describe_thrusters(scenario.mission)
    except (ProxopsError, KeyError, TypeError, ValueError):
        return None
    needed = {IMPULSE, ATTITUDE, "chaser.p_HCcm", "target.p_HTcm"}
    if orbit is None or not needed <= set(run) or len(run.rows) < 2:
        return None
    t, impulse = run[IMPULSE]
    pushes = np.diff(impulse, axis=0) @ np.array([each.direction for each in thrusters])
    attitude, r = run[ATTITUDE][1], run["chaser.p_HCcm"][1] - run["target.p_HTcm"][1]
    rows = np.flatnonzero(np.abs(pushes).sum(axis=1) > 0.0)
    if not len(rows) or not np.isfinite(pushes).all() or not t[-1] > t[0]:
        return None
    stretch = ((t[rows] - t[0]) / (t[-1] - t[0]) * STRETCHES).astype(int)
    places, impulses = [], []
    for each in np.unique(stretch):
        own = rows[stretch == each]
        middle = int(own[len(own) // 2])
        turned = np.sum([_rotated(attitude[row], pushes[row]) for row in own], axis=0)
        impulses.append(hill_axes(orbit, float(t[middle]))[0].T @ turned)
        places.append(r[middle])
    return Burns(np.array(places), np.array(impulses))


def strokes(burns: Burns, longest: float) -> np.ndarray:
    """Strokes from the path along the delta-v that acted there [m]: start, end and a gap for each,
    the largest of that length; short ones are left out."""
    size = np.linalg.norm(burns.impulses, axis=1)
    largest = max(float(size.max()), np.finfo(float).tiny)
    found = [np.empty((0, 3))]
    for place, impulse, length in zip(burns.places, burns.impulses, size, strict=True):
        if length > LEAST * largest:
            end = place + longest * impulse / largest
            found.append(np.array([place, end, np.full(3, np.nan)]))
    return np.vstack(found)


def delta_v_table(run: Run) -> str:
    """Impulse, delta-v and share of each thruster as HTML; empty where none is booked."""
    if not {IMPULSE, DELTA_V} <= set(run) or not len(run.rows):
        return ""
    impulse, total = run[IMPULSE][1][-1], float(run[DELTA_V][1][-1])
    sum_impulse = float(impulse.sum())
    if not sum_impulse > 0.0:
        return '<p class="soft">No thruster fired.</p>'
    rows = [
        (name, number(each), number(1e3 * total * each / sum_impulse), f"{each / sum_impulse:.1%}")
        for name, each in zip(_names(run, len(impulse)), impulse.tolist(), strict=True)
    ]
    rows.append(("all", number(sum_impulse), number(1e3 * total), ""))
    heads = ("thruster", "impulse [N s]", "delta-v [mm/s]", "share")
    return table(heads, rows, numbers=(1, 2, 3))


def leg_table(run: Run) -> str:
    """Impulse of each thruster that fired, and delta-v, in every phase or leg, as HTML; empty where
    there is one only."""
    if not {IMPULSE, DELTA_V} <= set(run) or not len(run.rows) or len(run.phases) < 2:
        return ""
    t, impulse = run[IMPULSE]
    spent = run[DELTA_V][1].ravel()
    fired = np.flatnonzero(impulse[-1] > 0.0)
    if not len(fired):
        return ""
    names = _names(run, impulse.shape[1])
    rows = []
    for phase in run.phases:
        ends = (phase.start_s, phase.end_s)
        burnt = [float(np.diff(np.interp(ends, t, impulse[:, i]))[0]) for i in fired]
        gained = 1e3 * float(np.diff(np.interp(ends, t, spent))[0])
        cells = [number(each, ".3g") for each in (gained, sum(burnt), *burnt)]
        rows.append([escape(phase.name), *cells])
    heads = ["phase", "delta-v [mm/s]", "impulse [N s]", *(names[i] for i in fired.tolist())]
    shown = table(heads, rows, numbers=range(1, len(heads)))
    summary = "<summary>Impulse of each thruster in each phase, or leg of the plan</summary>"
    return f"<details>{summary}{shown}</details>"


def _names(run: Run, count: int) -> Sequence[str]:
    """Of the thrusters, by their scenario; numbers where that does not tell."""
    try:
        scenario = Scenario.from_dict(run.provenance.get("scenario", {}))
        names = tuple(scenario.mission.chaser.thrusters)
    except (ProxopsError, KeyError, TypeError, ValueError):
        names = ()
    return names if len(names) == count else [str(i) for i in range(count)]


def _rotated(q: np.ndarray, a: np.ndarray) -> np.ndarray:
    """A vector turned by a unit quaternion, wxyz."""
    return a + 2.0 * np.cross(q[1:], np.cross(q[1:], a) + q[0] * a)
