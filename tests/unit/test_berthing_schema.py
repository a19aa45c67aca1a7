"""Grippers, berthings and legs of the arm that cannot work are rejected in words, with their place:
as a file is read, or, what takes the arm's kinematics, as the mission is built."""

import math
from typing import Any

import pytest

import proxops
from proxops.assembly.berthing import berthing_of
from proxops.core.errors import InputError

BERTHING = proxops.load("berthing")
PATHS = "obsw.berthing.paths"


def refused(changes: dict[str, Any]) -> str:
    """Words with which the file is rejected."""
    with pytest.raises(InputError) as found:
        BERTHING.replace(changes)
    return str(found.value)


def not_built(changes: dict[str, Any]) -> str:
    """Words with which a file that can be read is rejected as its mission is built."""
    changed = BERTHING.replace(changes)
    assert changed.mission.obsw.berthing is not None
    with pytest.raises(InputError) as found:
        berthing_of(changed, changed.mission.obsw.berthing)
    return str(found.value)


# --- grippers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("teeth", [0, -15, 2])
def test_gears_without_teeth_are_refused(teeth):
    text = refused({"chaser.grippers.hand.motor_teeth": teeth})
    assert (
        f"chaser.grippers.hand.motor_teeth: must be greater than or equal to 3, found {teeth}"
        in text
    )
    text = refused({"chaser.grippers.hand.clamp_teeth": [30, teeth]})
    assert "chaser.grippers.hand.clamp_teeth.1: must be greater than or equal to 3" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"chaser.grippers.hand.motor": "motr"},
         "chaser.grippers.hand.motor: the chaser has no arm 'motr'; did you mean 'motor'?"),
        ({"chaser.grippers.hand.clamps": ["left", "wrong"]},
         "chaser.grippers.hand.clamps.1: the chaser has no arm 'wrong'; there are: left, main"),
        ({"chaser.grippers.hand.clamps": ["left", "left"]},
         "chaser.grippers.hand.clamps: the motor and the two clamps must be three arms"),
        ({"chaser.grippers.hand.clamps": ["left", "main"]},
         "chaser.grippers.hand.clamps.1: arm 'main' has 7 joints, not one"),
        ({"chaser.arms.left.brakes": "on"},
         "chaser.grippers.hand.clamps.0: arm 'left' has its brakes on"),
        ({"chaser.arms.right.mounted_on": None},
         "chaser.grippers.hand.clamps.1: arm 'right' is not on the same end effector as the motor"),
    ],
)  # fmt: skip
def test_a_gripper_whose_parts_are_not_there_is_refused(changes, words):
    assert words in refused(changes)


def test_two_grippers_cannot_share_a_part():
    hand = BERTHING.mission.chaser.grippers["hand"].model_dump(mode="json")
    words = "chaser.grippers.other: arm 'motor' is a part of gripper 'hand' already"
    assert words in refused({"chaser.grippers.other": hand})


@pytest.mark.parametrize("off_deg", [-1.0, 0.2, 10.0])
def test_gears_that_start_in_each_other_are_refused_with_the_angle_that_is_right(off_deg):
    """15 against 30 teeth: the motor turns by twice as much as a clamp, which starts at -4 deg."""
    text = refused({"chaser.arms.motor.q_deg": [-8.0 + off_deg]})
    overlap = 0.015 * abs(math.radians(off_deg))  # pitch radius of 15 teeth of 2 mm
    assert f"chaser.grippers.hand.motor: its gears start {overlap:.3g} m into each other" in text
    assert "let the motor start at -0.13962634 rad, -8 deg" in text


def test_gears_may_start_within_their_backlash():
    within = 0.9 * math.degrees(0.5 * 5e-5 / 0.015)
    BERTHING.replace({"chaser.arms.motor.q_deg": [-8.0 + within]})


def test_clamps_that_slide_are_refused():
    closed = {f"chaser.arms.{part}.q_deg": [0.0] for part in ("motor", "right")}
    slides = {"urdf": "finger", "q_deg": None, "q": [0.0]}
    text = not_built(closed | {f"chaser.arms.left.{key}": slides[key] for key in slides})
    words = "chaser.grippers.hand: the joint of arm 'left' slides; gears need one that turns"
    assert text == words


