"""What happens in a flight arena while a mission is flown: faults, why it ends, how vehicles come
to the floor; each once."""

import math

from proxops.assembly.arena_faults import fault_events
from proxops.facility.arena.carry import CLOCK
from proxops.facility.arena.guard import ACTED, NOTHING, REASON, WHEN
from proxops.facility.arena.lab import ArenaLab
from proxops.facility.arena.memory import LANDED, TOUCH_T
from proxops.facility.arena.reasons import has_fallen, touch_down, why_ended
from proxops.facility.common.rows import PAIR
from proxops.results.run import Event
from proxops.scenario.schema.arena import FlightArena

_ONE = "only the {}'s vehicle flies; the other stands on the floor"


class FlightEvents:
    """Of one flight."""

    def __init__(self, lab: ArenaLab, given: FlightArena) -> None:
        self._lab, self._pace = lab, lab.mapping.scaling.time
        self._struck = fault_events(given)
        self._ended, self._down = False, (lab.arena.flies == 0).tolist()
        self._dry = [Event(0.0, "dry-run", _ONE.format(given.flies))] if any(self._down) else []

    def why_ended(self) -> str:
        """What has ended the flight, empty if nothing has."""
        return why_ended(self._lab)

    def since(self) -> list[Event]:
        """Those since the last call, at times of the mission."""
        flight, ended = self._lab.flight, self._lab.ended
        found, self._dry = self._dry, []
        now = float(flight.clock[CLOCK])
        while self._struck and self._struck[0][0] <= now:
            t, text = self._struck.pop(0)
            found.append(Event(self._pace * t, "fault-injected", text))
        acted = min(
            float(ended[ACTED]), float(ended[WHEN]) if ended[REASON] != NOTHING else math.inf
        )
        if math.isfinite(acted) and not self._ended:
            self._ended = True
            found.append(Event(self._pace * acted, "guard", why_ended(self._lab)))
        for which in range(PAIR):
            if flight.modes[which] == LANDED and not self._down[which]:
                self._down[which] = True
                t = float(flight.health[which, TOUCH_T])
                name = "falls" if has_fallen(self._lab, which) else "lands"
                found.append(Event(self._pace * t, name, touch_down(self._lab, which)))
        return found
