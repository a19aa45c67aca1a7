"""What a cycle of the capture overwrites."""

from typing import NamedTuple

import numpy as np

from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, scratch_for


class Workspace(NamedTuple):
    """Arrays of a cycle."""

    scratch: np.ndarray
    loads: np.ndarray  # (6 + n,)
    net: np.ndarray  # (n,)
    qdd: np.ndarray  # (n,)
    torques: np.ndarray  # (n,)


def workspace_for(tree: Tree) -> Workspace:
    """For a chaser's tree."""
    joints = tree.topology.shape[0]
    return Workspace(
        scratch_for(tree),
        np.zeros(BASE_DOF + joints),
        np.zeros(joints),
        np.zeros(joints),
        np.zeros(joints),
    )
