"""The loop for several cases at once: entry i of all cases side by side, one pass of the loop
advances all of them.

In a pass all lanes go the way of one of them, the leader.  Those that would have gone another way
are parted from it: what the pass made of them is thrown away, and they are flown again behind a
leader of their own.  So each case goes the way that it would go alone, every number of it is
computed by the same instructions in its own lane, and what it comes to depends on no other case
that it is flown with.
"""

from typing import Any, NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.core.lanes.branches import let_lead, take_parted
from proxops.core.lanes.compiled import lane_kernel
from proxops.plant.step import OK
from proxops.sim.worlds.orbit import advance_until

_loop = part(advance_until.py_func)

TICKS = 8  # that are flown before a look at which lanes went the way of the leader

# Entries of Flock.now
WIDTH = 0  # how many lanes
CLOCK = 1  # where whole numbers have the clock
ROW_COUNT = 2  # and the count of rows
UNLIKE = 3  # 1: cases have come to other whole numbers, which they must share
NOW_SIZE = 4


class Flock(NamedTuple):
    """The state of all cases: its numbers side by side, its whole numbers, which they share."""

    numbers: np.ndarray
    whole: np.ndarray
    before: np.ndarray  # the same before the ticks at hand
    whole_before: np.ndarray
    flown: np.ndarray  # of the cases that were flown already in these ticks
    whole_flown: np.ndarray
    rows: np.ndarray  # see Log
    rows_flown: np.ndarray  # those of these ticks
    log: np.ndarray  # see Watch
    log_flown: np.ndarray
    lengths: np.ndarray  # how many events each case has logged
    status: np.ndarray  # of each case
    ended: np.ndarray  # of each case that cannot go on: clock and count of rows
    now: np.ndarray


# What type checkers take for their definitions
_parted: Any = take_parted
_let_lead: Any = let_lead


@part
def _copy(source, into):
    for i in range(source.shape[0]):
        into[i] = source[i]


@part
def _copy_lanes(source, into, width, lanes):
    """Copies what some lanes have, a bit each in `lanes`."""
    for lane in range(width):
        if (lanes >> lane) & 1:
            for first in range(0, source.shape[0], width):
                into[first + lane] = source[first + lane]


@part
def _copy_rows(source, into, first, other, count, width, lanes):
    """Copies so many rows of some lanes, from the row `first` on to those from `other` on."""
    for i in range(count):
        _copy_lanes(source[first + i], into[other + i], width, lanes)


@part
def _most(lengths):
    """Events that any case has logged."""
    most = 0
    for i in range(lengths.shape[0]):
        most = max(most, int(lengths[i]))
    return most


@part
def _first_of(lanes):
    """The first of these lanes."""
    lane = 0
    while not (lanes >> lane) & 1:
        lane += 1
    return lane


@part
def _note_end(flock, lanes, status):
    """Notes how a pass has ended for some lanes."""
    for lane in range(flock.now[WIDTH]):
        if (lanes >> lane) & 1:
            flock.status[lane] = status
            flock.ended[lane, 0] = flock.whole[flock.now[CLOCK]]
            flock.ended[lane, 1] = flock.whole[flock.now[ROW_COUNT]]


@part
def _keep(flock, lanes, status, rows, none_goes_on):
    """Keeps what has come of some lanes in a pass of the ticks that began with so many rows."""
    width, more = flock.now[WIDTH], flock.whole[flock.now[ROW_COUNT]] - rows
    _copy_lanes(flock.numbers, flock.flown, width, lanes)
    _copy_rows(flock.rows, flock.rows_flown, rows, 0, more, width, lanes)
    _copy_rows(flock.log, flock.log_flown, 0, 0, _most(flock.lengths), width, lanes)
    if status != OK and not none_goes_on:
        return
    for i in range(flock.whole.shape[0]):
        if status == OK and not none_goes_on and flock.whole_flown[i] != flock.whole[i]:
            flock.now[UNLIKE] = 1
        flock.whole_flown[i] = flock.whole[i]


@part
def _fly_apart(model, state, work, log, span, flock, left, rows):
    """Flies the lanes that are left, each behind the first that has gone its way, and puts all
    together; `rows` were there before."""
    width = flock.now[WIDTH]
    every = (1 << width) - 1
    goes_on = flock.status[_first_of(every & ~left)] == OK
    while left != 0:
        _copy(flock.before, flock.numbers)
        _copy(flock.whole_before, flock.whole)
        _let_lead(_first_of(left))
        status = _loop(model, state, work, 0, log, span)
        agreed = left & ~_parted()
        _note_end(flock, agreed, status)
        _keep(flock, agreed, status, rows, not goes_on)
        goes_on = goes_on or status == OK
        left &= ~agreed
    _let_lead(0)
    _copy(flock.flown, flock.numbers)
    _copy(flock.whole_flown, flock.whole)
    more = flock.whole[flock.now[ROW_COUNT]] - rows
    _copy_rows(flock.rows_flown, flock.rows, 0, rows, more, width, every)
    _copy_rows(flock.log_flown, flock.log, 0, 0, _most(flock.lengths), width, every)


@part
def _fly(model, state, work, log, span, flock):
    """A few ticks of all cases; whether they go on, and nothing has happened."""
    every, rows = (1 << flock.now[WIDTH]) - 1, log.row_count[0]
    _copy(flock.numbers, flock.before)
    _copy(flock.whole, flock.whole_before)
    _parted()
    status = _loop(model, state, work, 0, log, span)
    left = _parted()
    _note_end(flock, every & ~left, status)
    if left != 0:
        _keep(flock, every & ~left, status, rows, True)
        _fly_apart(model, state, work, log, span, flock, left, rows)
    for lane in range(flock.now[WIDTH]):
        if flock.status[lane] != OK:
            return False
    return _most(flock.lengths) == 0


@lane_kernel
def fly_together(model, state, work, log, span, flock, ticks):
    """So many ticks, or fewer: up to the end of the span, the log's last row, an event, or a case
    that cannot go on (see `Flock.status`)."""
    end = min(span.end, state.clock[0] + ticks * span.step)
    while state.clock[0] < end and log.row_count[0] + span.ticks + 2 <= log.rows.shape[0]:
        if not _fly(model, state, work, log, span, flock):
            return
