"""Joints along a planned path, latches that are told again, and what ends a leg of the arm."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.laws.capture_cases import frame_of, pair_of
from tests.laws.written import written

from proxops.arm_paths.time_law import MotionTable
from proxops.assembly.capture import pose_row
from proxops.core.frame import Frame
from proxops.onboard.functions.berthing import memory as at
from proxops.onboard.functions.berthing.joint_path import begin_path, duration, follow, hermite
from proxops.onboard.functions.berthing.kinds import (
    CLOSING,
    GRIPPED,
    JOINT_STUCK,
    NO_REASON,
    OPEN,
    OVERLOADED,
    PORT_ANGLE,
    PORT_OFFSET,
    SLIPPED,
)
from proxops.onboard.functions.berthing.latching import (
    close_latches,
    open_latches,
    watch_readiness,
)
from proxops.onboard.functions.berthing.monitor import (
    SETTLING,
    give_up,
    watch_grip,
    watch_joints,
    watch_loads,
)
from proxops.onboard.functions.berthing.parameters import FOLLOW, GRAPPLE, Limits
from proxops.onboard.functions.berthing.tasks import CALM, begin, target_is_free

# --- joints along a path -------------------------------------------------------------------------

JOINTS = np.array([2, 0, 5])  # of the arm among all
STEP, ROWS = 0.5, 41


def planned() -> MotionTable:
    """Three joints from rest to rest in 20 s; rates are those of the joints."""
    t = STEP * np.arange(ROWS)
    w = math.pi / (STEP * (ROWS - 1))
    ends, from_ = np.array([0.8, -0.5, 1.2]), np.array([0.1, 0.4, -0.3])
    share, rate = 0.5 * (1.0 - np.cos(w * t)), 0.5 * w * np.sin(w * t)
    q, qd = from_ + np.outer(share, ends), np.outer(rate, ends)
    return MotionTable(("a", "b", "c"), STEP, q, qd, np.zeros_like(q), 0.0)


TABLE = planned()


class Follower:
    """The path behind others in the store, followed from joints that are off its start."""

    def __init__(self, off: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        before = np.full((7, 6), 99.0)
        self.table = np.vstack([before, np.hstack([TABLE.q, TABLE.qd]), before])
        self.path = np.array([7.0, float(ROWS), STEP])
        self.memory = np.zeros(at.SETPOINT + 6)
        self.q = np.full(6, 50.0)
        self.q[JOINTS] = TABLE.q[0] + np.array(off)
        self.off = written(begin_path)(self.path, self.table, JOINTS, self.memory, self.q)

    def at(self, elapsed: float) -> tuple[np.ndarray, np.ndarray]:
        rates = np.zeros(3)
        written(follow)(self.path, self.table, JOINTS, self.memory, elapsed, rates)
        return self.memory[at.SETPOINT : at.SETPOINT + 3].copy(), rates


TIMES = np.array([0.0, 0.2, 0.5, 3.3, 7.77, 10.0, 15.25, 19.9, 19.999])


def test_joints_follow_the_table_as_it_is_interpolated():
    q, qd = TABLE.at(TIMES)
    follower = Follower()
    for i, t in enumerate(TIMES):
        found, rates = follower.at(float(t))
        assert found == pytest.approx(q[i], abs=1e-14)
        assert rates == pytest.approx(qd[i], abs=1e-14)


def test_the_cubic_has_the_values_and_slopes_of_its_ends():
    y0, y1, d0, d1, h = 0.3, -1.2, 0.7, 2.0, 0.4
    assert written(hermite)(y0, y1, d0, d1, 0.0, h) == pytest.approx((y0, d0))
    assert written(hermite)(y0, y1, d0, d1, 1.0, h) == pytest.approx((y1, d1))


def test_joints_stay_at_the_ends_before_and_after_the_path():
    follower = Follower((0.1, -0.2, 0.05))
    assert written(duration)(follower.path) == TABLE.duration
    for elapsed, q in ((-1.0, TABLE.q[0] + [0.1, -0.2, 0.05]), (20.0, TABLE.q[-1]),
                       (500.0, TABLE.q[-1])):  # fmt: skip
        found, rates = follower.at(elapsed)
        assert found == pytest.approx(q, abs=1e-14)
        assert rates == pytest.approx(np.zeros(3), abs=1e-14)


def test_the_largest_offset_from_the_start_is_known():
    assert Follower((0.1, -0.2, 0.05)).off == pytest.approx(0.2)


def test_an_arm_off_the_start_begins_where_it_is_and_ends_on_the_path():
    off = np.array([0.1, -0.2, 0.05])
    follower, exact = Follower(tuple(off)), Follower()
    apart = np.array([(follower.at(t)[0] - exact.at(t)[0]) / off for t in np.linspace(0, 20, 81)])
    assert apart[0] == pytest.approx(1.0)
    assert apart[-1] == pytest.approx(0.0, abs=1e-12)
    assert apart[40] == pytest.approx(0.5)  # half way
    assert (np.diff(apart, axis=0) <= 1e-12).all()  # and never back


@pytest.mark.parametrize("off", [(0.0, 0.0, 0.0), (0.1, -0.2, 0.05)])
def test_rates_are_the_slopes_of_the_joints_and_have_no_jumps(off):
    follower, h = Follower(off), 1e-5
    for t in TIMES[1:-1]:
        there, back = follower.at(t + h)[0], follower.at(t - h)[0]
        # central differences: h² times third derivatives, and rounding over h
        assert follower.at(t)[1] == pytest.approx((there - back) / (2.0 * h), abs=1e-9)
    rates = np.array([follower.at(t)[1] for t in np.linspace(0.0, 20.0, 20001)])
    # 1 ms times accelerations, below 1.2 * 0.5 * (π/20)² and 0.2 * 5.8/20²
    assert np.abs(np.diff(rates, axis=0)).max() < 1e-3 * 0.02


# --- what navigation receives ---------------------------------------------------------------------

NOW = 60.0  # [s]


@pytest.mark.parametrize(
    ("task", "gripper", "motor", "touched", "last_touch", "closed", "is_free"),
    [
        (GRAPPLE, OPEN, -0.14, 0.0, -math.inf, 0.0, True),
        (GRAPPLE, CLOSING, 0.3, 0.0, -math.inf, 0.0, True),
        (GRAPPLE, CLOSING, 0.3, 1.0, -math.inf, 0.0, False),  # a clamp has met the bar
        (GRAPPLE, GRIPPED, 0.4, 1.0, -math.inf, 0.0, False),
        (GRAPPLE, OPEN, 0.3, 0.0, -math.inf, 0.0, False),  # it opens, and may still touch
        (GRAPPLE, OPEN, -0.14, 0.0, NOW, 0.0, False),  # the open hand bumps it
        (GRAPPLE, OPEN, -0.14, 0.0, NOW - 0.99 * CALM, 0.0, False),  # and has just done so
        (GRAPPLE, CLOSING, 0.3, 0.0, NOW - 0.99 * CALM, 0.0, False),
        (GRAPPLE, OPEN, -0.14, 0.0, NOW - 1.01 * CALM, 0.0, True),
        (GRAPPLE, OPEN, -0.14, 0.0, -math.inf, 1.0, False),  # at its port
        (FOLLOW, OPEN, -0.14, 0.0, -math.inf, 0.0, False),
    ],
)
def test_the_target_counts_as_free_until_something_may_touch_it(
    task, gripper, motor, touched, last_touch, closed, is_free
):
    memory = np.zeros(at.SETPOINT)
    memory[at.GRIPPER], memory[at.TOUCHED], memory[at.LAST_TOUCH] = gripper, touched, last_touch
    params = SimpleNamespace(
        gripper=SimpleNamespace(motor=1, opened=-0.15), legs=np.array([[float(task), 0.0]])
    )
    inputs = SimpleNamespace(
        t=np.array([NOW]),
        plan_leg=np.zeros(1),
        encoders_q=np.array([9.0, motor]),
        latches_closed=np.array([0.0, closed]),
    )
    assert written(target_is_free)(params, memory, inputs) == is_free


# --- latches -------------------------------------------------------------------------------------


class Latches:
    """Three of them, of which a leg closes the first two."""

    def __init__(self, retry: float = 5.0, ready: float = 0.0) -> None:
        self.waits, self.wanted = (ready, retry), np.array([1.0, 1.0, 0.0])
        self.memory, self.holds, self.since = np.zeros(at.SETPOINT), np.zeros(3), np.zeros(3)
        self.ready, self.closed = np.zeros(3), np.zeros(3)

    def inputs(self, t: float) -> SimpleNamespace:
        return SimpleNamespace(
            t=np.array([t]), latches_ready=self.ready, latches_closed=self.closed
        )

    def close(self, t: float) -> bool:
        return bool(
            written(close_latches)(
                self.wanted, self.waits, self.memory, self.since, self.inputs(t), self.holds
            )
        )

    def open(self, t: float) -> bool:
        return bool(written(open_latches)(self.wanted, self.inputs(t), self.holds))


def test_latches_are_commanded_where_they_are_ready_and_wanted():
    latches = Latches()
    assert not latches.close(1.0)
    assert latches.holds.tolist() == [0.0, 0.0, 0.0]
    latches.ready[:] = 0.0, 1.0, 1.0
    assert not latches.close(2.0)
    assert latches.holds.tolist() == [0.0, 1.0, 0.0]


def test_latches_are_commanded_once_they_have_been_ready_without_a_break():
    latches, commanded = Latches(ready=2.0), {}
    for t in np.arange(0.0, 12.0, 0.5):
        latches.ready[:] = t >= 1.0, t >= 1.0 and t != 5.5, 1.0
        if t == 5.5:
            latches.holds[1] = 0.0
        latches.close(t)
        commanded[t] = latches.holds[:2].tolist()
    first = next(t for t, holds in commanded.items() if holds[0] == 1.0)
    assert first == 2.5  # last off at 0.5 s
    assert commanded[5.0][1] == 1.0
    assert commanded[7.0][1] == 0.0
    assert commanded[7.5][1] == 1.0


def test_latches_are_done_once_all_that_are_wanted_have_closed():
    latches = Latches()
    latches.ready[:] = 1.0
    latches.close(1.0)
    latches.closed[:] = 1.0, 0.0, 0.0
    assert not latches.close(1.1)
    latches.closed[:] = 1.0, 1.0, 0.0
    assert latches.close(1.2)
    assert latches.holds.tolist() == [1.0, 1.0, 0.0]


def test_a_latch_that_missed_is_opened_after_its_time_and_told_again():
    """Told at 1 s, 5 s until it is told anew; it can only close again after it was open."""
    latches = Latches()
    latches.ready[:] = 1.0, 0.0, 0.0
    latches.close(1.0)
    told = [(t, latches.close(t) or latches.holds[0]) for t in np.arange(2.0, 13.0, 0.5)]
    opened = [t for t, holds in told if holds == 0.0]
    assert opened == [6.0, 11.5]  # told at 1 s and, open for one cycle, at 6.5 s


def test_a_latch_that_has_closed_is_not_opened_while_another_is_told_again():
    latches = Latches()
    latches.ready[:] = 1.0, 1.0, 0.0
    latches.close(1.0)
    latches.closed[0] = 1.0
    for t in np.arange(1.5, 20.0, 0.5):
        latches.close(t)
        assert latches.holds[0] == 1.0


def test_latches_of_a_leg_open_and_others_stay():
    latches = Latches()
    latches.holds[:] = latches.closed[:] = 1.0
    assert not latches.open(1.0)
    assert latches.holds.tolist() == [0.0, 0.0, 1.0]
    latches.closed[:] = 0.0, 1.0, 1.0
    assert not latches.open(1.1)
    latches.closed[:] = 0.0, 0.0, 1.0
    assert latches.open(1.2)


GRASP, GRAPPLE = (frame_of(((0.8, 0.0, 0.6, 0.0), p)) for p in ((0.1, 0.0, 0.2), (0.0, 0.3, 0.7)))
AT_C, AT_T = (frame_of(((0.0, 0.6, 0.0, 0.8), p)) for p in ((1.0, 0.1, 0.0), (-0.6, 0.0, 0.1)))


def unready(off: Frame, waited: float, ready: float = 0.0, **changes) -> tuple:
    """What a leg says whose only latch lies so far off, B in A, after so many of its 20 s."""
    memory, closed = np.zeros(at.SETPOINT), changes.get("closed", 0.0)
    memory[at.BEGAN] = 100.0
    ports = np.concatenate([pose_row(AT_C), pose_row(AT_T), changes.get("envelope", [2e-3, 1e-3])])
    belief = SimpleNamespace(
        grapple=pose_row(GRAPPLE), grasp=pose_row(GRASP), ports=np.array([ports])
    )
    X_CE = AT_C @ off @ AT_T.inverse() @ GRAPPLE @ GRASP
    latches = Latches()
    latches.ready, latches.closed = np.array([ready]), np.array([closed])
    inputs = latches.inputs(100.0 + waited)
    written(watch_readiness)(belief, 20.0, memory, np.array([1.0]), inputs, pair_of(X_CE))
    return reason(memory)


def turned(angle: float, p: tuple[float, float, float]) -> Frame:
    return Frame(Rotation.from_rotvec([0.0, 0.0, angle]).as_matrix(), np.array(p))


def test_a_latch_that_is_never_ready_ends_its_leg_with_what_the_joints_say():
    off = turned(0.017, (1e-3, 2e-3, -2e-3))
    assert unready(off, 20.5) == (PORT_ANGLE, pytest.approx(0.017), 1e-3)
    wide = {"envelope": [2e-3, 0.05]}
    assert unready(off, 20.5, **wide) == (PORT_OFFSET, pytest.approx(3e-3), 2e-3)


@pytest.mark.parametrize(
    "changes",
    [{"waited": 19.5}, {"ready": 1.0}, {"closed": 1.0}, {"envelope": [math.inf, math.inf]}],
)
def test_a_latch_that_has_time_or_is_ready_or_closed_or_has_no_port_ends_nothing(changes):
    given = {"waited": 20.5, **changes}
    assert unready(turned(0.017, (0.0, 0.0, 0.0)), **given)[0] == NO_REASON


# --- what ends a leg -----------------------------------------------------------------------------

LIMITS = Limits(
    force=100.0, torque=40.0, overload=0.125, behind=0.05, behind_time=0.5, slip=0.02,
    slip_time=1.0, unseen=10.0, start=0.2, unready=20.0,
)  # fmt: skip


def reason(memory: np.ndarray) -> tuple[float, float, float]:
    return tuple(memory[[at.REASON, at.VALUE, at.BOUND]])


def loaded(memory: np.ndarray, t: float, force: float, torque: float) -> None:
    wrench = np.array([0.6 * force, 0.0, 0.8 * force, 0.0, torque, 0.0])
    written(watch_loads)(LIMITS, memory, wrench, t)


@pytest.mark.parametrize(("force", "torque"), [(110.0, 0.0), (0.0, 44.0), (110.0, 20.0)])
def test_a_load_beyond_its_limit_for_too_long_ends_a_leg(force, torque):
    memory = np.zeros(at.SETPOINT)
    memory[at.WITHIN_LOADS] = 1.0
    loaded(memory, 1.125, force, torque)
    assert reason(memory)[0] == NO_REASON
    loaded(memory, 1.126, force, torque)
    assert reason(memory) == (OVERLOADED, pytest.approx(1.1), 1.0)


def test_a_load_that_falls_in_between_begins_anew():
    memory = np.zeros(at.SETPOINT)
    for i in range(100):
        loaded(memory, 0.0625 * i, 99.0 if i % 2 == 0 else 200.0, 39.0)
    assert reason(memory)[0] == NO_REASON


def test_the_first_reason_is_the_one_that_is_told():
    memory = np.zeros(at.SETPOINT)
    written(give_up)(memory, SLIPPED, 0.03, 0.02)
    written(give_up)(memory, OVERLOADED, 1.5, 1.0)
    assert reason(memory) == (SLIPPED, 0.03, 0.02)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_joint_that_does_not_follow_ends_a_leg(sign):
    memory, q = np.zeros(at.SETPOINT + 3), np.zeros(6)
    memory[at.FOLLOWED] = 1.0
    q[:] = 9.0  # of other arms
    q[JOINTS] = 0.049, 0.0, sign * 0.051
    written(watch_joints)(LIMITS, JOINTS, memory, q, 1.5)
    assert reason(memory)[0] == NO_REASON
    written(watch_joints)(LIMITS, JOINTS, memory, q, 1.501)
    assert reason(memory) == (JOINT_STUCK, pytest.approx(0.051), 0.05)


def test_a_joint_that_catches_up_ends_nothing():
    memory, q = np.zeros(at.SETPOINT + 3), np.zeros(6)
    for i in range(100):
        q[JOINTS] = 0.0, 0.0, 0.06 if i % 5 else 0.04
        written(watch_joints)(LIMITS, JOINTS, memory, q, 0.1 * i)
    assert reason(memory)[0] == NO_REASON


def rotation(degrees: tuple[float, float, float]) -> np.ndarray:
    return np.asarray(Rotation.from_rotvec(degrees, degrees=True).as_matrix())


class Held:
    """A grapple in the hand, and the camera that looks at it, ten pictures a second; K is the
    camera's frame."""

    X_CK = Frame(rotation((20.0, -30.0, 10.0)), np.array([0.9, 0.3, 0.7]))
    X_GE = Frame(rotation((0.0, 180.0, 0.0)), np.array([0.0, 0.0, 0.1]))

    def __init__(self, wrong: Frame | None = None, turns: bool = True) -> None:
        self.turns = turns
        self.belief = SimpleNamespace(camera=pose_row(self.X_CK))
        self.memory, self.t, self.count = np.zeros(at.SETPOINT), 0.0, 0.0
        self.memory[at.GRIPPER] = GRIPPED
        # Constant errors of the camera: attitude about axes of G, position in K
        self.wrong = wrong or Frame(np.eye(3), np.zeros(3))
        self.slip = np.zeros(3)  # of E in G, beside where it was gripped [m]

    def look(self, new: bool = True, noise: float = 0.0) -> None:
        """One cycle, the arm moving on all the time."""
        self.t += 0.1
        self.count += 1.0 if new else 0.0
        turned = rotation((3.0 * self.t * self.turns, 0.0, 0.0))
        X_CE = Frame(turned, np.array([1.5 - 0.02 * self.t, 0.1, 0.4]))
        X_GE = Frame(self.X_GE.R, self.X_GE.p + self.slip)
        X_KG = self.X_CK.inverse() @ X_CE @ X_GE.inverse()
        shift = noise * np.random.default_rng(round(self.count)).normal(size=3)
        q, p = pair_of(Frame(X_KG.R @ self.wrong.R, X_KG.p + self.wrong.p + shift))
        inputs = SimpleNamespace(
            t=np.array([self.t]), camera_count=np.array([self.count]),
            camera_q=np.array(q), camera_p=np.array(p),
        )  # fmt: skip
        written(watch_grip)(self.belief, LIMITS, self.memory, inputs, pair_of(X_CE))

    def wait(self, pictures: int, noise: float = 0.0) -> "Held":
        for _ in range(pictures):
            self.look(noise=noise)
        return self

    @property
    def seen(self) -> float:
        return float(self.memory[at.SLIP])


