"""The world of a rehearsal: target and chaser's base are modelled, arm and contact are real.

Every step of the plant, from t to t + h:

    felt wrench ─► plant: target, base under the measured arm ─► nominal ─► commands for t + h
    torques ─► ground torques (22) ─┐
    commands ─► robots ─► mock-ups, arm, contact ─► sensors ─► felt wrench, measured arm

Nothing knows the future: what is felt at t acts on the models until t + h.
"""

from proxops.bus import ideal
from proxops.bus.truth import CHASER as TRUE_CHASER
from proxops.bus.truth import HUB_WIDTH
from proxops.bus.truth import TARGET as TRUE_TARGET
from proxops.core.clock import NS_PER_S
from proxops.core.jit import at_entry, helper, kernel, part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.mapping import put_sensed
from proxops.facility.common.passivity.energy_port import stored_in
from proxops.facility.robot_cell.as_published import advance_published
from proxops.facility.robot_cell.feedback import put_felt, watch_port
from proxops.facility.robot_cell.ground_torque import extrapolate
from proxops.facility.robot_cell.lab import next_draw
from proxops.facility.robot_cell.nominal import advance_nominal
from proxops.facility.robot_cell.real_arm import drive_arm, take_arm
from proxops.facility.robot_cell.rows import CARRIERS, CHASER, TARGET
from proxops.facility.robot_cell.show import map_back, put_commands, record_drift
from proxops.facility.robot_cell.stage import advance_cell, feel
from proxops.facility.robot_cell.stage import begin as begin_cell
from proxops.facility.robot_cell.wrist import put_wrist_wrench
from proxops.physics.relative.motion import VELOCITY, P, Q
from proxops.plant import layout
from proxops.plant.frames import to_hill
from proxops.plant.measured_arm import MeasuredSystem, advance_measured, spin_wheels, to_plant
from proxops.plant.model import DRIVE_MOTOR
from proxops.plant.observe import put_array
from proxops.plant.observe_interface import interface_count, put_interface
from proxops.plant.peaks import note_touching
from proxops.plant.step import OK, touch_at_start
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.events import watch_interface
from proxops.sim.loop import loop_of
from proxops.sim.rows import put_touching_peaks, record
from proxops.sim.stages import act, sense

# What the lab adds to a row, before what depends on arm and contacts
P_LT, Q_LT, P_LC, Q_LC = 0, 3, 7, 10
FELT = 14
P_HM, Q_NM = 20, 23
PORT = 27  # see facility.passivity.port

# What robots add next
GUARD_MODE, ROBOTS_Q = 0, 1


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """Puts the mock-ups where they are at the start, closes what touches there, feels it and sees
    it."""
    cell, now, room = lab.cell, lab.state.cell, lab.room.cell
    begin_cell(cell, now)
    touch_at_start(cell.plant, room.work, now.y, 0.0)
    watch_interface(room.work, watch)
    draws = lab.state.draws[next_draw(lab.state)]
    feel(cell, now, room, draws, h)
    lab.state.port.stored[0] = stored_in(cell.plant, now.y, room.work.scratch)
    watch_port(lab, model.plant, state.y, work.scratch, 0.0)
    put_commands(lab, model.plant, state.y, 0.0)
    map_back(lab, 0.0, draws[CARRIERS])
    return OK


@helper
def see_through_lab(measurements, chaser):
    """Lets ideal sensors see the chaser's attitude and rate as the lab shows them (23)."""
    put4(measurements, ideal.Q, get4(chaser, layout.Q))
    put3(measurements, ideal.W, get3(chaser, layout.W))


