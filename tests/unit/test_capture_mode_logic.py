"""When the capture goes on, and when it gives up."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.laws.capture_cases import apart, frame_of, pair_of
from tests.laws.written import written

import proxops
from proxops.assembly.capture import capture_of
from proxops.core.frame import Frame
from proxops.onboard.functions.capture import modes
from proxops.onboard.functions.capture.mode_logic import FRESH, TOO_MUCH, decide
from proxops.onboard.functions.capture.modes import (
    ABORT,
    APPROACH,
    ASTRAY,
    COMMANDS_LATE,
    DEPARTING,
    FOLLOWING,
    GRASP,
    LOOKING,
    NO_IMAGE,
    NO_REASON,
    OVERLOADED,
    RIGIDISE,
    SYNCHRONISE,
    TIMEOUT,
    TOO_FAST,
    UNSURE,
)
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.relative_state import Instant, RelativeState
from proxops.onboard.functions.capture.trajectory import along, end_of, end_time
from proxops.physics.multibody.tree import scratch_for

TICK = 0.1  # [s]: ways last seconds
OFF = {"place": 0.05, "speed": 0.05, "angle": 0.02, "rate": 0.002}  # [m, m/s, rad, rad/s]


class Course:
    """The shipped capture's decisions, fed with a chaser that is where it shall be."""

    def __init__(self) -> None:
        scenario = proxops.load("envisat-capture")
        capture = scenario.mission.obsw.capture
        assert capture is not None
        params = capture_of(scenario, capture)
        self.belief, self.plan = params.belief, params.plan
        self.joints = len(self.belief.chaser.topology)
        self.memory = np.zeros(modes.SETPOINT + self.joints)
        self.workspace = SimpleNamespace(scratch=scratch_for(self.belief.chaser))
        self.t = 0.0
        stand = frame_of(written(get_pose)(self.plan.stand))
        self.X_TC = Frame(stand.R, stand.p + np.array([-0.45, 0.02, 0.02]))
        self.off: str | None = None  # one of OFF
        self.spin = (0.0, 0.0, 0.0)  # of the target [rad/s]
        self.still: dict[str, Any] = {
            "image_gap": 0.0, "wrench": np.zeros(6), "gripped": 0, "doubt": 1.0, "commands_late": 0,
            "permitted": RIGIDISE,
        }  # fmt: skip

    @property
    def mode(self) -> int:
        return int(self.memory[modes.MODE])

    @property
    def reason(self) -> int:
        return int(self.memory[modes.REASON])

    @property
    def base_trajectory(self) -> np.ndarray:
        return self.memory[modes.BASE_TRAJECTORY : modes.ARM_TRAJECTORY]

    def relative(self) -> RelativeState:
        """At rest in T, which is at rest, but for what is off."""
        X_CT, zero = self.X_TC.inverse(), (0.0, 0.0, 0.0)
        off = {name: np.array([0.0, size, 0.0]) for name, size in OFF.items() if name == self.off}
        rotation = Rotation.from_rotvec(off.get("angle", zero)).as_matrix()
        X_CT = Frame(rotation @ X_CT.R, X_CT.p + off.get("place", zero))
        return RelativeState(
            pair_of(X_CT), tuple(off.get("speed", zero)), tuple(off.get("rate", zero)), self.spin
        )

    def grasped(self) -> Frame:
        """X_TE at the grasp."""
        belief = self.belief
        X_TG, X_GE = (frame_of(written(get_pose)(row)) for row in (belief.grapple, belief.grasp))
        return X_TG @ X_GE

    def cycle(self, aside: float = 0.0, **changes: Any) -> None:
        """One, the end effector being so far from the grasp point [m]."""
        if self.memory[modes.AWAKE] == FOLLOWING:  # on its way, exactly
            self.X_TC = frame_of(written(along)(self.base_trajectory, self.t).X)
        q = np.linspace(0.1, 0.9, self.joints)
        given = self.still | changes
        now = Instant(self.t, self.relative(), q, np.zeros(self.joints), **given)
        E = self.X_TC.inverse() @ self.grasped()
        shifted = Frame(E.R, E.p + np.array([0.0, aside, 0.0]))
        written(decide)(self.belief, self.plan, self.memory, now, pair_of(shifted), self.workspace)
        self.t += TICK

    def until(self, mode: int, **changes: Any) -> "Course":
        """Turns until that mode, some minute at most."""
        for _ in range(600):
            self.cycle(**changes)
            if self.mode == mode:
                return self
        raise AssertionError(f"stays in {self.mode}")