# --- what a berthing needs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"obsw.berthing": None},
         "obsw.plan.legs.grapple.does: moves the arm; add [obsw.berthing]"),
        ({"obsw.berthing.arm": "mian"}, "obsw.berthing.arm: the chaser has no arm 'mian'"),
        ({"obsw.berthing.gripper": "hnd"},
         "obsw.berthing.gripper: the chaser has no gripper 'hnd'; did you mean 'hand'?"),
        ({"obsw.berthing.arm": "left"},
         "obsw.berthing.gripper: gripper 'hand' is not on arm 'left'"),
        ({"chaser.arms.main.brakes": "on"},
         "obsw.berthing.arm: arm 'main' has its brakes on, and never moves"),
        ({"holds.hard.port": None, "holds.hard.envelope": None},
         "obsw.berthing.port: hold 'hard' must have a port on the chaser's hub"),
        ({"holds.hard.commanded": False},
         "obsw.berthing.port: hold 'hard' is not commanded; give it commanded = true"),
        ({"obsw.berthing.port": "hart"},
         "obsw.berthing.port: there is no hold 'hart'; did you mean 'hard'?"),
        ({"obsw.berthing.latched": ["sofd"]},
         "obsw.berthing.latched.0: there is no hold 'sofd'; did you mean 'soft'?"),
        ({"sensors.latches": None},
         "obsw.berthing: needs to know which latches are closed: [sensors.latches]"),
        ({"obsw.berthing.q_deg": [0.0, 57.0]},
         "obsw.berthing.q_deg: has 2 values, arm 'main' has 7 joints"),
        ({"obsw.berthing.q_deg": None}, "obsw.berthing.q_deg: missing"),
        ({"obsw.berthing.joints.kp": [1.0, 2.0]},
         "obsw.berthing.joints.kp: has 2 values, arm 'main' has 7 joints"),
        ({"obsw.berthing.joints.kd": [1.0] * 8},
         "obsw.berthing.joints.kd: has 8 values, arm 'main' has 7 joints"),
        ({"obsw.berthing.open_deg": 12.0},
         "obsw.berthing.open_deg: must be less than grip.clamp_deg = 12"),
        ({"obsw.berthing.triggers": {"settle_s": -1.0}},
         "obsw.berthing.triggers.settle_s: must be"),
        ({"obsw.berthing.grip.safety": 0.5}, "obsw.berthing.grip.safety: must be"),
        ({"obsw.berthing.grip.mu": 0.0}, "obsw.berthing.grip.mu: must be"),
    ],
)  # fmt: skip
def test_a_berthing_without_what_it_needs_is_refused(changes, words):
    assert words in refused(changes)


def test_a_plan_without_legs_of_the_arm_needs_no_berthing():
    legs = {"rest": {"does": "rest"}}
    words = "obsw.berthing: no leg of the plan moves the arm; give some with does = grapple"
    assert words in refused({"obsw.plan": {"legs": legs}})


def test_capture_and_berthing_cannot_both_command_the_arm():
    capture = proxops.load("envisat-capture").mission.obsw.capture
    assert capture is not None
    given = {**capture.model_dump(mode="json", exclude_none=True), "fingers": ["left", "right"]}
    words = "obsw.berthing: commands the arm, as capture does; leave one of them out"
    runs = {"obsw.plan.legs.berthed": {"does": "detumble"}}
    assert words in refused({"obsw.capture": given, **runs})


# --- legs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leg", "changes", "words"),
    [
        ("carry", {"path": "to_prt"}, "path: there is no path 'to_prt'; did you mean 'to_port'?"),
        ("carry", {"path": None}, "path: missing"),
        ("carry", {"holds": ["hard"]}, "holds: only to latch or to release"),
        ("grapple", {"path": "to_port"}, "path: only to carry or to move the arm"),
        ("hard_latch", {"holds": ["hrd"]}, "holds.0: there is no hold 'hrd'; did you mean 'hard'?"),
        ("hard_latch", {"holds": []}, "holds: missing; name the holds to close"),
        ("grapple", {"base": "drift"}, "base: must be"),
    ],
)
def test_a_leg_of_the_arm_that_lacks_something_is_refused(leg, changes, words):
    text = refused({f"obsw.plan.legs.{leg}.{key}": value for key, value in changes.items()})
    assert f"obsw.plan.legs.{leg}.{words}" in text


def test_a_leg_of_the_arm_needs_a_way_out():
    legs = BERTHING.mission.obsw.plan.model_dump(mode="json", exclude_none=True)["legs"]
    for way_out in ("stop", "draw_back", "keep_off"):
        del legs[way_out]
    legs["grapple"].pop("timeout_s")
    legs["grapple"].pop("on_abort")
    words = (
        "obsw.plan.legs.grapple.on_abort: missing; a leg that can time out or abort needs a way out"
    )
    assert words in refused({"obsw.plan": {"legs": legs}})


# --- paths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ({}, "q_deg: missing; give q_deg, gap_m or offset_m"),
        ({"gap_m": 0.3, "offset_m": [0.0, 0.0, 0.1]}, "q_deg: give one, not more"),
        ({"q_deg": [0.0] * 7, "straight": True},
         "straight: joints in proportion do not go straight; leave it out"),
        ({"gap_m": -0.1}, "gap_m: must be greater than or equal to 0"),
        ({"q_deg": [0.0] * 6}, "q_deg: has 6 values, arm 'main' has 7 joints"),
    ],
)  # fmt: skip
def test_a_point_of_a_path_that_says_no_posture_is_refused(point, words):
    assert f"{PATHS}.to_port.points.0.{words}" in refused({f"{PATHS}.to_port.points": [point]})


