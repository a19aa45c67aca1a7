"""What a path comes near to: against distances worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.arm_cases import REACHING

from proxops import plant
from proxops.arm_paths.arm import Arm, arm_of, effector_pose
from proxops.arm_paths.checks import Checked, check, look_times
from proxops.arm_paths.path import joint_path
from proxops.arm_paths.scene import Scene, meant_pairs, scene_of
from proxops.arm_paths.time_law import MotionLimits, MotionTable, timed
from proxops.assembly.build import build
from proxops.core.description import (
    ArmDescription,
    CraftDescription,
    JointDescription,
    MountedArm,
    RigidInertia,
    ShapeDescription,
    SolidDescription,
)
from proxops.core.frame import Frame, frame
from proxops.plant.outline import outline
from proxops.scenario.load import load

GREY = (128, 128, 128)
BODY = RigidInertia(2.0, np.zeros(3), 0.1 * np.eye(3))
UNTURNED = (1.0, 0.0, 0.0, 0.0)


def joint(name: str, p: list[float], prismatic: bool = False) -> JointDescription:
    return JointDescription(
        name, prismatic, np.eye(3), np.array(p), BODY, -3.0, 3.0, 50.0, 2.0, 0.0, 0.0, 0.0, 1e3, 1.0
    )


def box(size: tuple[float, float, float], p: tuple[float, float, float]) -> ShapeDescription:
    return ShapeDescription("box", size, p, UNTURNED, GREY)


def craft(*shapes: SolidDescription, joints: tuple[JointDescription, ...] = ()) -> CraftDescription:
    arms: tuple[MountedArm, ...] = ()
    if joints:
        arm = ArmDescription("arm", BODY, joints, np.eye(3), np.array([1.0, 0.0, 0.0]))
        q = np.zeros(len(joints))
        arms = (MountedArm("main", arm, np.eye(3), np.zeros(3), q, q),)
    inertia, zero = 100.0 * np.eye(3), np.zeros(3)
    return CraftDescription(
        500.0, inertia, zero, zero, np.array(UNTURNED), zero, arms, shapes=shapes
    )


def scene(
    chaser: CraftDescription,
    target: CraftDescription,
    held: Frame | None = None,
    standing: Frame | None = None,
    may_touch: frozenset[frozenset[str]] = frozenset(),
) -> tuple[Arm, Scene]:
    arm, built = arm_of(chaser, "main"), plant.build(chaser, target, None)
    looks = outline(chaser, target, built)
    return arm, scene_of(
        arm, built, looks, chaser, target, held=held, standing=standing, may_touch=may_touch
    )


def moved(arm: Arm, q: list[float], step: float = 0.01) -> MotionTable:
    n = len(arm.joints)
    limits = MotionLimits(np.full(n, 0.5), np.full(n, 9.0), np.full(n, 9.0))
    return timed(joint_path(arm, np.zeros(n), np.array(q)), limits, step)


SLOW = MotionLimits(np.ones(1), np.ones(1), np.ones(1))
TARGET = craft(SolidDescription(box((0.4, 0.4, 0.4), (0.0, 0.0, 0.0)), "target.shapes.bus"))
HUB = SolidDescription(box((0.2, 0.2, 0.2), (0.0, 0.0, 2.0)), "chaser.shapes.hub")


def test_a_box_that_is_pushed_towards_another() -> None:
    """From 2 - 0.1 - 0.2 m apart along z, 1.5 m nearer; 0.2 m are left, at the end."""
    chaser = craft(HUB, joints=(joint("slide", [-1.0, 0.0, 0.0], prismatic=True),))
    arm, seen = scene(chaser, TARGET, held=Frame(np.eye(3), np.zeros(3)))
    table = moved(arm, [1.5])
    found = check(arm, table, seen, min_clearance=0.15)
    (nearest,) = found.clearances
    assert nearest.parts == ("chaser.shapes.hub", "target.shapes.bus")
    assert nearest.gap == pytest.approx(0.2, abs=1e-7)  # to which distances are found
    assert nearest.time == pytest.approx(table.duration, abs=1e-9)
    assert found.problems == ()
    (problem,) = check(arm, table, seen, min_clearance=0.25).problems
    assert problem.startswith(
        "chaser.shapes.hub comes within 0.200 m of target.shapes.bus at 100 % of the path"
    )
    assert "0.250 m are to be kept" in problem


def test_a_box_that_is_pushed_into_another_collides_when_they_meet() -> None:
    chaser = craft(HUB, joints=(joint("slide", [-1.0, 0.0, 0.0], prismatic=True),))
    arm, seen = scene(chaser, TARGET, held=Frame(np.eye(3), np.zeros(3)))
    (problem,) = check(arm, moved(arm, [1.9]), seen, min_clearance=0.0).problems
    assert "chaser.shapes.hub collides with target.shapes.bus" in problem
    gap = check(arm, moved(arm, [1.9]), seen, min_clearance=0.0).clearances[0].gap
    assert gap == pytest.approx(-0.2, abs=1e-7)


def test_a_ball_that_is_swept_past_another() -> None:
    """On a circle of 1 m about z, past a ball 0.4 m farther out at 30 deg: 0.1 m left of that."""
    ball = SolidDescription(
        ShapeDescription("sphere", (0.2,) * 3, (0.0, 0.0, 0.0), UNTURNED, GREY), "target.ball"
    )
    place = (1.4 * math.cos(math.pi / 6), 1.4 * math.sin(math.pi / 6), 0.0)
    post = SolidDescription(
        ShapeDescription("sphere", (0.1,) * 3, place, UNTURNED, GREY), "chaser.post"
    )
    chaser = craft(post, joints=(joint("turn", [0.0, 0.0, 0.0]),))
    arm, seen = scene(chaser, craft(ball), held=Frame(np.eye(3), np.zeros(3)))
    table = moved(arm, [math.pi / 3])
    (nearest,) = check(arm, table, seen, min_clearance=0.0).clearances
    # looks are 10 mm apart: the nearest is off by half of that along, (5 mm)²/2/0.4 m across
    assert nearest.gap == pytest.approx(0.1, abs=4e-5)
    assert nearest.time == pytest.approx(0.5 * table.duration, rel=0.01)


def test_a_box_that_turns_until_it_faces_another() -> None:
    """1 m from the axis, turned by 30 deg, it faces a box that is turned as much: 0.2 m apart."""
    angle = math.pi / 6
    turned = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
    place = (1.5 * math.cos(angle), 1.5 * math.sin(angle), 0.0)
    post = SolidDescription(
        ShapeDescription("box", (0.2, 0.3, 0.4), place, turned, GREY), "chaser.post"
    )
    chaser = craft(post, joints=(joint("turn", [0.0, 0.0, 0.0]),))
    arm, seen = scene(chaser, TARGET, held=Frame(np.eye(3), np.zeros(3)))
    c, s = math.cos(0.05), math.sin(0.05)
    for end, left in ((angle, 0.2), (angle + 0.05, 1.4 - (1.2 * c + 0.2 * s))):
        still = timed(joint_path(arm, np.array([end]), np.array([end])), SLOW, 0.1)
        (nearest,) = check(arm, still, seen, min_clearance=0.0).clearances
        assert nearest.gap == pytest.approx(left, abs=1e-7)
    # on the way a corner comes nearer than the face: it is √(1.2² + 0.2²) m from the axis
    (nearest,) = check(arm, moved(arm, [angle]), seen, min_clearance=0.0).clearances
    assert nearest.gap == pytest.approx(1.4 - math.hypot(1.2, 0.2), abs=1e-4)


def test_between_two_looks_nothing_moves_by_more_than_is_said() -> None:
    chaser = craft(HUB, joints=(joint("one", [0.0, 0.0, 0.0]), joint("two", [1.0, 0.0, 0.0])))
    held = frame((0.0, 0.5, 0.0), UNTURNED)
    arm, seen = scene(chaser, TARGET, held=held)
    table = moved(arm, [1.0, 2.0])
    t = look_times(table, seen, 0.02)
    corners = [np.array([x, y, z]) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
    X = [effector_pose(arm, q) @ held for q in table.at(t)[0]]
    places = np.array([[each.p + each.R @ corner for corner in corners] for each in X])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=2)
    assert steps.max() <= 0.02 + 1e-12
    assert steps.max() > 0.002  # not far below it either


def test_links_beside_each_other_and_what_is_held_may_touch_the_hand() -> None:
    def link(number: int) -> SolidDescription:
        shape = box((1.1, 0.1, 0.1), (0.5, 0.0, 0.0))
        return SolidDescription(shape, f"chaser.arms.main link{number}", "main", number)

    chaser = craft(
        HUB, *(link(n) for n in range(4)),
        joints=(joint("a", [0.0] * 3), joint("b", [1.0, 0.0, 0.0]), joint("c", [1.0, 0.0, 0.0])),
    )  # fmt: skip
    arm, seen = scene(chaser, TARGET, held=Frame(np.eye(3), np.zeros(3)))
    pairs = {tuple(seen.parts[row].split()[-1] for row in pair) for pair in seen.pairs}
    hub, bus = "chaser.shapes.hub", "target.shapes.bus"
    assert pairs == {
        ("link0", "link2"), ("link0", "link3"), ("link1", "link3"),
        (hub, "link1"), (hub, "link2"), (hub, "link3"), (hub, bus),
        ("link0", bus), ("link1", bus), ("link2", bus),
    }  # fmt: skip
    assert seen.within_arm.sum() == 3
    # folded by half a turn, a link lies on the one before: 0.1 m from the last but one
    folded = check(arm, moved(arm, [0.0, 2.9, 2.9]), seen, min_clearance=0.0)
    assert any("link1 collides with chaser.arms.main link3" in each for each in folded.problems)


def test_a_target_that_stands_still_and_pairs_that_may_touch() -> None:
    chaser = craft(
        HUB,
        SolidDescription(box((1.0, 0.1, 0.1), (0.5, 0.0, 0.0)), "chaser.arms.main rod", "main", 1),
        joints=(joint("turn", [0.0, 0.0, 0.0]),),
    )
    parts = ("chaser.arms.main rod", "target.shapes.bus")
    arm, seen = scene(chaser, TARGET, standing=frame((0.0, 0.8, 0.0), UNTURNED))
    (problem,) = check(arm, moved(arm, [math.pi / 2]), seen, min_clearance=0.1).problems
    assert "rod collides with target.shapes.bus" in problem
    _, seen = scene(
        chaser,
        TARGET,
        standing=frame((0.0, 0.8, 0.0), UNTURNED),
        may_touch=frozenset({frozenset(parts)}),
    )
    assert check(arm, moved(arm, [math.pi / 2]), seen, min_clearance=0.1).problems == ()


def test_stops_speeds_and_singular_postures_are_told_with_their_values() -> None:
    chaser = craft(HUB, joints=(joint("one", [0.0, 0.0, 0.0]), joint("two", [1.0, 0.0, 0.0])))
    arm = arm_of(chaser, "main")
    table = moved(arm, [1.0, -2.0])

    def problems(arm: Arm, **limits: float) -> Checked:
        return check(arm, table, None, min_clearance=0.0, **limits)

    assert problems(arm).problems == ()
    assert problems(arm).stop_margin == pytest.approx(1.0, abs=1e-12)
    assert problems(arm).speed_share == pytest.approx(0.25, rel=1e-3)  # 0.5 of 2 rad/s
    narrow = replace(arm, upper=np.array([0.9, 3.0]))
    (problem,) = problems(narrow).problems
    assert problem.startswith("one is at 1.0000 rad at 100 % of the path")
    slow = replace(arm, speed=np.array([2.0, 0.4]))
    (problem,) = problems(slow).problems
    assert "two moves at 0.5000 rad/s at 50 % of the path" in problem
    (problem,) = problems(arm, min_singular_value=0.01).problems  # two joints have always a zero
    assert "singular posture" in problem


def test_the_shipped_arm_with_its_hand_and_a_held_envisat() -> None:
    """Every shape moves with the frame that carries it: the same gap as from the plant's state."""
    scenario = load("envisat-capture")
    built = build(scenario)
    arm, grapple = arm_of(built.chaser, "main"), scenario.mission.target.grapple
    X_ET = (frame(grapple.p_TG_m, grapple.q_TG) @ frame((0.0,) * 3, (0.0, 0.0, 1.0, 0.0))).inverse()
    seen = scene_of(arm, built.plant, built.ports.outline, built.chaser, built.target, held=X_ET)
    limits = MotionLimits(np.full(7, 0.1), np.full(7, 0.1), np.full(7, 0.1))
    table = timed(joint_path(arm, REACHING, REACHING), limits, 0.1)
    found = {each.parts: each.gap for each in check(arm, table, seen, min_clearance=0.0).clearances}
    # the bus of Envisat begins 0.1 m behind the grapple; E is at 2.154 m, the chaser's at 0.9 m
    X_CT = effector_pose(arm, REACHING) @ X_ET
    gap = X_CT.p[0] + 1.038371 - 3.4 - 0.9
    assert found["chaser.shapes.bus", "target.shapes.bus"] == pytest.approx(gap, abs=1e-7)
    assert meant_pairs(built.ports.outline, built.chaser, built.target) == frozenset()
    assert not any("finger" in one and "target" in other for one, other in found)
    assert found["chaser.arms.main wrist", "target.shapes.bus"] > 0.05
