"""When the gripper's motor has its torque, and what it finds between its clamps."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.written import written

from proxops.onboard.functions.berthing import memory as at
from proxops.onboard.functions.berthing.grasp_logic import close, motor_torque, opening, reset
from proxops.onboard.functions.berthing.kinds import (
    CLOSING,
    GRIPPED,
    NO_REASON,
    NOT_SEEN,
    NOTHING_GRIPPED,
    OPEN,
    WRONG_SIZE,
)
from proxops.onboard.functions.berthing.monitor import watch_clamps
from proxops.onboard.functions.berthing.parameters import GripperDrive, Triggers

TICK = 1.0 / 128.0  # [s], so that sums of cycles are exact
RATIO = 2.0  # turns of the motor per turn of a clamp
SIZE, STOP = math.radians(12.0), math.radians(30.0)  # clamps on the part; closed on nothing [rad]
OPENED = math.radians(-10.0)
DRIVE = GripperDrive(
    motor=0, left=1, right=2, torque=2.75, speed=0.2, gain=1.0, ramp=1.0,
    travel=RATIO * (SIZE - OPENED), opened=RATIO * OPENED, size=SIZE, tolerance=math.radians(2.0),
    stands=5e-3, settle=0.5, touch=2.0,
)  # fmt: skip
LEVEL = Triggers(place=2e-3, angle=1e-3, settle=1.0, latched=0)
LATCHED = LEVEL._replace(latched=1)
BIAS = (0.5, -3.0, 0.7)  # what the wrist measures without load [N]
INERTIA = 0.02  # of motor and clamps, at the motor [kg m2]
NEAR, FAR = (1e-4, 1e-4), (0.05, 0.05)  # errors [m, rad]


class Hand:
    """A motor that turns clamps until they meet something, and the logic that drives it."""

    def __init__(self, triggers: Triggers = LEVEL, met: float = SIZE) -> None:
        self.triggers, self.met = triggers, met  # position of the clamps that they cannot pass
        self.t, self.memory = 16.0, np.zeros(at.SETPOINT)
        self.q, self.qd = np.array([RATIO * OPENED, OPENED, OPENED]), np.zeros(3)
        self.torque, self.force = 0.0, BIAS
        written(reset)(self.memory, self.t)

    @property
    def state(self) -> int:
        return int(self.memory[at.GRIPPER])

    @property
    def contact(self) -> float:
        return float(self.memory[at.CONTACT])

    @property
    def reason(self) -> tuple[int, float, float]:
        reason, value, bound = self.memory[[at.REASON, at.VALUE, at.BOUND]]
        return int(reason), float(value), float(bound)

    def cycle(self, errors: tuple[float, float]) -> None:
        """One: decides, drives and moves."""
        self.t += TICK
        self.memory[at.PLACE_ERROR], self.memory[at.ANGLE_ERROR] = errors
        written(close)(DRIVE, self.triggers, self.memory, self.q, self.qd, self.force, self.t)
        self.move()

    def move(self) -> None:
        self.torque = written(motor_torque)(DRIVE, self.memory, self.q, self.qd, self.t)
        speed = self.qd[0] + TICK * self.torque / INERTIA
        motor = self.q[0] + TICK * speed
        if motor >= RATIO * self.met:
            motor, speed = RATIO * self.met, min(speed, 0.0)
        self.q[:] = motor, motor / RATIO, motor / RATIO
        self.qd[:] = speed, speed / RATIO, speed / RATIO

    def wait(self, errors: tuple[float, float], seconds: float) -> "Hand":
        for _ in range(round(seconds / TICK)):
            self.cycle(errors)
        return self

    def until(self, state: int, errors: tuple[float, float] = NEAR) -> "Hand":
        for _ in range(round(20.0 / TICK)):
            self.cycle(errors)
            if self.state == state:
                return self
        raise AssertionError(f"stays {self.state}, {self.reason}")

    def until_contact(self) -> "Hand":
        while not self.contact:
            self.cycle(NEAR)
            assert self.t < 60.0
        return self


# Errors as they come, in parts of their limits, each pair for some cycles: many just beside limits
SHARES = st.sampled_from([0.0, 0.3, 0.999, 1.0, 1.001, 2.0, 30.0, math.nan])
CYCLES = st.sampled_from([1, 2, 3, 20, 31, 32, 33, 100, 127, 128, 129, 200])
SPELLS = st.lists(st.tuples(CYCLES, SHARES, SHARES), min_size=1, max_size=12)


@settings(deadline=None)
@given(SPELLS, st.sampled_from([0.0, TICK, 0.25, 1.0]))
def test_the_torque_is_on_only_after_both_errors_were_small_together_for_the_settling_time(
    spells, settle
):
    hand = Hand(LEVEL._replace(settle=settle))
    good_since = hand.t  # errors were not small then, or the leg has begun
    sound, met = False, False
    for cycles, place, angle in spells:
        errors = place * LEVEL.place, angle * LEVEL.angle
        for _ in range(cycles):
            before, met = sound, hand.contact > 0.0
            hand.cycle(errors)
            small = place < 1.0 and angle < 1.0
            if not small:
                good_since = hand.t
            sound = small and hand.t - good_since >= settle
            if hand.state != OPEN and not met:  # or met in this cycle, driven by the one before
                assert sound or (hand.contact > 0.0 and before)
            if hand.state == OPEN:  # no torque but that which opens, or holds it open
                assert hand.torque <= 1e-9 or hand.qd[0] <= 0.0


def pictures(rng: np.random.Generator, count: int) -> np.ndarray:
    """Errors of an end effector that is at its place, as one picture each tells: 2 mm and 0.1 deg
    of noise on each axis."""
    place = np.linalg.norm(rng.normal(0.0, 2e-3, (count, 3)), axis=1)
    angle = np.linalg.norm(rng.normal(0.0, math.radians(0.1), (count, 3)), axis=1)
    return np.stack([place, angle], axis=1)


def closings(triggers: Triggers, runs: int, seconds: float = 60.0) -> int:
    """How often single pictures, ten a second, close the gripper in so many runs."""
    found = 0
    for seed in range(runs):
        memory, q = np.zeros(at.SETPOINT), np.array([RATIO * OPENED, OPENED, OPENED])
        for i, errors in enumerate(pictures(np.random.default_rng(seed), round(10 * seconds))):
            memory[at.PLACE_ERROR], memory[at.ANGLE_ERROR] = errors
            written(close)(DRIVE, triggers, memory, q, np.zeros(3), BIAS, 0.1 * (i + 1))
            found += memory[at.GRIPPER] != OPEN
            memory[at.GRIPPER] = OPEN
    return found


def test_noise_never_closes_the_gripper_once_there_is_a_settling_time():
    """One picture is within both limits with a probability of 0.2 * 0.045, ten of them one after
    the other with 1e-21."""
    assert closings(LEVEL, 100) == 0


@pytest.mark.parametrize("triggers", [LEVEL._replace(settle=0.0), LATCHED])
def test_noise_closes_a_gripper_without_settling_time(triggers):
    assert closings(triggers, 20) > 20


def test_triggers_as_published_close_on_errors_that_were_never_small_together():
    apart = [((1e-4, 0.05), 2.0), (FAR, 2.0), ((0.05, 1e-4), 2.0)]  # place, none, angle
    level, latched = Hand(LEVEL), Hand(LATCHED)
    for errors, seconds in apart:
        level.wait(errors, seconds)
        latched.wait(errors, seconds)
    assert level.state == OPEN
    assert latched.state != OPEN


def test_the_gripper_opens_if_errors_grow_before_the_clamps_have_met_something():
    hand = Hand().until(CLOSING).wait(NEAR, 1.0)
    assert hand.torque >= 0.0
    hand.cycle(FAR)
    assert hand.state == OPEN
    assert hand.torque < 0.0


def test_contact_is_held_once_the_clamps_have_met_something():
    hand = Hand().until_contact()
    assert hand.q[1] == pytest.approx(SIZE)
    since = hand.contact
    hand.wait(FAR, 3.0)
    assert hand.state == GRIPPED
    assert hand.contact == since
    assert hand.torque == DRIVE.torque


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_clamp_that_the_wrist_feels_is_held_though_errors_grow_and_the_motor_goes_on(axis):
    """One clamp meets the part first and pushes it away: the wrist's force changes by 5 % more than
    it takes, for one cycle, and the other clamp arrives later."""
    hand = Hand().until(CLOSING).wait(NEAR, 1.0)
    hand.force = tuple(np.array(BIAS) + 1.05 * DRIVE.touch * np.eye(3)[axis])
    hand.cycle(FAR)
    hand.force = BIAS
    assert (hand.state, hand.contact) == (CLOSING, 0.0)
    hand.wait(FAR, 0.25)
    assert hand.qd[0] == pytest.approx(DRIVE.speed, rel=0.1)  # as fast as before
    hand.until(GRIPPED, FAR)


def test_a_change_of_force_that_is_less_than_a_touch_holds_nothing():
    hand = Hand().until(CLOSING).wait(NEAR, 1.0)
    hand.force = tuple(np.array(BIAS) + 0.95 * DRIVE.touch * np.eye(3)[1])
    hand.cycle(FAR)
    assert hand.state == OPEN


def test_a_gripper_that_was_opened_has_forgotten_what_it_touched():
    hand = Hand().until(CLOSING)
    hand.force = (9.0, 9.0, 9.0)
    hand.cycle(NEAR)
    written(opening)(hand.memory, hand.t)
    hand.until(CLOSING)
    hand.cycle(FAR)
    assert hand.state == OPEN


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_an_open_hand_that_bumps_the_target_notes_when(axis):
    """By the change of force since the leg began, whatever the sensor's bias; for as long as it
    lasts.  It neither closes the gripper nor counts as what its clamps have met."""
    hand = Hand().wait(FAR, 1.0)
    hand.force = tuple(np.array(BIAS) + 0.95 * DRIVE.touch * np.eye(3)[axis])
    hand.wait(FAR, 1.0)
    assert hand.memory[at.LAST_TOUCH] == 0.0
    hand.force = tuple(np.array(BIAS) - 1.05 * DRIVE.touch * np.eye(3)[axis])
    hand.wait(FAR, 0.5)
    met, hand.force = hand.t, BIAS
    hand.wait(FAR, 1.0)
    assert hand.memory[at.LAST_TOUCH] == met
    assert (hand.state, hand.memory[at.TOUCHED]) == (OPEN, 0.0)


def test_a_gripper_that_opens_notes_when_it_last_touched_the_target():
    empty, touched = (Hand().until(CLOSING).wait(NEAR, 1.0) for _ in range(2))
    touched.force = (9.0, 9.0, 9.0)
    for hand in (empty, touched):
        hand.cycle(NEAR)
        written(opening)(hand.memory, hand.t)
    assert empty.memory[at.LAST_TOUCH] == 0.0
    assert touched.memory[at.LAST_TOUCH] == touched.t


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_the_torque_rises_in_its_time_once_the_clamps_have_met_something(share):
    hand = Hand().until_contact()
    hand.wait(NEAR, share * DRIVE.ramp)
    assert hand.torque == pytest.approx(share * DRIVE.torque, abs=0.01 * DRIVE.torque)


def test_it_has_gripped_only_after_it_has_stood_at_full_torque():
    hand = Hand().until_contact()
    met = hand.contact
    hand.until(GRIPPED)
    assert hand.t == pytest.approx(met + DRIVE.ramp + DRIVE.settle, abs=1.5 * TICK)
    assert hand.reason[0] == NO_REASON


def test_release_opens_and_a_new_leg_waits_for_its_settling_time_again():
    hand = Hand().until(GRIPPED)
    written(opening)(hand.memory, hand.t)
    assert (hand.state, hand.contact) == (OPEN, 0.0)
    for _ in range(round(8.0 / TICK)):
        hand.t += TICK
        hand.move()
    assert hand.q[0] == pytest.approx(DRIVE.opened, abs=1e-3)
    begun = hand.t
    written(reset)(hand.memory, begun)
    hand.until(CLOSING)
    assert hand.t - begun == LEVEL.settle


def test_what_is_gripped_stays_so_as_legs_begin_and_what_still_closes_opens():
    held, closing = Hand().until(GRIPPED), Hand().until(CLOSING).wait(NEAR, 1.0)
    for hand in (held, closing):
        written(reset)(hand.memory, hand.t)
        hand.t += TICK
        hand.move()
    assert (held.state, held.torque) == (GRIPPED, DRIVE.torque)
    assert closing.state == OPEN
    assert closing.torque < 0.0


def test_a_motor_on_its_way_back_is_not_taken_for_clamps_that_have_met_something():
    hand = Hand().until(CLOSING).wait(NEAR, 3.0)
    hand.cycle(FAR)
    hand.until_contact()
    assert hand.q[1] == pytest.approx(SIZE)
    hand.until(GRIPPED)


@pytest.mark.parametrize(
    ("met", "reason", "bound"),
    [
        (STOP, NOTHING_GRIPPED, SIZE + DRIVE.tolerance),
        (SIZE + 1.01 * DRIVE.tolerance, NOTHING_GRIPPED, SIZE + DRIVE.tolerance),
        (SIZE - 1.01 * DRIVE.tolerance, WRONG_SIZE, SIZE),  # too thick, or a clamp that jams
        (OPENED + 0.2 * (SIZE - OPENED), WRONG_SIZE, SIZE),
    ],
)
def test_clamps_that_stand_elsewhere_have_gripped_nothing_or_something_else(met, reason, bound):
    hand = Hand(met=met).wait(NEAR, 15.0)
    assert hand.state == CLOSING
    assert hand.reason == (reason, pytest.approx(met), pytest.approx(bound))


@pytest.mark.parametrize("share", [-0.99, 0.99])
def test_clamps_within_the_tolerance_have_gripped(share):
    hand = Hand(met=SIZE + share * DRIVE.tolerance).until(GRIPPED)
    assert hand.reason[0] == NO_REASON


def test_one_clamp_that_jams_alone_is_not_a_grip():
    """Its teeth are gone: the other clamp closes onto the part by itself."""
    hand = Hand().until_contact()
    for _ in range(round(3.0 / TICK)):
        hand.cycle(NEAR)
        hand.q[1] = OPENED
    assert hand.reason == (WRONG_SIZE, pytest.approx(0.5 * (OPENED + SIZE)), SIZE)


def test_the_first_reason_of_an_abort_is_kept():
    hand = Hand(met=STOP)
    hand.memory[[at.REASON, at.VALUE, at.BOUND]] = NOT_SEEN, 11.0, 10.0
    hand.wait(NEAR, 15.0)
    assert hand.reason == (NOT_SEEN, 11.0, 10.0)


def test_the_motor_never_exceeds_the_torque_that_grips():
    for state in (OPEN, CLOSING, GRIPPED):
        for qd in (-50.0, 0.0, 50.0):
            memory = np.zeros(at.SETPOINT)
            memory[at.GRIPPER], memory[at.CONTACT] = state, 1.0
            rates = np.array([qd, 0.0, 0.0])
            torque = written(motor_torque)(DRIVE, memory, np.zeros(3), rates, 100.0)
            assert abs(torque) <= DRIVE.torque


def test_a_motor_that_jams_where_it_is_open_is_noticed():
    hand = Hand(met=OPENED + 0.02 * (SIZE - OPENED)).wait(NEAR, 6.0)
    assert hand.state == CLOSING
    assert hand.contact == 0.0
    assert hand.reason[0] == WRONG_SIZE


def test_clamps_that_close_further_have_lost_what_was_gripped_and_another_leg_opens_them():
    hand = Hand().until(GRIPPED)
    written(watch_clamps)(DRIVE, hand.memory, hand.q)
    assert hand.reason[0] == NO_REASON
    hand.met = STOP
    hand.wait(NEAR, 2.0)
    written(watch_clamps)(DRIVE, hand.memory, hand.q)
    reason, value, bound = hand.reason
    assert reason == NOTHING_GRIPPED
    assert value > bound == pytest.approx(SIZE + DRIVE.tolerance)
    assert hand.memory[at.LOST] == 1.0
    written(opening)(hand.memory, hand.t)
    written(reset)(hand.memory, hand.t)
    assert hand.state == OPEN
    assert hand.memory[at.LOST] == 0.0
