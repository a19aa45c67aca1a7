"""Paces as a file describes them, and which one a distance asks for."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import proxops
from proxops.assembly.facility import load_facility
from proxops.assembly.facility_steps import at_fitting_step, at_one_step
from proxops.assembly.robot import step_of
from proxops.scenario.schema import Time
from proxops.sim import pace

PACES = {
    "touch": {"contact": True, "step_s": 0.001, "lingers_s": 0.5},
    "close": {"within_m": 5.0, "leaves_m": 6.0, "step_s": 0.01, "record_rate_hz": 100.0},
    "far": {"step_s": 0.1},
    "near": {"within_m": 50.0, "step_s": 0.05},
}


def time_with(**changes):
    """A mission's time with the paces above, but for some keys."""
    given = {"duration_s": 100.0, "control_rate_hz": 10.0, "record_rate_hz": 10.0, "paces": PACES}
    return Time.model_validate(given | changes)


def problems(**changes):
    """What is wrong with it, in one text."""
    with pytest.raises(ValidationError) as error:
        time_with(**changes)
    return str(error.value)


def with_pace(name, **changes):
    """The paces, one of them changed."""
    changed = {key: value for key, value in (PACES[name] | changes).items() if value is not None}
    return {"paces": PACES | {name: changed}}


def test_paces_are_sorted_from_far_to_near_and_keep_their_number_in_the_file():
    rows = pace.paces_of(time_with())
    assert rows[:, pace.NUMBER].tolist() == [2, 3, 1, 0]
    assert rows[:, pace.WITHIN].tolist() == [math.inf, 50.0, 5.0, -1.0]
    np.testing.assert_allclose(rows[:, pace.LEAVES], [math.inf, 55.0, 6.0, -1.0])
    assert rows[:, pace.LINGERS].tolist() == [-1.0, -1.0, -1.0, 0.5]


def test_looks_are_where_a_step_of_every_pace_ends():
    assert time_with().common_step_ns == 10**8
    steps = {"far": {"step_s": 0.04}, "near": {"step_s": 0.05, "within_m": 1.0}}
    assert (
        time_with(paces=steps, control_rate_hz=5.0, record_rate_hz=5.0).common_step_ns == 2 * 10**8
    )


def test_a_step_that_does_not_divide_is_rejected_with_both_numbers():
    text = problems(**with_pace("near", step_s=0.03))
    assert "paces.near.step_s: 0.03 s does not divide the control period 0.1 s" in text
    text = problems(**with_pace("close", record_rate_hz=125.0, step_s=0.01))
    assert "paces.close.step_s: 0.01 s does not divide the record period 0.008 s" in text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            with_pace("close", leaves_m=5.0),
            "paces.close.leaves_m: 5 m is not beyond within_m = 5 m",
        ),
        (with_pace("close", contact=True), "paces.close.contact: give within_m or contact"),
        (
            with_pace("far", within_m=9.0),
            "one pace must have neither within_m nor contact; found: none",
        ),
        (with_pace("close", within_m=None, leaves_m=None), "found: close, far"),
        (
            with_pace("near", within_m=5.0),
            "paces.near.within_m: 5 m is that of pace 'close' as well",
        ),
        (with_pace("near", within_m=None, contact=True), "one pace may have contact = true"),
        (with_pace("far", leaves_m=9.0), "paces.far.leaves_m: needs within_m"),
        (with_pace("near", lingers_s=9.0), "paces.near.lingers_s: needs contact = true"),
        (with_pace("close", record_rate_hz=3.0), "paces.close.record_rate_hz: take 2.5 or 3.2 Hz"),
        ({"duration_s": 100.05}, "duration_s: the control period 0.1 s does not divide"),
        ({"paces": {}}, "give time.phases or time.paces, found neither"),
        ({"phases": {"all": {"until_s": 100.0, "step_s": 0.1}}}, "time.paces, not both"),
    ],
)
def test_unclear_paces_are_rejected_in_words(changes, says):
    assert says in problems(**changes)


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=50))
def test_a_distance_asks_for_one_pace_and_asking_again_changes_nothing(distances):
    rows, level = pace.paces_of(time_with()), 0
    for distance in distances:
        level, _ = pace.level_at.py_func(rows, level, distance)
        assert pace.level_at.py_func(rows, level, distance) == (level, 0.0)
        assert level < 3  # no distance asks for the pace of contact
        assert distance <= rows[level, pace.LEAVES]
        assert distance >= rows[level + 1, pace.WITHIN]


