"""Thrusters and the boost in scenario files: what is accepted, and what a message says."""

import pytest
from pydantic import ValidationError

from proxops.scenario.problems import explain
from proxops.scenario.schema.boost import Boost
from proxops.scenario.schema.thruster import Thruster

THRUSTER = {"p_C_m": [0.0, 0.5, 0.5], "direction_C": [1.0, 0.0, 0.0], "thrust_N": 375.0}
CONTACT = {
    "name": "ring",
    "chaser_mass_kg": 1200.0,
    "target_mass_kg": 8200.0,
    "stiffness_N_m": 1e8,
    "damping_N_s_m": 1e4,
    "margin_N": 20.0,
}
BOOST = {
    "engines": ["lu", "ld"],
    "duration_s": 100.0,
    "modulation": "staggered",
    "separation_rule": True,
    "contact": CONTACT,
}


def faults_of(section, document):
    with pytest.raises(ValidationError) as caught:
        section.model_validate(document)
    return [(".".join(map(str, path)), text) for path, text in explain(caught.value, document)]


def test_a_thruster_is_at_once_on_and_off_unless_told_otherwise():
    given = Thruster.model_validate(THRUSTER)
    assert (given.rise_s, given.fall_s, given.min_pulse_s) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("direction_C", [1.0, 1.0, 0.0], "must have length 1 within 1e-06, found 1.41421356"),
        ("thrust_N", 0.0, "must be greater than 0, found 0.0"),
        ("rise_s", -0.1, "must be greater than or equal to 0, found -0.1"),
        ("p_C_m", [0.0, 1.0], "too few numbers"),
    ],
)
def test_an_impossible_thruster_is_refused_with_its_place(key, value, says):
    ((path, text),) = faults_of(Thruster, THRUSTER | {key: value})
    assert path == key
    assert text.startswith(says)


def test_a_boost_begins_at_once_and_holds_nothing_unless_told_otherwise():
    given = Boost.model_validate(BOOST)
    assert given.from_s == 0.0
    assert given.kp_N_m_rad == given.kd_N_m_s_rad == given.torque_N_m == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("changes", "where", "says"),
    [
        ({"engines": []}, "engines", "must have 1 or more entries, found 0"),
        ({"engines": ["lu", "ld", "lu"]}, "engines.2", "'lu' is listed twice"),
        ({"duration_s": 0.0}, "duration_s", "must be greater than 0, found 0.0"),
        ({"contact": None}, "contact", "missing; the separation rule needs it"),
        (
            {"contact": CONTACT | {"damping_N_s_m": -1.0}},
            "contact.damping_N_s_m",
            "must be greater than or equal to 0, found -1.0",
        ),
        ({"modulation": "both"}, "modulation", "must be 'none', 'aligned' or 'staggered'"),
        (
            {"modulation": "none", "torque_N_m": [0.0, 1.0, 0.0]},
            "torque_N_m",
            "needs a modulation, aligned or staggered",
        ),
        ({"kp_N_m_rad": [-1.0, 0.0, 0.0]}, "kp_N_m_rad.0", "must be greater than or equal to 0"),
    ],
)
def test_an_impossible_boost_is_refused_with_its_place(changes, where, says):
    ((path, text),) = faults_of(Boost, BOOST | changes)
    assert path == where
    assert text.startswith(says)
