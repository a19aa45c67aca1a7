"""The constant description of a base with arms, as kernels read it.

Body 0 is the base, body i + 1 the link moved by joint i.  A link's frame has its origin on the
joint axis and its z axis along it, so a joint is a turn about z or a shift along z.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.description import RigidInertia
from proxops.core.jit import helper

REVOLUTE = 0
PRISMATIC = 1
# A wheel on the base, round about its axis: as it spins, its mass stays where it is.  So the base's
# row has its mass and its inertia across the axis, its own has the inertia about the axis alone.
WHEEL = 2

# Columns of Tree.topology
PARENT = 0  # body that carries the joint
KIND = 1
TOPOLOGY_WIDTH = 2

# Columns of Tree.bodies: a body's inertia (about its own origin, in its own axes) and, for links,
# where the joint frame stands in the parent's frame while the joint is at zero and what the joint
# does by itself ([N m], [rad] for revolute joints; [N], [m] for prismatic ones).
MASS = 0  # [kg]
COM = 1  # centre of mass [m]
INERTIA = 4  # xx yy zz xy xz yz [kg m2]
ROTATION = 10  # R_PJ, row by row
OFFSET = 19  # p_PJ [m]
ROTOR = 22  # rotor inertia as the joint feels it: gear ratio² × rotor [kg m2]
VISCOUS = 23  # friction [N m s/rad]
COULOMB = 24  # friction [N m]
COULOMB_SPEED = 25  # speed at which Coulomb friction is 71 % developed [rad/s], > 0
LOWER = 26  # stops [rad]
UPPER = 27
STOP_STIFFNESS = 28  # [N m/rad]
STOP_DAMPING = 29  # χ [s/rad]
DRIVER = 30  # body whose joint drives this one through gears; 0: none, see multibody.gears
DRIVER_RADIUS = 31  # pitch radius of its gear [m]
GEAR_RADIUS = 32  # and of the driven one [m]
MESH_STIFFNESS = 33  # along the pitch circles [N/m], 0 without gears
MESH_DAMPING = 34  # χ [s/m]
BACKLASH = 35  # along the pitch circles [m]
EFFICIENCY = 36  # of the mesh [-]
BODY_WIDTH = 37


class Tree(NamedTuple):
    """A floating base and its links; arrays are C-contiguous and writable (one signature)."""

    bodies: np.ndarray  # float64 (n + 1, BODY_WIDTH)
    topology: np.ndarray  # int64 (n, TOPOLOGY_WIDTH)


# Columns of the scratch table, one row a body, all in base axes
R = 0  # R_Bi, row by row
P = 9  # origin from the base's origin [m]
ARM = 12  # origin from the parent's origin [m]
AXIS = 15  # joint axis, unit
W = 18  # angular velocity [rad/s]
V = 21  # velocity of the origin [m/s]
C = 24  # centre of mass from the origin [m]
BIAS_A = 27  # acceleration of the origin while base and joints do not accelerate [m/s2]
BIAS_W = 30  # angular likewise [rad/s2]
FORCE = 33  # known force on the body and what it carries [N]
TORQUE = 36  # known torque about the origin [N m]
I_FF = 39  # articulated inertia: force from acceleration, symmetric [kg]
I_FT = 45  # force from angular acceleration, full [kg m]
I_TT = 54  # torque from angular acceleration, symmetric [kg m2]
U_F = 60  # articulated inertia times joint axis, force part
U_T = 63  # ... torque part
D_INV = 66  # one over the inertia that the joint feels
U = 67  # joint torque left to accelerate the joint [N m or N]
A = 68  # acceleration of the origin beyond BIAS_A, inertial [m/s2]
ALPHA = 71  # angular acceleration beyond BIAS_W [rad/s2]
TAU = 74  # joint torque, all causes together [N m or N]
BRAKED = 75  # 1: a brake holds the joint, which stands still, 0: it is free
SCRATCH_WIDTH = 76


def scratch_for(tree: Tree) -> np.ndarray:
    """A scratch table of the right size, zero."""
    return np.zeros((len(tree.bodies), SCRATCH_WIDTH))


@helper
def stands_on(topology, link, body):
    """Whether a link, by its number, is the body or is carried by it; a parent's is lower."""
    while link > body:
        link = topology[link - 1, PARENT]
    return link == body


def body_row(body: RigidInertia) -> np.ndarray:
    """A row of Tree.bodies with a body's inertia and a joint frame that is its parent's."""
    row = np.zeros(BODY_WIDTH)
    row[MASS] = body.mass
    row[COM : COM + 3] = body.com
    I = body.inertia
    row[INERTIA : INERTIA + 6] = I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]
    row[ROTATION : ROTATION + 9] = np.eye(3).ravel()
    return row


@helper
def joint_count(tree):
    """Number of joints."""
    return tree.topology.shape[0]


@helper
def is_driven(bodies, body):
    """Whether gears drive the joint of a body."""
    return bodies[body, MESH_STIFFNESS] > 0.0


@helper
def has_gears(bodies):
    """Whether gears drive any joint."""
    found = False
    for body in range(bodies.shape[0]):
        found = found or is_driven(bodies, body)
    return found


@helper
def load3(table, row, at):
    """Vector from a table."""
    return table[row, at], table[row, at + 1], table[row, at + 2]


@helper
def store3(table, row, at, a):
    """Vector into a table."""
    table[row, at] = a[0]
    table[row, at + 1] = a[1]
    table[row, at + 2] = a[2]


@helper
def accumulate3(table, row, at, a):
    """Vector added onto a table."""
    table[row, at] += a[0]
    table[row, at + 1] += a[1]
    table[row, at + 2] += a[2]


@helper
def load_sym(table, row, at):
    """Symmetric matrix from a table."""
    return load3(table, row, at) + load3(table, row, at + 3)


@helper
def store_sym(table, row, at, S):
    """Symmetric matrix into a table."""
    store3(table, row, at, S[:3])
    store3(table, row, at + 3, S[3:])


@helper
def load_mat(table, row, at):
    """Matrix from a table."""
    return load3(table, row, at) + load3(table, row, at + 3) + load3(table, row, at + 6)


@helper
def store_mat(table, row, at, M):
    """Matrix into a table."""
    store3(table, row, at, M[:3])
    store3(table, row, at + 3, M[3:6])
    store3(table, row, at + 6, M[6:])
