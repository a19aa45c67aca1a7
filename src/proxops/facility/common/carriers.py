"""Two carriers behind one guard: robots in a cell, vehicles in an arena.

What loop, check and procedure need of either kind: their axes with names and units are in
`guarded`, where they are sent in `memory`, and HALTED ends a run whose carriers stand.
"""

from dataclasses import dataclass

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import GuardDescription
from proxops.facility.common.guard.sentences import sentences
from proxops.facility.common.guard.table import Memory

HALTED = 10  # status of a step: the guard has ended the motion, and both carriers stand


@dataclass(frozen=True)
class Carriers:
    """A pair of carriers, as the guard knows it."""

    guarded: GuardDescription
    memory: Memory

    @property
    def running(self) -> bool:
        """Whether commands go through."""
        return bool(self.memory.status[of.MODE] == of.RUNNING)

    def faults(self) -> list[tuple[float, str]]:
        """When the guard acted [s], in its own time, and why."""
        log = self.memory.log
        said = zip(log[1:, of.WHY], sentences(self.guarded, log), strict=False)
        return [each for reason, each in said if reason != of.RELEASED]
