"""A scenario in a flight arena: its stages, what is recorded of it, and why it ends."""

from typing import TYPE_CHECKING

from proxops.assembly.arena import HILL, ArenaFile, fit_arena
from proxops.core.by_address import pinned
from proxops.core.states import FacilityState
from proxops.facility.arena import record
from proxops.facility.arena.command import first_commands
from proxops.facility.arena.procedure import prepare
from proxops.facility.common.carriers import HALTED
from proxops.results.run import Event, Signal
from proxops.scenario.load import Scenario
from proxops.sim.worlds.arena import STAGES, fly_until
from proxops.sim.worlds.flown_events import FlightEvents
from proxops.sim.worlds.world import World

if TYPE_CHECKING:
    from proxops.facility.arena.lab import ArenaLab
    from proxops.facility.arena.link import ArenaLink


class ArenaWorld(World):
    """A scenario in a flight arena, for `Simulation`."""

    kernels = "arena"
    kernel = staticmethod(fly_until)
    stages = STAGES

    def __init__(self, scenario: Scenario, arena: ArenaFile, link: str | None = None) -> None:
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
        self.link = None if link is None else _linked(self.lab)
        self._events = FlightEvents(made.lab, arena.file)

    def fly_to_start(self) -> tuple[FacilityState, ...]:
        """Takes off and brings both vehicles into the motion that the mission begins with."""
        first_commands(pinned(self.lab), self.built.plant, self.built.y)
        return prepare(self.lab, self.drawn, self.link)

    def draw(self, steps: int) -> None:
        """Of the vehicles' sensors."""
        self.drawn.refill(steps * self._cycles)

    def events(self) -> list[Event]:
        """Faults as they begin, that both vehicles land, and how they come to the floor; once."""
        if self.link is not None:
            self.link.raise_failure()
        return self._events.since()

    def why(self, status: int, ended: bool) -> str | None:
        """Why both vehicles have landed before the end, if they have; at the end they may not have
        come down yet."""
        reason = self._events.why_ended()
        if status != HALTED and not (reason and ended):
            return None
        return f"both vehicles land: {reason}"


def _linked(lab: "ArenaLab") -> "ArenaLink":
    """The vehicles behind a link, with parameters that pass its audit."""
    from proxops.facility.arena.link import ArenaLink
    from proxops.links.mavlink.audit import Limits, passing, rules

    return ArenaLink(lab, passing(rules(Limits())))
