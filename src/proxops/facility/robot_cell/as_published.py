"""Both commands as the paper integrates them, (11) and (18), beside those taken from the plant.

They get what the models get: the wrenches of the step, what is felt among them, q and q̇ as measured
at its beginning, and the q̈ that the models guess, which is how much q̇ has changed from one
measurement to the next over the step before: nothing knows the future.  What they come to differ
by is only reported; nobody follows them.

Source and limits: see physics.relative.published.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_normalised,
    quat_to_rotation,
)
from proxops.core.spatial.vector import mul, put3, sub
from proxops.facility.common.representation import hub_in_orbit, lab_of, seen_from
from proxops.facility.robot_cell.rows import CHASER, TARGET
from proxops.physics.relative.motion import Q, get_pose
from proxops.physics.relative.published import (
    ACCELERATION,
    POSITION,
    SHOWN,
    SPEED,
    Measured,
    measured_step,
)
from proxops.plant import layout
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR

# What it adds to a row, for each spacecraft: how far the published command is from the other
DRIFT, TURN = 0, 3  # in L [m]; rotation vector in hub axes [rad]
DRIFT_WIDTH = 6

# Name, unit, axes and shape of what is recorded: how far the published command is from ours
SIGNALS = (
    ("lab.published.target.drift", "m", "L", (3,)),
    ("lab.published.target.turn", "rad", "Tl", (3,)),
    ("lab.published.chaser.drift", "m", "L", (3,)),
    ("lab.published.chaser.turn", "rad", "Cl", (3,)),
)


class AsPublished(NamedTuple):
    """The published commands."""

    on: int  # 0: M is the target itself, of which (11) says nothing
    target: Measured
    chaser: Measured
    y: np.ndarray  # M and X_MB, V_MB of either spacecraft (2, 26)
    stages: np.ndarray


@helper
def advance_one(system, drive, y, stages, t, h):
    """Advances M and one spacecraft's command under the wrenches of the drive."""
    for body in range(system.wrenches.shape[0]):
        for column in range(DRIVE_FORCE, DRIVE_MOTOR):
            system.wrenches[body, column - DRIVE_FORCE] = drive[body, column]
    now = Measured(
        system.nominal,
        system.tree,
        system.wrenches,
        system.arm,
        t,
        system.joints,
        system.loads,
        system.scratch,
    )
    measured_step(now, y, stages, t, h)
    put4(y, Q, quat_normalised(get4(y, Q)))
    put4(y[SHOWN:], Q, quat_normalised(get4(y[SHOWN:], Q)))


@part
def advance_published(published, drive, z, qdd, t, h):
    """Advances both commands from t to t + h [s]; `drive` and `z` are the models', at t."""
    if published.on == 0:
        return
    arm, bodies = published.chaser.arm, published.chaser.wrenches.shape[0]
    joints = qdd.shape[0]
    for joint in range(joints):
        arm[POSITION, joint] = z[layout.JOINTS + joint]
        arm[SPEED, joint] = z[layout.JOINTS + joints + joint]
        arm[ACCELERATION, joint] = qdd[joint]
    advance_one(published.chaser, drive[:bodies], published.y[CHASER], published.stages, t, h)
    advance_one(published.target, drive[bodies:], published.y[TARGET], published.stages, t, h)


@part
def put_drift(published, representation, nominal, hub, which, row):
    """Writes how far a published command is from the one that shows the hub's state; `nominal` is
    M's motion."""
    X_MB, _ = seen_from(nominal, hub_in_orbit(hub))
    q, p = get_pose(published.y[which, SHOWN:])
    q_LM, _ = lab_of(representation)
    put3(row, DRIFT, mul(quat_to_rotation(q_LM), sub(p, X_MB[1])))
    put3(row, TURN, quat_log(quat_mul(quat_inverse(X_MB[0]), q)))
