"""The loop for several cases at once: together where they can, else one by one.

    together   entry i of all cases side by side; one pass of the loop advances all of them
    alone      one case in all lanes: no test differs between them, and every number is what it is
               together

So what a case comes to depends on no other case that it is flown with.  Ticks that lanes did not
share are thrown away, and flown again tick by tick, each that lanes do not share case by case.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.extending import intrinsic

from proxops.core.jit import part
from proxops.core.lanes.branches import take_parted
from proxops.core.lanes.compiled import lane_kernel
from proxops.plant.step import OK
from proxops.sim.worlds.orbit import advance_until

_loop = part(advance_until.py_func)

TICKS = 8  # that are flown together before a look at whether all lanes shared them

# Entries of Flock.now
APART = 0  # 1: whole numbers of cases differ, so that they cannot be flown together
WIDTH = 1  # how many lanes
EVENTS = 2  # where whole numbers have the count of events in the log
NOW_SIZE = 3


class Flock(NamedTuple):
    """The state of all cases: its numbers side by side, its whole numbers, which they share."""

    numbers: np.ndarray
    whole: np.ndarray
    kept: np.ndarray  # the same before ticks that may be thrown away
    kept_whole: np.ndarray
    alone: np.ndarray  # of each case in all lanes, a row each
    alone_whole: np.ndarray
    addresses: np.ndarray  # of model, state, workspace and log of each of these
    source: np.ndarray  # of each lane: itself, or the lane of which it is a copy
    rows: np.ndarray  # that are flown together, and of each case alone
    alone_rows: np.ndarray
    status: np.ndarray  # of each case
    now: np.ndarray


@intrinsic
def _pinned_at(typingctx: Any, address: Any, like: Any) -> Any:
    """What is pinned at an address, of the type of `like`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(like))

    return like(types.int64, like), codegen


# What type checkers take for their definitions
_at: Any = _pinned_at
_parted: Any = take_parted


@part
def _copy(source, into):
    for i in range(source.shape[0]):
        into[i] = source[i]


@part
def _give(flock, lane):
    """Gives a case alone what it is among the others."""
    width = flock.now[WIDTH]
    alone = flock.alone[lane]
    for first in range(0, flock.numbers.shape[0], width):
        value = flock.numbers[first + lane]
        for i in range(width):
            alone[first + i] = value


@part
def _take(flock, lane, source):
    """Takes back what a case has become alone."""
    width = flock.now[WIDTH]
    for first in range(0, flock.numbers.shape[0], width):
        flock.numbers[first + lane] = flock.alone[source, first]


@part
def _take_rows(flock, lane, source, begin, end):
    """Puts rows of a case alone among those of the others."""
    width = flock.now[WIDTH]
    for row in range(begin, end):
        for first in range(0, flock.rows.shape[1], width):
            flock.rows[row, first + lane] = flock.alone_rows[source, row, first]


@part
def _all_same(whole):
    """Whether all cases have the same whole numbers."""
    for lane in range(1, whole.shape[0]):
        for i in range(whole.shape[1]):
            if whole[lane, i] != whole[0, i]:
                return False
    return True


@part
def _tick_alone(model, state, work, log, span, flock):
    """A tick of each case by itself; whether none has failed."""
    width, begin, fine, leads = flock.now[WIDTH], log.row_count[0], True, -1
    end = begin
    for lane in range(width):
        if flock.source[lane] == lane:
            _give(flock, lane)
            if flock.now[APART] == 0:
                _copy(flock.whole, flock.alone_whole[lane])
            own = flock.addresses[lane]
            own_log = _at(own[3], log)
            status = _loop(
                _at(own[0], model), _at(own[1], state), _at(own[2], work), 0, own_log, span
            )
            flock.status[lane] = status
            if status == OK:
                leads, end = lane, own_log.row_count[0]
            else:
                fine = False
    for lane in range(width):
        source = flock.source[lane]
        _take(flock, lane, source)
        _copy(flock.alone_whole[source], flock.alone_whole[lane])
        _take_rows(flock, lane, source, begin, end)
    flock.now[APART] = 0 if _all_same(flock.alone_whole) else 1
    if leads >= 0:  # apart: the clock and the count of rows are those of all that go on
        _copy(flock.alone_whole[leads], flock.whole)
    _parted()
    return fine


@part
def _is_any_event(flock):
    """Whether something has happened to a case that Python has not taken note of."""
    if flock.now[APART] == 0:
        return flock.whole[flock.now[EVENTS]] > 0
    for lane in range(flock.alone_whole.shape[0]):
        if flock.alone_whole[lane, flock.now[EVENTS]] > 0:
            return True
    return False


@part
def _keep(flock):
    """Notes what cases are before ticks that may be thrown away."""
    _copy(flock.numbers, flock.kept)
    _copy(flock.whole, flock.kept_whole)
    _parted()


@part
def _go_back(flock):
    """Throws ticks away."""
    _copy(flock.kept, flock.numbers)
    _copy(flock.kept_whole, flock.whole)


@part
def _tick(model, state, work, log, one, flock):
    """A tick, of all cases together if they share it; whether none has failed."""
    if flock.now[APART] == 0:
        _keep(flock)
        status = _loop(model, state, work, 0, log, one)
        if _parted() == 0:
            for lane in range(flock.status.shape[0]):
                flock.status[lane] = status
            return status == OK
        _go_back(flock)
    return _tick_alone(model, state, work, log, one, flock)


@lane_kernel
def fly_together(model, state, work, log, few, one, flock, ticks):
    """So many ticks, or fewer: up to the end of the span, the log's last row, an event, or a case
    that cannot go on (see `Flock.status`).  `few` and `one` are the span, so many ticks at a time
    and tick by tick."""
    end = min(few.end, state.clock[0] + ticks * few.step)
    while state.clock[0] < end and log.row_count[0] + few.ticks + 2 <= log.rows.shape[0]:
        if flock.now[APART] == 0:
            _keep(flock)
            status = _loop(model, state, work, 0, log, few)
            if _parted() == 0 and status == OK:
                if _is_any_event(flock):
                    return
                continue
            _go_back(flock)
        for _ in range(few.ticks):
            if state.clock[0] >= end:
                break
            fine = _tick(model, state, work, log, one, flock)
            if not fine or _is_any_event(flock):
                return
