"""A robot along a whole trajectory: its joints, its margins, and the first limit it runs into."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.core.jit import helper, kernel
from proxops.core.spatial.pose import ad, compose, exp, inverse, log
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import add, get3, scale
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.inverse import (
    BRANCH_WIDTH,
    BRANCHES,
    GAP,
    OUT_OF_RANGE,
    REACHED,
    all_joints_for,
    nearest,
)
from proxops.facility.robot_cell.industrial.jacobian import get_twist
from proxops.facility.robot_cell.industrial.margins import (
    ACCELERATION,
    LIMITS,
    POSITION,
    SPEED,
    Limit,
    fill_margins,
    limit_of,
)
from proxops.facility.robot_cell.industrial.robot import (
    AXES,
    LOWER,
    POSE_WIDTH,
    UPPER,
    P,
    Q,
    Robot,
)

TWIST = 6
HALVINGS = 24  # of the time between two samples: 0.1 s down to 6 ns


class Track(NamedTuple):
    """A motion X_LM of the mock-up in samples."""

    t: np.ndarray  # [s], increasing
    poses: np.ndarray  # (n, 7) [m, wxyz]
    twists: np.ndarray  # (n, 6) components in M [m/s, rad/s]
    rates: np.ndarray  # of the twists' components (n, 6) [m/s2, rad/s2]


class Crossing(NamedTuple):
    """Where a track is first at a limit."""

    samples: int  # followed; fewer than given if the track went out of reach
    column: int  # of the limit, -1 if none was met
    t: float  # [s]


@dataclass(frozen=True)
class Violation:
    """The first limit that a trajectory runs into."""

    t: float  # [s]
    limit: Limit


@dataclass(frozen=True)
class Followed:
    """A trajectory as the robot would do it.  Rows end where it is out of reach."""

    t: np.ndarray  # (n,) [s]
    measures: np.ndarray  # (n, LIMITS), columns as in `margins`
    margins: np.ndarray  # (n, LIMITS)
    violation: Violation | None
    worst: Limit  # the least margin of all samples
    worst_t: float  # [s]

    @property
    def joints(self) -> np.ndarray:
        """(n, 6) [rad]."""
        return self.measures[:, POSITION:SPEED]

    @property
    def speeds(self) -> np.ndarray:
        """(n, 6) [rad/s]."""
        return self.measures[:, SPEED:ACCELERATION]

    @property
    def accelerations(self) -> np.ndarray:
        """(n, 6) [rad/s2]."""
        return self.measures[:, ACCELERATION : ACCELERATION + AXES]


@helper
def _sample(track, i):
    """Pose, twist and its rate of a sample."""
    X = get4(track.poses[i], Q), get3(track.poses[i], P)
    return X, get_twist(track.twists[i]), get_twist(track.rates[i])


@helper
def _mix(a, A, b, B):
    """a A + b B of two twists."""
    return add(scale(a, A[0]), scale(b, B[0])), add(scale(a, A[1]), scale(b, B[1]))


@helper
def between(track, i, s):
    """Pose, twist and its rate at the share s of the way from sample i - 1 to i.

        X = X₀ exp(ξ(s)),   ξ' = h (V + ½ ad_ξ V + ad_ξ² V/12)   at both ends

    ξ and V are cubics through values and slopes at both samples, wrong by h⁴/384 of the fourth
    derivative; the rate is taken as linear.
    """
    X_0, V_0, rate_0 = _sample(track, i - 1)
    X_1, V_1, rate_1 = _sample(track, i)
    h = track.t[i] - track.t[i - 1]
    xi = log(compose(inverse(X_0), X_1))
    bracket = ad(xi, V_1)
    slope = _mix(1.0, V_1, 1.0, _mix(0.5, bracket, 1.0 / 12.0, ad(xi, bracket)))
    there = s * s * (3.0 - 2.0 * s)
    leaving, arriving = h * s * (1.0 - s) ** 2, -h * s * s * (1.0 - s)
    moved = _mix(1.0, _mix(there, xi, leaving, V_0), arriving, slope)
    V = _mix(1.0, _mix(1.0 - there, V_0, there, V_1), 1.0, _mix(leaving, rate_0, arriving, rate_1))
    return compose(X_0, exp(moved)), V, _mix(1.0 - s, rate_0, s, rate_1)


@kernel
def follow_track(robot, track, start, measures, margins):
    """Writes a row of measures and margins for every sample, from the joints `start` (6,) on, until
    one is out of reach; then one more, for the Crossing, which is answered.

    Between the samples around it the crossing is found by halving.  A limit that is exceeded only
    between two samples is not seen.
    """
    count, near, first = len(track.t), get6(start), -1
    done = count
    for i in range(count):
        X, V, rate = _sample(track, i)
        solution = nearest(robot, X, near, False)
        worst = fill_margins(robot, solution, (X[0], V, rate), measures[i], margins[i])
        near = solution.joints
        if first < 0 and not margins[i, worst] > 0.0:
            first = i
        if solution.status != REACHED and solution.status != OUT_OF_RANGE:
            done = i + 1
            break
    if first < 0:
        return Crossing(done, -1, track.t[count - 1])
    i = max(first, 1)
    near = get6(start) if first == 0 else get6(measures[i - 1])
    low, high = 0.0, 0.0 if first == 0 else 1.0
    column = -1
    for halving in range(HALVINGS + 1):
        s = high if halving == HALVINGS else 0.5 * (low + high)
        X, V, rate = between(track, i, s)
        solution = nearest(robot, X, near, False)
        column = fill_margins(robot, solution, (X[0], V, rate), measures[count], margins[count])
        if margins[count, column] > 0.0:
            low = s
        else:
            high = s
    return Crossing(done, column, track.t[i - 1] + high * (track.t[i] - track.t[i - 1]))


def follow(robot: Robot, track: Track, start: np.ndarray) -> Followed:
    """What a robot does along a track, beginning on the branch nearest to the joints `start`."""
    count = len(track.t)
    measures, margins = np.empty((count + 1, LIMITS)), np.empty((count + 1, LIMITS))
    samples, column, t = follow_track(
        robot, track, np.ascontiguousarray(start, dtype=float), measures, margins
    )
    violation = None
    if column >= 0:
        violation = Violation(t, limit_of(robot, column, measures[count], margins[count]))
    measures, margins = measures[:samples], margins[:samples]
    known = np.where(np.isnan(margins), -np.inf, margins)
    row, worst = np.unravel_index(np.argmin(known), known.shape)
    limit = limit_of(robot, int(worst), measures[row], margins[row])
    return Followed(track.t[:samples], measures, margins, violation, limit, float(track.t[row]))


def track_of(
    t: np.ndarray, poses: np.ndarray, twists: np.ndarray, rates: np.ndarray | None = None
) -> Track:
    """A track of arrays, refused if they do not fit; rates that are not given are differences of
    the twists, exact to the square of the time between samples."""
    t = np.ascontiguousarray(t, dtype=float)
    if t.ndim != 1 or len(t) < 3 or not (np.diff(t) > 0.0).all():
        raise InputError("track: it takes three or more times, each later than the one before")
    twists = _table("twists", twists, (len(t), TWIST))
    if rates is None:
        rates = np.gradient(twists, t, axis=0, edge_order=2)
    return Track(
        t,
        _table("poses", poses, (len(t), POSE_WIDTH)),
        twists,
        _table("rates of the twists", rates, (len(t), TWIST)),
    )


def _table(name: str, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    table = np.ascontiguousarray(values, dtype=float)
    if table.shape != shape:
        raise InputError(f"track: {name} have shape {table.shape}; {shape} is needed")
    if not np.isfinite(table).all():
        raise InputError(f"track: {name} must be finite")
    return table


def starts(robot: Robot, pose: np.ndarray) -> list[np.ndarray]:
    """All joints (6,) [rad] in range that hold a pose X_LM, those furthest from the ends of their
    ranges first; axes that turn more than once stay near the middle."""
    lower, upper = robot.joints[:, LOWER], robot.joints[:, UPPER]
    table = _branches(robot, pose)
    found: Sequence[np.ndarray] = [row[:AXES] for row in table if row[GAP] == 0.0]
    share = [2.0 * np.min(np.minimum(q - lower, upper - q) / (upper - lower)) for q in found]
    order = np.argsort(share)[::-1]
    return [np.array(found[i]) for i in order if share[i] >= 0.0]


def shortfall(robot: Robot, pose: np.ndarray) -> str:
    """Why no joints hold a pose X_LM, in words."""
    gap = float(_branches(robot, pose)[:, GAP].min())
    return f"out of reach by {gap:.2g} m" if gap > 0.0 else "beyond the range of an axis"


def _branches(robot: Robot, pose: np.ndarray) -> np.ndarray:
    """The joints for a pose X_LM in all branches, near the middle of their ranges."""
    middle = 0.5 * (robot.joints[:, LOWER] + robot.joints[:, UPPER])
    table = np.empty((BRANCHES, BRANCH_WIDTH))
    all_joints_for(robot, np.ascontiguousarray(pose, dtype=float), middle, table)
    return table
