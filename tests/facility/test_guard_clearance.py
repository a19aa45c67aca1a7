"""Clearances: distances of capsules, spheres and walls, and the pair that has the smallest."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import (
    AxisLimits,
    GuardDescription,
    Pair,
    Plane,
    Shape,
    build,
)
from proxops.facility.common.guard.clearance import END_WIDTH, FAR, least_slack, segment_distance


def distance(a, b, c, d):
    """Of two segments, as the minimum of a convex function of two shares."""
    found = minimize(
        lambda x: np.sum((a + x[0] * (b - a) - c - x[1] * (d - c)) ** 2),
        [0.5, 0.5],
        bounds=[(0.0, 1.0)] * 2,
        tol=1e-14,
    )
    return math.sqrt(found.fun)


def ends(rng):
    return [tuple(x) for x in rng.uniform(-1.0, 1.0, (4, 3))]


def test_distances_of_segments_are_the_smallest_of_any_two_points():
    rng = np.random.default_rng(8)
    for _ in range(60):
        segments = ends(rng)
        ours = segment_distance.py_func(*segments)
        # the minimiser's own accuracy
        assert ours == pytest.approx(distance(*map(np.array, segments)), abs=1e-6)


@pytest.mark.parametrize(
    ("segments", "exact"),
    [
        (((0, 0, 0), (1, 0, 0), (0, 0.3, 0), (1, 0.3, 0)), 0.3),  # parallel
        (((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)), 1.0),  # in a line
        (((0, 0, 0), (1, 0, 0), (3, 0, 0), (2, 0, 0)), 1.0),
        (((0, 0, 0), (1, 0, 0), (0.5, -1, 0.2), (0.5, 1, 0.2)), 0.2),  # crossing
        (((0, 0, 0), (0, 0, 0), (3, 4, 0), (3, 4, 0)), 5.0),  # points
        (((0, 0, 0), (0, 0, 0), (-1, 2, 0), (1, 2, 0)), 2.0),
        (((-1, 2, 0), (1, 2, 0), (0, 0, 0), (0, 0, 0)), 2.0),
        (((0, 0, 0), (1, 0, 0), (0.2, 0, 0), (0.7, 0, 0)), 0.0),  # one inside the other
    ],
)
def test_segments_in_special_places(segments, exact):
    floats = [tuple(map(float, end)) for end in segments]
    assert segment_distance.py_func(*floats) == pytest.approx(exact, abs=1e-15)


AXIS = AxisLimits("axis", -1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
CELL = GuardDescription(
    (AXIS,),
    0.004,
    0.02,
    shapes=(
        Shape("link", 0, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), 0.1),
        Shape("ball", 1, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), 0.2),
        Shape("post", 2, ((0.0, 0.0, 0.0), (0.0, 0.0, 2.0)), 0.05),
    ),
    planes=(Plane("floor", (0.0, 0.0, 1.0), 0.0),),
    pairs=(Pair("link", "ball", 0.05), Pair("link", "floor", 0.3), Pair("link", "post", 0.02)),
)
PAIR_OF_POST, WALL_OF_FLOOR = 1, 2


def slack(link, ball=(5.0, 5.0, 5.0), post=(9.0, 0.0, 0.0)):
    """Of the cell with the link turned by a quarter about z."""
    guard = build(CELL)
    frames = np.zeros((3, of.FRAME_WIDTH))
    frames[:, of.ATTITUDE] = 1.0
    frames[0, of.ATTITUDE :] = [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]
    frames[:, : of.ATTITUDE] = [link, ball, post]
    return least_slack(guard, frames, np.zeros((3, END_WIDTH)))


def test_the_smallest_clearance_is_named():
    assert slack((0.0, 0.0, 2.0)) == (pytest.approx(2.0 - 0.1 - 0.3), WALL_OF_FLOOR)
    # the link lies along y now: the ball is 0.6 m beside its middle
    assert slack((0.0, 0.0, 2.0), ball=(0.6, 0.5, 2.0)) == (pytest.approx(0.6 - 0.3 - 0.05), 0)
    assert slack((0.0, 0.0, 2.0), post=(0.2, 0.7, 0.0)) == (
        pytest.approx(0.2 - 0.15 - 0.02),
        PAIR_OF_POST,
    )


def test_what_is_no_number_is_never_clear():
    assert slack((math.nan, 0.0, 2.0)) == (-FAR, 0)
    assert slack((0.0, 0.0, math.nan))[0] == -FAR
    assert slack((0.0, 0.0, 2.0), post=(math.nan, 0.0, 0.0))[0] == -FAR
