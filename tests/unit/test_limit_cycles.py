"""A motor that swings between its limits is told of, whatever else the run comes to."""

import itertools

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.results.advice import advice
from proxops.sim.events import EventDecoder, watch_for, watch_swings

LIMIT, PERIOD = 30.0, 0.02
JOINT = 6
UNSTABLE = [45.0, 45.0, 25.0, 25.0, 10.0, 5.0, 60.0]  # the last one: kd T/I = 3.4


@pytest.fixture(scope="module")
def built():
    return build(proxops.load("fly-around"))


def warnings(built, torques, period=PERIOD):
    """What is told of the last joint of an arm whose motor gives these torques, one a period."""
    watch = watch_for(built, built.onboard.functions, 1)
    limits, given = built.motors.limit, np.zeros(len(built.motors.limit))
    assert limits[JOINT] == LIMIT
    for cycle, torque in enumerate(torques):
        given[JOINT] = torque
        watch_swings.py_func(limits, given, cycle * period, period, watch)
    return EventDecoder(built, built.onboard.functions).limit_cycles(watch)


def alternating(cycles, hold=1):
    """From limit to limit, at each for so many cycles."""
    return [LIMIT if i // hold % 2 else -LIMIT for i in range(cycles * hold)]


def test_swings_are_told_with_joint_limit_and_both_times(built):
    (event,) = warnings(built, [0.0] * 5 + alternating(11) + [0.0] * 5)
    assert (event.t_s, event.name) == (pytest.approx(0.1), "warning")
    assert "joint main.wrist_roll," in event.detail
    assert "10 swings between its limits of 30 N m from 0.1 to 0.3 s" in event.detail


def test_two_spells_are_one_warning_from_the_first_to_the_last(built):
    spell = [0.0] * 20 + alternating(8)
    (event,) = warnings(built, spell * 2)
    assert "14 swings" in event.detail
    assert "from 0.4 to 1.1 s" in event.detail


@pytest.mark.parametrize("hold", [1, 2, 4])
def test_a_limit_cycle_may_take_a_few_periods_a_swing(built, hold):
    assert warnings(built, alternating(7, hold))


@pytest.mark.parametrize(
    "torques",
    [
        alternating(6),  # five swings: a start may do that
        alternating(20, hold=5),
        [0.999 * torque for torque in alternating(20)],
        [LIMIT] * 40,
        [LIMIT, 0.0] * 20,
        alternating(5) + [0.0] * 10 + alternating(5),
    ],
    ids=["few", "slow", "below the limit", "at one limit", "one-sided", "interrupted"],
)
def test_what_is_no_limit_cycle_is_not_told(built, torques):
    assert not warnings(built, torques)


def flown(step, controller=None, **more):
    """fly-around's arm for a second with a damping that its period does not bear."""
    time = {
        "duration_s": 2.0,
        "control_rate_hz": 50.0,
        "record_rate_hz": 25.0,
        "phases": {"only": {"until_s": 2.0, "step_s": step}},
    }
    changes = {"obsw.joints.main.kd": UNSTABLE, "time": time, "requirements": {}}
    scenario = proxops.load("fly-around").replace(changes).replace(more)
    return proxops.simulate(scenario, controller=controller)


def test_a_run_in_a_limit_cycle_passes_and_says_so(tmp_path):
    run = flown(0.001)
    assert run.outcome == "passed"
    before, seen = run.warnings
    assert before.detail.startswith("obsw.joints.main.kd: lower it below 35.1 N m s/rad")
    assert "limit cycle" in seen.detail
    assert "joint main.wrist_roll" in seen.detail
    # sampled at every other cycle, the torque looks constant
    t, torques = run["chaser.arms.main.tau"]
    late = torques[(t > seen.t_s + 0.1) & (t < t[-1]), JOINT]
    assert np.all(late == late[0])
    assert abs(late[0]) == LIMIT
    assert run.headline == "no requirements with 2 warnings"
    run.save(str(tmp_path / "run"))
    assert proxops.open(str(tmp_path / "run")).warnings == run.warnings


def test_the_hint_of_an_invalid_run_names_the_limit_cycle_first():
    run = flown(0.02)
    assert run.outcome == "invalid"
    hint = advice(run)
    assert hint.startswith(
        "First cause to check: obsw.joints.main.kd: lower it below 35.1 N m s/rad"
    )
    assert "ledger is open" in hint


def test_a_stable_arm_is_not_told_of():
    stable = [*UNSTABLE[:-1], 34.0]
    assert not flown(0.001, **{"obsw.joints.main.kd": stable}).warnings


class Stiff:
    """A controller whose damping is too much for its rate."""

    rate_hz = 50.0

    def control(self, measurements, commands):
        commands.joints = -np.array(UNSTABLE) * measurements.qd


@pytest.mark.parametrize(
    ("control_hz", "own_hz", "rate"),
    [
        (100.0, 50.0, "rate_hz of Stiff:"),
        (50.0, 50.0, "rate_hz of Stiff and time.control_rate_hz:"),
        (50.0, None, "time.control_rate_hz:"),
    ],
)
def test_the_rate_to_raise_is_that_which_commands_the_joints(control_hz, own_hz, rate):
    own = Stiff()
    own.rate_hz = own_hz
    run = flown(0.001, own, **{"time.control_rate_hz": control_hz})
    assert [f"kd first, or raise {rate}" in each.detail for each in run.warnings] == [True]


def test_every_joint_has_its_own_count(built):
    watch = watch_for(built, built.onboard.functions, 1)
    limits = built.motors.limit
    for cycle, sign in zip(range(12), itertools.cycle((1.0, -1.0)), strict=False):
        given = sign * limits
        given[JOINT] = LIMIT
        watch_swings.py_func(limits, given, cycle * PERIOD, PERIOD, watch)
    events = EventDecoder(built, built.onboard.functions).limit_cycles(watch)
    names = [event.detail.split(",")[0] for event in events]
    assert len(names) == len(limits) - 1
    assert not any("wrist_roll" in name for name in names)
