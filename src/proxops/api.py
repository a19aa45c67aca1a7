"""What `import proxops` offers."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from proxops.core.errors import ControllerError, InputError, OutputError, ProxopsError
from proxops.core.interrupt import listening
from proxops.results import store
from proxops.results.compared import Cause, Fidelity
from proxops.results.recordings import look as look
from proxops.results.recordings import open as open
from proxops.results.recordings import recover as recover
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.scenario.load import load as load_scenario
from proxops.validation import validate

if TYPE_CHECKING:
    from proxops.assembly.arena import ArenaFile
    from proxops.assembly.facility import FacilityGiven
    from proxops.assembly.nominal import NominalGiven
    from proxops.bus.fields import Field
    from proxops.campaigns import Campaign, Design, Scheduler
    from proxops.core.jit import compiled
    from proxops.feasibility.answers import Feasibility
    from proxops.feasibility.flight_answers import FlightFeasibility
    from proxops.onboard.user.controller import Briefing, Compiled, Controller
    from proxops.onboard.user.views import Commands, Estimates, Measurements
    from proxops.physics.contact.external import ContactLaw
    from proxops.sensors.user import Sensor
    from proxops.sim.controller.harness import Harness
    from proxops.sim.lanes.alone import AloneInLanes
    from proxops.sim.orbit_reference import WithOrbitReference
    from proxops.sim.recorded_run import Judged, Watcher
    from proxops.sim.simulation import Simulation

    ControllerGiven = Controller | Compiled | type[Controller] | str  # FILE:NAME

__all__ = [
    "Briefing",
    "Commands",
    "Compiled",
    "ContactLaw",
    "ControllerError",
    "Estimates",
    "Field",
    "InputError",
    "Measurements",
    "OutputError",
    "ProxopsError",
    "Run",
    "Scenario",
    "Sensor",
    "campaign",
    "check",
    "compiled",
    "load",
    "open",
    "recover",
    "rehearse",
    "simulate",
    "validate",
]


# What is compiled before a rehearsal, and how long that takes on an idle machine of 2025
TOUCHING, STATES = "what touches, once, some 10 s", "the facility's states, once, some 15 s"
VEHICLES = "the vehicles, once, some 15 s"
_LOADED_LATER = {  # what extensions may want to name; it loads Numba
    "Briefing": "proxops.onboard.user.controller",
    "Commands": "proxops.onboard.user.views",
    "Compiled": "proxops.onboard.user.controller",
    "ContactLaw": "proxops.physics.contact.external",
    "Estimates": "proxops.onboard.user.views",
    "Field": "proxops.bus.fields",
    "Measurements": "proxops.onboard.user.views",
    "Sensor": "proxops.sensors.user",
    "compiled": "proxops.core.jit",
}


def __getattr__(name: str) -> Any:
    if name in _LOADED_LATER:
        return getattr(import_module(_LOADED_LATER[name]), name)
    raise AttributeError(f"module 'proxops.api' has no attribute {name!r}")


def load(name_or_path: str | PathLike[str], extensions: Iterable[Any] = ()) -> Scenario:
    """A shipped scenario (`proxops list` names them), or one from a TOML file, checked as a whole.

    `extensions` are files of the user's own sensors, functions on board and contact laws, which are
    run, or such objects themselves.

    >>> scenario = proxops.load("free-tumble")
    >>> scenario
    Scenario('free-tumble', 35 s: Chaser unfolds a 3 m arm while both spacecraft tumble; no orbit)
    """
    scenario = load_scenario(name_or_path)
    given = [extensions] if isinstance(extensions, str | PathLike) else list(extensions)
    if not given:
        return scenario
    from proxops.assembly.extensions import read_extensions

    return scenario.extended(read_extensions(given))


def simulate(
    scenario: Scenario,
    *,
    controller: "ControllerGiven | None" = None,
    progress: bool | Callable[[float], None] = False,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
    watch: "Watcher | None" = None,
    lanes: int | None = None,
) -> Run:
    """Simulates a scenario in orbit and judges it; signals are in SI units.

    `controller` flies it in place of its own on-board software: an object with
    `control(measurements, commands)`, a class of such, a `Compiled` function, or "FILE:NAME" of
    any of these; what it did wrong stands in `controller` of the run.  `progress=True` shows a bar
    on stderr.  `out` names a folder that the run is recorded into while it goes on, so that even a
    killed run can be recovered.  `watch` is given provenance and signals, and returns what else
    takes the rows as they are made.
    A mission with a `[robot]` has that robot in the loop.  `lanes` gives the bits that the case has
    in a campaign of so many lanes.

    The first run compiles what it needs, for tens of seconds (`proxops warmup` does so for all
    missions); later ones find it on the disk.

    >>> run = proxops.simulate(proxops.load("free-tumble"))
    >>> run
    Run('free-tumble', passed, 3501 rows, 40 signals)
    >>> t, p = run["relative.p_CT"]  # seconds (n,); metres (n, 3): of the target's hub, in C
    """
    if not isinstance(scenario, Scenario):
        raise InputError(f"simulate takes a scenario: proxops.simulate(proxops.load({scenario!r}))")
    return _run(ready(scenario, controller, lanes), progress, out, overwrite, watch=watch)


def rehearse(
    scenario: Scenario,
    facility: "FacilityGiven" = "oos-sim",
    *,
    controller: "ControllerGiven | None" = None,
    representation: str = "relative",
    nominal: "NominalGiven" = "unforced",
    ablate: bool = False,
    no_contact: bool = False,
    speed: float = 1.0,
    link: str | None = None,
    operator: Callable[[float], str | None] | None = None,
    progress: bool | Callable[[float], None] = False,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Run:
    """Rehearses a scenario on a facility and compares it with the same mission in orbit, see
    `fidelity` of the run.

    `facility` is a shipped name, a file, or what a run's provenance has.  `controller` is as in
    `simulate`; copies of it fly in orbit and for `ablate`.  `representation` is
    relative (to a nominal motion), absolute or target-fixed.  `nominal` is unforced (the target's
    own motion, were nothing to touch it), constant-rate, a CSV file or, again, provenance.
    `ablate` rehearses again without each effect of the facility.  `no_contact` is the same motion
    in which nothing touches or holds; at a `speed` below 1 it is shown slowly.  What the facility
    does before and after stands in `procedure` of the run.  In a flight arena two multirotors fly
    the motion relative to the Hill frame; `representation`, `nominal`, `no_contact` and `speed`
    stay as they are there.  With the `link` "virtual" targets reach the vehicles as MAVLink's bytes
    and in no other way; with "udp://127.0.0.1:14550" those are of vehicles elsewhere.  `operator`
    is asked twice a second of such a flight, with its time [s], what to do: "hold", "return",
    "land", or None to go on.

    >>> run = proxops.rehearse(proxops.load("touch"), "oos-sim")  # doctest: +SKIP
    >>> run.fidelity.rows[0].largest  # doctest: +SKIP
    """
    if not isinstance(scenario, Scenario):
        raise InputError(f"rehearse takes a scenario: proxops.rehearse(proxops.load({scenario!r}))")
    from proxops.assembly.arena import check_link, load_arena, reject_options
    from proxops.assembly.facility import load_facility, without_contact, without_each
    from proxops.assembly.facility_steps import at_fitting_step, at_one_step
    from proxops.assembly.nominal import load_nominal
    from proxops.feasibility.energy_port import margins_of, port_of, warned
    from proxops.onboard.user.controller import copied
    from proxops.rehearsal import on_facility
    from proxops.rehearsal.reduced_speed import check_speed, reproduce_slowly
    from proxops.rehearsal.states import after, before
    from proxops.results.fidelity import compare, sensed
    from proxops.sim.orbit_reference import WithOrbitReference
    from proxops.sim.simulation import Simulation
    from proxops.sim.worlds.rehearsed import CellWorld

    arena = load_arena(facility)
    check_link(arena, link)
    if operator is not None and arena is None:
        raise InputError("operator: leave out: only flights are held and returned on command")
    if arena is not None:
        reject_options(arena, representation, nominal, no_contact, speed)
        fresh, scenario = copied(controller), at_one_step(scenario)
        flies = (controller, fresh)
        over = (link, operator)
        return _in_arena(scenario, arena, flies, over, ablate, progress, out, overwrite)
    lab, motion = load_facility(facility), load_nominal(nominal)
    check_speed(speed, no_contact, lab)
    scenario = at_fitting_step(scenario, lab.facility)
    scenario = without_contact(scenario) if no_contact else scenario
    fresh, pilot = copied(controller), _harness(controller)
    scenario = scenario if pilot is None else pilot.flies(scenario)
    with _compiling(_touching(scenario), scenario.name, progress, TOUCHING):
        stage = CellWorld(scenario, lab, representation, motion)
        stage.provenance |= {"no_contact": no_contact, "speed": speed}
        simulation = Simulation(scenario, stage, pilot)
    with _compiling("procedure", scenario.name, progress, STATES):
        states = before(stage.made, lab, scenario, speed)
    orbit = simulate(scenario, controller=copied(fresh), progress=progress)
    if orbit.outcome == "interrupted":
        raise KeyboardInterrupt
    if orbit.outcome == "invalid":
        raise InputError(f"{scenario.name}: invalid in orbit, so there is nothing to rehearse")
    if speed < 1.0:
        slow = reproduce_slowly(orbit, stage, lab, speed)
        slow = replace(slow, procedure=(*states, *slow.procedure))
        if out is not None:
            slow = replace(slow, folder=store.save(slow, out, overwrite=overwrite))
        return slow
    contacts = margins_of(orbit, lab)

    def judged(run: Run, stop: Callable[[], bool]) -> Run:
        found = []
        for name, less in without_each(lab).items() if ablate else ():
            if stop():
                break
            own = _harness(copied(fresh))
            without = on_facility(scenario, less, representation, motion, own).run(stop=stop)
            if without.outcome != "interrupted":
                found.append(Cause(name, compare(orbit, without) + sensed(without)))
        rows = compare(orbit, run) + sensed(run)
        port = port_of(stage.port_state, lab, contacts)
        fidelity = Fidelity(lab.name, representation, rows, tuple(found), port)
        run = replace(run, fidelity=fidelity, events=warned(run, contacts))
        return replace(run, procedure=(*states, *after(stage.made, lab, scenario, run)))

    return _run(WithOrbitReference(simulation, orbit), progress, out, overwrite, judged)


def _in_arena(
    scenario: Scenario,
    arena: "ArenaFile",
    controllers: tuple["ControllerGiven | None", "ControllerGiven | None"],
    over: tuple[str | None, Callable[[float], str | None] | None],
    ablate: bool,
    progress: bool | Callable[[float], None],
    out: str | PathLike[str] | None,
    overwrite: bool,
) -> Run:
    """A rehearsal in a flight arena, over a link and with an operator if there are; the second of
    the controllers flies in orbit."""
    from proxops.links.arena_wire import is_address
    from proxops.onboard.user.controller import copied
    from proxops.rehearsal.arena import InArena, try_virtually

    (own, fresh), (link, operator) = controllers, over
    pilot = _harness(own)
    scenario = scenario if pilot is None else pilot.flies(scenario)
    orbit = simulate(scenario, controller=copied(fresh), progress=progress)
    if orbit.outcome == "interrupted":
        raise KeyboardInterrupt
    if orbit.outcome == "invalid":
        raise InputError(f"{scenario.name}: invalid in orbit, so there is nothing to rehearse")
    with _compiling("arena-vehicles", scenario.name, progress, VEHICLES):
        if link is not None and is_address(link):
            try_virtually(scenario, arena, _harness(fresh))
        ready = InArena(scenario, arena, pilot, link, operator)
    with ready:
        return _run(ready.beside(orbit), progress, out, overwrite, ready.judged(orbit, ablate))


def _run(
    simulation: "Simulation | WithOrbitReference | AloneInLanes",
    progress: bool | Callable[[float], None],
    out: str | PathLike[str] | None,
    overwrite: bool,
    judged: "Judged" = lambda run, _: run,
    watch: "Watcher | None" = None,
) -> Run:
    """Runs to the end, recorded if `out` names a folder."""
    from proxops.sim.recorded_run import recorded, unrecorded

    with _watching(simulation, progress) as report:
        if out is None:
            return unrecorded(simulation, report, judged, watch)
        return recorded(simulation, report, judged, watch, out, overwrite)


def check(
    scenario: Scenario | Run,
    facility: "FacilityGiven" = "oos-sim",
    *,
    controller: "ControllerGiven | None" = None,
    representation: str = "relative",
    nominal: "NominalGiven" = "unforced",
    optimise_start: bool = False,
    scale: bool = False,
    progress: bool = False,
) -> "Feasibility | FlightFeasibility":
    """Whether a facility can show a mission: for how long, what ends it, with what margins.

    A scenario is simulated first, by its `controller` if one is given, as in `simulate`; a run is
    taken as it was recorded.  `representation` is
    "relative", "absolute" or "target-fixed"; `facility` and `nominal` are as in `rehearse`.
    `optimise_start` looks for the best start pose as well; in a flight arena for the best origin,
    axis that is up and heading, and `scale` for the sizes and paces that fit (`docs/arena.md`).

    >>> answer = proxops.check(proxops.load("touch"), facility="oos-sim")  # doctest: +SKIP
    >>> answer.feasible, answer.asked.lasts  # seconds  # doctest: +SKIP
    (True, 8.0)
    """
    if not isinstance(scenario, Scenario | Run):
        raise InputError(f"check takes a scenario or a run: proxops.load({scenario!r}) loads one")
    from proxops.assembly.arena import load_arena, reject_options
    from proxops.assembly.facility import load_facility
    from proxops.assembly.facility_steps import at_fitting_step
    from proxops.assembly.nominal import check_nominal, load_nominal
    from proxops.assembly.representation import check_representation
    from proxops.feasibility.check import check_run
    from proxops.feasibility.command_rows import at_command_rate
    from proxops.feasibility.fit import reject_misfit
    from proxops.feasibility.flight import check_flight

    arena = load_arena(facility)
    if arena is not None:
        reject_options(arena, representation, nominal)
        orbit = _orbit_of(scenario, controller, progress)
        return check_flight(orbit, arena, optimise_start, scale)
    if scale:
        raise InputError("scale: leave out: only flight arenas show a mission at another size")
    lab, motion = load_facility(facility), load_nominal(nominal)
    check_representation(representation)
    check_nominal(motion, representation)
    if isinstance(scenario, Scenario):
        scenario = at_fitting_step(scenario, lab.facility)
        reject_misfit(scenario, lab)
        scenario = at_command_rate(scenario, lab)
    run = _orbit_of(scenario, controller, progress)
    if not progress:
        return check_run(run, lab, representation, optimise_start, nominal=motion)
    from proxops.core.jit import mark_warm
    from proxops.terminal.progress import bar

    with bar(f"{run.name} on {lab.name}", "check") as report:
        found = check_run(run, lab, representation, optimise_start, report, motion)
    mark_warm("check")
    return found


def _orbit_of(
    scenario: Scenario | Run, controller: "ControllerGiven | None", progress: bool
) -> Run:
    """The run in orbit that a check is about."""
    if isinstance(scenario, Run):
        if controller is not None:
            raise InputError("controller: leave out: the run is checked as it was recorded")
        return scenario
    run = simulate(scenario, controller=controller, progress=progress)
    if run.outcome == "interrupted":
        raise KeyboardInterrupt
    return run


def campaign(
    scenario: Scenario,
    seeds: Iterable[int] = range(100),
    facility: "FacilityGiven | None" = None,
    *,
    controller: str | None = None,
    workers: int | None = None,
    scheduler: "Scheduler | str | None" = None,
    design: "Design | str" = "monte-carlo",
    until_width: float | None = None,
    at_least: float = 1.0,
    lanes: int | None = None,
    progress: bool = False,
    out: str | PathLike[str] | None = None,
) -> "Campaign":
    """Flies dispersed cases of a scenario, one for each seed, in orbit or on a facility.

    `scenario.dispersed(seed)` gives each of them.  `controller` is "FILE:NAME": workers run the
    file, and a new object flies each case.  Cases are flown by worker processes, as many as
    there are processors if not given, and are the same for any number of them.  `scheduler` is the
    address of a dask cluster that flies them in their place.  `at_least` is the
    share of cases that must pass.  `out` names a folder that cases are kept in as they are done;
    those that it has of the same scenario are not flown again.  `design` says which cases these
    are; `until_width` ends the campaign once the share that passes is known to within so much.
    With `lanes`, 4 or 8, each worker flies that many cases at once (docs/lanes.md says of which
    missions).

    >>> flown = proxops.campaign(proxops.load("touch"), range(20))  # doctest: +SKIP
    >>> flown.worst["seed"], flown.drivers  # doctest: +SKIP
    >>> flown.report("touch.html")  # doctest: +SKIP
    """
    if not isinstance(scenario, Scenario):
        raise InputError(f"campaign takes a scenario: proxops.campaign(proxops.load({scenario!r}))")
    from proxops.assembly.facility import load_facility
    from proxops.campaigns import Design, Job, Scheduler, fly
    from proxops.campaigns.reach import reach
    from proxops.onboard.user.file import absolute, from_file
    from proxops.rehearsal import on_facility

    if lanes is not None and scheduler is not None:
        raise InputError("lanes: the workers of a scheduler fly each case by itself")
    if scheduler is not None:  # one that is not there is reported before anything is built
        scheduler = Scheduler(scheduler) if isinstance(scheduler, str) else scheduler
        reach(scheduler)
    own = None if controller is None else from_file(controller)
    pilot = _harness(own)
    believed = scenario.believed if pilot is None else pilot.flies(scenario.believed)
    lab = None if facility is None else load_facility(facility)
    # what is wrong with the scenario itself is reported here, and not by each of its cases
    if lanes is not None and lab is not None:
        raise InputError("lanes: a rehearsal is not flown in lanes")
    if lab is None:
        prepared = ready(believed, own, lanes)
    else:
        with _compiling(_touching(believed), scenario.name, progress, TOUCHING):
            prepared = on_facility(believed, lab, "relative", controller=pilot)
    given = None if controller is None else absolute(controller)
    job = Job(believed, None if lab is None else lab.to_dict(), given, lanes)
    counting = _counting(job.title, prepared.kernels, progress)
    with counting as report, listening(gentle=lambda: True) as heard:
        return fly(
            job,
            seeds,
            design=Design(design) if isinstance(design, str) else design,
            until_width=until_width,
            workers=workers,
            scheduler=scheduler,
            at_least=at_least,
            out=out,
            kernels=prepared.kernels,
            report=report,
            stop=heard.pressed,
        )


def ready(
    scenario: Scenario, controller: "ControllerGiven | None", lanes: int | None = None
) -> "Simulation | AloneInLanes":
    """A run in orbit, or with the robot that the mission has, before its first step."""
    if lanes is not None:
        from proxops.sim.lanes.alone import AloneInLanes

        if controller is not None:
            raise InputError("lanes: a user's controller is not flown in lanes")
        return AloneInLanes(scenario, lanes)
    pilot = _harness(controller)
    scenario = scenario if pilot is None else pilot.flies(scenario)
    from proxops.sim.simulation import Simulation

    if scenario.mission.robot is None:
        return Simulation(scenario, controller=pilot)
    from proxops.sim.worlds.rendered import RenderedWorld

    return Simulation(scenario, RenderedWorld(scenario), pilot)


def _harness(controller: "ControllerGiven | None") -> "Harness | None":
    """A user's controller with a clock that times its turns; the loop has none."""
    if controller is None:
        return None
    from proxops.sim.controller.harness import Harness

    return Harness(controller, time.perf_counter_ns)


