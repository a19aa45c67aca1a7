"""The world of a run in orbit: the plant is all there is."""

from proxops.actuators.thrusters import until_valve_moves
from proxops.assembly.build import build
from proxops.core.jit import at_entry, kernel
from proxops.core.select import any_of
from proxops.plant.phase_switch import phase_after_step, phase_at_start
from proxops.plant.step import OK, touch_at_start
from proxops.plant.step import advance as advance_plant
from proxops.scenario.load import Scenario
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.events import watch_interface, watch_phase
from proxops.sim.loop import loop_of
from proxops.sim.rows import record
from proxops.sim.sense import sense, show_surroundings
from proxops.sim.stages import act
from proxops.sim.worlds.world import World


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """Closes what touches at the start."""
    touch_at_start(model.plant, work, state.y, 0.0)
    watch_interface(work, watch)
    if phase_at_start(model.plant, work, state.y):
        watch_phase(model.plant, state.y, 0.0, watch)
    return OK


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the plant."""
    sense(model, state, work)
    show_surroundings(model, state, work)
    return OK


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Brings the plant from t to t + h, in parts if valves move between; returns a status.  Of
    cases that are computed together each has parts of its own, at last some of no length."""
    status, left = OK, h
    while status == OK and any_of(left > 0.0):
        dt = until_valve_moves(model.thrusters, state.burns, state.thrusters, left)
        act(model, state, t, dt)
        status = advance_plant(model.plant, state.drive, work, state.y, t, dt)
        t, left = t + dt, left - dt
        if status == OK:
            watch_interface(work, watch)
            if phase_after_step(model.plant, work, state.y, t):
                watch_phase(model.plant, state.y, t, watch)
    return status


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row."""
    record(model, state, work, log, span)
    return OK


_loop = loop_of(begin, show, advance, write)


@kernel
def advance_until(model, state, work, lab, log, span):
    """The loop in orbit."""
    touching = (model.plant, state.y, work.scratch)
    return _loop(model, state, work, lab, touching, log, span)


class OrbitWorld(World):
    """A scenario in orbit, for `Simulation`."""

    kernels = "run"
    kernel = staticmethod(advance_until)
    stages = (begin, show, advance, write)
    lab = 0  # there is none
    has_brakes = True
    signals = ()

    def __init__(self, scenario: Scenario) -> None:
        self.given = self.built = self.touching = build(scenario)
        self.provenance = {}
