"""The force sensors at the target's flange and the arm's wrist: from contact to readings."""

import math

from proxops.core.jit import part
from proxops.core.spatial.vector import put3
from proxops.facility.common.force_sensor import WRENCH, read, take_sample
from proxops.facility.common.rows import FLANGE, PAIR, WRIST
from proxops.facility.robot_cell.contact_wrench import contact_wrench, wrench_by
from proxops.facility.robot_cell.sensing import measured_on_target, surplus, take_tare, weigh_tools


@part
def read_sensors(cell, state, workspace, draws, h):
    """Evaluates the wrench now, takes samples and reads both sensors; h [s] is the step."""
    sensing, sensed, scratch = cell.sensing, state.sensed, workspace.work.scratch
    now = state.clock[0]
    F = contact_wrench(cell.plant, state.y, scratch)
    put3(state.wrench, 0, F[0])
    put3(state.wrench, 3, F[1])
    weigh_tools(sensing, sensed, state.motions, scratch, 1.0 / h if now > 0 else 0.0)
    for which in range(PAIR):
        sensor, filtered, samples = cell.flange, state.filtered[which], state.samples[which]
        if which == WRIST:
            sensor = cell.wrist
            F = wrench_by(cell.plant, state.y, scratch, sensing.body)
        f, t = surplus(sensing, sensed, state.motions, scratch, which, F)
        settled = now == 0 or sensor.corner == 0.0
        share = 1.0 if settled else 1.0 - math.exp(-sensor.corner * h)
        for i in range(3):
            filtered[i] += share * (f[i] - filtered[i])
            filtered[3 + i] += share * (t[i] - filtered[3 + i])
        if now == 0 and sensing.tares == 1:
            take_tare(sensing, sensor, sensed, which)
        if now % sensor.every == 0:
            take_sample(sensor, samples, now, filtered, draws[which])
        read(sensor, samples, now, state.readings[which])
        if now >= sensor.delay:
            measured_on_target(sensing, sensed, scratch, which, state.readings[which])
    for i in range(WRENCH):
        sensed.mismatch[i] = state.readings[FLANGE, i] - state.readings[WRIST, i]
