"""A motion: the pose X_AB of a frame, its twist V_AB and the rate of that twist's components.

Ẋ = X hat(V),   V̇ = [a - w × v; α]      a, α: acceleration of B's origin and axes, B axes
"""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4, put4, quat_rate, quat_to_rotation
from proxops.core.spatial.vector import cross, get3, mul, mul_t, put3, sub

# Columns of a motion in an array
P = 0  # p_AB [m]
Q = 3  # q_AB
TWIST = 7  # V_AB [m/s, rad/s]
RATE = 13  # of its components [m/s2, rad/s2]
MOTION_WIDTH = 19

# A body's state in O, integrated so that how fast the body turns does not matter to its path
VELOCITY = 7  # v_OB in O's axes [m/s], behind P and Q
SPIN = 10  # w_OB in B's axes [rad/s]
STATE_WIDTH = 13


@helper
def get_pose(row):
    """X_AB out of an array."""
    return get4(row, Q), get3(row, P)


@helper
def get_twist(row, at):
    """A twist, or its rate, out of an array from index `at`."""
    return get3(row, at), get3(row, at + 3)


@helper
def put_twist(row, at, V):
    """Stores a twist, or its rate, from index `at`."""
    put3(row, at, V[0])
    put3(row, at + 3, V[1])


@helper
def get_motion(row):
    """(X, V, V̇) out of an array."""
    return get_pose(row), get_twist(row, TWIST), get_twist(row, RATE)


@helper
def put_motion(row, motion):
    """Stores (X, V, V̇)."""
    X, V, V_rate = motion
    put4(row, Q, X[0])
    put3(row, P, X[1])
    put_twist(row, TWIST, V)
    put_twist(row, RATE, V_rate)


@helper
def put_pose_rate(rate, X, V):
    """Stores ṗ = R v and q̇ = ½ q ∘ w."""
    put3(rate, P, mul(quat_to_rotation(X[0]), V[0]))
    put4(rate, Q, quat_rate(X[0], V[1]))


@helper
def twist_rate(V, a, alpha):
    """V̇ = [a - w × v; α] [m/s2, rad/s2] of a frame that moves with V and accelerates with a, α."""
    return sub(a, cross(V[1], V[0])), alpha


@helper
def motion_of_state(y, rate):
    """(X_OB, V_OB, V̇_OB) of a body with the state y in O and its rate."""
    R_OB = quat_to_rotation(get4(y, Q))
    V = mul_t(R_OB, get3(y, VELOCITY)), get3(y, SPIN)
    a = mul_t(R_OB, get3(rate, VELOCITY))
    return get_pose(y), V, twist_rate(V, a, get3(rate, SPIN))