def in_mode(mode: int) -> Course:
    """A course that has come so far."""
    course = Course()
    course.cycle()
    for each in (APPROACH, GRASP):
        if mode >= each:
            course.until(each)
    if mode == RIGIDISE:
        course.cycle(gripped=1)
    assert course.mode == mode
    assert course.reason == NO_REASON
    return course


def took(course: Course, mode: int, **changes: Any) -> float:
    """How long it stays in the mode that it is in [s]."""
    since = course.memory[modes.SINCE]
    course.until(mode, **changes)
    return float(course.memory[modes.SINCE] - since)


def test_every_mode_takes_its_motions_and_the_time_to_settle() -> None:
    """A turn earlier or later: errors are small since the last turn at which they were not."""
    course, timing = in_mode(SYNCHRONISE), Course().plan.timing
    for mode, lasts in (
        (APPROACH, timing.synchronise),  # errors were small all the while
        (GRASP, timing.near + timing.reach + timing.settle),
    ):
        assert took(course, mode) == pytest.approx(lasts, abs=1.5 * TICK)
    course.cycle(gripped=1)
    assert course.mode == RIGIDISE
    for _ in range(300):
        course.cycle(image_gap=100.0)  # it is known through the arm
    assert course.mode == RIGIDISE


def test_before_the_navigation_is_ready_nothing_moves() -> None:
    course = Course()
    for _ in range(30):
        course.cycle(doubt=np.inf)
    assert course.mode == SYNCHRONISE
    assert course.memory[modes.AWAKE] == LOOKING
    assert not course.base_trajectory.any()
    course.cycle()
    assert course.memory[modes.AWAKE] == FOLLOWING
    # it makes up for the time that it has waited
    assert written(end_time)(course.base_trajectory) == pytest.approx(
        course.plan.timing.synchronise
    )


def test_a_late_navigation_leaves_half_of_the_time_to_synchronise() -> None:
    course = Course()
    synchronise = course.plan.timing.synchronise
    while course.t < synchronise:
        course.cycle(doubt=np.inf)
    course.cycle()
    begun = course.t - TICK
    assert written(end_time)(course.base_trajectory) == pytest.approx(begun + 0.5 * synchronise)


def test_a_navigation_that_never_comes_is_given_up_where_the_chaser_is() -> None:
    course = Course()
    timing = course.plan.timing
    lasts = took(course, ABORT, doubt=np.inf)
    assert timing.synchronise + timing.timeout < lasts <= timing.synchronise + timing.timeout + TICK
    assert course.reason == NO_IMAGE
    assert not course.base_trajectory.any()  # it knows none
    for _ in range(100):
        course.cycle()
    assert course.mode == ABORT


@pytest.mark.parametrize("mode", [SYNCHRONISE, APPROACH, GRASP])
def test_a_target_that_is_no_longer_known_well_is_left_by_coasting_at_first(mode: int) -> None:
    course = in_mode(mode)
    course.cycle(doubt=0.999 * TOO_MUCH)  # a gap is flown through
    assert course.mode == mode
    course.cycle(doubt=1.001 * TOO_MUCH)
    assert (course.mode, course.reason) == (ABORT, UNSURE)
    course.cycle(doubt=np.inf)
    for _ in range(30):
        course.cycle(doubt=1.001)
        assert course.memory[modes.AWAKE] == LOOKING  # no way is followed
    course.cycle()
    assert course.reason == UNSURE
    if mode == SYNCHRONISE:  # far from the target it leaves straight out
        assert course.memory[modes.AWAKE] == DEPARTING
        return
    assert course.memory[modes.AWAKE] == FOLLOWING
    lasts = written(end_time)(course.base_trajectory) - (course.t - TICK)
    assert lasts == pytest.approx(course.plan.timing.retreat)


@pytest.mark.parametrize("mode", [SYNCHRONISE, APPROACH, GRASP, RIGIDISE])
@pytest.mark.parametrize("entry", [0, 5])
def test_more_than_the_wrist_may_feel_ends_every_mode(mode: int, entry: int) -> None:
    course = in_mode(mode)
    most = course.plan.max_force if entry == 0 else course.plan.max_torque
    wrench = np.zeros(6)
    wrench[entry] = 0.999 * most
    course.cycle(wrench=wrench)
    assert course.mode == mode
    wrench[entry] = -1.001 * most
    course.cycle(wrench=wrench)
    assert course.plan.timing.overload_time < TICK
    assert (course.mode, course.reason) == (ABORT, OVERLOADED)


