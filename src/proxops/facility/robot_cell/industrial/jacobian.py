"""Joint speeds and accelerations of a mock-up's motion, and the Jacobian between them.

The twist V = (v, w) of the mock-up moves its pose as Ẋ_LM = X_LM hat(V), components in M; V̇ is
the rate of those components.  Since axes 4 to 6 meet in the wrist's centre, its velocity alone
gives the speeds of axes 1 to 3, and the angular velocity that is left over those of the wrist: two
small systems in closed form, without a matrix.

In the arm's plane, with ρ ahead of axis 1, ζ up, (u, f) upper arm and forearm, ψ = θ₂ + θ₃:

    v₁ = (ρ̇, ρ θ̇₁, ζ̇),   ρ̇ = u_z θ̇₂ + f_z ψ̇,   ζ̇ = -u_x θ̇₂ - f_x ψ̇
    n = (θ̇₄ + cos θ₅ θ̇₆, θ̇₅, -sin θ₅ θ̇₆)   of link 6 against link 3, in axes of link 4

At a singular pose the speeds are infinite or not a number; `singularity` is the distance.
"""

import math

from proxops.core.jit import helper, kernel
from proxops.core.spatial.pose import act
from proxops.core.spatial.quaternion import get4, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul, mul_t, scale, sub
from proxops.facility.robot_cell.industrial.forward import (
    FLANGE,
    angles,
    arm_in_plane,
    chain,
    get6,
    mock_up_of,
)
from proxops.facility.robot_cell.industrial.robot import (
    AXES,
    FLANGE_ON_MOCK_UP,
    LAB_IN_BASE,
    SIGN,
    Q,
    pose_of,
)

LINEAR, ANGULAR = 0, 3  # in a twist, and rows of the Jacobian


@helper
def get_twist(array):
    """A twist or its rate from six numbers."""
    return get3(array, LINEAR), get3(array, ANGULAR)


@helper
def _signed(robot, rates):
    """Rates of θ as rates of the joints, or the other way round."""
    r1, r2, r3, r4, r5, r6 = rates
    return (
        robot.joints[0, SIGN] * r1,
        robot.joints[1, SIGN] * r2,
        robot.joints[2, SIGN] * r3,
        robot.joints[3, SIGN] * r4,
        robot.joints[4, SIGN] * r5,
        robot.joints[5, SIGN] * r6,
    )


@helper
def _from_base(R_BM, c1, s1, a):
    """Components in the arm's plane, from those in M."""
    x, y, z = mul(R_BM, a)
    return c1 * x + s1 * y, c1 * y - s1 * x, z


@helper
def _onto_link_4(theta23, theta4, a):
    """Components in axes of link 4, from those in the arm's plane."""
    c, s = math.cos(theta23), math.sin(theta23)
    c4, s4 = math.cos(theta4), math.sin(theta4)
    x, z = c * a[0] - s * a[2], s * a[0] + c * a[2]
    return x, c4 * a[1] + s4 * z, c4 * z - s4 * a[1]


@helper
def _bend(arm, along, up):
    """Rates of θ₂ and ψ that move the wrist's centre along and up the plane."""
    determinant = arm.fore_z * arm.upper_x - arm.upper_z * arm.fore_x
    return (
        -(arm.fore_x * along + arm.fore_z * up) / determinant,
        (arm.upper_x * along + arm.upper_z * up) / determinant,
    )


@helper
def joint_speeds(robot, joints, q_LM, V):
    """Speeds of all joints [rad/s] for the twist V of the mock-up."""
    t1, t2, t3, t4, t5, _ = angles(robot, joints)
    v, w = V
    R_BM = quat_to_rotation(quat_mul(pose_of(robot, LAB_IN_BASE)[0], q_LM))
    p_MW = act(pose_of(robot, FLANGE_ON_MOCK_UP), (0.0, 0.0, -robot.d6))
    c1, s1 = math.cos(t1), math.sin(t1)
    arm = arm_in_plane(robot, t2, t3)
    along, across, up = _from_base(R_BM, c1, s1, add(v, cross(w, p_MW)))
    r1 = across / arm.radius
    r2, r23 = _bend(arm, along, up)
    left = sub(_from_base(R_BM, c1, s1, w), (0.0, r23, r1))
    nx, ny, nz = _onto_link_4(t2 + t3, t4, left)
    r6 = -nz / math.sin(t5)
    return _signed(robot, (r1, r2, r23 - r2, nx - math.cos(t5) * r6, ny, r6))


