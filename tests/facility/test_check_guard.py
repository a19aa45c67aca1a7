"""What check knows of the guard: commands between samples, limits by name, clearance, contact."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.assembly.facility import load_facility
from proxops.assembly.facility_steps import reject_uneven_steps
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import (
    AxisLimits,
    GuardDescription,
    Pair,
    Plane,
    Shape,
    Watched,
)
from proxops.facility.common.guard.limits import CLEARANCE, clear_by, limit_of
from proxops.facility.common.resample import resample
from proxops.facility.robot_cell.fence import UPPER_ARM
from proxops.facility.robot_cell.industrial.robot import ACCELERATION, SPEED
from proxops.feasibility.check import answer
from proxops.feasibility.command_rows import at_command_rate, commands_of
from proxops.feasibility.loaded_robots import lowered
from proxops.feasibility.margins import Standing
from proxops.feasibility.measured_wrench import with_contact
from proxops.feasibility.mission_end import first_of
from proxops.feasibility.reproduction import reproduce
from proxops.scenario.load import load, parse_set
from tests.facility.check_cases import APART, synchronous, with_chaser
from tests.facility.test_check import nose

PERIOD = 0.004  # of commands at the documented facility [s]


def samples_of(t):
    """Pose, twist and its rate (n, 13), (n, 6) of a body that turns about two axes in turn and
    sways: R = Rz(a) Rx(b), w = Rxᵀ z a' + x b'."""
    a, da, dda = 0.9 * np.sin(0.8 * t), 0.72 * np.cos(0.8 * t), -0.576 * np.sin(0.8 * t)
    b, db, ddb = 0.5 * t, 0.5 + 0.0 * t, 0.0 * t
    p = np.stack([np.sin(t), 0.5 * np.cos(1.3 * t), 0.2 * t], axis=1)
    v = np.stack([np.cos(t), -0.65 * np.sin(1.3 * t), 0.2 + 0.0 * t], axis=1)
    acceleration = np.stack([-np.sin(t), -0.845 * np.cos(1.3 * t), 0.0 * t], axis=1)
    w = np.stack([db, da * np.sin(b), da * np.cos(b)], axis=1)
    alpha = np.stack(
        [ddb, dda * np.sin(b) + da * db * np.cos(b), dda * np.cos(b) - da * db * np.sin(b)], axis=1
    )
    ca, sa, cb, sb = np.cos(a / 2), np.sin(a / 2), np.cos(b / 2), np.sin(b / 2)
    q = np.stack([ca * cb, ca * sb, sa * sb, sa * cb], axis=1)
    R = np.moveaxis(rotation_of(tuple(q.T)), -1, 0)
    v_B = np.einsum("nji,nj->ni", R, v)
    rate = np.einsum("nji,nj->ni", R, acceleration) - np.cross(w, v_B)
    return np.hstack([p, q, v_B, w]), np.hstack([rate, alpha])


def resampled(every, times):
    t = np.arange(0.0, 4.0 + 0.5 * every, every)
    hub, rates = np.empty((len(times), 13)), np.empty((len(times), 6))
    resample(t, *samples_of(t), times, hub, rates)
    return hub


def test_a_motion_between_samples_is_right_to_the_fifth_order():
    """What is left out of ξ̇ is of the fourth order of ξ, and acts for the time between samples:
    halving that leaves 1/32."""
    times = np.linspace(0.0, 4.0, 777)
    exact, _ = samples_of(times)
    wrong = [np.abs(resampled(every, times) - exact)[:, :7].max() for every in (0.2, 0.1, 0.05)]
    assert wrong[2] < 1e-7
    assert min(wrong[0] / wrong[1], wrong[1] / wrong[2]) > 24.0


def test_no_jerk_is_made_up_between_samples():
    """Third differences at 4 ms of a motion recorded at 20 Hz.  A fifth degree through values,
    slopes and curvatures errs in the third derivative by some H³/10 of the sixth; turned with
    1 rad/s, that is up to 10 m/s⁶: 1e-4.  An acceleration that jumps by e would show as e/4 ms."""
    times = np.arange(0.0, 4.0, PERIOD)
    p = resampled(0.05, times)[:, :3]
    jerk = np.diff(p, 3, axis=0) / PERIOD**3
    middle = times[:-3] + 1.5 * PERIOD
    exact = np.stack([-np.cos(middle), 0.5 * 1.3**3 * np.sin(1.3 * middle), 0.0 * middle], axis=1)
    assert np.abs(jerk - exact).max() < 2e-3


@pytest.fixture(scope="module")
def goes_along():
    return synchronous(2.5, 16.0)


@pytest.mark.slow
def test_the_guard_stops_at_the_same_command_however_coarsely_the_mission_is_recorded(goes_along):
    """Where the arm is nearly stretched, jerks grow by a per cent within a cycle."""
    fine = with_chaser(2.5, 16.0, lambda t: APART, samples=1.0 / PERIOD)
    assert commands_of(fine, reproduce(fine, "absolute"))[1]
    seldom, often = answer(goes_along, "absolute"), answer(fine, "absolute")
    assert (seldom.recorded, often.recorded) == (False, True)
    assert seldom.by_guard.name == often.by_guard.name == "jerk of axis 3 of the target's robot"
    assert seldom.by_guard.t == pytest.approx(often.by_guard.t, abs=1.5 * PERIOD)
    assert seldom.by_guard.value == pytest.approx(often.by_guard.value, rel=0.02)


def with_floor(case, z):
    facility = case.lab.facility
    x, y, _ = facility.guard.p_min_m
    guard = facility.guard.model_copy(update={"p_min_m": (x, y, z)})
    return replace(
        case, lab=replace(case.lab, facility=facility.model_copy(update={"guard": guard}))
    )


def test_a_higher_floor_takes_its_height_from_the_clearance_and_then_ends_the_mission(goes_along):
    """Lowest is the shoulder of the upper arm, which stays where it is."""
    low, high = (answer(with_floor(goes_along, z), "relative") for z in (0.35, 0.38))
    shoulder = goes_along.robots.target.d1 - UPPER_ARM
    for found, z in ((low, 0.35), (high, 0.38)):
        assert found.clearance.where == CLEARANCE
        assert found.clearance.name.startswith("upper arm of the")
        assert found.clearance.name.endswith("the floor")
        assert found.clearance.value == pytest.approx(shoulder - z, abs=1e-12)
    least = goes_along.lab.facility.guard.clearance_m
    ended = answer(with_floor(goes_along, shoulder - least + 0.001), "relative")
    assert (ended.limit.where, ended.limit.name) == (CLEARANCE, low.clearance.name)
    assert ended.lasts == pytest.approx(PERIOD)
    assert ended.limit.value == pytest.approx(least - 0.001, abs=1e-12)


def test_what_comes_first_ends_the_mission():
    late, early = (
        Standing("guard", name, 1.0, 1.0, "m", 0.0, t) for name, t in (("a", 3), ("b", 2))
    )
    assert first_of(late, None, early) is early
    assert first_of(None, late) is late
    assert first_of(None) is None


def test_a_distance_has_a_margin_of_one_far_away_none_at_its_bound_and_less_beyond():
    assert clear_by(0.05, 0.05) == 0.0
    assert clear_by(5.0, 0.05) == pytest.approx(0.99)
    assert clear_by(0.04, 0.05) == pytest.approx(-0.2)
    assert clear_by(-0.1, 0.05) < -1.0
    assert clear_by(0.1, 0.0) == 1.0


def test_every_reason_to_stop_is_a_limit_with_a_name():
    axis = AxisLimits("axis 1", -1.0, 1.0, 2.0, 3.0, 4.0, 1.0)
    point = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    described = GuardDescription(
        (axis,),
        PERIOD,
        0.1,
        (Watched("the contact", "measured force", 100.0),),
        (Shape("hand", 0, point, 0.1),),
        (Plane("the floor", (0.0, 0.0, 1.0), 0.0),),
        (Pair("hand", "the floor", 0.05),),
    )
    for reason in range(1, of.UNREACHABLE + 1):
        row = np.zeros(of.LOG_WIDTH)
        row[of.WHY], row[of.FOUND], row[of.LIMIT] = reason, 2.0, 1.0
        if reason == of.FIELD_NOT_FINITE:
            row[of.WHICH] = of.CUES  # the first value that is watched
        limit = limit_of(described, row)
        assert limit.name
        assert limit.margin <= 0.0 or limit.where == CLEARANCE
    row[of.WHY], row[of.WHICH], row[of.FOUND], row[of.LIMIT] = of.AXIS_JERK, 0, 5.0, 4.0
    assert limit_of(described, row) == ("guard", "jerk of axis 1", 5.0, 4.0, "rad/s3", -0.25)


def test_robots_are_no_faster_than_the_guard_lets_them_be(goes_along):
    facility = goes_along.lab.facility
    shares = {"speed_override": 0.5, "acceleration_override": 0.25}
    guard = facility.guard.model_copy(update=shares)
    lab = replace(goes_along.lab, facility=facility.model_copy(update={"guard": guard}))
    for slow, fast in zip(lowered(goes_along.robots, lab), goes_along.robots, strict=True):
        assert np.allclose(slow.joints[:, SPEED], 0.5 * fast.joints[:, SPEED])
        assert np.allclose(slow.joints[:, ACCELERATION], 0.25 * fast.joints[:, ACCELERATION])


def test_a_contact_is_felt_with_its_lever_from_the_targets_centre(goes_along):
    """The pad is 2 m ahead of the servicer's hub and 1 m aside: at p_TC + (2, 1, 0) in T."""
    contact = nose(pads=np.array([[2.0, 1.0, 0.0]]))
    case = replace(goes_along, built=goes_along.built._replace(contacts=(contact,)))
    f = np.zeros((len(case.flight.t), 3))
    f[100] = [10.0, 0.0, 4.0]
    felt = with_contact(case, {"contacts.nose.f": (case.flight.t, f)}).measured_wrench
    x, y = APART[0] + 2.0, 1.0
    # p × f with p = (x, y, 0)
    assert np.allclose(felt[100], [10.0, 0.0, 4.0, 4.0 * y, -4.0 * x, -10.0 * y], atol=1e-9)
    assert not felt[:100].any()
    weak = case.lab.facility.guard.model_copy(update={"measured_force_N": 10.0})
    lab = replace(case.lab, facility=case.lab.facility.model_copy(update={"guard": weak}))
    ended = answer(replace(case, lab=lab, measured_wrench=felt), "relative")
    assert ended.limit.name == "measured force of the contact"
    # 10.77 N at 5 s, rising within 50 ms from one sample to the next
    assert ended.lasts == pytest.approx(5.0, abs=PERIOD)


