"""The guard's cycle: what goes through, what stops it, what is said, and how it starts again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.sentences import sentence, sentences
from tests.facility.planar_cell import (
    AXES,
    CELL,
    CLEARANCE,
    FROM_WALL,
    HOME,
    MARGIN,
    PERIOD,
    TIP_RADIUS,
    WALL,
    Session,
    describe,
    positions_of_tips,
)

SHARE = 1.0 + 1e-9  # see test_guard_hostile


def move(session, cycles, amplitude=0.05, seconds=0.25):
    """A swing of all axes, begun softly; ends where the guard ends it."""
    shares = np.linspace(-1.0, 1.0, AXES)
    start = session.q.copy()
    for cycle in range(1, cycles + 1):
        t = cycle * PERIOD / seconds
        q = start + amplitude * shares * (10.0 - 15.0 * t + 6.0 * t * t) * t**3
        if session.send(q) != of.RUNNING:
            return cycle
        assert (session.q == q).all()
    return None


def coasting(session):
    """The command that keeps the acceleration."""
    v, before = session.memory.sent[of.V], session.memory.sent[of.V_BEFORE]
    return session.q + PERIOD * (2.0 * v - before)


def said(session):
    """The last sentence of the log."""
    return sentences(session.description, session.memory.log)[-1][1]


def check_outputs(session, hard=False):
    """No difference of outputs over a limit."""
    q, limits = np.array(session.outputs), session.guard.axes
    a, j = (of.HARD_ACCELERATION, of.HARD_JERK) if hard else (of.ACCELERATION, of.JERK)
    assert (q <= limits[:, of.UPPER]).all()
    assert (q >= limits[:, of.LOWER]).all()
    for order, column in ((1, of.SPEED), (2, a), (3, j)):
        change = np.abs(np.diff(q, order, axis=0)) / PERIOD**order
        assert (change <= SHARE * limits[:, column]).all()


def test_an_admissible_motion_goes_through_unchanged():
    session = Session().release()
    assert move(session, 60) is None
    assert session.mode == of.RUNNING
    assert [row[1] for row in sentences(session.description, session.memory.log)] == ["released"]


STOPS = {
    "link": (
        {"arrived": 0.0},
        of.LINK_LOST,
        "link lost: no command in this cycle",
    ),
    "repeated": ({"sequence": 31.0}, of.REPEATED, "command repeated: number 31, expected 32"),
    "order": ({"sequence": 12.0}, of.OUT_OF_ORDER, "command out of order: number 12, expected 32"),
    "ahead": ({"sequence": 40.0}, of.OUT_OF_ORDER, "command out of order: number 40, expected 32"),
    "late": ({"age": 0.02}, of.STALE, "input too old: 0.02 s, limit 0.012 s"),
    "override": (
        {"override": 1.5},
        of.BAD_OVERRIDE,
        "speed override 1.5 is not between 0 and 1",
    ),
    "reach": (
        {"short": 0.02, "short_robot": 1.0},
        of.UNREACHABLE,
        "robot 2 falls short of the pose by 0.02 m",
    ),
    "number": (
        {"sequence": np.nan},
        of.FIELD_NOT_FINITE,
        "sequence number is not finite: nan",
    ),
    "force": (
        {"watched": [81.0, 0.0, 0.0, 0.0]},
        of.MEASURED_FORCE,
        "measured force of the wrist 81 N, limit 80 N",
    ),
    "torque": (
        {"watched": [0.0, -21.0, 0.0, 0.0]},
        of.MEASURED_TORQUE,
        "measured torque of the wrist 21 N m, limit 20 N m",
    ),
    "arm": (
        {"watched": [0.0, 0.0, 61.0, 0.0]},
        of.ARM_TORQUE,
        "arm torque of joint 2 61 N m, limit 60 N m",
    ),
    "flange": (
        {"watched": [0.0, 0.0, 0.0, 501.0]},
        of.FLANGE_MOMENT,
        "flange moment of robot 1 501 N m, limit 500 N m",
    ),
    "watched": (
        {"watched": [0.0, 0.0, np.nan, 0.0]},
        of.FIELD_NOT_FINITE,
        "joint 2 is not finite: nan",
    ),
    "emergency": ({"emergency": 1.0}, of.EMERGENCY_STOP, "emergency stop"),
}


@pytest.mark.parametrize("name", STOPS)
def test_a_bad_input_stops_both_robots_and_its_reason_is_said(name):
    fields, reason, words = STOPS[name]
    session = Session().release()
    move(session, 30)
    assert session.send(**fields) == of.BRAKING
    assert session.reason == reason
    assert said(session) == words
    assert 0 < session.until_stopped() <= session.guard.settings[of.MAX_CYCLES] + 1
    assert session.memory.log[0, of.USED] == 2  # the release and one reason
    check_outputs(session, hard=name == "emergency")


@pytest.mark.parametrize("commands", [0, 10])
def test_a_motion_that_is_taken_over_can_be_stopped_from_its_first_cycle(commands):
    session = Session().take_over(0.3 * np.linspace(-1.0, 1.0, AXES))
    for _ in range(commands):
        q = coasting(session)
        assert session.send(q) == of.RUNNING
        assert (session.q == q).all()
    assert session.send(arrived=0.0) == of.BRAKING
    assert said(session) == "link lost: no command in this cycle"
    session.until_stopped()
    check_outputs(session)


def test_a_motion_without_a_stop_is_not_taken_over():
    session = Session().take_over(np.full(AXES, 5.0))
    assert session.send() == of.STOPPED
    assert "no stop from there: axis 1 of robot 1 would reach" in said(session)
    assert (session.q == HOME).all()


def jumped(axis, size):
    q = np.zeros(AXES)
    q[axis] = size
    return q


@pytest.mark.parametrize(
    ("step", "reason", "words"),
    [
        (jumped(3, np.nan), of.NOT_FINITE, "command for axis 4 of robot 1 is not finite: nan"),
        (jumped(7, -np.inf), of.NOT_FINITE, "command for axis 2 of robot 2 is not finite: -inf"),
        (
            jumped(0, 3.0),
            of.AXIS_POSITION,
            "position of axis 1 of robot 1 3.9 rad, limit 1.1 rad",
        ),
        (
            jumped(2, 0.1),
            of.AXIS_SPEED,
            "speed of axis 3 of robot 1 25 rad/s, limit 1 rad/s",
        ),
        (
            jumped(2, 0.001),
            of.AXIS_ACCELERATION,
            "acceleration of axis 3 of robot 1 62.5 rad/s2, limit 14 rad/s2",
        ),
        (
            jumped(2, 1e-4),
            of.AXIS_JERK,
            "jerk of axis 3 of robot 1 1562 rad/s3, limit 640 rad/s3",
        ),
    ],
)
def test_a_command_over_a_limit_names_axis_value_and_limit(step, reason, words):
    session = Session().release()
    assert session.send(HOME + step) == of.BRAKING
    assert session.reason == reason
    assert said(session) == words
    assert (session.q == HOME).all()


def push(session, speeds, seconds=0.25):
    """Brings the axes to their speeds, softly, and keeps them until the guard ends it."""
    for cycle in range(1, 1000):
        t = min(1.0, cycle * PERIOD / seconds)
        q = session.q + PERIOD * speeds * (10.0 - 15.0 * t + 6.0 * t * t) * t**3
        if session.send(q) != of.RUNNING:
            return
    raise AssertionError("it was not stopped")


def test_an_axis_is_stopped_before_its_end():
    start = HOME.copy()
    start[5] = 1.1
    session = Session(start, pairs=(), planes=(), shapes=()).release()
    push(session, 0.5 * np.eye(AXES)[5])
    assert session.reason == of.STOP_POSITION
    assert "axis 6 of robot 1 would come to" in said(session)
    session.until_stopped()
    upper = session.guard.axes[5, of.UPPER]
    assert upper - 0.02 < session.q[5] <= upper
    check_outputs(session)


def test_tips_stop_before_they_meet_and_outside_the_walls():
    session = Session().release()
    # both elbows stretch: the tips approach each other along x
    push(session, np.array([-0.2, 0.2, 0.2, 0.1, -0.1, -0.2] * 2))
    assert session.reason in (of.STOP_CLEARANCE, of.CLEARANCE)
    assert "tip 1 and tip 2" in said(session)
    session.until_stopped()
    (x1, y1), (x2, y2) = positions_of_tips(np.array(session.outputs))
    apart = np.hypot(x1 - x2, y1 - y2) - 2.0 * TIP_RADIUS
    assert CLEARANCE - MARGIN <= apart.min() < CLEARANCE + 0.02
    assert apart[-1] >= CLEARANCE
    check_outputs(session)

    session = Session().release()
    push(session, 0.4 * np.eye(AXES)[1])
    assert session.reason in (of.STOP_WORKSPACE, of.WORKSPACE)
    assert "tip 1 and left side" in said(session)
    session.until_stopped()
    y = positions_of_tips(np.array(session.outputs))[0][1]
    assert y.max() <= WALL - TIP_RADIUS - FROM_WALL + MARGIN
    assert y[-1] <= WALL - TIP_RADIUS - FROM_WALL


def test_a_stop_once_begun_is_not_ended_by_good_commands_or_pleas():
    session = Session().release()
    move(session, 30)
    session.send(arrived=0.0)
    path = []
    for cycle in range(300):
        if session.mode == of.STOPPED:
            break
        session.send(reset=float(cycle % 2))
        path.append(session.q.copy())
    other = Session().release()
    move(other, 30)
    other.send(arrived=0.0)
    other.until_stopped()
    np.testing.assert_array_equal(path, other.outputs[-len(path) :])
    for _ in range(3):
        assert session.send(sequence=session.number) == of.STOPPED


def test_release_takes_a_rising_plea_a_command_in_place_and_no_emergency():
    session = Session()
    assert session.send() == of.STOPPED
    assert session.send(reset=1.0, emergency=1.0) == of.STOPPED
    assert said(session) == "emergency stop"
    assert session.send(reset=1.0) == of.STOPPED  # held since
    session.send()
    assert session.send(HOME + 1e-5, reset=1.0) == of.STOPPED
    assert said(session).startswith("first command 1e-05 rad away from axis 1 of robot 1")
    session.send()
    assert session.send(reset=1.0, sequence=1000.0) == of.RUNNING  # a first one may have any number
    assert session.send(sequence=1001.0) == of.RUNNING


def test_it_runs_again_after_a_stop():
    session = Session().release()
    move(session, 30)
    session.send(arrived=0.0)
    session.until_stopped()
    session.release()
    assert move(session, 50) is None
    check_outputs(session)


def cycles_to_stop(*cues):
    session = Session().release()
    move(session, 30, amplitude=0.1)
    session.send(**cues[0])
    for cue in cues[1:]:
        session.send(**cue)
    return len(cues) + session.until_stopped(), session


def test_an_emergency_is_the_shorter_stop_even_when_pressed_on_the_way():
    usual, _ = cycles_to_stop({"arrived": 0.0})
    at_once, session = cycles_to_stop({"emergency": 1.0})
    check_outputs(session, hard=True)
    later, session = cycles_to_stop({"arrived": 0.0}, {}, {}, {"emergency": 1.0})
    check_outputs(session, hard=True)
    assert said(session) == "emergency stop"
    assert at_once < later < usual


def test_the_override_lowers_the_speed_that_is_sent_but_not_the_stop():
    session = Session().release()
    assert move(session, 20, amplitude=0.1) is None
    assert session.send(coasting(session), override=0.1) == of.BRAKING
    assert session.reason == of.AXIS_SPEED
    session.until_stopped()
    check_outputs(session)


def test_a_full_log_keeps_the_first_reasons_and_counts_the_rest():
    session = Session()
    for _ in range(70):
        session.send(reset=1.0, arrived=0.0)
        session.send()
    log = session.memory.log
    assert log[0, of.USED] == len(log) - 1
    assert log[0, of.LOST] == 70 - (len(log) - 1)
    assert (log[1:, of.WHY] == of.LINK_LOST).all()


@pytest.mark.parametrize("reason", range(1, of.RELEASED + 1))
def test_every_reason_has_its_words(reason):
    row = np.zeros(of.LOG_WIDTH)
    row[[of.WHY, of.FOUND, of.LIMIT]] = reason, 2.0, 1.0
    if reason == of.FIELD_NOT_FINITE:
        row[of.WHICH] = of.SEQUENCE
    assert sentence(describe(), row)


def test_a_place_that_is_no_number_is_refused_in_words():
    session = Session().release()
    cell = CELL.copy()
    cell[1] = np.nan
    assert session.send(cell=cell) == of.BRAKING
    assert said(session) == "the place of tip 1 and tip 2 is not finite"


# --- any input whatever -----------------------------------------------------------------------

NUMBERS = st.floats(width=64, allow_nan=True, allow_infinity=True)
# a cycle: what is asked of all axes as a share of the largest jerk, or one thing that is wrong
JERKS = st.tuples(st.just("jerk"), st.floats(-1.2, 1.2), st.integers(1, 12))
WRONG = st.one_of(
    st.tuples(st.just("command"), NUMBERS, st.integers(0, AXES - 1)),
    st.tuples(st.just("jump"), st.floats(-0.1, 0.1), st.integers(0, AXES - 1)),
    st.tuples(
        st.sampled_from(["arrived", "sequence", "age", "override", "emergency", "reset"]),
        NUMBERS,
        st.just(0),
    ),
    st.tuples(st.just("watched"), NUMBERS, st.integers(0, 3)),
    st.tuples(st.just("release"), st.just(1.0), st.just(0)),
)


def play(session, kind, value, which):
    """One cycle of a story; whether an emergency came with it."""
    q = coasting(session)
    if kind == "jerk":
        axes = np.where(np.arange(AXES) % which == 0, 1.0, -0.3)
        session.send(q + PERIOD**3 * value * axes * session.guard.axes[:, of.JERK])
    elif kind == "command":
        q[which] = value
        session.send(q)
    elif kind == "jump":
        q[which] += value**3
        session.send(q)
    elif kind == "watched":
        watched = np.zeros(4)
        watched[which] = value
        session.send(q, watched)
    elif kind == "release":
        session.send(reset=1.0)
    else:
        session.send(q, **{kind: value})
        return kind == "emergency" and value != 0.0
    return False


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.one_of(JERKS, JERKS, JERKS, WRONG), min_size=5, max_size=60))
def test_whatever_comes_outputs_stay_inside_and_the_end_is_a_stop(story):
    session = Session().release()
    emergency = False
    for kind, value, which in story:
        emergency = play(session, kind, value, which) or emergency
    assert session.until_stopped() <= session.guard.settings[of.MAX_CYCLES] + 1
    check_outputs(session, hard=emergency)
    (x1, y1), (x2, y2) = positions_of_tips(np.array(session.outputs))
    assert (np.hypot(x1 - x2, y1 - y2) >= 2.0 * TIP_RADIUS + CLEARANCE - MARGIN).all()
    assert (np.abs([y1, y2]) <= WALL - TIP_RADIUS - FROM_WALL + MARGIN).all()
