"""Where in the lab a mission does best.

The start pose of the grapple frame G is varied in a box around the documented one: position, and
turn about the vertical.  What counts is first how long the mission lasts, until a robot or the
guard ends it, with a share of acceleration and jerk in reserve; then the least margin.  A coarse
grid finds where to begin, a pattern search refines the best of it: along each direction a step that
helps is taken, and steps are halved where none does (Hooke and Jeeves 1961).  The guard takes a
hundred times as long to ask as the robots, and can only shorten what they allow: so it is asked
where that is more than the best that is known.
Nothing is drawn at random.  The result is the best that was tried, not proven to be best.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from proxops.core.frame import Frame
from proxops.feasibility.case import Case
from proxops.feasibility.guard_forecast import SURE, Judge
from proxops.feasibility.margins import Standing
from proxops.feasibility.mission_end import Ending, guarded, moved

HALF = np.array([0.8, 0.8, 0.5, math.radians(60.0)])  # of the box: x, y, z [m], turn [rad]
BEGIN = 3  # grid points that are refined
SAMPLES = 600  # of the mission while searching; what is found is judged on all
ASKING = 20  # cost of asking the guard, in looks at the robots: for the progress
SCORED = 2  # how often it is asked in a round, about

Score = tuple[float, float]
Scored = Callable[[np.ndarray], Score]


@dataclass(frozen=True)
class Search:
    """How thoroughly to look."""

    grid: tuple[int, ...] = (5, 5, 3, 5)  # points along each direction of the box
    halvings: int = 6  # of steps that begin as a quarter of the box: down to 3 mm and 0.25 deg


THOROUGH = Search()


@dataclass(frozen=True)
class Placement:
    """A start pose, and what it is good for."""

    X_LG: Frame  # its position to the millimetre
    going: Ending
    surely: Ending  # with accelerations and jerks in reserve

    @property
    def lasts(self) -> float:
        """Until the first limit [s]."""
        return self.going.lasts

    @property
    def limit(self) -> Standing | None:
        """What ends it."""
        return self.going.limit

    @property
    def margin(self) -> float:
        """Least of what depends on the place, 0 if the mission does not last."""
        return self.going.score[1]

    @property
    def p_LG(self) -> list[float]:
        """Position of G in the lab [m]."""
        return [float(x) for x in self.X_LG.p]

    @property
    def q_LG(self) -> list[float]:
        """Attitude of G in the lab, wxyz."""
        return [round(float(x), 12) for x in self.X_LG.row()[3:]]

    @property
    def toml(self) -> str:
        """What a facility file has to say for it."""
        return f"[start]\np_LG_m = {self.p_LG}\nq_LG = {self.q_LG}"


def best_placement(
    judge: Judge,
    progress: Callable[[float], None] | None = None,
    search: Search = THOROUGH,
) -> Placement:
    """The best start pose that was found, its limit and time from all samples."""
    case, reproduced, here = judge.case, judge.reproduced, np.zeros(len(HALF))
    every = max(1, len(reproduced.t) // SAMPLES)
    looked: dict[tuple[float, ...], Score] = {}
    scored: dict[tuple[float, ...], Score] = {}
    grid = [HALF * np.array(at) for at in product(*(np.linspace(-1, 1, n) for n in search.grid))]
    rounds = BEGIN * (search.halvings + 1)
    expected = len(grid) + rounds * (2 * len(HALF) + SCORED * ASKING)

    def report_progress() -> None:
        if progress is not None:
            progress(min(1.0, (len(looked) + ASKING * len(scored)) / expected))

    def at_best(at: np.ndarray) -> Score:
        key = _key(at)
        if key not in looked:
            looked[key] = moved(case, reproduced, X_LG_at(case, at), every).score
            report_progress()
        return looked[key]

    def score(at: np.ndarray) -> Score:
        key = _key(at)
        if key not in scored:
            X_LG = X_LG_at(case, at)
            scored[key] = guarded(judge, moved(case, reproduced, X_LG, every), X_LG, SURE).score
            report_progress()
        return scored[key]

    begins = leaders([here, *grid], score, at_best)
    # the documented pose comes first, so that equally good ones do not take its place
    found = [here, *(refined(score, at, HALF, search.halvings, at_best) for at in begins)]
    return max((_placement(judge, X_LG_at(case, at)) for at in found), key=_merit)


def _key(at: np.ndarray) -> tuple[float, ...]:
    return tuple(np.round(at, 9))


def _placement(judge: Judge, X_LG: Frame) -> Placement:
    """A start pose, to the millimetre, judged on all samples."""
    X_LG = Frame(X_LG.R, np.round(X_LG.p, 3))
    going = moved(judge.case, judge.reproduced, X_LG)
    return Placement(X_LG, guarded(judge, going, X_LG), guarded(judge, going, X_LG, SURE))


def _merit(placement: Placement) -> Score:
    return placement.surely.score


def leaders(points: Sequence[np.ndarray], score: Scored, at_best: Scored) -> list[np.ndarray]:
    """The BEGIN points of highest score, which is asked for only where it can be among them: it is
    nowhere more than `at_best`."""
    found: list[np.ndarray] = []
    for at in sorted(points, key=at_best, reverse=True):
        if len(found) == BEGIN and not at_best(at) > score(found[-1]):
            break
        found = sorted([*found, at], key=score, reverse=True)[:BEGIN]
    return found


def refined(
    score: Scored, at: np.ndarray, half: np.ndarray, halvings: int, at_best: Scored
) -> np.ndarray:
    """The best point that a pattern search finds from `at`, within ±half; the score is nowhere
    more than `at_best`, and is asked for only where that promises more than is known."""
    for halving in range(halvings + 1):
        moves = np.diag(0.25 * half * 0.5**halving)
        helps = True
        while helps:
            near = [
                np.clip(at + sign * move, -half, half) for move in moves for sign in (1.0, -1.0)
            ]
            best = at
            for point in sorted(near, key=at_best, reverse=True):
                if not at_best(point) > score(best):
                    break
                best = point if score(point) > score(best) else best
            helps = best is not at
            at = best
    return at


def X_LG_at(case: Case, at: np.ndarray) -> Frame:
    """G in the lab, moved by x, y, z [m] and turned about the vertical [rad] from the file's."""
    start = case.X_LG
    c, s = math.cos(at[3]), math.sin(at[3])
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Frame(turn @ start.R, start.p + at[:3])
