"""When a sensor samples, which samples are lost, and when the others arrive.

    exposures    t = 0, T, 2T, ...     at every call where T is zero
    lost         within scripted windows [from, until), and at random: with chance p after a sample
                 that was not lost, p' after one that was; bursts then last 1/(1 - p') samples
    arrival      at the first call not before the exposure + delay, in order, each with the time of
                 its exposure

Time is in whole nanoseconds: what divides meets, however long the run.  Whether a sample is lost is
decided by its exposure; what was exposed before a dropout still arrives.

What is particular to a sensor is its law, one compiled function

    measure(params, memory, truth, draws, values) -> whether there is anything to say

which writes `values` from the truth and standard normal numbers, `draws`.  All have parameters and
memory of the same types.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part, pluggable
from proxops.core.select import select

# Entries of Params.timing
PERIOD = 0  # [ns]; zero for every call
DELAY = 1  # from exposure to arrival [ns]
CONTINUOUS = 2  # one: `measure` is called at every call, due or not, for what it remembers

# Entries of Params.chances: a sample is lost if its normal number is below this
BEGINS = 0
GOES_ON = 1  # where the one before was lost

# Columns of windows
FROM = 0  # [ns]
UNTIL = 1  # [ns], no longer part of it
WINDOW_WIDTH = 2

# Entries of Memory.marks
TAKEN = 0  # samples that were taken
ARRIVED = 1  # samples that were handed over
WAS_LOST = 2  # one if the last sample was lost at random
LAST = 3  # instant of what a sensor remembers [ns], -1 while that is nothing

# A block of measurements: the time of exposure, a count, then values
COUNT_AFTER_T = 1
VALUE_AFTER_T = 2


class Params(NamedTuple):
    """Everything of a sensor that stays the same."""

    timing: np.ndarray
    chances: np.ndarray
    dropouts: np.ndarray  # windows without samples
    numbers: np.ndarray  # its own, see each sensor
    windows: np.ndarray  # in which it is disturbed
    disturbances: np.ndarray  # how, a row for each window


class Memory(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    times: np.ndarray  # of exposure, of samples on their way [ns], whole; written in turn
    samples: np.ndarray  # their values
    marks: np.ndarray  # whole
    bias: np.ndarray  # constant errors of this run, where their draws stand
    own: np.ndarray  # what it remembers, see each sensor
    values: np.ndarray  # what it says now
    draws: np.ndarray  # rows of standard normal numbers: whether lost, then its own


class Block(NamedTuple):
    """Where a sensor writes: time of the latest sample that has arrived, count, values."""

    measurements: np.ndarray


@helper
def is_due(params, now):
    """Whether a sensor samples now [ns]."""
    period = params.timing[PERIOD]
    return period == 0 or now % period == 0


@part
def window_at(windows, now):
    """Row of the first window that holds now [ns], -1 if none does."""
    for row in range(windows.shape[0]):
        if windows[row, FROM] <= now and now < windows[row, UNTIL]:
            return row
    return -1


@part
def gets_through(params, memory, now, draw):
    """Whether a sample exposed now [ns] is not lost."""
    marks = memory.marks
    chances = params.chances
    lost = draw < select(marks[WAS_LOST] == 1.0, chances[GOES_ON], chances[BEGINS])
    marks[WAS_LOST] = select(lost, 1.0, 0.0)
    return not lost and window_at(params.dropouts, now) < 0


@part
def take(memory, now):
    """Puts the values of now [ns] on their way."""
    row = int(memory.marks[TAKEN]) % memory.times.shape[0]
    memory.times[row] = now
    for i in range(memory.values.shape[0]):
        memory.samples[row, i] = memory.values[i]
    memory.marks[TAKEN] += 1.0


@part
def hand_over(params, memory, now, block):
    """Writes what arrives now [ns] into the sensor's block."""
    marks = memory.marks
    while marks[ARRIVED] < marks[TAKEN]:
        row = int(marks[ARRIVED]) % memory.times.shape[0]
        if memory.times[row] + params.timing[DELAY] > now:
            return
        block[0] = memory.times[row] / NS_PER_S
        block[COUNT_AFTER_T] += 1.0
        for i in range(memory.values.shape[0]):
            block[VALUE_AFTER_T + i] = memory.samples[row, i]
        marks[ARRIVED] += 1.0


def sampler(measure: Any, compiles: Callable[..., Any] = pluggable) -> Any:
    """What the schedule calls of a sensor with that law."""

    def sample(params, memory, truth, block):
        now, draws = truth.clock[0], memory.draws[truth.draw[0]]
        due = is_due(params, now)
        if due or params.timing[CONTINUOUS] == 1:
            says = measure(params, memory, truth, draws[1:], memory.values)
            if due and gets_through(params, memory, now, draws[0]) and says:
                take(memory, now)
        hand_over(params, memory, now, block.measurements)
        return 0

    # It is stored by the sensor's name: of a function of one name only some versions are kept
    sample.__module__, sample.__qualname__ = measure.py_func.__module__, sample.__name__
    return compiles(sample)
