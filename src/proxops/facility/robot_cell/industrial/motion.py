"""How the mock-up moves while the joints do."""

from proxops.core.jit import helper
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, mul_t, scale, sub
from proxops.facility.robot_cell.industrial.forward import FLANGE, chain
from proxops.facility.robot_cell.industrial.jacobian import axis_in_lab
from proxops.facility.robot_cell.industrial.robot import AXES, MOCK_UP_ON_FLANGE, SIGN, pose_of


@helper
def mock_up_motion(robot, joints, speeds):
    """X_LM, the velocity of M's origin in L [m/s] and the angular velocity of M in M [rad/s]."""
    links = chain(robot, joints)
    X_LM = compose(links[FLANGE], pose_of(robot, MOCK_UP_ON_FLANGE))
    q_LM, p_LM = X_LM
    v, w = ZERO, ZERO
    for axis in range(AXES):
        along, point = axis_in_lab(links, axis)
        turn = scale(robot.joints[axis, SIGN] * speeds[axis], along)
        w = add(w, turn)
        v = add(v, cross(turn, sub(p_LM, point)))
    return X_LM, v, mul_t(quat_to_rotation(q_LM), w)
