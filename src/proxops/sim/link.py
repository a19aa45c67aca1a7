"""What is compiled as a run begins: what the mission has and nothing else."""

from proxops.plant.entries import write_entries as write_plant_entries
from proxops.sim.collisions import find_collisions
from proxops.sim.controller.harness import briefing_of
from proxops.sim.entries import write_entries
from proxops.sim.prepare import Prepared
from proxops.sim.recorded_safety import put_safety
from proxops.sim.start import truth_of
from proxops.sim.state import Span


def link(ready: Prepared, span: Span) -> None:
    """Writes all addresses that the loop calls, compiles what is not yet, and starts functions
    of the user."""
    world, onboard, arguments = ready.world, ready.onboard, ready.arguments
    measured, ready_holds = world.built.ports.measured_contact[0], arguments.state.ready
    write_plant_entries(world.built.plant, bool(measured >= 0), len(ready_holds) > 0)
    write_entries(world.stages, find_collisions, put_safety, arguments.works_on, span)
    truth = truth_of(arguments.state)
    ready.scheduled.link(onboard.sensors, truth, onboard.functions, onboard.bus)
    for each in onboard.functions:
        if each.start is not None:
            each.start(briefing_of(ready.scenario, onboard.bus, onboard.limits, each.period))
