"""Shares as pulses: when, in a cycle, each engine is off.

An engine is off once a cycle, from its begin or up to its end.  Pulses are whole ticks and not
shorter than the valve allows; what they leave over is carried to the next cycle, so nothing is
lost on average.
"""

import numpy as np

from proxops.core.jit import helper, kernel, part
from proxops.onboard.functions.boost.engines import CARRY, LEFT, MARK, MEMORY_WIDTH, SHORTEST, START

ALIGNED = 1  # all off-pulses begin with the cycle
STAGGERED = 2  # as few as possible overlap


@helper
def whole_pulse(wanted, cycle, shortest):
    """Off-time of a cycle nearest to the wanted one [ticks]: none, all, or a whole number of ticks
    that leaves off-pulse and on-pulse at least the shortest."""
    if wanted <= 0.0:
        return 0.0
    if wanted >= cycle:
        return cycle
    if 2.0 * shortest > cycle:
        return cycle if wanted >= 0.5 * cycle else 0.0
    pulse = np.floor(wanted + 0.5)
    if pulse < shortest:
        return shortest if wanted >= 0.5 * shortest else 0.0
    if pulse > cycle - shortest:
        return cycle - shortest if cycle - wanted >= 0.5 * shortest else cycle
    return pulse


@part
def plan_pulses(engine_data, memory, shares, cycle, staggered):
    """Writes the off-pulse of every engine for a cycle [ticks]: LEFT, START and CARRY."""
    for i in range(shares.shape[0]):
        # What was deferred or overdrawn is made up for, but never more than a cycle: a wish that
        # cannot be met must not pile up.
        owed = min(max(memory[i, CARRY] + memory[i, LEFT], -cycle), cycle)
        wanted = (1.0 - shares[i]) * cycle + owed
        memory[i, LEFT] = whole_pulse(wanted, cycle, engine_data[i, SHORTEST])
        memory[i, CARRY] = wanted - memory[i, LEFT]
        memory[i, START] = 0.0
    if staggered:
        stagger(memory, cycle)


# --- staggering ----------------------------------------------------------------------------------


@part
def stagger(memory, cycle):
    """Writes START so that the most engines off at once are as few as they can be.

    By off-time, the longest at the begin, the next two at the end, two at the begin, and so on.
    That may overlap more than needed: then pulses that fit into one cycle together are paired,
    the longest with the shortest, one at the begin and one at the end.  Pulses at one end always
    overlap, so no placement has fewer off at once than there are pairs and single pulses, and
    this pairing leaves the fewest of them.
    """
    serpentine(memory, cycle)
    if max_off(memory) > pair(memory, cycle):
        place_pairs(memory, cycle)


@part
def longest_unmarked(memory):
    """The engine with the longest off-time of those without a mark, -1 if there is none."""
    best = -1
    for i in range(memory.shape[0]):
        if memory[i, MARK] == 0.0 and (best < 0 or memory[i, LEFT] > memory[best, LEFT]):
            best = i
    return best


@part
def unmark(memory):
    """Clears all marks, but of engines that are not off at all."""
    for i in range(memory.shape[0]):
        memory[i, MARK] = 0.0 if memory[i, LEFT] > 0.0 else 1.0


@part
def serpentine(memory, cycle):
    """Writes START: begin, end, end, begin, begin, end ... by falling off-time."""
    unmark(memory)
    for rank in range(memory.shape[0]):
        i = longest_unmarked(memory)
        if i < 0:
            break
        memory[i, MARK] = 1.0
        memory[i, START] = cycle - memory[i, LEFT] if (rank + 1) // 2 % 2 == 1 else 0.0


@part
def max_off(memory):
    """The most engines off at once; that happens where one of them goes off."""
    largest = 0
    for i in range(memory.shape[0]):
        count = 0
        for j in range(memory.shape[0]):
            if memory[j, START] <= memory[i, START] < memory[j, START] + memory[j, LEFT]:
                count += 1
        largest = max(largest, count)
    return largest


@part
def pair(memory, cycle):
    """Pairs off-pulses that fit into one cycle together, the longest with the shortest; MARK of
    both is the pair's number, that of single ones negative; returns how many pairs and singles."""
    unmark(memory)
    groups = 0
    i = longest_unmarked(memory)
    while i >= 0:
        groups += 1
        memory[i, MARK] = -1.0 - groups
        shortest = -1
        for j in range(memory.shape[0]):
            if memory[j, MARK] == 0.0 and (
                shortest < 0 or memory[j, LEFT] <= memory[shortest, LEFT]
            ):
                shortest = j
        if shortest >= 0 and memory[i, LEFT] + memory[shortest, LEFT] <= cycle:
            memory[i, MARK] = 1.0 + groups
            memory[shortest, MARK] = 1.0 + groups
        i = longest_unmarked(memory)
    return groups


@part
def place_pairs(memory, cycle):
    """Writes START: of each pair the longer at the begin, the other at the end; single ones, which
    overlap with everything, at the begin."""
    for i in range(memory.shape[0]):
        memory[i, START] = 0.0
        for j in range(memory.shape[0]):
            if j != i and memory[i, MARK] > 1.0 and memory[j, MARK] == memory[i, MARK]:
                shorter = memory[i, LEFT] < memory[j, LEFT]
                if shorter or (memory[i, LEFT] == memory[j, LEFT] and i > j):
                    memory[i, START] = cycle - memory[i, LEFT]


# --- analysis ------------------------------------------------------------------------------------


@kernel
def placed(memory, cycle):
    """`stagger`, callable from Python."""
    stagger(memory, cycle)


def engines_on(shares: np.ndarray, *, staggered: bool, ticks: int = 1000) -> np.ndarray:
    """Which engine is on in a cycle: one row a tick, one column an engine."""
    memory = np.zeros((len(shares), MEMORY_WIDTH))
    memory[:, LEFT] = np.round((1.0 - shares) * ticks)
    if staggered:
        placed(memory, float(ticks))
    instants = np.arange(ticks)[:, None]
    off = (memory[:, START] <= instants) & (instants < memory[:, START] + memory[:, LEFT])
    return np.asarray(~off)


def least_thrust(shares: np.ndarray, thrust: np.ndarray, *, staggered: bool) -> float:
    """Least thrust within a cycle, over full thrust [-]."""
    on = engines_on(shares, staggered=staggered)
    return float(np.min(on @ thrust) / np.sum(thrust))
