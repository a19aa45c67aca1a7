"""Switches of the holds: what they say, and conditions of a plan that name one of them."""

import numpy as np
import pytest
from tests.laws.written import written
from tests.unit.sensor_cases import TICK, truth_at

from proxops.bus.bus import bus_of
from proxops.core.errors import InputError
from proxops.onboard.functions.plan import conditions
from proxops.sensors import latches
from proxops.sensors.sensor import Chaser, block_fields, build

CHASER = Chaser(0, 0, ("soft", "hard", "grip"))


def test_switches_tell_of_each_hold_in_their_order():
    params, memory = build(
        latches.SENSOR, latches.Latches(), CHASER, TICK, np.zeros(0), np.zeros((1, 1))
    )
    shown = truth_at(0)._replace(ready=np.array([1.0, 0, 1.0]), closed=np.array([0.0, 0, 1.0]))
    assert written(latches.measure)(params, memory, shown, np.zeros(0), memory.values)
    assert memory.values.tolist() == [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("latches.ready.soft >= 1", True),
        ("latches.ready.hard >= 1", False),
        ("latches.closed.grip >= 1", True),
        ("latches.closed[0] >= 1", False),
        ("latches.closed.soft < 1", True),
    ],
)
def test_a_condition_of_a_plan_names_a_hold(text, is_so):
    bus = bus_of(block_fields(latches.SENSOR, CHASER), (), (), ())
    bus.measurements["latches.ready"][:] = 1.0, 0.0, 1.0
    bus.measurements["latches.closed"][:] = 0.0, 0.0, 1.0
    row = np.array(conditions.read_condition(text, bus, "here").row)
    value = written(conditions.value_of)(row, bus.measurements.array, bus.estimates.array)
    assert bool(written(conditions.holds)(row, value)) is is_so


def test_a_condition_on_a_hold_that_is_not_there_is_rejected():
    bus = bus_of(block_fields(latches.SENSOR, CHASER), (), (), ())
    with pytest.raises(InputError, match=r"no quantity 'latches\.ready\.heart'"):
        conditions.read_condition("latches.ready.heart >= 1", bus, "here")