@part
def show_lab(model, state, lab):
    """Shows the sensors on board both spacecraft through the lab (23), and what the wrist feels."""
    seen = lab.state.cell.sensed.seen
    if model.onboard.sensors.shape[0] == 0:
        return
    for i in range(HUB_WIDTH):
        state.hubs[TRUE_CHASER, i] = seen[CHASER, i]
        state.hubs[TRUE_TARGET, i] = seen[TARGET, i]
    scratch = lab.room.cell.work.scratch
    put_wrist_wrench(lab.cell, lab.state.cell, model.ports, scratch, state.wrench)


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the models, then what the lab shows instead."""
    sense(model, state, work)
    see_through_lab(state.ideal, lab.state.cell.sensed.seen[CHASER])
    show_lab(model, state, lab)
    note_touching(lab.cell.plant, lab.state.cell.y, lab.room.cell.work.scratch, state.peaks)
    return OK


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Brings the models from t to t + h with what was felt at t, then the cell behind them; returns
    a status."""
    plant, y, now = model.plant, state.y, lab.state
    drive_arm(lab, plant, y, state.given, work.scratch, t)
    if lab.cell.ideal == 1:
        extrapolate(now.ground, lab.room.loads, lab.room.cell.drive, t, h)
    act(model, state, t, h)
    put_felt(lab, plant, y, state.drive, work.scratch, h)
    advance_published(now.published, state.drive, now.z, now.qdd, t, h)
    system = MeasuredSystem(plant, state.drive, now.qdd, work.scratch)
    status = advance_measured(system, work.stages, now.z, t, h)
    if status != OK:
        return status
    to_plant(plant, now.z, y, work.scratch)
    advance_nominal(lab, y[layout.target_start(plant) :], t, h)
    put_commands(lab, plant, y, t + h)
    draws = now.draws[next_draw(now)]
    status = advance_cell(lab.cell, now.cell, lab.room.cell, lab.room.commands, draws, h)
    if status != OK:
        return status
    map_back(lab, t + h, draws[CARRIERS])
    watch_interface(lab.room.cell.work, watch)
    take_arm(now, h)
    spin_wheels(system, now.z, now.spins, h)
    to_plant(plant, now.z, y, work.scratch)
    watch_port(lab, plant, y, work.scratch, h)
    return OK


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    t = state.clock[0] / NS_PER_S
    drive_arm(lab, model.plant, state.y, state.given, work.scratch, t)
    row = log.rows[log.row_count[0]]
    own = row[record(model, state, work, log, span) :]
    cell, now, M = lab.cell, lab.state.cell, lab.state.nominal.y
    put3(own, P_LT, get3(now.motions[TARGET], layout.P))
    put4(own, Q_LT, get4(now.motions[TARGET], layout.Q))
    put3(own, P_LC, get3(now.motions[CHASER], layout.P))
    put4(own, Q_LC, get4(now.motions[CHASER], layout.Q))
    for i in range(WRENCH):
        own[FELT + i] = now.readings[cell.felt_by, i]
    put3(own, P_HM, to_hill(model.plant.orbit, t, get3(M, P), get3(M, VELOCITY))[0])
    put4(own, Q_NM, get4(M, Q))
    end = put_array(own, PORT, lab.state.port.now)
    end += record_drift(lab, model.plant, state.y, t, own[end:])
    if cell.ideal == 0:
        own[end + GUARD_MODE] = now.memory.status[guarding.MODE]
        end = put_array(own, end + ROBOTS_Q, now.axes.q)
    joints = cell.plant.chaser_topology.shape[0]
    end = put_array(own, end, lab.room.cell.drive[1 : 1 + joints, DRIVE_MOTOR])
    end = put_sensed(now.sensed, own, end)
    if interface_count(cell.plant) > 0:
        scratch = lab.room.cell.work.scratch
        end = put_interface(cell.plant, now.y, scratch, own, end)
        put_touching_peaks(cell.plant, now.y, scratch, state.peaks, own, end)
    return OK


STAGES = (begin, show, advance, write)
_loop = loop_of(*STAGES)


@kernel
def rehearse_until(model, state, work, lab, log, span):
    """The loop on a facility."""
    touching = (lab.cell.plant, lab.state.cell.y, lab.room.cell.work.scratch)
    return _loop(model, state, work, lab, touching, log, span)
