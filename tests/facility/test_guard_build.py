"""Guards that make no sense are refused, in words."""

import numpy as np
import pytest

from proxops.core.errors import InputError
from proxops.facility.common.guard.build import (
    AxisLimits,
    Pair,
    Plane,
    Shape,
    Watched,
    at_rest,
    build,
)
from tests.facility.planar_cell import HOME, TIPS, describe


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"axes": (AxisLimits("a", 1.0, -1.0, 1.0, 1.0, 1.0, 1.0),)}, "range of a: found 1 to -1"),
        ({"axes": (AxisLimits("a", -1.0, 1.0, 0.0, 1.0, 1.0, 1.0),)}, "speed of a: found 0"),
        (
            {"axes": (AxisLimits("a", -1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0),)},
            "acceleration of a in an emergency: found 1; must be at least the usual 2",
        ),
        (
            {"watched": (Watched("w", "heat", 1.0),)},
            "kind of w: found 'heat'; possible are measured force",
        ),
        (
            {"planes": (Plane("p", (0.0, 0.0, 2.0), 0.0),), "pairs": ()},
            "normal of p: found length 2",
        ),
        ({"pairs": (Pair("tip 3", "tip 1", 0.1),)}, "pair: found 'tip 3'; possible are tip 1"),
        ({"pairs": (Pair("tip 1", "tip 1", 0.1),)}, "pair of tip 1: found 'tip 1'; possible are"),
        ({"pairs": (Pair("tip 1", "tip 2", -0.1),)}, "clearance of tip 1 and tip 2: found -0.1 m"),
        (
            {"shapes": (Shape("tip 1", -1, ((0.0,) * 3,) * 2, 0.1),), "pairs": ()},
            "frame of tip 1: found -1",
        ),
        ({"period": 0.0}, "period of the guard: found 0"),
        ({"longest_stop": 100.0}, "longest stop of the guard: found 25000 cycles"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, words):
    with pytest.raises(InputError) as caught:
        build(describe(**changes))
    assert words in str(caught.value)


def test_a_start_must_fit_the_guard():
    guard = build(describe())
    with pytest.raises(InputError, match="joint positions: found 3; the guard has 12"):
        at_rest(guard, np.zeros(3), TIPS)
    with pytest.raises(InputError, match="frame of a shape: found 1; possible are 0 to 0"):
        at_rest(guard, HOME, 1)
