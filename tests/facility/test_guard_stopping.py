"""The stop: one clock for all axes, inside all limits, the shortest there is."""

import numpy as np
import pytest

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import build
from proxops.facility.common.guard.stopping import clock_at, cycle_of, pace_at, shortest_stop, sweep
from tests.facility.planar_cell import AXES, HOME, PERIOD, describe, positions_of_tips

GUARD = build(describe())


def clock_of(N):
    """s_{-2} … s_{N+1} by plain summing of the cubic's values, through its four nodes."""
    w = np.poly1d(np.polyfit([-1.0, 0.0, N, N + 1.0], [1.0, 1.0, 0.0, 0.0], 3))
    return np.concatenate([[-2.0, -1.0, 0.0], np.cumsum(w(np.arange(1, N + 2)))])


def path_of(motion, N):
    """Positions (N + 4, axes) of cycles -2 … N + 1: the parabola through the last three, read at
    the times of the clock."""
    q, v, before = motion
    last = np.array([q - PERIOD * (v + before), q - PERIOD * v, q])
    parabolas = np.polyfit([-2.0, -1.0, 0.0], last, 2)
    return np.array([[np.polyval(p, s) for p in parabolas.T] for s in clock_of(N)])


def motions(count):
    """States of all axes from which a stop may or may not be possible."""
    rng = np.random.default_rng(3)
    limits = GUARD.axes
    for _ in range(count):
        lively = rng.random()
        v = lively * rng.uniform(-1.0, 1.0, AXES) * limits[:, of.SPEED]
        a = lively * rng.uniform(-1.0, 1.0, AXES) * limits[:, of.ACCELERATION]
        near = rng.choice(AXES)
        q = HOME.copy()
        if rng.random() < 0.5:
            q[near] = limits[near, of.UPPER] - 0.02 * rng.random()
        yield np.array([q, v, v - PERIOD * a])


@pytest.mark.parametrize("N", [1, 2, 7, 60])
def test_the_clock_starts_at_full_pace_and_ends_at_rest(N):
    exact = clock_of(N)
    cycles = np.arange(-2, N + 2)
    # The fit's rounding; positions are of the size of N.
    ours = [clock_at(float(N), float(i)) for i in cycles]
    np.testing.assert_allclose(ours, exact, atol=1e-11 * N)
    assert pace_at(float(N), 0.0) == pytest.approx(1.0, abs=1e-14)
    assert pace_at(float(N), -1.0) == pytest.approx(1.0, abs=1e-14)
    assert pace_at(float(N), float(N)) == 0.0
    assert pace_at(float(N), N + 1.0) == 0.0


@pytest.mark.parametrize("N", [1, 2, 7, 60])
def test_speed_acceleration_and_jerk_are_differences_of_the_positions_sent(N):
    motion = next(motions(1))
    path = path_of(motion, N)
    v, change = motion[of.V], motion[of.V] - motion[of.V_BEFORE]
    speeds = np.diff(path, axis=0) / PERIOD
    # positions of the fit are good to 1e-13: by h, and three differences, to 1e-10 of a speed
    for i in range(1, N + 2):
        pace, at = cycle_of(float(N), float(i)), i + 1
        np.testing.assert_allclose(pace.w * v + pace.u * change, speeds[at], atol=1e-9)
        np.testing.assert_allclose(
            pace.dw * v + pace.du * change, speeds[at] - speeds[at - 1], atol=1e-9
        )
        np.testing.assert_allclose(
            pace.ddw * v + pace.ddu * change,
            speeds[at] - 2.0 * speeds[at - 1] + speeds[at - 2],
            atol=1e-9,
        )


def fits(path, column_a, column_j):
    """Whether a path of positions is inside the limits, by differences."""
    limits = GUARD.axes
    speed = np.abs(np.diff(path, axis=0))[2:] / PERIOD
    acceleration = np.abs(np.diff(path, 2, axis=0))[1:] / PERIOD**2
    jerk = np.abs(np.diff(path, 3, axis=0)) / PERIOD**3
    return (
        (path[3:] <= limits[:, of.UPPER]).all()
        and (path[3:] >= limits[:, of.LOWER]).all()
        and (speed <= limits[:, of.SPEED]).all()
        and (acceleration <= limits[:, column_a]).all()
        and (jerk <= limits[:, column_j]).all()
    )


@pytest.mark.parametrize("hard", [False, True])
def test_the_shortest_stop_is_the_first_that_fits_by_trying_all(hard):
    columns = (of.HARD_ACCELERATION, of.HARD_JERK) if hard else (of.ACCELERATION, of.JERK)
    found = []
    for motion in motions(40):
        tried = (N for N in range(1, 61) if fits(path_of(motion, N), *columns))
        first = next(tried, 0)
        N, fault = shortest_stop(GUARD, motion, hard)
        if N > 60:
            N = 0
        assert first == N
        assert (fault.reason == of.NONE) == (N > 0) or first == 0
        found.append(first)
    assert min(found) == 0  # from some there is none
    assert max(found) > 8


def test_what_is_linear_between_axes_stays_so():
    motion = next(motions(1))
    motion[:, 1] = 0.4 * motion[:, 0] - 0.2 * motion[:, 2]
    path = path_of(motion, 25)
    np.testing.assert_allclose(path[:, 1], 0.4 * path[:, 0] - 0.2 * path[:, 2], atol=1e-12)


def test_no_tip_moves_further_than_what_is_swept():
    """Both tips together, along the polygon of positions sent, which is not longer than the way."""
    closest = 0.0
    for motion in motions(30):
        N = 20
        path = path_of(motion, N)[2:]
        swept = sweep(GUARD, motion, 0.0, clock_at(float(N), float(N)))
        moved = 0.0
        for x, y in positions_of_tips(path):
            moved += np.hypot(np.diff(x), np.diff(y)).sum()
        assert moved <= swept
        closest = max(closest, moved / swept)
    assert closest > 0.2  # and not by far
