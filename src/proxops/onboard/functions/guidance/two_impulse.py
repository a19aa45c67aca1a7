"""A flight by two burns: one to leave, one to stop, and a coast between them."""

import numpy as np

from proxops.core.errors import InputError
from proxops.onboard.functions.allocation.authority import force_in_any_direction
from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.solution import Solution
from proxops.physics.orbit.hcw import hcw_transition
from proxops.physics.orbit.kepler import propagate
from proxops.physics.orbit.transfers import relative_motion, transfer, two_impulse

NODES_OF_COAST = 40  # cubics between them are off by 1e-5 of the way in one revolution


def two_burns(
    orbit: Orbit, span: tuple[float, float], start: np.ndarray, goal: np.ndarray, *,
    thrusters: np.ndarray, burn: float, by_hcw: bool = False,
) -> Solution:  # fmt: skip
    """The plan from a state [p; v] in H to another within a span of time, from and until [s].

    The impulses are those of `transfer`, Yamanaka and Ankersen's with one correction for the true
    motion, half a burn after the start and before the end: to the second order of its length a burn
    acts as an impulse in its middle.  Burns last `burn` [s], or longer where that is more than
    `thrusters` (k, 3), the acceleration by each [m/s2], can do in any direction.  No limits are
    planned with; whoever flies the plan looks where it leads.

    `by_hcw` the impulses are those of Hill, Clohessy and Wiltshire's equations, uncorrected.  The
    coast is the true one all the same, so that control does not push against gravity.
    """
    begin, end = span
    a_max, lengths = force_in_any_direction(thrusters), np.full(2, burn)
    for _ in range(3):  # impulses depend a little on where the burns have their middles
        if not end - begin > lengths.sum():
            return _nowhere(orbit, span)
        left, right = begin + 0.5 * lengths[0], end - 0.5 * lengths[1]
        departure = orbit.transition(begin, left) @ start
        arrival = orbit.transition(end, right) @ goal
        try:
            if by_hcw:
                Phi = hcw_transition(orbit.mean_motion, right - left)
                found = two_impulse(Phi, departure, arrival)
            else:
                found = transfer(orbit.mu, *_at(orbit, left), departure, arrival, right - left)
        except InputError:
            return _nowhere(orbit, span)
        impulses = np.array([found.dv1, found.dv2])
        sizes = np.linalg.norm(impulses, axis=1)
        lengths = np.maximum(burn, sizes / max(a_max, 1e-12))
    if not end - begin > lengths.sum():
        return _nowhere(orbit, span)
    coasting = np.linspace(begin + lengths[0], end - lengths[1], NODES_OF_COAST)
    departure[3:] += found.dv1
    states = [relative_motion(orbit.mu, *_at(orbit, left), departure, t - left) for t in coasting]
    acceleration = np.zeros((NODES_OF_COAST + 1, 3))
    acceleration[[0, -1]] = impulses / lengths[:, None]
    burns = np.zeros(NODES_OF_COAST + 1)
    burns[[0, -1]] = lengths
    return Solution(
        orbit=orbit,
        status=Status.SOLVED,
        times=np.array([begin, *coasting, end]),
        states=np.array([start, *states, goal]),
        thrust=np.linalg.norm(acceleration, axis=1)[:, None],
        acceleration=acceleration,
        burn=burns,
        delta_v=float(sizes.sum()),
        slack=np.zeros(3),
        miss=np.array([*found.miss, 0.0, 0.0, 0.0]),
        iterations=1,
    )


def _at(orbit: Orbit, t: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Position and velocity of the target in N [m, m/s]."""
    R, V = propagate(orbit.mu, orbit.R0, orbit.V0, t)
    return R, V


def _nowhere(orbit: Orbit, span: tuple[float, float]) -> Solution:
    """No plan."""
    return Solution(
        orbit=orbit,
        status=Status.INFEASIBLE,
        times=np.array(span),
        states=np.full((2, 6), np.nan),
        thrust=np.full((1, 1), np.nan),
        acceleration=np.full((1, 3), np.nan),
        burn=np.zeros(1),
        delta_v=np.nan,
        slack=np.full(3, np.nan),
        miss=np.full(6, np.nan),
        iterations=0,
    )
