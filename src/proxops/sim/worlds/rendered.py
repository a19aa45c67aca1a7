"""The world with a robot that renders the target.

Every step of the plant, from t to t + h:

    reading ─► plant: target under it ─motion─► command ─► carry ─► measure ─► reading

The lab's frame L is the falling frame O.  Runs without a robot do not compile any of this.
"""

from proxops.assembly.robot import build_lab, in_loop
from proxops.core.jit import at_entry, kernel
from proxops.facility.rendered.lab import next_inputs, push_target, see_target
from proxops.facility.rendered.record import put_lab, signals
from proxops.facility.rendered.rendering import carry, command, measure
from proxops.plant.step import OK, touch_at_start
from proxops.plant.step import advance as advance_plant
from proxops.results.run import Signal
from proxops.scenario.load import Scenario
from proxops.sim.entries import ADVANCE, BEGIN, SHOW, WRITE
from proxops.sim.events import watch_interface
from proxops.sim.loop import loop_of
from proxops.sim.rows import record
from proxops.sim.sense import sense, show_surroundings
from proxops.sim.stages import act
from proxops.sim.worlds.world import World


@at_entry(BEGIN)
def begin(model, state, work, lab, watch, h):
    """Reads the sensor once, and closes what touches at the start."""
    measure(lab.model, lab.state, lab.workspace, next_inputs(lab), lab.outputs, h)
    touch_at_start(model.plant, work, state.y, 0.0)
    watch_interface(work, watch)
    return OK


@at_entry(SHOW)
def show(model, state, work, lab):
    """Shows sensors the plant."""
    sense(model, state, work)
    show_surroundings(model, state, work)
    return OK


@at_entry(ADVANCE)
def advance(model, state, work, lab, watch, t, h):
    """Brings the plant from t to t + h, with what the robot's sensor read at t, then the robot
    behind it; returns a status."""
    act(model, state, t, h)
    push_target(lab, model.plant, state.drive)
    status = advance_plant(model.plant, state.drive, work, state.y, t, h)
    if status != OK:
        return status
    watch_interface(work, watch)
    see_target(lab, model.plant, state.y)
    inputs = next_inputs(lab)
    command(lab.state, inputs)
    carry(lab.model, lab.state, lab.workspace, lab.outputs, h)
    measure(lab.model, lab.state, lab.workspace, inputs, lab.outputs, h)
    return OK


@at_entry(WRITE)
def write(model, state, work, lab, log, span):
    """Appends one row: the loop's signals, then the lab's."""
    row = log.rows[log.row_count[0]]
    put_lab(lab, model.plant, state.y, row[record(model, state, work, log, span) :])
    return OK


_loop = loop_of(begin, show, advance, write)


@kernel
def render_until(model, state, work, lab, log, span):
    """The loop with a robot that renders the target."""
    touching = (model.plant, state.y, work.scratch)
    return _loop(model, state, work, lab, touching, log, span)


class RenderedWorld(World):
    """A scenario with a robot, for `Simulation`."""

    kernels = "rendering"
    kernel = staticmethod(render_until)
    stages = (begin, show, advance, write)

    def __init__(self, scenario: Scenario) -> None:
        made = build_lab(scenario)
        self.given, self.built, self.touching = made.given, made.built, made.built
        self.provenance = {}
        self.signals = tuple(Signal(*row) for row in signals(made.carried))
        self.lab, self._draws = in_loop(made, scenario.mission.seed, self.steps_per_call + 1)

    def draw(self, steps: int) -> None:
        """Of the sensor."""
        self._draws.refill(steps)
