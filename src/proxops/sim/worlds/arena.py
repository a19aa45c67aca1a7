"""The world of a flight arena: the plant flies in orbit, two multirotors fly its motion indoors.

Every step of the plant, from t to t + h:

    command   mapping: targets of both vehicles for t ─► guard ─► what is sent
    models    plant ─► t + h
    carry     vehicles, for h/τ of their own time

Nothing touches and nothing is fed back: sensors on board are shown the plant.
"""

from typing import Any

from proxops.core.interrupt import shield
from proxops.core.jit import at_entry, kernel
from proxops.facility.arena.carry import carry
from proxops.facility.arena.command import command
from proxops.facility.arena.guarded import guard_targets
from proxops.facility.arena.memory import LANDED
from proxops.facility.arena.record import put_lab
from proxops.facility.arena.vehicle import CYCLE
from proxops.facility.common.carriers import HALTED
from proxops.facility.common.rows import CHASER, TARGET
from proxops.plant.step import OK
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.loop import loop_of
from proxops.sim.rows import record
from proxops.sim.worlds import orbit

_begin_in_orbit, _show_in_orbit = orbit.begin.function, orbit.show.function
_advance_in_orbit = orbit.advance.function


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """As in orbit: the vehicles are where they begin."""
    return _begin_in_orbit(model, state, work, lab, watch, h)


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the plant."""
    return _show_in_orbit(model, state, work, lab)


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Sends targets for t, brings the plant and the vehicles behind it on by h; returns a status,
    HALTED once both vehicles have landed."""
    flight = lab.flight
    if flight.modes[TARGET] == LANDED and flight.modes[CHASER] == LANDED:
        return HALTED
    command(lab, model.plant, state.y, t)
    guard_targets(lab)
    status = _advance_in_orbit(model, state, work, lab, watch, t, h)
    if status != OK:
        return status
    return carry(lab, int(h / (lab.mapping.scaling.time * CYCLE) + 0.5))


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row: the loop's signals, then the arena's."""
    row = log.rows[log.row_count[0]]
    put_lab(lab, model, state, row[record(model, state, work, log, span) :])
    return OK


STAGES = (begin, show, advance, write)
_loop = loop_of(*STAGES)


@kernel
def fly_until(model, state, work, lab, log, span):
    """The loop in a flight arena."""
    touching = (model.plant, state.y, work.scratch)
    return _loop(model, state, work, lab, touching, log, span)


def fly_linked_until(*args: Any) -> Any:
    """The same where a link is called from inside: nothing may be raised there but by the link
    itself, which looks whether Ctrl-C was pressed."""
    with shield():
        return fly_until(*args)