def _touching(scenario: Scenario) -> str:
    """What the kernels are called that are compiled as a scenario is built for a facility."""
    return "cell-touching" if scenario.mission.contacts or scenario.mission.holds else "cell"


@contextmanager
def _compiling(
    kernels: str, name: str, progress: bool | Callable[[float], None], what: str
) -> Iterator[None]:
    """Says what is compiled, where somebody waits for it."""
    from proxops.core.jit import is_warm, mark_warm

    if progress is True and not is_warm(kernels):
        from proxops.terminal.progress import working

        with working(f"{name}: compiling {what}"):
            yield
    else:
        yield
    mark_warm(kernels)


@contextmanager
def _counting(
    title: str, kernels: str, progress: bool
) -> Iterator[Callable[[int, int, int], None]]:
    """A function that takes how many cases are done, have passed and are asked for."""
    if not progress:
        yield lambda done, passed, asked: None
        return
    from proxops.terminal.progress import tally

    with tally(title, kernels) as report:
        yield report


@contextmanager
def _watching(
    simulation: "Simulation | WithOrbitReference | AloneInLanes",
    progress: bool | Callable[[float], None],
) -> Iterator[Callable[[float], None] | None]:
    """A function that takes the share done, or None."""
    if progress is not True:
        yield progress or None
        return
    from proxops.terminal.progress import bar

    with bar(simulation.scenario.name, simulation.kernels) as report:
        yield report