ASIDE, TILT = np.array([0.03, -0.04, 0.05]), rotation((0.4, -0.3, 0.2))  # the former beyond slip
WRONG = Frame(TILT, ASIDE)


@pytest.mark.parametrize(
    ("wrong", "turns"), [(None, True), (WRONG, False), (Frame(TILT, np.zeros(3)), True)]
)
def test_a_grip_that_holds_is_seen_to_hold_however_wrong_the_camera_is(wrong, turns):
    held = Held(wrong, turns).wait(300)
    assert held.seen == pytest.approx(0.0, abs=1e-12)
    assert reason(held.memory)[0] == NO_REASON


def test_a_wrong_place_of_the_camera_shows_as_slip_only_by_as_much_as_the_grapple_has_turned():
    """3 deg/s for 3 s since the middle of the first pictures, about x of C."""
    small = Frame(np.eye(3), 0.1 * ASIDE)
    held = Held(small).wait(20)
    middle = 0.5 * (0.1 + held.t)
    held.wait(20)
    turn = math.radians(3.0 * (held.t - middle))
    about = Held.X_CK.R.T @ np.array([1.0, 0.0, 0.0])
    across = float(np.linalg.norm(np.cross(about, small.p)))
    # the mean of the first pictures: (1 s of turning)² / 6 nearer to the axis, 5e-4, is all
    assert held.seen == pytest.approx(2.0 * across * math.sin(0.5 * turn), rel=1e-3)


