"""The state z of two spacecraft whose arm is only measured, and the state y with the same motion.

z is laid out as y, but where the chaser's hub has its velocities it keeps the momentum of the whole
chaser:

    h = (p, L) = M_b V_b + M_bq q̇        about the hub's origin, in hub axes
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add3, get3, mul, mul_t, put3, scale
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.composite import (
    ANGULAR as COMPOSITE_ANGULAR,
)
from proxops.physics.multibody.composite import (
    COMPOSITE_WIDTH,
    get_composite,
    momentum_from_twist,
    place_composite,
    put_composite,
    twist_from_momentum,
)
from proxops.physics.multibody.tree import SCRATCH_WIDTH, Tree, accumulate3, load3
from proxops.plant import layout
from proxops.plant.model import Plant

MOMENTUM = layout.V  # of the chaser, in hub axes [N s]
ANGULAR = layout.W  # about the hub's origin [N m s]

# Of what an arm is posed for
BEGUN = 0  # a step [s]
POSED = 1  # an instant in it [s]
INSTANTS = 2


class PosedArm(NamedTuple):
    """The measured arm as it stands, placed once for all who ask."""

    links: np.ndarray  # bodies as they move while the hub rests, see multibody.composite
    composite: np.ndarray  # all of them as one (COMPOSITE_WIDTH,)
    joints: np.ndarray  # q, q̇ as the step begins (2, n)
    instants: np.ndarray  # BEGUN and POSED


def arm_of(plant: Plant) -> PosedArm:
    """An arm that is not posed yet."""
    return PosedArm(
        np.zeros((len(plant.chaser), SCRATCH_WIDTH)),
        np.zeros(COMPOSITE_WIDTH),
        np.zeros((2, len(plant.chaser_topology))),
        np.zeros(INSTANTS),
    )


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
def place_arm(plant, z, arm):
    """Poses the arm as a state has it."""
    first, rates, end = joints_of(plant, z)
    composite = place_composite(chaser_tree(plant), z[first:rates], z[rates:end], arm.links)
    put_composite(arm.composite, composite)


@helper
def begin_step(plant, z, arm, t):
    """Remembers the joints with which a step begins at t [s], for which the arm is posed."""
    first, rates, _ = joints_of(plant, z)
    for joint in range(arm.joints.shape[1]):
        arm.joints[0, joint] = z[first + joint]
        arm.joints[1, joint] = z[rates + joint]
    arm.instants[BEGUN] = t
    arm.instants[POSED] = t


@helper
def pose_at(plant, z, qdd, arm, t):
    """Poses the arm as it is at t [s], its joints accelerating with q̈ since the step began, and
    writes them into z; once for all stages at one instant.

        q = q₀ + τ q̇₀ + ½ τ² q̈,   q̇ = q̇₀ + τ q̈
    """
    if t == arm.instants[POSED]:
        return
    since = t - arm.instants[BEGUN]
    first, rates, _ = joints_of(plant, z)
    for joint in range(qdd.shape[0]):
        rate = arm.joints[1, joint]
        z[first + joint] = arm.joints[0, joint] + since * (rate + 0.5 * since * qdd[joint])
        z[rates + joint] = rate + since * qdd[joint]
    place_arm(plant, z, arm)
    arm.instants[POSED] = t


@helper
def speed_up_wheel(plant, arm, joint, change):
    """Lets a wheel of the posed arm spin faster by so much [rad/s]."""
    body = joint + 1
    along = scale(change, load3(arm.links, body, at.AXIS))
    accumulate3(arm.links, body, at.W, along)
    J = plant.chaser[body, at.INERTIA + 2]
    add3(arm.composite, COMPOSITE_ANGULAR, scale(J, along))


@helper
def hub_twist(z, arm):
    """(v, w) of the chaser's hub, in its axes; the arm must be posed."""
    h = (get3(z, MOMENTUM), get3(z, ANGULAR))
    return twist_from_momentum(get_composite(arm.composite), h)


@part
def from_plant(plant, y, z, arm):
    """Writes the state with the same motion as the plant's y; poses the arm."""
    for i in range(z.shape[0]):
        z[i] = y[i]
    place_arm(plant, y, arm)
    R_OC = quat_to_rotation(get4(y, layout.Q))
    twist = (mul_t(R_OC, get3(y, layout.V)), get3(y, layout.W))
    p, L = momentum_from_twist(get_composite(arm.composite), twist)
    put3(z, MOMENTUM, p)
    put3(z, ANGULAR, L)


@part
def to_plant(z, y, arm):
    """Writes the plant's state with the same motion as z, for whose joints the arm is posed."""
    for i in range(z.shape[0]):
        y[i] = z[i]
    v, w = hub_twist(z, arm)
    put3(y, layout.V, mul(quat_to_rotation(get4(z, layout.Q)), v))
    put3(y, layout.W, w)


@kernel
def start_measured(plant, y, z, arm):
    """`from_plant`, callable from Python."""
    from_plant(plant, y, z, arm)


@kernel
def show_measured(plant, z, y, arm):
    """`to_plant`, callable from Python; poses the arm."""
    place_arm(plant, z, arm)
    to_plant(z, y, arm)