def test_the_start_of_a_path_has_as_many_joints_as_the_arm():
    text = refused({f"{PATHS}.away.start_q_deg": [1.0]})
    assert f"{PATHS}.away.start_q_deg: has 1 values, arm 'main' has 7 joints" in text


def test_a_motor_too_weak_for_the_grip_is_refused_with_both_torques():
    """c m a r sin(γ) Z1 / (μ Z2 η), 2 * 4000 kg * 0.03 m/s2 with μ = 0.3: beyond 6 N m."""
    torque = 2.0 * 4000.0 * 0.03 / 0.3 * 0.122 * math.sin(math.radians(78.0)) * 15 / 30 / 0.98
    words = f"obsw.berthing.grip: takes {torque:.4g} N m of the motor 'motor', which has 6 N m"
    assert words in not_built({"obsw.berthing.grip.mass_kg": 4000.0})


def test_a_port_out_of_reach_is_refused_with_what_is_missing():
    points = [{"gap_m": 5.0}]
    text = not_built({f"{PATHS}.to_port.points": points})
    assert text.startswith(f"{PATHS}.to_port.points.0: the arm does not reach it: it stays 3.")


def test_a_path_beyond_a_stop_is_refused_with_the_joint():
    points = [{"q_deg": [180.0, 57.0, 0.0, 56.0, 0.0, 66.0, 0.0]}]
    text = not_built({f"{PATHS}.to_port.points": points})
    assert f"{PATHS}.to_port.points.0: the path ends shoulder_yaw at 3.1416 rad, beyond its" in text


def test_a_path_in_too_little_time_is_refused_with_the_least():
    text = not_built({f"{PATHS}.to_port.points": [{"gap_m": 0.3, "duration_s": 1.0}]})
    assert f"{PATHS}.to_port.points.0: 1 s are too short: the speed of" in text
    assert "the path takes at least" in text


def test_a_path_that_asks_too_much_of_a_motor_is_refused_with_the_share():
    text = not_built({"obsw.berthing.limits.torque_share": 1e-3})
    assert text.startswith(f"{PATHS}.to_port: takes 0.")
    assert "of the torque of a motor, limits.torque_share is 0.001; let it take longer" in text


def test_a_carry_that_would_collide_is_refused_with_the_parts_that_meet():
    """A mast on the chaser's front, beside the port, where the target comes down to."""
    mast = {"kind": "box", "size_m": [0.4, 0.1, 0.1], "p_CB_m": [1.2, 0.4, 0.0]}
    text = not_built({"chaser.shapes.mast": mast})
    assert text.startswith(f"{PATHS}.to_port: ")
    assert "chaser.shapes.mast" in text
    assert "target.shapes.bus" in text
    assert "of the path" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"obsw.plan.legs.hard_latch.timeout_s": None},
         "obsw.plan.legs.hard_latch.timeout_s: missing; a leg that waits for conditions needs it"),
        ({"obsw.plan.legs.carry.base": "hold"},
         "obsw.plan.legs.carry.base: only with an empty gripper"),
        ({f"{PATHS}.to_port.holds_target": False},
         "obsw.plan.legs.carry.path: path 'to_port' has holds_target = false"),
        ({f"{PATHS}.away.holds_target": True}, f"{PATHS}.away.target_gap_m: is of an empty hand"),
        ({"obsw.berthing.retry_s": 0.03},
         "obsw.berthing.retry_s: 0.03 s is sooner than the switches report a latch, 0.1 s"),
    ],
)  # fmt: skip
def test_what_would_hang_or_pull_at_the_target_is_refused(changes, words):
    assert words in refused(changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"obsw.berthing.grip.speed_rad_s": 1.0}, "1 is more than the motor's 0.6 rad/s"),
        ({"obsw.berthing.open_deg": -20.0}, "open_deg: -20 is beyond the stops of 'left'"),
        ({"chaser.grippers.hand.clamp_teeth": [30, 60], "chaser.grippers.hand.backlash_m": 0.02},
         "clamps of 30 and 60 teeth do not close alike"),
    ],
)  # fmt: skip
def test_a_grip_beyond_motor_stops_or_gears_is_refused(changes, words):
    assert words in not_built(changes)


def test_teeth_that_slide_hard_ask_for_a_shorter_step():
    with pytest.raises(InputError) as found:
        proxops.simulate(BERTHING.replace({"chaser.grippers.hand.efficiency": 0.9}))
    assert "whose teeth slide with the efficiency 0.9" in str(found.value)