def test_a_mission_is_recorded_at_every_command_and_no_finer_than_needed():
    lab = load_facility("oos-sim")
    push = load("envisat-push")
    assert at_command_rate(push, lab).mission.time.record_rate_hz == pytest.approx(1.0 / PERIOD)
    often = push.replace({"time.record_rate_hz": 500.0})
    assert at_command_rate(often, lab) is often
    end = {"time.duration_s": 60.002, "time.phases.after.until_s": 60.002}
    odd = push.replace(end | {"time.record_rate_hz": 1.0 / 60.002})
    assert at_command_rate(odd, lab).mission.time.record_rate_hz == pytest.approx(500.0)
    assert at_command_rate(push, load_facility("ideal")) is push


def test_a_step_that_does_not_fit_is_refused_with_what_to_type():
    scenario, lab = load("fly-around"), load_facility("oos-sim")
    with pytest.raises(InputError) as refused:
        reject_uneven_steps(scenario, lab.facility, lab.name)
    text = str(refused.value)
    assert "step_s 0.02 s is too long for oos-sim (command_rate_hz 250 Hz, every 0.004 s" in text
    assert "flange_sensor.delay_s 0.002 s" in text
    assert "servo.delay_s" not in text  # 20 ms are one step
    assert "coast 0.02 s, inspect 0.01 s" in text
    cure = dict(parse_set(part) for part in text.split("--set ")[1:])
    assert cure == {f"time.phases.{name}.step_s": 0.001 for name in scenario.mission.time.phases}
    reject_uneven_steps(scenario.replace(cure), lab.facility)  # what is recommended is accepted
