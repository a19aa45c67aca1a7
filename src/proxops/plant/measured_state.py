"""The state z of two spacecraft whose arm is only measured, and the state y with the same motion.

z is laid out as y, but where the chaser's hub has its velocities it keeps the momentum of the whole
chaser:

    h = (p, L) = M_b V_b + M_bq q̇        about the hub's origin, in hub axes
"""

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul, mul_t, put3
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.momentum import momentum_at_origin
from proxops.physics.multibody.prescribed import base_twist
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout

MOMENTUM = layout.V  # of the chaser, in hub axes [N s]
ANGULAR = layout.W  # about the hub's origin [N m s]


@helper
def chaser_tree(plant):
    """The chaser's hub with its arms."""
    return Tree(plant.chaser, plant.chaser_topology)


@helper
def joints_of(plant, z):
    """Indices at which the joint positions begin, the rates begin and the rates end."""
    joints = plant.chaser_topology.shape[0]
    return layout.JOINTS, layout.JOINTS + joints, layout.JOINTS + 2 * joints


@part
def hub_twist(plant, z, scratch):
    """(v, w) of the chaser's hub, in its axes; its kinematics stay behind in `scratch`."""
    first, rates, end = joints_of(plant, z)
    q, qd = z[first:rates], z[rates:end]
    h = (get3(z, MOMENTUM), get3(z, ANGULAR))
    V = base_twist(chaser_tree(plant), h, q, qd, scratch)
    place(chaser_tree(plant), V, q, qd, scratch)
    return V


@part
def from_plant(plant, y, z, scratch):
    """Writes the state with the same motion as the plant's y."""
    for i in range(z.shape[0]):
        z[i] = y[i]
    first, rates, end = joints_of(plant, y)
    R_OC = quat_to_rotation(get4(y, layout.Q))
    twist = (mul_t(R_OC, get3(y, layout.V)), get3(y, layout.W))
    place(chaser_tree(plant), twist, y[first:rates], y[rates:end], scratch)
    p, L = momentum_at_origin(chaser_tree(plant), scratch)
    put3(z, MOMENTUM, p)
    put3(z, ANGULAR, L)


@part
def to_plant(plant, z, y, scratch):
    """Writes the plant's state with the same motion as z."""
    for i in range(z.shape[0]):
        y[i] = z[i]
    v, w = hub_twist(plant, z, scratch)
    put3(y, layout.V, mul(quat_to_rotation(get4(z, layout.Q)), v))
    put3(y, layout.W, w)


@kernel
def start_measured(plant, y, z, scratch):
    """`from_plant`, callable from Python."""
    from_plant(plant, y, z, scratch)


@kernel
def show_measured(plant, z, y, scratch):
    """`to_plant`, callable from Python."""
    to_plant(plant, z, y, scratch)
