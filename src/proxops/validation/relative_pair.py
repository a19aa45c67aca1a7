"""The pair of the relative dynamics: Envisat, and a chaser with an arm of the light-weight class.

Envisat's figures are public, not the paper's, in axes of which y is nearly the major one, about
which the paper lets it spin.  The chaser's are not published: it is that of the deorbit study.
"""

import math
from pathlib import Path

import numpy as np

from proxops import plant
from proxops.core.description import CraftDescription, MountedArm, RigidInertia
from proxops.physics.multibody.entry import Mount
from proxops.physics.multibody.tree import TOPOLOGY_WIDTH, Tree, body_row
from proxops.scenario.files import read_arm
from proxops.scenario.urdf import parse_urdf
from proxops.validation.deorbit import CHASER_INERTIA, CHASER_MASS

TARGET = RigidInertia(
    7827.867,
    np.zeros(3),
    np.array([[17023.3, -2171.4, -397.1], [-2171.4, 129112.2, -344.2], [-397.1, -344.2, 124825.7]]),
)
SPIN = np.radians([0.0, -2.5, 0.0])  # at the start, T axes [rad/s]
GRASP = np.array([-2.9, 0.0, 0.0])  # p_TG [m]; the distance is published

ARM_BASE = np.array([1.0, 0.0, 0.3])  # p_CA [m], the arm's first axis along x of the chaser
R_CA = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
JOINTS = np.array([0.2, 0.7, -0.3, 0.9, 0.4, -0.6, 0.1])  # q at the start [rad]

# C's pose in T at the start: in front of the grasp point, facing it
P_TC = np.array([-5.6, 0.2, 0.1])
Q_TC = np.array([math.cos(0.1), math.sin(0.1), 0.0, 0.0])


def target() -> Tree:
    """Envisat as one rigid body."""
    return Tree(body_row(TARGET)[np.newaxis], np.zeros((0, TOPOLOGY_WIDTH), dtype=np.int64))


def chaser() -> tuple[Tree, Mount]:
    """The chaser with its arm, and its end effector."""
    arm = parse_urdf(read_arm("light-arm", Path()), "light-arm")
    mounted = MountedArm("main", arm, R_CA, ARM_BASE, JOINTS, np.zeros(len(JOINTS)))
    still, upright = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    craft = CraftDescription(CHASER_MASS, CHASER_INERTIA, still, still, upright, still, (mounted,))
    other = CraftDescription(TARGET.mass, TARGET.inertia, still, still, upright, still)
    built = plant.build(craft, other, None)
    X_JE = np.concatenate([upright, arm.p_JE])  # where it stands matters here, not its axes
    return Tree(built.chaser, built.chaser_topology), Mount(len(JOINTS), X_JE)
