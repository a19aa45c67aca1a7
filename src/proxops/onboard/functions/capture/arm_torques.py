"""Torques of the joints: held where they are, or drawn along the effector's trajectory."""

from proxops.core.jit import helper, part
from proxops.onboard.functions.capture.arm_impedance import add_transposed, goal, spring
from proxops.onboard.functions.capture.mode_logic import set_joint_setpoint
from proxops.onboard.functions.capture.modes import (
    ABORT,
    ARM_TRAJECTORY,
    MODE,
    SETPOINT,
    SINCE,
    STORAGE,
)
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.trajectory import along
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF

# Share of damping while commands are late.  k_d over a joint's inertia is some hundred 1/s: such a
# loop tolerates two milliseconds of delay, this one half a second.
GENTLY = 0.004
# Share of damping that stops an arm as an abort begins, and for how long [s]: all of it would be a
# blow.
STOPPING = 0.1
STOPPED = 1.0


@helper
def firmness(memory, now):
    """Share of k_d that is used; where it is not all, the set-point follows the joints."""
    if now.commands_late == 1:
        return GENTLY
    if memory[MODE] == ABORT and now.t < memory[SINCE] + STOPPED:
        return STOPPING
    return 1.0


@part
def hold_joints(plan, memory, now, torques):
    """Adds τ = k_p (q_set - q) - s k_d q̇."""
    share = firmness(memory, now)
    if share < 1.0:
        set_joint_setpoint(memory, now.q)
    for joint in range(now.q.shape[0]):
        apart = memory[SETPOINT + joint] - now.q[joint]
        drag = share * plan.joint_hold_kd[joint] * now.qd[joint]
        torques[joint] += plan.joint_hold_kp[joint] * apart - drag


@part
def follow_target(belief, plan, memory, now, effector, torques):
    """Adds the torques that draw the end effector along its trajectory; `effector` = (mount, (X_CE,
    V_CE), scratch), where everything is being in the scratch."""
    mount, (X_CE, V_CE), scratch = effector
    trajectory = along(memory[ARM_TRAJECTORY:STORAGE], now.t)
    wanted = goal(now.relative, get_pose(belief.grapple), trajectory)
    F = spring(plan.arm, X_CE, V_CE, wanted)
    add_transposed(belief.chaser, mount, F, scratch, torques)
    for joint in range(now.q.shape[0]):
        drag = belief.chaser.bodies[joint + 1, at.VISCOUS] * now.qd[joint]
        torques[joint] += plan.friction * drag


@part
def take_loads(loads, torques):
    """Begins with what joints need while the base accelerates, the last n of `loads`."""
    for joint in range(torques.shape[0]):
        torques[joint] = loads[BASE_DOF + joint]


@part
def take_off_friction(tree, qd, torques, net):
    """Writes the torques net of the joints' friction."""
    for joint in range(qd.shape[0]):
        drag = tree.bodies[joint + 1, at.VISCOUS] * qd[joint]
        net[joint] = torques[joint] - drag
