"""Inverse kinematics of six-axis robots: all branches, which one is taken, and why none is."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.core.errors import InputError
from proxops.facility.robot_cell.industrial import inverse as ik
from proxops.facility.robot_cell.industrial.inverse import all_joints_for, joints_for, reason
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import (
    LOWER,
    UPPER,
    Placement,
    RobotDescription,
    build,
)
from proxops.facility.robot_cell.industrial.track import starts
from tests.facility.industrial_cases import (
    COUNTED_OTHERWISE,
    PLAIN,
    TILTED,
    apart,
    pose_of,
    random_joints,
)

HOME = np.radians([10.0, -80.0, 100.0, 20.0, 40.0, 30.0])


def branches(robot, pose, near):
    table = np.empty((ik.BRANCHES, ik.BRANCH_WIDTH))
    all_joints_for(robot, pose, np.array(near), table)
    return table


@pytest.mark.parametrize("robot", [TILTED, COUNTED_OTHERWISE])
def test_every_branch_holds_the_pose_and_one_is_the_joints_it_came_from(robot):
    """A thousand poses for each robot.  Poses of 4 m round at 1e-15.  Joints lose by what is lost
    in the sine of the bend: with the arm 1e-3 from stretched or the wrist from straight, 1e-12."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(1000):
        joints = random_joints(robot, rng)
        pose = pose_of(robot, joints)
        table = branches(robot, pose, joints)
        found = table[table[:, ik.GAP] == 0.0, : ik.GAP]
        held += len(found)
        assert max(apart(pose_of(robot, row), pose) for row in found) < 1e-13
        assert np.abs(found - joints).max(axis=1).min() < 1e-9
    assert held > 5000  # most poses are reached with the robot turned round as well


def test_the_eight_branches_are_eight():
    table = branches(TILTED, pose_of(TILTED, HOME), HOME)
    assert not table[:, ik.GAP].any()
    joints = np.exp(1j * table[:, : ik.GAP])
    different = np.abs(joints[:, None] - joints[None]).max(axis=2) > 0.1
    assert (different | np.eye(ik.BRANCHES, dtype=bool)).all()


def test_the_branch_taken_is_the_one_nearest_to_where_the_joints_were():
    rng = np.random.default_rng(2)
    for _ in range(300):
        joints = random_joints(TILTED, rng)
        near = joints + rng.uniform(-0.01, 0.01, 6)
        solution = joints_for(TILTED, pose_of(TILTED, joints), near, False)
        table = branches(TILTED, pose_of(TILTED, joints), joints)
        reached = table[table[:, ik.GAP] == 0.0, : ik.GAP]
        turns = 2.0 * math.pi * np.round((near - reached) / (2.0 * math.pi))
        least = ((reached + turns - near) ** 2).sum(axis=1).min()
        assert ((np.array(solution.joints) - near) ** 2).sum() <= least * (1.0 + 1e-9)


def follow(path):
    """Joints along a path of joints, each branch taken from the one before."""
    near, found = path[0], []
    for joints in path:
        solution = joints_for(TILTED, pose_of(TILTED, joints), near, False)
        near = np.array(solution.joints)
        found.append(near)
    return np.array(found)


@pytest.mark.parametrize("offset", [0.0, 1e-4])  # a sample on the singular pose, and none
def test_a_path_through_the_straight_wrist_goes_through(offset):
    """The path is smooth in the joints, so what is found must be the path.  Beyond the straight
    wrist the branch is the other one: a robot that kept its number would turn axis 4 by π."""
    swing = np.arange(-0.3, 0.3, 1e-3) + offset
    path = np.tile(HOME, (len(swing), 1))
    path[:, 4] = swing
    path[:, 0] += 0.2 * swing
    np.testing.assert_allclose(follow(path), path, atol=1e-9)


def test_where_the_arm_is_stretched_it_goes_on_without_a_jump():
    """Both ways to bend meet there.  Which one leads on cannot be told from one sample, as the
    stretched arm can go either way: steps grow to twice those of the path, no more."""
    swing = np.arange(-0.3, 0.3, 1e-3)
    path = np.tile(HOME, (len(swing), 1))
    path[:, 2] = math.atan2(-0.041, 1.0) + swing + 5e-4
    path[:, 0] += 0.2 * swing
    assert np.abs(np.diff(follow(path), axis=0)).max() < 2.0 * 1e-3 + 1e-9


def test_close_by_a_singular_wrist_joints_turn_fast_but_never_jump():
    """Past the straight wrist at 0.01 rad axes 4 and 6 turn by π within a few times that: with
    steps of 1e-4 by at most 1e-4/0.01 each."""
    across = np.arange(-0.1, 0.1, 1e-4)
    start = np.array([*HOME[:4], 0.0, HOME[5]])
    straight = pose_of(PLAIN, start)
    near, found = None, []
    for angle in across:
        # turned about the flange's own x and y, the wrist's centre kept: axes 4 and 6 act as one
        bend = np.array([angle, 0.01])
        size = np.linalg.norm(bend)
        turn = np.array([math.cos(size / 2), *(math.sin(size / 2) * bend / size), 0.0])
        pose = turned_about_wrist(straight, turn)
        if near is None:
            near = min(
                branches(PLAIN, pose, start)[:, : ik.GAP], key=lambda q: abs(q - start).sum()
            )
        near = np.array(joints_for(PLAIN, pose, near, False).joints)
        found.append(near)
    steps = np.abs(np.diff(found, axis=0))
    assert steps.max() < 1.01e-2
    assert np.ptp(np.array(found)[:, 3]) > 2.5
    assert np.ptp(np.array(found)[:, :3], axis=0).max() < 1e-9


