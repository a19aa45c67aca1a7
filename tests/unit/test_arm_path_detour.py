"""Ways round what stands in the way of an arm."""

import math
from itertools import pairwise

import numpy as np
import pytest
from tests.unit.test_arm_path_checks import GREY, TARGET, UNTURNED, box, craft, joint, scene

from proxops.arm_paths.arm import effector_pose
from proxops.arm_paths.checks import check
from proxops.arm_paths.detour import Room, clear_postures, clear_solution
from proxops.arm_paths.inverse_kinematics import pose_error
from proxops.arm_paths.path import PathError, joint_path
from proxops.arm_paths.time_law import MotionLimits, joined, timed
from proxops.core.description import ShapeDescription, SolidDescription
from proxops.core.frame import Frame

CLEARANCE = 0.05  # [m]


def rod(number: int) -> SolidDescription:
    return SolidDescription(
        box((1.0, 0.1, 0.1), (0.5, 0.0, 0.0)), f"chaser.arms.main rod{number}", "main", number
    )


def post(radius: float, angle: float) -> SolidDescription:
    place = (radius * math.cos(angle), radius * math.sin(angle), 0.0)
    shape = ShapeDescription("cylinder", (0.1, 0.1, 1.0), place, UNTURNED, GREY)
    return SolidDescription(shape, "chaser.shapes.post")


def room(*posts: SolidDescription, joints: int = 2) -> Room:
    made = tuple(joint(f"joint{i}", [float(i > 0), 0.0, 0.0]) for i in range(joints))
    chaser = craft(*posts, *(rod(i + 1) for i in range(joints)), joints=made)
    arm, seen = scene(chaser, TARGET)
    return Room(arm, seen, CLEARANCE)


def test_a_stretched_arm_folds_to_pass_a_post() -> None:
    there = room(post(1.6, math.pi / 4))
    start, end = np.array([0.0, 0.1]), np.array([math.pi / 2, -0.1])
    assert not there.is_clear(start, end)
    postures = clear_postures(there, start, end)
    assert len(postures) > 2
    assert np.array_equal(postures[0], start)
    assert np.array_equal(postures[-1], end)
    limits = MotionLimits(np.full(2, 0.5), np.full(2, 1.0), np.full(2, 5.0))
    tables = [timed(joint_path(there.arm, a, b), limits, 0.02) for a, b in pairwise(postures)]
    found = check(there.arm, joined(tables), there.scene, min_clearance=CLEARANCE)
    assert found.problems == ()
    direct = timed(joint_path(there.arm, start, end), limits, 0.02)
    (problem,) = check(there.arm, direct, there.scene, min_clearance=CLEARANCE).problems
    assert "chaser.shapes.post collides with chaser.arms.main rod2" in problem


def test_the_direct_path_is_taken_where_nothing_is_in_the_way() -> None:
    there = room(post(2.6, math.pi / 4))
    start, end = np.array([0.0, 0.1]), np.array([math.pi / 2, -0.1])
    assert [each.tolist() for each in clear_postures(there, start, end)] == [
        start.tolist(),
        end.tolist(),
    ]


def test_the_same_postures_are_found_again() -> None:
    there = room(post(1.6, math.pi / 4))
    start, end = np.array([0.0, 0.1]), np.array([math.pi / 2, -0.1])
    once, again = (clear_postures(there, start, end) for _ in range(2))
    assert np.array_equal(np.array(once), np.array(again))


def test_where_there_is_no_way_that_is_said() -> None:
    """One joint, whose stops at 3 rad keep it from going round the other way."""
    there = room(post(0.6, math.pi / 4), joints=1)
    with pytest.raises(PathError, match=r"no path that keeps 0\.050 m of clearance was found"):
        clear_postures(there, np.array([0.0]), np.array([math.pi / 2]))
    with pytest.raises(
        PathError,
        match=r"the path ends in a posture that is not clear: .*post collides with .*rod1",
    ):
        clear_postures(there, np.array([0.0]), np.array([math.pi / 4]))


def test_a_solution_that_is_not_clear_is_replaced_by_one_that_is() -> None:
    """Three links in a plane: a post stands where the elbow would be on one side."""
    there = room(post(1.0, 0.6), joints=3)
    one, other = np.array([0.6, -1.2, 0.6]), np.array([-0.6, 1.2, -0.6])
    X = effector_pose(there.arm, one)
    assert pose_error(X, effector_pose(there.arm, other)) == pytest.approx(np.zeros(6), abs=1e-12)
    assert "post collides with chaser.arms.main rod1" in there.obstacle(one)
    assert clear_solution(there, X, one) == pytest.approx(other, abs=1e-9)
    assert clear_solution(there, X, other) == pytest.approx(other, abs=1e-9)


def test_a_pose_without_any_clear_solution_is_rejected_in_words() -> None:
    there = room(post(1.0, 0.6), post(1.0, -0.6), joints=3)
    q = np.array([0.6, -1.2, 0.6])
    X = effector_pose(there.arm, q)
    with pytest.raises(PathError, match=r"is clear: chaser\.shapes\.post collides with .*rod1"):
        clear_solution(there, X, q)
    far = Frame(X.R, X.p + np.array([5.0, 0.0, 0.0]))
    with pytest.raises(PathError, match=r"cannot put its end there: \d\.\d+ m and"):
        clear_solution(there, far, q)