def test_a_spike_of_the_wrist_is_no_push() -> None:
    course = in_mode(APPROACH)
    longest = course.plan.timing._replace(overload_time=3.5 * TICK)
    course.plan = course.plan._replace(timing=longest)
    wrench = np.array([2.0 * course.plan.max_force, 0.0, 0.0, 0.0, 0.0, 0.0])
    for _ in range(4):  # each is over before it counts
        for _ in range(3):
            course.cycle(wrench=wrench)
        course.cycle()
    assert course.mode == APPROACH


@pytest.mark.parametrize("mode", [SYNCHRONISE, APPROACH, GRASP])
def test_a_target_not_seen_for_too_long_ends_what_needs_to_see_it(mode: int) -> None:
    course = in_mode(mode)
    course.cycle(image_gap=0.999 * course.plan.timing.max_image_gap)
    assert course.mode == mode
    course.cycle(image_gap=1.001 * course.plan.timing.max_image_gap)
    assert (course.mode, course.reason) == (ABORT, NO_IMAGE)


@pytest.mark.parametrize("mode", [APPROACH, GRASP])
def test_commands_carried_out_too_late_end_what_comes_near(mode: int) -> None:
    """While it synchronises it is far away yet, and what is held stays held."""
    course = in_mode(mode)
    course.cycle(commands_late=1)
    assert (course.mode, course.reason) == (ABORT, COMMANDS_LATE)
    for other in (SYNCHRONISE, RIGIDISE):
        course = in_mode(other)
        course.cycle(commands_late=1)
        assert course.mode == other


def test_commands_that_stay_late_end_a_hold() -> None:
    course = in_mode(RIGIDISE)
    lasts = took(course, ABORT, commands_late=1)
    assert course.reason == COMMANDS_LATE
    late = course.plan.timing.timeout
    assert late < lasts <= late + 1.5 * TICK
    course = in_mode(RIGIDISE)
    for _ in range(3):  # again and again, each time not for so long
        for _ in range(int(0.9 * late / TICK)):
            course.cycle(commands_late=1)
        course.cycle()
    assert course.mode == RIGIDISE


@pytest.mark.parametrize(
    "trouble", [{"image_gap": 1.01 * FRESH}, {"commands_late": 1}, {"doubt": 1.01}]
)
def test_a_held_target_is_let_go_by_coasting_until_it_is_seen_again(
    trouble: dict[str, float],
) -> None:
    course = in_mode(RIGIDISE)
    course.plan = course.plan._replace(max_force=-1.0)  # it aborts at once
    course.cycle(**trouble)
    assert course.mode == ABORT
    for _ in range(30):
        course.cycle(**trouble)
        assert course.memory[modes.AWAKE] == LOOKING
    course.cycle()
    assert course.memory[modes.AWAKE] == FOLLOWING


@pytest.mark.parametrize("mode", [APPROACH, GRASP])
@pytest.mark.parametrize("limit", OFF)
def test_a_base_that_leaves_its_corridor_leaves(mode: int, limit: str) -> None:
    """Each limit by itself."""
    course = in_mode(mode)
    course.off = limit
    course.cycle()
    assert course.mode == mode  # within the shipped ones
    tight = course.plan.corridor._replace(**{limit: 0.9 * OFF[limit]})
    course.plan = course.plan._replace(corridor=tight)
    course.cycle()
    assert (course.mode, course.reason) == (ABORT, ASTRAY)


def test_a_tumble_beyond_what_can_be_followed_is_left_before_anything_moves() -> None:
    course = Course()
    course.spin = (0.0, 0.1, 0.0)
    course.cycle()
    assert (course.mode, course.reason) == (ABORT, TOO_FAST)
    assert course.memory[modes.AWAKE] == DEPARTING
    value, bound = course.memory[modes.VALUE], course.memory[modes.BOUND]
    assert value > bound > 0.0
    for _ in range(30):
        course.cycle(doubt=np.inf, image_gap=100.0)  # which needs no navigation
    assert course.memory[modes.AWAKE] == DEPARTING
    assert (course.mode, course.reason) == (ABORT, TOO_FAST)


