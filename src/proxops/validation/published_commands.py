"""Both commands as the paper integrates them, (11) and (18), beside those taken from the plant.

They get what the models get: the wrenches of the step, what is measured among them, q and q̇ as
measured at its beginning, and the q̈ that the models guess, which is how much q̇ has changed from
one measurement to the next over the step before: nothing knows the future.

Source and limits: see physics.relative.published.
"""

from typing import NamedTuple

import numpy as np

from proxops.assembly.build import Built
from proxops.core.frame import frame
from proxops.facility.common.representation import Representation
from proxops.facility.common.rows import CHASER, TARGET
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import SCRATCH_WIDTH, TOPOLOGY_WIDTH, Tree, body_row
from proxops.physics.relative import published as law
from proxops.physics.relative.entry import advance_measured
from proxops.physics.relative.motion import STATE_WIDTH
from proxops.plant import layout
from proxops.plant.build import whole_hub
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR


class PublishedCommands(NamedTuple):
    """The published commands."""

    target: law.Measured
    chaser: law.Measured
    y: np.ndarray  # M and X_MB, V_MB of either spacecraft (2, 26)
    stages: np.ndarray


def start_published(
    built: Built, shows: Representation, M: np.ndarray, motions: np.ndarray
) -> PublishedCommands:
    """Both published commands where the others begin: `M` is the nominal state in O (13,),
    `motions` are those of target and chaser in the lab (2, 13).  The target is rigid."""
    rigid = body_row(whole_hub(built.target))[np.newaxis]
    target = Tree(rigid, np.zeros((0, TOPOLOGY_WIDTH), dtype=np.int64))
    chaser = Tree(built.plant.chaser, built.plant.chaser_topology)
    return PublishedCommands(
        _measured(shows, target),
        _measured(shows, chaser),
        np.array([np.concatenate([M, _command(shows, motion)]) for motion in motions]),
        np.zeros((STAGE_ROWS, 2 * STATE_WIDTH)),
    )


def _measured(shows: Representation, tree: Tree) -> law.Measured:
    joints = len(tree.topology)
    return law.Measured(
        nominal=shows.nominal,
        tree=tree,
        wrenches=np.zeros((joints + 1, BASE_DOF)),
        arm=np.zeros((law.ARM_ROWS, joints)),
        since=0.0,
        joints=np.zeros((2, joints)),
        loads=np.zeros(BASE_DOF + joints),
        scratch=np.zeros((joints + 2, SCRATCH_WIDTH)),
    )


def _command(shows: Representation, motion: np.ndarray) -> np.ndarray:
    """X_MB and V_MB (13,) of a hub that moves so in the lab."""
    X_LM = frame(shows.X_LM[:3], shows.X_LM[3:])
    X_LB = frame(motion[: layout.Q], motion[layout.Q : layout.V])
    v = X_LB.R.T @ motion[layout.V : layout.W]
    return np.concatenate([(X_LM.inverse() @ X_LB).row(), v, motion[layout.W :]])


def advance_published(
    published: PublishedCommands,
    drive: np.ndarray,
    z: np.ndarray,
    qdd: np.ndarray,
    t: float,
    h: float,
) -> None:
    """Advances both commands from t to t + h [s]; `drive` and `z` are the models', at t."""
    joints, bodies = len(qdd), len(published.chaser.wrenches)
    arm = published.chaser.arm
    arm[law.POSITION] = z[layout.JOINTS : layout.JOINTS + joints]
    arm[law.SPEED] = z[layout.JOINTS + joints : layout.JOINTS + 2 * joints]
    arm[law.ACCELERATION] = qdd
    wrenches = drive[:, DRIVE_FORCE:DRIVE_MOTOR]
    published.chaser.wrenches[:] = wrenches[:bodies]
    published.target.wrenches[:] = wrenches[bodies:]
    for system, which in ((published.chaser, CHASER), (published.target, TARGET)):
        advance_measured(system._replace(since=t), published.y[which], published.stages, t, h)
