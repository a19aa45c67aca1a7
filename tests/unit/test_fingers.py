"""When a gripper has something between its fingers."""

import numpy as np
import pytest

from proxops.onboard.functions.capture.fingers import Gripper, stands_between

GRIPPER = Gripper(0, 1, 0.03, 2000.0, 40.0, 0.002, 0.048, 0.002, 0.3, 0.059)


@pytest.mark.parametrize(
    ("q", "holds"),
    [
        ((0.036, 0.036), True),
        ((0.020, 0.052), True),  # not in the middle
        ((0.002, 0.040), False),  # one has not left where it is open
        ((0.014, 0.060), False),  # one has gone on to its stop
        ((0.048, 0.049), False),  # they have met
    ],
)
def test_fingers_that_stand_under_way_hold_something(q, holds):
    for way in (np.array(q), np.array(q[::-1])):
        assert stands_between.py_func(GRIPPER, way, np.zeros(2)) == holds
        assert not stands_between.py_func(GRIPPER, way, np.array([0.0, 0.003]))
