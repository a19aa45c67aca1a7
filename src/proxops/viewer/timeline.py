"""The time that a scene shows, and what there is to jump to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from proxops.results.run import Event, Phase

SPEEDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_WATCHED = 60.0  # [s] that an onlooker is to spend on a whole run, at most
SHOWN_OF_A_KIND = 6  # events of one kind that are listed
SHOWN = 60  # entries in all


@dataclass
class Clock:
    """The shown time [s], which goes on while playing and stops at the end."""

    end: float
    t: float = 0.0
    speed: float = 1.0
    playing: bool = False

    def advance(self, seconds: float) -> None:
        """Lets so much of the onlooker's time pass."""
        if self.playing:
            self.t = min(self.t + self.speed * seconds, self.end)
            self.playing = self.t < self.end

    def toggle(self) -> None:
        """Plays, from the start where the end was reached; or pauses."""
        if not self.playing and self.t >= self.end:
            self.t = 0.0
        self.playing = not self.playing


class Mark(NamedTuple):
    """Something to jump to."""

    t: float  # [s]
    text: str


def speed_for(duration: float) -> float:
    """The slowest speed at which a run of that duration [s] takes a minute or less."""
    return next((speed for speed in SPEEDS[3:] if duration <= _WATCHED * speed), SPEEDS[-1])


def marks(events: Sequence[Event], phases: Sequence[Phase]) -> list[Mark]:
    """Phases and events in order of time; of a kind that came often the first few, and the last
    with how many there were."""
    found = [Mark(phase.start_s, f"phase {phase.name}") for phase in phases]
    kinds: dict[str, list[Event]] = {}
    for event in events:
        if event.name != "phase":
            kinds.setdefault(event.kind, []).append(event)
    few = min(SHOWN_OF_A_KIND, max(1, (SHOWN - len(found)) // max(1, len(kinds)) - 1))
    for kind, group in kinds.items():
        found += [Mark(event.t_s, f"{event.name}: {event.detail}") for event in group[:few]]
        if len(group) > few:
            found.append(Mark(group[-1].t_s, f"{kind}: last of {len(group)}"))
    return sorted(found, key=lambda mark: mark.t)


def phase_at(phases: Sequence[Phase], t: float) -> str:
    """Name of the phase at a time [s]; empty before any."""
    name = ""
    for phase in phases:
        if phase.start_s <= t:
            name = phase.name
    return name


def clock_text(t: float, end: float) -> str:
    """A time as it is shown, with as many digits as the run needs [s]."""
    digits = max(0, min(3, 3 - math.floor(math.log10(max(end, 1e-3)))))
    return f"{t:.{digits}f} s"
