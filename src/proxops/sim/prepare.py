"""A scenario made ready for the loop: checked, scheduled, and all arrays that the loop works on."""

from dataclasses import dataclass, field
from typing import Any

from proxops.assembly.onboard import Onboard
from proxops.core.errors import InputError
from proxops.onboard.schedule import Scheduled, check_writers, scheduled
from proxops.results.provenance import provenance
from proxops.results.requirements import check_demands
from proxops.results.run import Signal
from proxops.scenario.load import Scenario
from proxops.sim.controller.harness import Harness
from proxops.sim.events import EventDecoder
from proxops.sim.pace import PaceTexts
from proxops.sim.rows import constant_signals, fill_constants, recorded_fields, signals_of
from proxops.sim.spans import Spans
from proxops.sim.start import LoopArguments, loop_arguments
from proxops.sim.worlds.orbit import OrbitWorld
from proxops.sim.worlds.world import World

NO_CONTROLLER = (
    "is flown by a user's controller{which}, which neither a scenario nor a recording holds: give "
    "it as controller=..., or as --controller FILE:NAME"
)


@dataclass
class Prepared:
    """Everything that a run needs."""

    scenario: Scenario
    world: World
    onboard: Onboard
    spans: Spans
    signals: tuple[Signal, ...]
    provenance: dict[str, Any] = field(repr=False)
    arguments: LoopArguments = field(repr=False)
    decoder: EventDecoder = field(repr=False)
    scheduled: Scheduled = field(repr=False)


def prepare(scenario: Scenario, world: World | None, controller: Harness | None) -> Prepared:
    """The scenario in its world, in orbit unless one is given, flown by a user's controller if it
    says so; InputError if it cannot be."""
    own, time = scenario.mission.obsw.controller, scenario.mission.time
    if own is not None and controller is None:
        which = f" ({own.name})" if own.name else ""
        raise InputError(f"{scenario.name}: {NO_CONTROLLER.format(which=which)}")
    world = world or OrbitWorld(scenario)
    built = world.built
    onboard = built.onboard if controller is None else controller.join(scenario, built)
    signals = signals_of(built, onboard, bool(time.paces)) + world.signals
    signals += constant_signals(built.chaser)
    check_demands(scenario, signals)
    spans = Spans(scenario, built, onboard.period)
    for together in onboard.running_together():
        check_writers(together)
    schedule = scheduled(
        onboard.functions,
        len(onboard.sensors),
        onboard.bus,
        recorded_fields(onboard),
        onboard.activity,
        onboard.periods,
    )
    width = 1 + sum(signal.width for signal in signals)
    arguments = loop_arguments(world, onboard, schedule.schedule, spans, width)
    fill_constants(arguments.log.rows, built.chaser)
    return Prepared(
        scenario,
        world,
        onboard,
        spans,
        signals,
        provenance(scenario) | world.provenance,
        arguments,
        EventDecoder(
            world.touching,
            onboard.functions,
            PaceTexts(time),
            onboard.joint_rate(scenario.mission),
        ),
        schedule,
    )
