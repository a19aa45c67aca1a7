"""Why a leg of the arm is given up: loads, joints that do not follow, a grip that slips."""

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import add, get3, norm, put3, scale, sub
from proxops.onboard.functions.berthing.kinds import (
    GRIPPED,
    JOINT_STUCK,
    NO_REASON,
    NOTHING_GRIPPED,
    OVERLOADED,
    SLIPPED,
)
from proxops.onboard.functions.berthing.memory import (
    BOUND,
    FOLLOWED,
    GRIP_OFFSET,
    GRIPPER,
    HELD_WELL,
    IMAGE,
    IMAGES,
    LOST,
    REASON,
    SETPOINT,
    SLIP,
    VALUE,
    WITHIN_LOADS,
)
from proxops.onboard.functions.capture.parameters import get_pose

SETTLING = 20.0  # pictures from which the place of a fresh grip is averaged


@helper
def give_up(memory, reason, value, bound):
    """Notes the first reason."""
    if memory[REASON] == NO_REASON:
        memory[REASON], memory[VALUE], memory[BOUND] = reason, value, bound


@part
def watch_loads(limits, memory, wrench, t):
    """Gives up once the wrist has measured too much for too long."""
    force, torque = norm(get3(wrench, 0)) / limits.force, norm(get3(wrench, 3)) / limits.torque
    if max(force, torque) <= 1.0:
        memory[WITHIN_LOADS] = t
    if t > memory[WITHIN_LOADS] + limits.overload:
        give_up(memory, OVERLOADED, max(force, torque), 1.0)


@part
def watch_joints(limits, joints, memory, q, t):
    """Gives up once a joint has been far from its set-point for too long."""
    worst = 0.0
    for i in range(joints.shape[0]):
        worst = max(worst, abs(memory[SETPOINT + i] - q[joints[i]]))
    if worst <= limits.behind:
        memory[FOLLOWED] = t
    if t > memory[FOLLOWED] + limits.behind_time:
        give_up(memory, JOINT_STUCK, worst, limits.behind)


@part
def watch_grip(belief, limits, memory, inputs, X_CE):
    """Compares where the camera sees the grapple with where the arm holds it; the place of the
    first pictures after the grip is what counts as held, so that constant errors of the camera
    matter only by as much as the grapple turns in C since."""
    t = inputs.t[0]
    if memory[GRIPPER] != GRIPPED:
        memory[IMAGES], memory[SLIP], memory[HELD_WELL] = 0.0, 0.0, t
        return
    if inputs.camera_count[0] == memory[IMAGE]:
        return
    memory[IMAGE] = inputs.camera_count[0]
    X_CG = compose(get_pose(belief.camera), (get4(inputs.camera_q, 0), get3(inputs.camera_p, 0)))
    seen = compose(inverse(X_CG), X_CE)[1]
    mean = get3(memory, GRIP_OFFSET)
    if memory[IMAGES] < SETTLING:
        memory[IMAGES] += 1.0
        put3(memory, GRIP_OFFSET, add(mean, scale(1.0 / memory[IMAGES], sub(seen, mean))))
        memory[HELD_WELL] = t
        return
    if memory[SLIP] <= limits.slip:  # the picture before: time counts from the first that slips
        memory[HELD_WELL] = t
    memory[SLIP] = norm(sub(seen, mean))
    if memory[SLIP] > limits.slip and t > memory[HELD_WELL] + limits.slip_time:
        memory[LOST] = 1.0
        give_up(memory, SLIPPED, memory[SLIP], limits.slip)


@part
def watch_clamps(gripper, memory, q):
    """Gives up once the clamps have closed further than the part between them lets them."""
    clamps, most = 0.5 * (q[gripper.left] + q[gripper.right]), gripper.size + gripper.tolerance
    if memory[GRIPPER] == GRIPPED and clamps > most:
        memory[LOST] = 1.0
        give_up(memory, NOTHING_GRIPPED, clamps, most)
