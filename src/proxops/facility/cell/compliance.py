"""The arm while the robots stop: it bears its own weight and gives way to everything else."""

import numpy as np

from proxops.core.description import MountedArm, RigidInertia
from proxops.core.frame import Frame
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, mul_t, scale
from proxops.facility.cell.rows import CHASER
from proxops.facility.cell.world import GRAVITY
from proxops.physics.multibody.inverse import charge_base, gather
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR


@part
def give_way(cell, state, room, scratch):
    """Gives the arm the torque of its weight, and a light damping.

    τ_q = -G - D q̇
    """
    plant, y = cell.plant, state.y
    joints = plant.chaser_topology.shape[0]
    rates = layout.JOINTS + joints
    tree = Tree(plant.chaser, plant.chaser_topology)
    bodies = scratch[: plant.chaser.shape[0]]
    place(tree, (ZERO, ZERO), y[layout.JOINTS : rates], room.still, bodies)
    g = mul_t(quat_to_rotation(get4(state.sensed.known[CHASER], layout.Q)), GRAVITY)
    charge_base(tree, (scale(-1.0, g), ZERO), bodies)
    gather(tree, room.loads, bodies)
    for joint in range(joints):
        damped = cell.rules.damping[joint] * y[rates + joint]
        room.drive[joint + 1, DRIVE_MOTOR] = room.loads[BASE_DOF + joint] - damped


def light_damping(arms: tuple[MountedArm, ...], settles: float) -> np.ndarray:
    """D of all joints [N m s/rad or N s/m]: alone, each would lose its speed within `settles` [s],
    with all that it moves as it is at the start."""
    return np.array([inertia / settles for mounted in arms for inertia in felt_inertias(mounted)])


def felt_inertias(mounted: MountedArm) -> list[float]:
    """What each joint moves [kg m2 or kg], those after it locked as they are at the start."""
    frames, X = [], Frame(np.eye(3), np.zeros(3))
    joints = mounted.arm.joints
    for joint, q in zip(joints, mounted.q, strict=True):
        X = X @ Frame(joint.R_PJ, joint.p_PJ) @ moved(joint.prismatic, float(q))
        frames.append(X)
    found = []
    for first, joint in enumerate(joints):
        back = frames[first].inverse()
        load = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
        for X, later in zip(frames[first:], joints[first:], strict=True):
            seen = back @ X
            load = load.joined(later.link.seen_from(seen.R, seen.p))
        own = load.mass if joint.prismatic else load.inertia[2, 2]
        found.append(float(own + joint.rotor_inertia))
    return found


def moved(prismatic: bool, q: float) -> Frame:
    """A joint's own motion: along its z axis, or about it."""
    if prismatic:
        return Frame(np.eye(3), np.array([0.0, 0.0, q]))
    c, s = np.cos(q), np.sin(q)
    return Frame(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.zeros(3))