def turned_about_wrist(pose, turn):
    """A flange's pose turned in its own axes about the wrist's centre."""
    R = Rotation.from_quat(pose[3:], scalar_first=True)
    new = R * Rotation.from_quat(turn, scalar_first=True)
    ahead = np.array([0.0, 0.0, PLAIN.d6])
    p = pose[:3] - R.apply(ahead) + new.apply(ahead)
    return np.array([*p, *new.as_quat(scalar_first=True)])


def test_a_free_axis_stays_where_it_was():
    """Straight wrist: axes 4 and 6 share one rotation; any axis 4 holds the pose."""
    joints = np.array([*HOME[:4], 0.0, HOME[5]])
    near = joints + np.array([0.0, 0.0, 0.0, 0.7, 0.0, 0.0])
    solution = joints_for(TILTED, pose_of(TILTED, joints), near, False)
    assert solution.joints[3] == pytest.approx(near[3], abs=1e-12)
    assert apart(pose_of(TILTED, solution.joints), pose_of(TILTED, joints)) < 1e-9


def test_an_axis_turns_on_past_half_a_turn_and_is_not_unwound_at_its_end():
    """Axis 6 turns on to 352 deg, its range ends at 350 deg.  Chosen anew on the same
    branch it would stand at -8 deg."""
    near = HOME.copy()
    for angle in np.arange(30.0, 352.1, 2.0):
        joints = np.array([*HOME[:5], math.radians(angle)])
        solution = joints_for(TILTED, pose_of(TILTED, joints), near, False)
        near = np.array(solution.joints)
        np.testing.assert_allclose(near, joints, atol=1e-12)
    assert solution.status == ik.OUT_OF_RANGE
    assert solution.axis == 5
    assert solution.excess == pytest.approx(math.radians(2.0), abs=1e-12)
    assert reason(solution) == "axis 6 is 2 deg out of its range"
    unwound = branches(TILTED, pose_of(TILTED, joints), near)[solution.branch]
    np.testing.assert_allclose(unwound[:5], HOME[:5], atol=1e-12)
    assert unwound[5] == pytest.approx(math.radians(-8.0), abs=1e-12)
    # Nearer still, and in range, is the wrist bent to the other side.
    anew = joints_for(TILTED, pose_of(TILTED, joints), near, True)
    assert anew.status == ik.REACHED
    assert anew.branch == solution.branch ^ ik.FLIP
    assert anew.joints[5] == pytest.approx(math.radians(172.0), abs=1e-12)


def test_out_of_reach_is_told_by_how_much_and_the_arm_points_there():
    """Shoulder of the plain robot at (0.35, 0, 0.675) m, longest arm 1.15 + √(1 + 0.041²) m, the
    flange turned ahead: z_K along x of the base."""
    ahead = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
    longest = 1.15 + math.hypot(1.0, 0.041)
    beyond = np.array([0.35 + 0.8 * (longest + 0.05), 0.0, 0.675 + 0.6 * (longest + 0.05)])
    pose = np.array([*beyond, *ahead])
    pose[0] += 0.215
    solution = joints_for(PLAIN, pose, HOME, False)
    assert solution.status == ik.TOO_FAR
    assert solution.excess == pytest.approx(0.05, abs=1e-12)
    assert reason(solution) == "out of reach: 0.05 m too far from the shoulder"
    missed = pose_of(PLAIN, solution.joints) - pose
    np.testing.assert_allclose(missed[:3], [-0.04, 0.0, -0.03], atol=1e-12)
    np.testing.assert_allclose(missed[3:], 0.0, atol=1e-12)
    inside = np.array([0.35 + 0.1 + 0.215, 0.0, 0.675, *ahead])
    folded = joints_for(PLAIN, inside, HOME, False)
    assert folded.status == ik.TOO_NEAR
    assert folded.excess == pytest.approx(1.15 - math.hypot(1.0, 0.041) - 0.1, abs=1e-12)


def test_a_pose_that_is_no_number_leaves_the_joints_where_they_are():
    solution = joints_for(PLAIN, np.full(7, np.nan), HOME, False)
    assert solution.status == ik.NOT_FINITE
    assert solution.joints == tuple(HOME)


def test_starts_are_in_range_hold_the_pose_and_come_best_first():
    pose = pose_of(TILTED, HOME)
    found = starts(TILTED, pose)
    assert min(np.abs(q - HOME).max() for q in found) < 1e-12
    lower, upper = TILTED.joints[:, LOWER], TILTED.joints[:, UPPER]
    shares = [np.min(np.minimum(q - lower, upper - q) / (upper - lower)) for q in found]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] >= 0.0
    assert max(apart(pose_of(TILTED, q), pose) for q in found) < 1e-13


def broken(**changes):
    return RobotDescription(**{**vars(KR120), **changes})


@pytest.mark.parametrize(
    ("description", "text"),
    [
        (broken(signs=(1.0, 2.0, 1.0, 1.0, 1.0, 1.0)), "axis 2: sign 2; possible are"),
        (broken(speed=(1.0, 1.0)), "speed has 2 entries, not 6"),
        (broken(lower=KR120.upper), "axis 1: range from"),
        (broken(jerk=(0.0,) * 6), "axis 1: speed, acceleration and jerk"),
        (broken(payload=0.0), "payload is 0, not positive"),
    ],
)
def test_a_robot_that_is_none_is_refused_with_the_place(description, text):
    with pytest.raises(InputError, match=text):
        build(description, Placement())


def test_a_pose_that_is_none_is_refused():
    with pytest.raises(InputError, match="X_LB: found"):
        build(KR120, Placement(np.zeros(7)))
