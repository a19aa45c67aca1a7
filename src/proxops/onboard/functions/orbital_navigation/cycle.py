"""One cycle of the orbital navigation: sensors in, estimate out."""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.history import push
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.onboard.functions.orbital_navigation.estimate import write_estimate
from proxops.onboard.functions.orbital_navigation.far_sensors import take_measurements
from proxops.onboard.functions.orbital_navigation.handover import hand_over, read_pose
from proxops.onboard.functions.orbital_navigation.motion import carry_on, note_push
from proxops.physics.multibody.mass_centre import mass_centre


@part
def estimate(params, memory, inputs, outputs):
    """Notes what the thrusters do, and once a period of the filter brings the estimate to now."""
    marks, t = memory.marks, inputs.t[0]
    note_attitude(memory, inputs)
    note_push(params, memory, inputs)
    first = marks[at.HEAD] < 0.0
    period = params.belief[at.PERIOD]
    # Sums of periods are rounded
    if not first and t < marks[at.TIME] + period * (1.0 - 1e-6):
        return 0
    step = t - marks[at.TIME]
    if not first:
        carry_on(params, memory, t, memory.history[int(marks[at.HEAD])])
    remember(params, memory, inputs)
    good = read_pose(params, memory, inputs)
    if not (good and marks[at.SOURCE] == at.NEAR):
        take_measurements(params, memory, inputs)
    hand_over(params, memory, good, step, outputs.orbital_handover)
    write_estimate(params, memory, inputs, outputs)
    return 0


@helper
def note_attitude(memory, inputs):
    """Takes note of when the attitude is first known: before, the navigation estimates nothing."""
    q = get4(inputs.navigation_q_NC, 0)
    known = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.5
    if known and math.isfinite(inputs.navigation_star_age[0]):
        memory.marks[at.ATTITUDE_FROM] = min(memory.marks[at.ATTITUDE_FROM], inputs.t[0])


@part
def remember(params, memory, inputs):
    """Writes a row of the history: attitude, own pushing, and where the centre of mass is."""
    marks = memory.marks
    head = push(memory.history, int(marks[at.HEAD]), inputs.t[0])
    marks[at.HEAD] = head
    marks[at.TIME] = inputs.t[0]
    row = memory.history[head]
    if marks[at.ATTITUDE_FROM] <= inputs.t[0]:
        put4(row, nav.PAST_Q, get4(inputs.navigation_q_NC, 0))
    put3(row, nav.PAST_V, get3(marks, at.THRUST_V))
    put3(row, nav.PAST_P, get3(marks, at.THRUST_P))
    row[nav.PAST_NOISE] = marks[at.THRUST_NOISE]
    centre = mass_centre(params.chaser, inputs.encoders_q, inputs.encoders_qd, memory.scratch)
    put3(row, nav.PAST_COM, centre[0])
