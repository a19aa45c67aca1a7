"""A mission in a flight arena, from the take-off to the landing."""

from collections.abc import Callable
from dataclasses import replace

from proxops.assembly.arena import HILL, VIRTUAL, ArenaFile, without_each, without_script
from proxops.core.errors import StoppedError
from proxops.core.states import PASSED, FacilityState
from proxops.facility.arena.operator import RETURN, Asked
from proxops.facility.arena.procedure import BETWEEN, put_away
from proxops.results.compared import Cause, Fidelity
from proxops.results.flight_fidelity import compare_flight, flight_requirements
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.sim.controller.harness import Harness
from proxops.sim.orbit_reference import WithOrbitReference
from proxops.sim.simulation import Simulation
from proxops.sim.worlds.flown import ArenaWorld
from proxops.sim.worlds.linked import link_statistics

Judged = Callable[[Run, Callable[[], bool]], Run]


class InArena:
    """A scenario made ready to fly in an arena; virtual vehicles have taken off."""

    def __init__(
        self,
        scenario: Scenario,
        arena: ArenaFile,
        controller: Harness | None = None,
        link: str | None = None,
        asked: Asked | None = None,
    ) -> None:
        self.arena, self.world = arena, ArenaWorld(scenario, arena, link, asked)
        self.simulation = Simulation(scenario, self.world, controller)
        if not self.world.is_real:
            self.world.fly_to_start()

    def __enter__(self) -> "InArena":
        return self

    def __exit__(self, *_: object) -> None:
        """However it ended, nobody flies on."""
        self.world.close()

    def beside(self, orbit: Run) -> WithOrbitReference:
        """The simulation that also records what the mission does in orbit."""
        return WithOrbitReference(self.simulation, orbit)

    def judged(self, orbit: Run, ablate: bool) -> Judged:
        """What a run is worth: fidelity, what the arena demands, and the states of the facility; if
        `ablate`, flown again without each effect."""

        def judge(run: Run, stop: Callable[[], bool]) -> Run:
            limits, fence = self.arena.file.limits, self.world.lab.fence
            demands = flight_requirements(
                run, limits.tracking_m, limits.relative_m, fence.flown_apart - fence.tips
            )
            outcome = run.outcome
            if outcome == "passed" and not all(each.passed for each in demands):
                outcome = "failed"
            ended = [event.detail for event in run.events if event.name == "stopped"]
            pace, lasts = self.world.lab.mapping.scaling.time, float(run.rows[-1, 0])
            gap = float(run["lab.gap"][1].min())
            ran = FacilityState(
                "run",
                0.0,
                lasts / pace,
                gap,
                BETWEEN,
                ended[0] if ended else PASSED,
            )
            world, pressed = self.world, run.outcome == "interrupted"
            with world.closed_if_interrupted():
                after = put_away(
                    world.lab,
                    world.drawn,
                    world.link,
                    pressed,
                    world.operator,
                    world.commanded,
                    stop,
                )
            found = []
            for name, less in without_each(self.arena).items() if ablate else ():
                if stop():
                    break
                without = InArena(self.simulation.scenario, less).simulation.run(stop=stop)
                if without.outcome != "interrupted":
                    found.append(Cause(name, compare_flight(orbit, without)))
            rows = compare_flight(orbit, run)
            return replace(
                run,
                outcome=outcome,
                requirements=(*run.requirements, *demands),
                fidelity=Fidelity(self.arena.name, HILL, rows, tuple(found)),
                procedure=(*self.world.before, ran, *after),
                links=link_statistics(self.world.link),
            )

        return judge


def try_virtually(scenario: Scenario, arena: ArenaFile, controller: Harness | None) -> None:
    """Flies the mission with virtual vehicles before real ones do: StoppedError where it would be
    stopped.  Over a virtual link, so that what no message has is refused on the ground.  It also
    compiles what it takes, return and landing included, for which nobody should wait in the air."""
    trial = InArena(scenario, without_script(arena), controller, VIRTUAL)
    tried = trial.simulation.run()
    if tried.outcome in ("stopped", "invalid"):
        why = next((each.detail for each in reversed(tried.events)), tried.outcome)
        raise StoppedError(f"{scenario.name}: not flown, virtual vehicles end it: {why}")
    world = trial.world
    put_away(world.lab, world.drawn, world.link, commanded=RETURN)