def test_a_pace_begins_below_one_distance_and_ends_above_another():
    rows, level, found = pace.paces_of(time_with()), 0, []
    for distance in (60.0, 50.5, 49.5, 54.0, 55.5, 4.0, 5.5, 6.5, 60.0):
        level, threshold = pace.level_at.py_func(rows, level, distance)
        found.append((level, round(threshold, 9)))
    expected = [(0, 0.0), (0, 0.0), (1, 50.0), (1, 0.0), (0, 55.0), (2, 5.0), (2, 0.0), (1, 6.0)]
    assert found == [*expected, (0, 55.0)]


def test_a_change_of_pace_says_what_decided():
    texts = pace.PaceTexts(time_with())
    assert texts(3, 2, np.array([50.5, 50.0, 2.0])) == (
        "near after far: 50.5 m apart and closing at 2 m/s, within 50 m"
    )
    assert texts(2, 3, np.array([55.5, 55.0, -2.0])) == "far after near: 55.5 m apart, beyond 55 m"
    assert (
        texts(0, 1, np.array([2.0, 0.0, 0.0]))
        == "touch after close: something is closed, 2 m apart"
    )
    assert texts(1, 0, np.array([2.0, 0.0, 0.0])) == (
        "close after touch: nothing closed for 0.5 s, 2 m apart"
    )


def test_a_facility_shows_a_mission_at_its_shortest_step_from_begin_to_end():
    changes = {"time.phases": None, "time.ends_on": "touch-down", "time.ends_after_s": 0.5}
    changes |= {
        "time.paces": {"far": {"step_s": 0.005}, "near": {"step_s": 0.001, "within_m": 2.0}}
    }
    changes |= {"time.control_rate_hz": 200.0}
    time = at_one_step(proxops.load("contact-bounce").replace(changes)).mission.time
    assert (time.paces, time.ends_on, time.ends_after_s) == ({}, None, 0.0)
    assert time.steps_s == {("phases", "mission"): 0.001}
    plain = proxops.load("contact-bounce")
    assert at_one_step(plain) is plain


def test_a_single_step_that_a_facility_cannot_take_is_shortened_to_the_longest_that_it_can():
    """1 ms divides 4 ms, 20 ms and 2 ms of the facility; with software every 2.5 ms it is 0.5."""
    lab = load_facility("oos-sim").facility
    slow = proxops.load("contact-bounce").replace(
        {"time.phases.bounces.step_s": 0.005, "time.control_rate_hz": 200.0}
    )
    assert step_of(at_fitting_step(slow, lab)) == 0.001
    often = slow.replace({"time.control_rate_hz": 400.0, "time.phases.bounces.step_s": 0.0025})
    assert step_of(at_fitting_step(often, lab)) == 0.0005
    assert at_fitting_step(slow, load_facility("ideal").facility) is slow
    (name,) = slow.mission.time.phases
    step, end = step_of(slow), slow.mission.time.duration_s
    halves = {"first": {"until_s": end / 2, "step_s": step}, name: {"until_s": end, "step_s": step}}
    assert step_of(at_fitting_step(slow.replace({"time.phases": halves}), lab)) == 0.001


def test_a_robot_that_renders_the_target_rejects_paces_in_words():
    changes = {"time.phases": None, "time.paces": {"far": {"step_s": 0.001}}}
    with pytest.raises(proxops.InputError, match=r"robot: .* give time\.phases instead"):
        proxops.load("flexible-rendered").replace(changes)
