"""What the loop has of an arena: vehicles, random numbers, and how orbit and arena correspond."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.interrupt import shield
from proxops.core.jit import write_entry
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import CLOCK, carry, fly
from proxops.facility.arena.fence import AXES, Fence, Z, describe
from proxops.facility.arena.vehicle import CYCLE, Arena, Flight
from proxops.facility.common.carriers import Carriers
from proxops.facility.common.guard.build import at_rest, build
from proxops.facility.common.guard.table import CUES, LOWER, PERIOD, Given, Guard, Memory
from proxops.facility.common.rows import PAIR
from proxops.physics.multirotor.body import STATE_SIZE
from proxops.physics.relative.scaling import Scaling

SLOWEST = 8  # cycles between targets: 20 ms


class Mapping(NamedTuple):
    """How motion in the Hill frame is shown."""

    scaling: Scaling
    p_LH: np.ndarray  # where the Hill frame's origin is shown (3,) [m]
    q_LH: np.ndarray  # which of its axes is up (4,)
    q_BV: np.ndarray  # how each mock-up stands on its vehicle (2, 4); level where it is as H


class ArenaLab(NamedTuple):
    """For the loop."""

    entries: np.ndarray  # address of `carry`, the vehicles' or a link's
    arena: Arena
    flight: Flight
    mapping: Mapping
    fence: Fence
    draws: np.ndarray  # standard normal numbers (n, 2, 12)
    used: np.ndarray  # rows of them that are used up, one entry
    commands: np.ndarray  # targets for both (2, 16)
    references: np.ndarray  # scratch: targets at the instant of a row (2, 16)
    ended: np.ndarray  # what ends the flight, see facility.arena.guard; when [s] since its start
    guard: Guard
    memory: Memory
    given: Given
    held: np.ndarray  # cycles for which both were held after a stop, one entry
    home: np.ndarray  # targets at rest above where both took off, level (2, 16)


class Drawn:
    """Random numbers for both vehicles."""

    def __init__(self, seed: int, count: int) -> None:
        self._rows = RandomRows(count, (generator(seed, FACILITY), (PAIR, of.DRAWS)))
        self.rows, self.used = self._rows.rows, self._rows.used

    def refill(self, cycles: int) -> None:
        """Makes sure that there are numbers for so many cycles."""
        self._rows.refill(cycles)


def arena_lab(
    arena: Arena,
    flight: Flight,
    mapping: Mapping,
    fence: Fence,
    drawn: Drawn,
    cycles: int = SLOWEST,
) -> ArenaLab:
    """An arena with virtual vehicles that get a target every so many cycles of their autopilots;
    compiles them if they are not."""
    guard = build(describe(fence, cycles * CYCLE))
    lab = ArenaLab(
        np.zeros(1, dtype=np.int64),
        arena,
        flight,
        mapping,
        fence,
        drawn.rows,
        drawn.used,
        flight.targets.copy(),
        flight.targets.copy(),
        np.array([0.0, 0.0, np.inf]),
        guard,
        at_rest(guard, np.zeros(PAIR * AXES), PAIR),
        Given(np.zeros(PAIR * AXES), np.zeros(0), np.zeros(CUES)),
        np.zeros(1, dtype=np.int64),
        flight.targets.copy(),
    )
    write_entry(lab.entries, carry, pinned(lab), 0)
    return lab


def target_period(lab: ArenaLab) -> float:
    """Time between targets [s]."""
    return float(lab.guard.settings[PERIOD])


def flight_time(lab: ArenaLab) -> float:
    """Of the flight, zero where the run begins [s]."""
    return float(lab.flight.clock[CLOCK])


def above_floor(lab: ArenaLab) -> Fence:
    """What targets must keep now: on the floor until both are above it."""
    lowest = lab.fence.lowest.copy()
    lowest[Z] = lab.guard.axes[Z, LOWER]
    return lab.fence._replace(lowest=lowest)


def carriers_of(lab: ArenaLab) -> Carriers:
    """Both vehicles behind their guard."""
    return Carriers(describe(lab.fence, target_period(lab)), lab.memory)


def in_blocks(
    flying: Callable[..., Any], lab: ArenaLab, drawn: Drawn, targets: np.ndarray, cycles: int
) -> np.ndarray:
    """Both states (n, 2, 19) at the instants of targets (n, 2, 16), one every so many cycles, flown
    by `flying`: as many at a time as there are random numbers for."""
    states, block = np.empty((len(targets), PAIR, STATE_SIZE)), len(drawn.rows) // cycles
    given = pinned(lab)
    for first in range(0, len(targets), block):
        part = slice(first, min(first + block, len(targets)))
        drawn.refill(cycles * (part.stop - first))
        with shield():  # a link is called from inside, where nothing may be raised
            flying(given, np.ascontiguousarray(targets[part]), cycles, states[part])
    return states


def flown(lab: ArenaLab, drawn: Drawn, targets: np.ndarray, cycles: int) -> np.ndarray:
    """The same without a guard: what the vehicles make of any targets."""
    return in_blocks(fly, lab, drawn, targets, cycles)
