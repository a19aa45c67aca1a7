"""A recorded motion shown at a reduced pace: joints for it, and how the servos follow them."""

from proxops.core.jit import kernel
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.inverse import OUT_OF_RANGE, REACHED, nearest
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.industrial.track import between
from proxops.facility.robot_cell.servo import JOINTS, follow, take_command


@kernel
def joints_along(robot, track, start, advance, joints):
    """Writes the joints (n, 6) [rad] that show a track, in cycles each of which advances it by a
    time [s], from those it begins with (6,); returns how many could be found, and by how much the
    next one falls short [m]."""
    near, i = get6(start), 1
    for k in range(joints.shape[0]):
        t = min((k + 1) * advance, track.t[-1])
        while track.t[i] < t:
            i += 1
        X, _, _ = between(track, i, (t - track.t[i - 1]) / (track.t[i] - track.t[i - 1]))
        solution = nearest(robot, X, near, False)
        if solution.status != REACHED and solution.status != OUT_OF_RANGE:
            return k, solution.excess
        near = solution.joints
        for axis in range(AXES):
            joints[k, axis] = near[axis]
    return joints.shape[0], 0.0


@kernel
def serve(servo, axes, sent, h, followed):
    """Writes where the axes are (n, 12) [rad] as each of the commands sent (n, 12) comes in; h [s]
    is the step of the servos."""
    for k in range(sent.shape[0]):
        begins = k * servo.cycle
        for step in range(begins, begins + servo.cycle):
            if step + 1 == begins + servo.cycle:
                take_command(servo, axes, step + 1, sent[k])
            follow(servo, axes, step, h)
        for axis in range(JOINTS):
            followed[k, axis] = axes.q[axis]
