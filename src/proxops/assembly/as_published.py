"""The published commands of a rehearsal, at its start."""

import numpy as np

from proxops.assembly.build import Built
from proxops.core.frame import frame
from proxops.facility.common.representation import Representation
from proxops.facility.robot_cell.as_published import AsPublished
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import SCRATCH_WIDTH, TOPOLOGY_WIDTH, Tree, body_row
from proxops.physics.relative.motion import STATE_WIDTH
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.published import ARM_ROWS, Measured
from proxops.plant import layout
from proxops.plant.build import whole_hub


def start_published(
    built: Built, shows: Representation, M: np.ndarray, motions: np.ndarray
) -> AsPublished:
    """Both published commands where the others begin: `M` is the nominal state in O (13,),
    `motions` are those of target and chaser in the lab (2, 13).  The target is rigid."""
    rigid = body_row(whole_hub(built.target))[np.newaxis]
    target = Tree(rigid, np.zeros((0, TOPOLOGY_WIDTH), dtype=np.int64))
    chaser = Tree(built.plant.chaser, built.plant.chaser_topology)
    return AsPublished(
        1 - shows.target_fixed,
        _measured(shows.nominal, target),
        _measured(shows.nominal, chaser),
        np.array([np.concatenate([M, _command(shows, motion)]) for motion in motions]),
        np.zeros((STAGE_ROWS, 2 * STATE_WIDTH)),
    )


def _measured(nominal: Nominal, tree: Tree) -> Measured:
    joints = len(tree.topology)
    return Measured(
        nominal,
        tree,
        np.zeros((joints + 1, BASE_DOF)),
        np.zeros((ARM_ROWS, joints)),
        0.0,
        np.zeros((2, joints)),
        np.zeros(BASE_DOF + joints),
        np.zeros((joints + 2, SCRATCH_WIDTH)),
    )


def _command(shows: Representation, motion: np.ndarray) -> np.ndarray:
    """X_MB and V_MB (13,) of a hub that moves so in the lab."""
    X_LM = frame(shows.X_LM[:3], shows.X_LM[3:])
    X_LB = frame(motion[: layout.Q], motion[layout.Q : layout.V])
    v = X_LB.R.T @ motion[layout.V : layout.W]
    return np.concatenate([(X_LM.inverse() @ X_LB).row(), v, motion[layout.W :]])