@pytest.mark.parametrize("wrong", [None, WRONG])
def test_a_slip_is_measured_from_the_first_pictures(wrong):
    held = Held(wrong, turns=False).wait(40)
    held.slip = np.array([0.006, -0.002, 0.009])  # 11 mm
    held.wait(50)
    assert held.seen == pytest.approx(0.011, abs=1e-12)
    assert reason(held.memory)[0] == NO_REASON
    held.slip *= 2.0
    held.wait(10)
    assert reason(held.memory)[0] == NO_REASON  # not yet for long enough
    held.wait(2)
    assert reason(held.memory) == (SLIPPED, pytest.approx(0.022), 0.02)


def test_the_place_of_a_fresh_grip_is_the_mean_of_its_pictures():
    held = Held()
    places = [np.array([0.001 * i, 0.0, -0.002 * (i % 3)]) for i in range(int(SETTLING))]
    for each in places:
        held.slip = each
        held.look()
    offset = held.memory[at.GRIP_OFFSET : at.GRIP_OFFSET + 3]
    assert offset == pytest.approx(Held.X_GE.p + np.mean(places, axis=0), abs=1e-12)


def test_noise_of_the_camera_is_no_slip():
    """3 mm on each axis: never 20 mm, and never for a second."""
    assert reason(Held().wait(3000, noise=0.003).memory)[0] == NO_REASON


