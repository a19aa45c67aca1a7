"""Which stretch the loop goes on with, and when the mission ends: by the clock or by an event."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.limits import (
    longest_step_in_contact,
    longest_touching_steps,
    reject_fine_steps,
    reject_long_steps,
)
from proxops.assembly.onboard import MAX_CYCLES
from proxops.core.clock import NS_PER_S, to_ns
from proxops.onboard.function import Function
from proxops.results.run import MISSION_ENDS, Event
from proxops.scenario.load import Scenario
from proxops.sim.events import LOG_CAPACITY, watch_for
from proxops.sim.pace import IN_FORCE, paces_of
from proxops.sim.state import STEPS_PER_CALL, Log, Span, State


class Spans:
    """The spans of a mission: its phases one after the other, or its paces as they are chosen."""

    def __init__(self, scenario: Scenario, built: Built, software: int) -> None:
        """Rejects steps that are too long or too fine."""
        reject_long_steps(scenario)
        reject_fine_steps(scenario, built)
        self._time = time = scenario.mission.time
        self.paces = paces_of(time)
        self.look = time.common_step_ns  # paces and brakes change at its multiples [ns]
        self._software = software
        self._ending: Event | None = None
        self.end = time.duration_ns
        finest = min(longest_touching_steps(built).values(), default=math.inf)
        in_contact = longest_step_in_contact(scenario)
        self._parts = math.ceil(in_contact / finest) or 1  # of a step in contact
        self._has_contact_pace = any(pace.contact for pace in time.paces.values())

    def log_for(self, touching: Built, functions: Sequence[Function], width: int) -> Log:
        """An empty log for rows of that width, as many as one call of the loop may make."""
        time = self._time
        periods = [time.record_ns_of(pace) for pace in time.paces.values()] or [time.record_ns]
        max_rows = min(MAX_CYCLES, time.duration_ns // min(periods)) + 2
        substeps = max((phase.substeps for phase in time.phases.values()), default=1)
        watch = watch_for(touching, functions, substeps)
        return Log(np.zeros((max_rows, width)), np.zeros(1, dtype=np.int64), watch)

    def at(self, state: State, braked: bool) -> Span:
        """The span that goes on from a state, brakes of the arms being set or not."""
        time, clock, pace = self._time, int(state.clock[0]), int(state.pace[IN_FORCE])
        phase, until, step, substeps, record, parts = 0, self.end, 0, 1, 0, self._parts
        if time.paces:
            paced = list(time.paces.values())[max(pace, 0)]
            step, record = paced.step_ns, time.record_ns_of(paced)
            if self._has_contact_pace and not (paced.contact or paced.arms):
                parts = 1  # of such steps at most one begins in contact
        else:
            phases = list(time.phases.values())
            ended = sum(each.until_ns <= clock for each in phases)
            phase = min(ended, len(phases) - 1)
            scripted = phases[phase]
            step, substeps, record = scripted.step_ns, scripted.substeps, time.record_ns
            until = min(scripted.until_ns, self.end)
        waits = time.ends_on is not None and self._ending is None
        return Span(
            phase=phase,
            pace=max(pace, 0),
            look=self.look,
            end=until,
            step=step,
            substeps=substeps,
            control=time.control_ns if braked else time.arm_ns,
            valves=time.control_ns,
            software=self._software,
            record=record,
            last=until == self.end,
            ticks=max(1, min(MAX_CYCLES, STEPS_PER_CALL // (substeps * parts))),
            events=1 if waits else LOG_CAPACITY,
        )

    def take(self, events: Iterable[Event], now: int) -> None:
        """Looks among new events for the one that ends the mission, at the instant `now` [ns].  The
        end is an instant at which steps of all phases or paces end."""
        if self._time.ends_on is None or self._ending is not None:
            return
        self._ending = next((each for each in events if each.fits(self._time.ends_on)), None)
        if self._ending is not None:
            asked = to_ns(self._ending.t_s) + to_ns(self._time.ends_after_s)
            common = self.look
            self.end = min(self.end, common * math.ceil(max(asked, now, common) / common))

    def ended(self) -> list[Event]:
        """What ended a mission that an event was to end."""
        ends_on, by = self._time.ends_on, self._ending
        if ends_on is None:
            return []
        text = f"at duration_s, without {ends_on}"
        if by is not None:
            text = f"on {by.name} at {by.t_s:.6g} s ({by.detail})"
        return [Event(self.end / NS_PER_S, MISSION_ENDS, text)]
