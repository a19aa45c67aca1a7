"""The arm while the robots stop: it carries its own weight and yields to everything else."""

import numpy as np

from proxops.core.description import MountedArm
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, mul_t, scale
from proxops.facility.common.rows import CHASER
from proxops.facility.robot_cell.arms import apparent_inertias
from proxops.facility.robot_cell.carried import GRAVITY
from proxops.physics.multibody.inverse import charge_base, gather
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR


@part
def yield_arm(cell, state, workspace, scratch):
    """Gives the arm the torque of its weight, and a light damping.

    τ_q = -G - D q̇
    """
    plant, y = cell.plant, state.y
    joints = plant.chaser_topology.shape[0]
    rates = layout.JOINTS + joints
    tree = Tree(plant.chaser, plant.chaser_topology)
    bodies = scratch[: plant.chaser.shape[0]]
    place(tree, (ZERO, ZERO), y[layout.JOINTS : rates], workspace.still, bodies)
    g = mul_t(quat_to_rotation(get4(state.sensed.known[CHASER], layout.Q)), GRAVITY)
    charge_base(tree, (scale(-1.0, g), ZERO), bodies)
    gather(tree, workspace.loads, bodies)
    for joint in range(joints):
        damped = cell.rules.damping[joint] * y[rates + joint]
        workspace.drive[joint + 1, DRIVE_MOTOR] = workspace.loads[BASE_DOF + joint] - damped


def light_damping(arms: tuple[MountedArm, ...], settles: float) -> np.ndarray:
    """D of all joints [N m s/rad or N s/m]: alone, each would lose its speed within `settles` [s],
    with all that it moves as it is at the start."""
    return np.array([inertia / settles for inertia in apparent_inertias(arms)])
