"""A scenario in a flight arena: its stages, what is recorded of it, and why it ends."""

from collections.abc import Callable

from proxops.assembly.arena import HILL, ArenaFile, fit_arena, operator_of, reject_scripted
from proxops.core.by_address import pinned
from proxops.core.states import FacilityState
from proxops.facility.arena import record
from proxops.facility.arena.command import first_commands
from proxops.facility.arena.lab import flight_time, target_period
from proxops.facility.arena.procedure import prepare
from proxops.facility.common.carriers import HALTED
from proxops.links.arena_wire import is_address
from proxops.results.run import Event, Signal
from proxops.scenario.load import Scenario
from proxops.sim.worlds.arena import STAGES, fly_linked_until, fly_until
from proxops.sim.worlds.flown_events import FlightEvents
from proxops.sim.worlds.linked import close, linked
from proxops.sim.worlds.world import World

REAL_TICKS = 25  # of a real flight: half a second at 20 ms


class ArenaWorld(World):
    """A scenario in a flight arena, for `Simulation`."""

    kernels = "arena"
    kernel = staticmethod(fly_until)
    stages = STAGES

    def __init__(
        self,
        scenario: Scenario,
        arena: ArenaFile,
        link: str | None = None,
        asked: Callable[[float], str | None] | None = None,
    ) -> None:
        made = fit_arena(scenario, arena, self.steps_per_call + 2)
        self.lab, self.drawn, self._cycles = made.lab, made.drawn, made.cycles
        self.given = self.built = self.touching = made.built
        self.provenance = {
            "facility": arena.to_dict(),
            "representation": HILL,
            "nominal": HILL,
            "no_contact": False,
            "speed": 1.0,
            "link": link,
        }
        self.signals = tuple(Signal(*row) for row in record.signals())
        if link is not None and is_address(link):
            reject_scripted(arena)  # before its ports are opened
        self.link = None if link is None else linked(self.lab, link)
        if self.link is not None:
            self.kernel = fly_linked_until
        self.operator = operator_of(arena.file, asked)
        self.commanded: str | None = None  # by the operator, which ends the run
        self._most_ticks = REAL_TICKS if self.is_real or asked else self.ticks_per_call
        self._look_out(0.0)
        self._closed = False
        self.before: tuple[FacilityState, ...] = ()  # what was done before the mission
        self._events = FlightEvents(made.lab, arena.file)

    def fly_to_start(self) -> None:
        """Takes off and brings both vehicles into the motion that the mission begins with."""
        first_commands(pinned(self.lab), self.built.plant, self.built.y)
        self.before = prepare(self.lab, self.drawn, self.link)

    @property
    def is_real(self) -> bool:
        """Whether what flies is outside of this process."""
        return self.link is not None and self.link.vehicles.real

    def close(self) -> None:
        """Lands what a link still flies, and closes it."""
        if self.link is not None and not self._closed:
            self._closed = True
            close(self.link)

    def draw(self, steps: int) -> None:
        """Of the vehicles' sensors.  Real vehicles take off with the first of them: all is
        compiled and open then, and the mission goes on from the motion they are brought into."""
        if not self.before:
            self.fly_to_start()
        self.drawn.refill(steps * self._cycles)

    def _look_out(self, now: float) -> None:
        """Has the loop come back for the next command, and often where one may come at any
        time."""
        step = target_period(self.lab)
        self.ticks_per_call = self.operator.periods_left(now, step, self._most_ticks)

    def events(self) -> list[Event]:
        """Faults as they begin, that both vehicles land, and how they come to the floor; once."""
        if self.link is not None:
            self.link.raise_failure()
        return self._events.since()

    def why(self, status: int, ended: bool) -> str | None:
        """Why both vehicles have landed before the end, if they have; at the end they may not have
        come down yet.  Or what the operator has commanded."""
        reason = self._events.why_ended()
        if status == HALTED or (reason and ended):
            return f"both vehicles land: {reason}"
        if reason or ended:
            return None
        now = flight_time(self.lab)
        self.commanded = self.operator.command(now)
        self._look_out(now)
        return self.commanded and f"the operator commands: {self.commanded}"