@helper
def joint_accelerations(robot, joints, speeds, q_LM, V, V_rate):
    """Accelerations of all joints [rad/s2] for the twist V of the mock-up and its rate; `speeds`
    are those of V.

        a₁ = (ρ̈ - ρ θ̇₁², 2 ρ̇ θ̇₁ + ρ θ̈₁, ζ̈)
        α = ṅ + Ω₄ × w   in axes of link 4, which turn with Ω₄
    """
    t1, t2, t3, t4, t5, _ = angles(robot, joints)
    r1, r2, r3, r4, r5, r6 = _signed(robot, speeds)
    r23 = r2 + r3
    (v, w), (v_rate, alpha) = V, V_rate
    R_BM = quat_to_rotation(quat_mul(pose_of(robot, LAB_IN_BASE)[0], q_LM))
    p_MW = act(pose_of(robot, FLANGE_ON_MOCK_UP), (0.0, 0.0, -robot.d6))
    c1, s1 = math.cos(t1), math.sin(t1)
    arm = arm_in_plane(robot, t2, t3)
    a = add(v_rate, add(cross(w, add(v, cross(w, p_MW))), cross(alpha, p_MW)))
    along, across, up = _from_base(R_BM, c1, s1, a)
    radius_rate = arm.upper_z * r2 + arm.fore_z * r23
    b1 = (across - 2.0 * radius_rate * r1) / arm.radius
    b2, b23 = _bend(
        arm,
        along + arm.radius * r1 * r1 + arm.upper_x * r2 * r2 + arm.fore_x * r23 * r23,
        up + arm.upper_z * r2 * r2 + arm.fore_z * r23 * r23,
    )
    c5, s5 = math.cos(t5), math.sin(t5)
    w_3 = _onto_link_4(t2 + t3, t4, (0.0, r23, r1))  # angular velocity of link 3
    w_4 = add(w_3, (r4, 0.0, 0.0))
    w_6 = add(w_4, (c5 * r6, r5, -s5 * r6))
    # The plane turns with θ̇₁, so that the bend's own axis moves.
    of_link_3 = _onto_link_4(t2 + t3, t4, (-r1 * r23, b23, b1))
    of_axis_4 = cross(w_3, (r4, 0.0, 0.0))
    of_wrist = cross(w_4, sub(w_6, w_4))
    alpha_4 = _onto_link_4(t2 + t3, t4, _from_base(R_BM, c1, s1, alpha))
    left = sub(alpha_4, add(of_link_3, add(of_axis_4, of_wrist)))
    nx, ny, nz = add(left, (s5 * r5 * r6, 0.0, c5 * r5 * r6))
    b6 = -nz / s5
    return _signed(robot, (b1, b2, b23 - b2, nx - c5 * b6, ny, b6))


@helper
def axis_in_lab(links, axis):
    """Direction of an axis and a point of it, in the lab."""
    q, p = links[axis + 1]
    R = quat_to_rotation(q)
    if axis == 0 or axis + 1 == FLANGE:
        return (R[2], R[5], R[8]), p
    if axis == 3:
        return (R[0], R[3], R[6]), p
    return (R[1], R[4], R[7]), p


@kernel
def jacobian(robot, joints, J):
    """Writes J (6, 6) of V = J q̇: the mock-up's twist, components in M, linear rows first."""
    q = get6(joints)
    links = chain(robot, q)
    q_LM, p_LM = mock_up_of(robot, q)
    R_LM = quat_to_rotation(q_LM)
    for axis in range(AXES):
        along, point = axis_in_lab(links, axis)
        w = scale(robot.joints[axis, SIGN], along)
        linear = mul_t(R_LM, cross(w, sub(p_LM, point)))
        angular = mul_t(R_LM, w)
        for i in range(len(ZERO)):
            J[LINEAR + i, axis] = linear[i]
            J[ANGULAR + i, axis] = angular[i]


@kernel
def speeds_for(robot, joints, pose, twist):
    """Speeds of all joints [rad/s], at a pose X_LM that they hold, for the mock-up's twist."""
    return joint_speeds(robot, get6(joints), get4(pose, Q), get_twist(twist))


@kernel
def accelerations_for(robot, joints, pose, twist, twist_rate):
    """Accelerations of all joints [rad/s2], at a pose X_LM that they hold, for the mock-up's twist
    and its rate."""
    q, V = get6(joints), get_twist(twist)
    speeds = joint_speeds(robot, q, get4(pose, Q), V)
    return joint_accelerations(robot, q, speeds, get4(pose, Q), V, get_twist(twist_rate))
