"""The world of a rehearsal: target and chaser's base are modelled, arm and contact are real.

Every step of the plant, from t to t + h:

    models    measured wrench ─► target, base under the measured arm ─► nominal motion
    command   mapping: motions of the mock-ups for t + h ─► guard
    carry     robots ─► where the mock-ups are
    measure   mock-ups, arm, contact ─► sensors ─► measured wrench, measured arm

Nothing knows the future: what is measured at t acts on the models until t + h.
"""

from proxops.core.jit import at_entry, kernel
from proxops.facility.robot_cell.begin import begin_lab
from proxops.facility.robot_cell.carry import carry
from proxops.facility.robot_cell.command import command
from proxops.facility.robot_cell.measure import measure
from proxops.facility.robot_cell.models import advance_models, correct_models
from proxops.facility.robot_cell.record import put_lab
from proxops.facility.robot_cell.sensor_truth import show_lab
from proxops.plant.step import OK
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.events import watch_interface
from proxops.sim.loop import loop_of
from proxops.sim.rows import record, record_touching
from proxops.sim.sense import sense, show_latches, show_surroundings
from proxops.sim.stages import act


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """Puts the mock-ups where they are at the start and measures what touches there."""
    begin_lab(lab, model.plant, state.y, h)
    watch_interface(lab.workspace.cell.work, watch)
    return OK


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the models, then what the lab shows instead."""
    sense(model, state, work)
    show_lab(lab, model, state)
    touching = lab.workspace.cell.work.scratch
    show_latches(lab.cell.plant, lab.state.cell.y, touching, state)
    show_surroundings(model, state, work)
    return OK


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Brings the models from t to t + h with what was measured at t, then the cell behind them;
    returns a status."""
    act(model, state, t, h)
    status = advance_models(lab, model.plant, state, work, t, h)
    if status != OK:
        return status
    status = command(lab, model.plant, state.y, h)
    if status != OK:
        return status
    carry(lab.cell, lab.state.cell, lab.workspace.commands, h)
    status = measure(lab, h)
    if status != OK:
        return status
    watch_interface(lab.workspace.cell.work, watch)
    correct_models(lab, model.plant, state, work, h)
    return OK


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    own = row[record(model, state, work, log, span) :]
    end = put_lab(lab, model, state, work, own)
    touching, y = lab.cell.plant, lab.state.cell.y
    record_touching(touching, y, lab.workspace.cell.work.scratch, state.peaks, own, end)
    return OK


STAGES = (begin, show, advance, write)
_loop = loop_of(*STAGES)


@kernel
def rehearse_until(model, state, work, lab, log, span):
    """The loop on a facility."""
    touching = (lab.cell.plant, lab.state.cell.y, lab.workspace.cell.work.scratch)
    return _loop(model, state, work, lab, touching, log, span)
