"""What the arm does in a leg: from measurements and estimates to torques and latches."""

from proxops.core.jit import part
from proxops.core.spatial.vector import get3
from proxops.onboard.functions.berthing import memory as at
from proxops.onboard.functions.berthing.grasp_logic import close, opening, reset
from proxops.onboard.functions.berthing.joint_path import begin_path, duration, follow
from proxops.onboard.functions.berthing.kinds import (
    CLOSING,
    ELSEWHERE,
    GRIPPED,
    NO_REASON,
    NOT_BACK,
    NOT_SEEN,
    OPEN,
)
from proxops.onboard.functions.berthing.latching import (
    any_closed,
    close_latches,
    open_latches,
    watch_readiness,
)
from proxops.onboard.functions.berthing.monitor import (
    give_up,
    watch_clamps,
    watch_grip,
    watch_joints,
    watch_loads,
)
from proxops.onboard.functions.berthing.parameters import (
    FOLLOW,
    GRAPPLE,
    LATCH,
    OPEN_GRIPPER,
    PATH,
    RETREAT,
    STAY,
    TASK,
    UNLATCH,
)
from proxops.onboard.functions.berthing.reaching import (
    back_out,
    draw_effector,
    lead,
    set_out,
    way_back,
)
from proxops.onboard.functions.capture.hub_estimate import relative_state_of
from proxops.physics.multibody.mass_centre import mass_centre

BACK = 0.1  # of the way back that may be left as it ends
OPENED = 0.05  # [rad] of the motor within which the gripper is open
CALM = 5.0  # [s] after a touch, in which navigation learns how the target moves now


@part
def begin(params, memory, row, X_CT, X_CE, q, t):
    """Begins a leg: joints are held where they are, until the leg says otherwise."""
    memory[at.BEGAN] = memory[at.FOLLOWED] = memory[at.WITHIN_LOADS] = memory[at.LATCHED] = t
    memory[at.HELD_WELL] = t
    memory[at.REASON], memory[at.DONE] = NO_REASON, 0.0
    for i in range(params.joints.shape[0]):
        memory[at.SETPOINT + i] = q[params.joints[i]]
    for i in range(params.latched.shape[0]):
        memory[at.SETPOINT + 2 * params.joints.shape[0] + i] = t
    if row[TASK] == GRAPPLE and memory[at.LOST] == 1.0:  # another try
        opening(memory, t)
    reset(memory, t)
    if row[TASK] == GRAPPLE:
        set_out(params, memory, X_CT, X_CE, t)
    elif row[TASK] == RETREAT:
        opening(memory, t)
        back_out(params, memory, X_CT, X_CE, t)
    elif row[TASK] == FOLLOW:
        path = params.paths[int(row[PATH])]
        off = begin_path(path, params.table, params.joints, memory, q)
        if off > params.limits.start:
            give_up(memory, ELSEWHERE, off, params.limits.start)


@part
def hold_joints(params, memory, rates, q, qd, stiffness, torques):
    """Adds τ = k_p (q_ref - q) + k_d (q̇_ref - q̇), shares of both."""
    for i in range(params.joints.shape[0]):
        joint = params.joints[i]
        behind = memory[at.SETPOINT + i] - q[joint]
        torques[joint] += stiffness[0] * params.kp[i] * behind
        torques[joint] += stiffness[1] * params.kd[i] * (rates[i] - qd[joint])


@part
def target_is_free(params, memory, inputs):
    """Whether nothing touches the target, nor has of late, while E is on its way to it.  A gripper
    that opens may still do so, one that closes not before a clamp has met something."""
    gripper, motor = params.gripper, inputs.encoders_q[params.gripper.motor]
    is_open = memory[at.GRIPPER] == OPEN and abs(motor - gripper.opened) < OPENED
    closes = memory[at.GRIPPER] == CLOSING and memory[at.TOUCHED] == 0.0
    reaches = params.legs[int(inputs.plan_leg[0]), TASK] == GRAPPLE
    calm = inputs.t[0] >= memory[at.LAST_TOUCH] + CALM
    return reaches and calm and (is_open or closes) and not any_closed(inputs)


