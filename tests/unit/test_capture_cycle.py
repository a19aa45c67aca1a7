"""Fingers of the capture, and its turns before anything is seen."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from tests.laws.written import written

import proxops
from proxops.assembly.build import build
from proxops.assembly.onboard import Onboard
from proxops.onboard.functions.capture import modes
from proxops.onboard.functions.capture.cycle import drive_fingers, has_gripped
from proxops.onboard.functions.capture.fingers import GENTLY, Gripper, finger_force, stands_between
from proxops.onboard.functions.capture.modes import GRASP, RIGIDISE, SETPOINT
from proxops.physics.multibody import tree as at

LEFT, RIGHT = 1, 0  # joints
GRIPPER = Gripper(
    LEFT, RIGHT, speed=0.03, gain=2000.0, force=40.0, opened=0.002, closed=0.048,
    stands=0.002, settle=0.3, end=0.059,
)  # fmt: skip


def settled(closes: bool, q: float, free: float) -> tuple[float, float]:
    """Where a finger of 0.5 kg comes to rest, that cannot go beyond `free`, and its force there."""
    qd, h, mass = 0.0, 1e-4, 0.5
    for _ in range(30_000):
        f = written(finger_force)(GRIPPER, GRIPPER.gain, closes, q, qd)
        qd += h * f / mass
        q += h * qd
        if q > free:
            q, qd = free, 0.0
    return q, f


def test_fingers_open_to_where_they_are_open_and_stay() -> None:
    q, f = settled(False, 0.04, np.inf)
    # v = r (q_goal - q) has come to rest within e⁻³⁰ by then
    assert q == pytest.approx(GRIPPER.opened, abs=1e-9)
    assert f == pytest.approx(0.0, abs=1e-6)


def test_fingers_press_what_stops_them_with_the_force_of_their_drive() -> None:
    assert settled(True, 0.002, 0.03) == (0.03, GRIPPER.force)


def test_a_finger_moves_no_faster_than_its_drive() -> None:
    """f = k (v - q̇): what is too fast is slowed down, at the speed itself there is no force."""
    assert written(finger_force)(GRIPPER, GRIPPER.gain, True, 0.01, GRIPPER.speed) == 0.0
    assert written(finger_force)(GRIPPER, GRIPPER.gain, True, 0.01, 1.001 * GRIPPER.speed) < 0.0
    assert written(finger_force)(GRIPPER, GRIPPER.gain, False, 0.04, -GRIPPER.speed) == 0.0
    for qd in (-10.0, 10.0):
        assert abs(written(finger_force)(GRIPPER, GRIPPER.gain, True, 0.01, qd)) == GRIPPER.force


@pytest.mark.parametrize(
    ("q", "qd", "stands"),
    [
        ((0.03, 0.03), (0.0, 0.0), True),
        ((0.02, 0.04), (0.0, 0.0), True),  # not in the middle
        ((0.03, 0.004), (0.0, 0.0), False),  # one is open still
        ((0.03, 0.03), (0.0, 0.003), False),
        ((0.03, 0.03), (-0.003, 0.0), False),
        ((0.048, 0.048), (0.0, 0.0), False),  # nothing between them
        ((0.03, 0.067), (0.0, 0.0), False),  # likewise, one has pushed the other back
        ((0.067, 0.03), (0.0, 0.0), False),
        ((0.02, 0.055), (0.0, 0.0), True),  # far from the middle
        ((0.02, 0.06), (0.0, 0.0), False),  # at its stop
    ],
)
def test_fingers_hold_something_when_both_stand_before_they_meet(q, qd, stands) -> None:
    assert bool(written(stands_between)(GRIPPER, np.array(q), np.array(qd))) is stands


def test_it_has_gripped_once_both_fingers_have_stood_for_long_enough() -> None:
    memory, q, still = np.zeros(SETPOINT), np.array([0.03, 0.03]), np.zeros(2)
    gripped = written(has_gripped)
    assert gripped(GRIPPER, memory, q, np.array([0.01, 0.0]), 1.0) == 0
    assert gripped(GRIPPER, memory, q, still, 1.29) == 0
    assert gripped(GRIPPER, memory, q, np.array([0.0, 0.01]), 1.295) == 0  # begins anew
    assert gripped(GRIPPER, memory, q, still, 1.59) == 0
    assert gripped(GRIPPER, memory, q, still, 1.6) == 1


@pytest.mark.parametrize("mode", range(5))
def test_fingers_close_while_grasping_and_holding_only(mode: int) -> None:
    commands = SimpleNamespace(joints=np.zeros(3))
    joints = SimpleNamespace(q=np.full(2, 0.02), qd=np.zeros(2), commands_late=0)
    written(drive_fingers)(GRIPPER, mode, joints, commands)
    expected = GRIPPER.force if mode in (GRASP, RIGIDISE) else -GRIPPER.force
    assert list(commands.joints) == [expected, expected, 0.0]


def test_fingers_whose_commands_are_late_are_driven_gently() -> None:
    """A share of k, within what the drive has: at 1 mm/s below their speed 2 N, then 0.1 N."""
    forces = []
    for commands_late in (0, 1):
        commands = SimpleNamespace(joints=np.zeros(3))
        joints = SimpleNamespace(
            q=np.full(2, 0.02), qd=np.full(2, 0.029), commands_late=commands_late
        )
        written(drive_fingers)(GRIPPER, GRASP, joints, commands)
        forces.append(commands.joints[:2].copy())
    assert forces[0] == pytest.approx([2.0, 2.0], rel=1e-12)
    assert forces[1] == pytest.approx([0.1, 0.1], rel=1e-12)


@pytest.mark.parametrize("turns", [0, 2, 50, 200])
def test_a_gently_driven_finger_comes_to_its_speed_however_late_its_commands_are(
    turns: int,
) -> None:
    """M v̇ = -b v + k (v_0 - v(t - τ)) is stable for every τ while k < b: the shipped fingers, with
    their rotors and friction.  It goes to k v_0 / (k + b); after 4 s, which is 30 times M / b and
    more than ten delays, the rest is (k / b)¹⁰."""
    capture = onboard().functions[1].params
    gripper, bodies = capture.gripper, capture.belief.chaser.bodies
    body = bodies[gripper.left + 1]
    k, b = GENTLY * gripper.gain, body[at.VISCOUS]
    assert k < b
    mass, h, v = body[at.MASS] + body[at.ROTOR], 1e-3, 0.0
    late = [0.0] * (turns + 1)
    for _ in range(4000):
        late.append(written(finger_force)(gripper, k, True, 0.01, v))
        v += h * (late[-1 - turns] - b * v) / mass
    assert v == pytest.approx(k * gripper.speed / (k + b), rel=(k / b) ** 10)


def onboard() -> Onboard:
    return build(proxops.load("envisat-capture")).onboard


def test_a_capture_waits_for_its_encoders() -> None:
    """It does not take joints that nobody has read for joints at zero."""
    made = onboard()
    bus, functions = made.bus, made.functions[:2]
    assert [each.name for each in functions] == ["navigation", "capture"]
    joints = functions[1].params.belief.chaser.topology.shape[0]
    memory = functions[1].memory.memory
    steps = [
        partial(
            written(each.step), each.params, each.memory,
            bus.views(each.inputs), bus.views(each.outputs),
        )
        for each in functions
    ]  # fmt: skip
    bus.commands.array[:] = 7.0
    assert [step() for step in steps] == [0, 0]
    assert (bus.commands.array == 7.0).all()
    assert not memory.any()
    np.testing.assert_array_equal(bus.estimates.array, bus.estimates.layout.array())
    bus.measurements["t"][:], bus.measurements["encoders.count"][:] = 0.002, 1.0
    q = np.linspace(0.1, 0.9, joints)
    bus.measurements["encoders.q"][:] = q
    with np.errstate(divide="ignore", invalid="ignore"):  # no picture yet: the target is not known
        assert [step() for step in steps] == [0, 0]
    assert np.isfinite(memory).all()
    assert memory[modes.AWAKE] == modes.LOOKING
    assert memory[modes.SINCE] == 0.002
    assert (memory[modes.SETPOINT :] == q).all()
    assert bus.estimates["capture.mode"] == modes.SYNCHRONISE
    for name in ("base.force", "base.torque"):  # nobody knows where to
        assert not bus.commands[name].any()
