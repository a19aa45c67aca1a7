"""Kinematics of the six-axis robot against Pinocchio, its axes given as the maker draws them.

Lengths are metres and rates of order one: both sides round at 1e-15, and solving for joint rates
loses what the pose is close to singular, of which those used here keep clear.
"""

import numpy as np
import pinocchio as pin
import pytest
from scipy.spatial.transform import Rotation
from tests.facility.industrial_cases import TILTED, X_KM, X_LB, random_joints

from proxops.facility.robot_cell.industrial.forward import FRAMES, link_frames, mock_up_pose
from proxops.facility.robot_cell.industrial.jacobian import accelerations_for, jacobian, speeds_for
from proxops.facility.robot_cell.industrial.singularity import distances_to_singular

# Sense and place of each axis in the link before it, all links parallel at zero
DRAWN = [
    ((0, 0, -1), (0.0, 0.0, 0.675)),
    ((0, 1, 0), (0.350, 0.0, 0.0)),
    ((0, 1, 0), (1.150, 0.0, 0.0)),
    ((-1, 0, 0), (1.000, 0.0, -0.041)),
    ((0, 1, 0), (0.0, 0.0, 0.0)),
    ((-1, 0, 0), (0.0, 0.0, 0.0)),
]
FLANGE = pin.SE3(Rotation.from_euler("y", 90, degrees=True).as_matrix(), np.array([0.215, 0, 0]))


def placed(X):
    return pin.SE3(Rotation.from_quat(X[3:], scalar_first=True).as_matrix(), X[:3])


@pytest.fixture(scope="module")
def peer():
    model, parent = pin.Model(), 0
    for axis, (along, at) in enumerate(DRAWN):
        X = pin.SE3(np.eye(3), np.array(at))
        X = placed(X_LB) * X if axis == 0 else X
        joint = pin.JointModelRevoluteUnaligned(*along)
        parent = model.addJoint(parent, joint, X, f"a{axis + 1}")
    model.addFrame(pin.Frame("flange", parent, FLANGE, pin.FrameType.OP_FRAME))
    model.addFrame(pin.Frame("mock-up", parent, FLANGE * placed(X_KM), pin.FrameType.OP_FRAME))
    return model, model.createData()


def same_pose(row, X):
    R = Rotation.from_quat(row[3:], scalar_first=True).as_matrix()
    return max(np.abs(row[:3] - X.translation).max(), np.abs(R - X.rotation).max())


def test_every_frame_is_where_pinocchio_has_it(peer):
    model, data = peer
    rng = np.random.default_rng(1)
    table, pose = np.empty((FRAMES, 7)), np.empty(7)
    for _ in range(500):
        q = random_joints(TILTED, rng)
        pin.forwardKinematics(model, data, q)
        pin.updateFramePlacements(model, data)
        link_frames(TILTED, q, table)
        mock_up_pose(TILTED, q, pose)
        theirs = [placed(X_LB), *data.oMi.tolist()[1:6], data.oMf[model.getFrameId("flange")]]
        assert max(same_pose(row, X) for row, X in zip(table, theirs, strict=True)) < 1e-13
        assert same_pose(pose, data.oMf[model.getFrameId("mock-up")]) < 1e-13


def test_jacobian_speeds_and_accelerations_are_pinocchios(peer):
    """Condition numbers up to some 1e3 of the poses kept leave 1e-10 of 1e-15 and to spare."""
    model, data = peer
    frame = model.getFrameId("mock-up")
    rng = np.random.default_rng(2)
    J, pose, seen = np.empty((6, 6)), np.empty(7), 0
    for _ in range(500):
        q, qd, qdd = random_joints(TILTED, rng), rng.normal(size=6), rng.normal(size=6)
        left = distances_to_singular(TILTED, q)
        if min(left.outer, left.inner, left.wrist, left.shoulder) < 0.1:
            continue
        seen += 1
        pin.forwardKinematics(model, data, q, qd, qdd)
        theirs = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
        V = pin.getFrameVelocity(model, data, frame, pin.LOCAL).vector
        A = pin.getFrameAcceleration(model, data, frame, pin.LOCAL).vector
        jacobian(TILTED, q, J)
        mock_up_pose(TILTED, q, pose)
        assert np.abs(J - theirs).max() < 1e-13
        np.testing.assert_allclose(speeds_for(TILTED, q, pose, V), qd, atol=1e-11)
        np.testing.assert_allclose(accelerations_for(TILTED, q, pose, V, A), qdd, atol=1e-10)
    assert seen > 250
