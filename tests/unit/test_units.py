"""Units by their usual names."""

import math

import pytest

import proxops
from proxops.core.units import UNITS, unit_named
from proxops.onboard.functions.plan.condition_text import parse_condition


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("Nm", "N m"), ("N*m", "N m"), ("N·m", "N m"), ("N.m", "N m"), ("mN m", "mN m"),
        ("degrees", "deg"), ("°", "deg"), ("°/s", "deg/s"), ("degrees/sec", "deg/s"),
        ("dps", "deg/s"), ("m / s", "m/s"), ("meters/second", "m/s"), ("sec", "s"), ("-", "1"),
        ("percent", "%"), ("Ns", "N s"), ("kg^0.5m", "kg^0.5 m"), ("rev/min", "rpm"),
    ],
)  # fmt: skip
def test_usual_names_are_understood(written, unit):
    assert unit_named(written) == unit


@pytest.mark.parametrize("written", ["", "furlong", "n", "M", "deg/", "N/m", "/s", "mm/mm"])
def test_no_unit_is_guessed(written):
    assert unit_named(written) is None


def test_every_unit_is_its_own_name():
    assert [unit_named(unit) for unit in UNITS] == list(UNITS)
    assert UNITS["arcsec"][1] * 3600.0 == pytest.approx(math.radians(1.0))


def test_conditions_and_requirements_take_them():
    assert parse_condition("control.attitude_error < 2 degrees", "here").unit == "deg"
    scenario = proxops.load("touch").replace({"requirements.joint_torque.unit": "Nm"})
    assert scenario.mission.requirements["joint_torque"].unit == "N m"
