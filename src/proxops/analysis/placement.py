"""Where in the lab a mission does best.

The start pose of the grapple frame G is varied in a box around the documented one: position, and
turn about the vertical.  What counts is first how long the mission lasts, then the least margin of
both robots.  A coarse grid finds where to begin, a pattern search refines the best of it: along
each direction a step that helps is taken, and steps are halved where none does (Hooke and Jeeves
1961).  Nothing is drawn at random.  The result is the best that was tried, not proven to be best.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from proxops.analysis.margins import Motion, Standing, move
from proxops.analysis.showing import Case, Shown
from proxops.core.frame import Frame
from proxops.facility.industrial.margins import INERTIA, LIMITS, PAYLOAD

HALF = np.array([0.8, 0.8, 0.5, math.radians(60.0)])  # of the box: x, y, z [m], turn [rad]
GRID = (5, 5, 3, 5)  # points along each
BEGIN = 3  # grid points that are refined
FIRST_STEP = HALF / 4.0
HALVINGS = 6  # of the steps: down to 3 mm and 0.25 deg
SAMPLES = 600  # of the mission while searching; what is found is judged on all
PLACED = tuple(column for column in range(LIMITS) if column not in (PAYLOAD, INERTIA))


@dataclass(frozen=True)
class Placement:
    """A start pose, and what it is good for."""

    X_LG: Frame  # its position to the millimetre
    lasts: float  # [s]
    margin: float  # least of what depends on the place
    limit: Standing | None

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
    case: Case, shown: Shown, progress: Callable[[float], None] | None = None
) -> Placement:
    """The best start pose that was found, its limit and time from all samples."""
    X_GM, here = case.X_LG.inverse() @ case.X_LM, np.zeros(len(HALF))
    every = max(1, len(shown.t) // SAMPLES)
    judged: dict[tuple[float, ...], tuple[float, float]] = {}
    grid = [HALF * np.array(at) for at in product(*(np.linspace(-1, 1, n) for n in GRID))]
    expected = len(grid) + BEGIN * 8 * (HALVINGS + 6)

    def score(at: np.ndarray) -> tuple[float, float]:
        key = tuple(np.round(at, 9))
        if key not in judged:
            judged[key] = _score(move(case, shown, X_LG_at(case, at) @ X_GM, every), shown)
            if progress is not None:
                progress(min(1.0, len(judged) / expected))
        return judged[key]

    begins = sorted([here, *grid], key=score, reverse=True)[:BEGIN]
    # the documented pose comes first, so that equally good ones do not take its place
    found = [here, *(refined(score, at, FIRST_STEP, HALF) for at in begins)]
    return max((_placement(case, shown, X_LG_at(case, at)) for at in found), key=_merit)


def _placement(case: Case, shown: Shown, X_LG: Frame) -> Placement:
    """A start pose, to the millimetre, judged on all samples."""
    X_LG = Frame(X_LG.R, np.round(X_LG.p, 3))
    motions = move(case, shown, X_LG @ case.X_LG.inverse() @ case.X_LM)
    ends = [motion.end for motion in motions if motion.end is not None]
    limit = min(ends, key=lambda end: end.t) if ends else None
    return Placement(X_LG, *_score(motions, shown), limit)


def _merit(placement: Placement) -> tuple[float, float]:
    return placement.lasts, placement.margin


def refined(
    score: Callable[[np.ndarray], tuple[float, float]],
    at: np.ndarray,
    step: np.ndarray,
    half: np.ndarray,
) -> np.ndarray:
    """The best point that a pattern search finds from `at`, within ±half."""
    for halving in range(HALVINGS + 1):
        moves = np.diag(step * 0.5**halving)
        helps = True
        while helps:
            near = [np.clip(at + way * move, -half, half) for move in moves for way in (1.0, -1.0)]
            best = max(near, key=score)
            helps = score(best) > score(at)
            at = best if helps else at
    return at


def X_LG_at(case: Case, at: np.ndarray) -> Frame:
    """G in the lab, moved by x, y, z [m] and turned about the vertical [rad] from the file's."""
    start = case.X_LG
    c, s = math.cos(at[3]), math.sin(at[3])
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Frame(turn @ start.R, start.p + at[:3])


def _score(motions: tuple[Motion, ...], shown: Shown) -> tuple[float, float]:
    """How long it lasts [s], and the least margin if to the end."""
    whole = float(shown.t[-1])
    lasts = min((motion.end.t for motion in motions if motion.end), default=whole)
    if lasts < whole:
        return lasts, 0.0
    return whole, min((motion.least(PLACED, whole).margin for motion in motions), default=1.0)
