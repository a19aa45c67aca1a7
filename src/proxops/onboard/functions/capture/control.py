"""One cycle of the capture: from the relative state to commands of base, arm and holds."""

from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import get3, put3, scale
from proxops.onboard.functions.capture.arm_impedance import effector_pose, effector_velocity
from proxops.onboard.functions.capture.arm_torques import (
    follow_target,
    hold_joints,
    take_loads,
    take_off_friction,
)
from proxops.onboard.functions.capture.base_motion import base_acceleration, base_trajectory
from proxops.onboard.functions.capture.base_tracking import NO_GAINS, offset
from proxops.onboard.functions.capture.detumble import calm_rate, fade, lean_on_target, left_to_base
from proxops.onboard.functions.capture.mode_logic import decide
from proxops.onboard.functions.capture.modes import (
    APPROACH,
    GRASP,
    HELD_P,
    HELD_Q,
    MODE,
    MONITORED,
    RIGIDISE,
    SINCE,
)
from proxops.onboard.functions.capture.monitor import monitor
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.relative_state import through_arm
from proxops.onboard.functions.capture.whole_body import base_wrench, still_torques


@part
def command(belief, plan, memory, now, workspace, outputs):
    """Writes the commands of base, joints and hold.  In the scratch everything was moved with the
    base's rate."""
    tree, scratch, relative = belief.chaser, workspace.scratch, now.relative
    torques = workspace.torques
    mount = belief.effector_body, get_pose(belief.effector)
    X_CE = effector_pose(mount, scratch)
    V_CE = effector_velocity(tree, belief.effector_body, X_CE[1], now.qd, scratch)
    decide(belief, plan, memory, now, X_CE, workspace)
    mode = memory[MODE]
    passed = now.t - memory[MONITORED]
    if mode == RIGIDISE and now.commands_late == 1 and left_to_base(plan, memory, now.t) > 0.0:
        memory[SINCE] = now.t  # not handed over yet: the base goes on
    if mode == RIGIDISE:
        held = get4(memory, HELD_Q), get3(memory, HELD_P)
        relative = through_arm(relative.w_C, (X_CE, V_CE), held)
    trajectory = base_trajectory(memory, now.t)
    monitor(belief, plan, memory, now, (relative, trajectory), (X_CE, V_CE))
    a, alpha = base_acceleration(belief, plan.base, memory, relative, trajectory, now.t)
    of_base = a, alpha
    if mode == RIGIDISE:  # what the arm takes over knows no feedback: that is its springs' own
        a, alpha = base_acceleration(belief, NO_GAINS, memory, relative, trajectory, now.t)
        a = scale(belief.target_share, a)  # the two turn about their common centre of mass
    still_torques(tree, (a, alpha), workspace.loads, scratch)
    take_loads(workspace.loads, torques)
    if mode in (APPROACH, GRASP):
        follow_target(belief, plan, memory, now, (mount, (X_CE, V_CE), scratch), torques)
    else:
        hold_joints(plan, memory, now, torques)
    take_off_friction(tree, now.qd, torques, workspace.net)
    wrench = base_wrench(tree, of_base, (workspace.net, workspace.qdd), scratch)
    if mode == RIGIDISE:
        rate = calm_rate(plan, memory, offset(relative, trajectory).rate, passed)
        ease = left_to_base(plan, memory, now.t)
        wrench = fade(belief, plan, rate, wrench, ease)
        lean_on_target(tree, mount, 1.0 - ease, workspace, torques)
    put3(outputs.base_force, 0, wrench[0])
    put3(outputs.base_torque, 0, wrench[1])
    for hold in range(outputs.holds.shape[0]):
        outputs.holds[hold] = 1.0 if mode == RIGIDISE else 0.0
    for joint in range(outputs.joints.shape[0]):  # those of the arms: wheels are the allocation's
        outputs.joints[joint] = torques[joint]