def test_one_picture_that_slips_after_a_time_without_any_ends_nothing():
    held = Held().wait(40)
    for _ in range(30):
        held.look(new=False)
    held.slip = np.array([0.05, 0.0, 0.0])
    held.look()
    held.slip = np.zeros(3)
    held.wait(5)
    assert reason(held.memory)[0] == NO_REASON


def test_slips_that_come_and_go_end_nothing():
    held = Held().wait(40)
    for i in range(60):
        held.slip = np.array([0.05 if i % 5 else 0.0, 0.0, 0.0])
        held.look()
    assert reason(held.memory)[0] == NO_REASON


def test_a_picture_counts_once():
    held = Held().wait(5)
    for _ in range(30):
        held.look(new=False)
    assert held.memory[at.IMAGES] == 5.0


def test_nothing_slips_from_an_open_hand_and_a_new_grip_is_measured_anew():
    held = Held().wait(40)
    held.slip = np.array([0.05, 0.0, 0.0])
    held.memory[at.GRIPPER] = OPEN
    held.wait(30)
    assert (held.seen, reason(held.memory)[0]) == (0.0, NO_REASON)
    held.memory[at.GRIPPER] = GRIPPED
    held.wait(60)
    assert held.seen == pytest.approx(0.0, abs=1e-12)
    assert reason(held.memory)[0] == NO_REASON


def test_a_leg_begins_without_the_reason_of_the_one_before():
    memory, q = np.zeros(at.SETPOINT + 8), np.linspace(0.1, 0.6, 6)
    memory[at.GRIPPER] = GRIPPED
    written(give_up)(memory, SLIPPED, 0.03, 0.02)
    params = SimpleNamespace(joints=JOINTS, latched=np.zeros(2))
    X = pair_of(frame_of(((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))))
    written(begin)(params, memory, np.zeros(2), X, X, q, 12.0)
    assert memory[at.REASON] == NO_REASON
    assert memory[at.SETPOINT : at.SETPOINT + 3] == pytest.approx(q[JOINTS])
    assert set(memory[[at.FOLLOWED, at.WITHIN_LOADS, at.HELD_WELL]]) == {12.0}
    assert memory[at.SETPOINT + 6 :].tolist() == [12.0, 12.0]  # latches have not been ready yet