def test_a_base_that_strays_while_it_synchronises_departs() -> None:
    """By more than it waits and its corridor together: where it waits, it is still clear."""
    course = in_mode(SYNCHRONISE)
    course.off = "place"
    wide = course.plan.corridor._replace(place=0.6 * OFF["place"])
    course.plan = course.plan._replace(hold_point=0.5 * OFF["place"], corridor=wide)
    course.cycle()
    assert course.mode == SYNCHRONISE
    course.plan = course.plan._replace(hold_point=0.3 * OFF["place"])
    course.cycle()
    assert (course.mode, course.reason) == (ABORT, ASTRAY)
    assert course.memory[modes.AWAKE] == DEPARTING


def test_while_it_synchronises_a_base_may_be_far_off() -> None:
    """It starts there; only time ends that."""
    course = in_mode(SYNCHRONISE)
    course.off = "place"
    timing = course.plan.timing
    course.plan = course.plan._replace(
        synchronous=course.plan.synchronous._replace(place=0.9 * OFF["place"])
    )
    lasts = took(course, ABORT)
    assert course.reason == TIMEOUT
    assert lasts == pytest.approx(timing.synchronise + timing.timeout, abs=1.5 * TICK)


@pytest.mark.parametrize(("mode", "changes"), [(APPROACH, {"aside": 0.1}), (GRASP, {"gripped": 0})])
def test_a_mode_that_does_not_come_to_its_end_is_late(mode: int, changes: dict[str, Any]) -> None:
    course = in_mode(mode)
    timing = course.plan.timing
    motions = timing.near + timing.reach if mode == APPROACH else 0.0
    lasts = took(course, ABORT, **changes)
    assert course.reason == TIMEOUT
    assert lasts == pytest.approx(motions + timing.timeout, abs=1.5 * TICK)


def test_the_end_effector_must_be_near_for_a_while_before_the_gripper_closes() -> None:
    course = in_mode(APPROACH)
    timing, near = course.plan.timing, course.plan.graspable.place
    begun = course.memory[modes.SINCE]
    while course.t < begun + timing.near + timing.reach + 2.0:
        course.cycle(aside=1.01 * near)
    assert course.mode == APPROACH
    assert took(course, GRASP, aside=0.99 * near) > 0.0
    waited = course.memory[modes.SINCE] - (begun + timing.near + timing.reach + 2.0)
    assert timing.settle - TICK <= waited <= timing.settle + 2.0 * TICK


def test_an_abort_is_never_left_and_leads_away_from_the_target() -> None:
    course = in_mode(APPROACH)
    course.cycle(image_gap=1e3)
    q, p = written(end_of)(course.base_trajectory)
    stand = written(get_pose)(course.plan.stand)
    R_TG = frame_of(written(get_pose)(course.belief.grapple)).R
    assert np.subtract(p, stand[1]) == pytest.approx(course.plan.retreat * R_TG[:, 2], abs=1e-12)
    assert q == stand[0]
    for _ in range(300):
        course.cycle(gripped=1)
    assert (course.mode, course.reason) == (ABORT, NO_IMAGE)


def test_what_is_held_stays_where_it_was_taken() -> None:
    """X_TE as the hold closed, the base's way ends where the base is, joints are kept."""
    course = in_mode(RIGIDISE)
    memory = course.memory
    ends = frame_of(written(end_of)(course.base_trajectory))
    assert apart(ends, course.X_TC) < 1e-12
    held = frame_of((memory[modes.HELD_Q : modes.HELD_P], memory[modes.HELD_P : modes.HELD_P + 3]))
    assert apart(held, course.grasped()) < 1e-12
    assert memory[modes.SETPOINT :] == pytest.approx(np.linspace(0.1, 0.9, course.joints))


@pytest.mark.parametrize(
    ("mode", "changes"), [(SYNCHRONISE, {}), (APPROACH, {}), (GRASP, {"gripped": 1})]
)
def test_a_capture_waits_for_its_permission_however_long_that_takes(
    mode: int, changes: dict[str, Any]
) -> None:
    course = Course()
    while course.mode != mode:
        course.cycle(**changes)
    ready = None
    for _ in range(3000):  # five minutes, longer than any mode may take
        course.cycle(permitted=mode, **changes)
        ready = ready or (course.t if course.memory[modes.READY] == mode + 1 else None)
    assert course.mode == mode
    assert ready is not None
    course.cycle(permitted=mode + 1, **changes)
    assert course.mode == mode + 1