@part
def relative_state(params, inputs, scratch):
    """The target against the chaser, as estimated."""
    centre = mass_centre(params.belief.chaser, inputs.encoders_q, inputs.encoders_qd, scratch)
    return relative_state_of(inputs, centre, get3(params.belief.target_com, 0))


@part
def grapple(params, memory, inputs, effector, torques):
    """Leads E to the grasp point and closes the gripper."""
    X_CE = effector[0]
    t, q, qd = inputs.t[0], inputs.encoders_q, inputs.encoders_qd
    relative = relative_state(params, inputs, effector[2])
    lead(params, memory, relative.X_CT, X_CE, t)
    draw_effector(params, memory, relative, effector, t, torques)
    force = get3(inputs.wrist_wrench, 0)
    close(params.gripper, params.triggers, memory, q, qd, force, t)
    unseen = inputs.navigation_camera_age[0]
    if memory[at.GRIPPER] != GRIPPED and unseen > params.limits.unseen:
        give_up(memory, NOT_SEEN, unseen, params.limits.unseen)
    return memory[at.GRIPPER] == GRIPPED


@part
def retreat(params, memory, inputs, effector, torques):
    """Draws E back from the target; given up where it is not there in time.  A target that is not
    seen is no reason to stay beside it: the estimate goes on."""
    t, relative = inputs.t[0], relative_state(params, inputs, effector[2])
    draw_effector(params, memory, relative, effector, t, torques)
    ended, left = way_back(params, memory, relative.X_CT, effector[0], t)
    is_back = left <= BACK * params.retreat
    if ended > params.limits.behind_time and not is_back:
        give_up(memory, NOT_BACK, left, BACK * params.retreat)
    return ended >= 0.0 and is_back


@part
def arrived(params, memory, path, q, t):
    """Whether a path is over and all joints are where it ends."""
    worst = 0.0
    for i in range(params.joints.shape[0]):
        worst = max(worst, abs(memory[at.SETPOINT + i] - q[params.joints[i]]))
    return t >= memory[at.BEGAN] + duration(path) and worst <= params.arrived


@part
def act(params, memory, inputs, outputs, effector, workspace):
    """Does what the leg says: adds the joints' torques in the workspace, and commands latches."""
    leg = int(inputs.plan_leg[0])
    row, t = params.legs[leg], inputs.t[0]
    q, qd = inputs.encoders_q, inputs.encoders_qd
    task, torques, rates = row[TASK], workspace.torques, workspace.rates
    for i in range(rates.shape[0]):
        rates[i] = 0.0
    done, firm = True, (1.0, 1.0)
    if task == GRAPPLE:
        done = grapple(params, memory, inputs, effector, torques)
        firm = (0.0, 0.0)
    elif task == RETREAT:
        done, firm = retreat(params, memory, inputs, effector, torques), (0.0, 0.0)
    elif task == FOLLOW:
        path = params.paths[int(row[PATH])]
        follow(path, params.table, params.joints, memory, t - memory[at.BEGAN], rates)
        watch_joints(params.limits, params.joints, memory, q, t)
        done = arrived(params, memory, path, q, t)
    elif task == LATCH:
        wanted = params.leg_holds[leg]
        since, waits = memory[at.SETPOINT + 2 * rates.shape[0] :], (params.ready, params.retry)
        done = close_latches(wanted, waits, memory, since, inputs, outputs.holds)
        firm = (0.0, params.loose) if any_closed(inputs) else firm
        watch_readiness(params.belief, params.limits.unready, memory, wanted, inputs, effector[0])
    elif task == UNLATCH:
        done = open_latches(params.leg_holds[leg], inputs, outputs.holds)
    elif task == OPEN_GRIPPER:
        opening(memory, t)
        done = abs(q[params.gripper.motor] - params.gripper.opened) < OPENED
    hold_joints(params, memory, rates, q, qd, firm, torques)
    watch_grip(params.belief, params.limits, memory, inputs, effector[0])
    watch_clamps(params.gripper, memory, q)
    if task != STAY:
        watch_loads(params.limits, memory, inputs.wrist_wrench, t)
    memory[at.DONE] = 1.0 if done and memory[at.REASON] == NO_REASON else 0.0
