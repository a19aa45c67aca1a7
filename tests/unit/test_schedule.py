"""Named tuples by address, functions on board in their order, and sensors before them."""

from typing import NamedTuple

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.bus.bus import bus_of
from proxops.bus.fields import Field
from proxops.core.by_address import pinned
from proxops.core.jit import enter, kernel, pluggable
from proxops.onboard.function import DONE, SWITCHED, WANTS_PYTHON, Function, nothing
from proxops.onboard.schedule import (
    ANSWERED,
    ENTRY,
    NEXT,
    Scheduled,
    nothing_done,
    run_functions,
    sample,
    scheduled,
)
from proxops.sim.rows import recorded_fields
from proxops.sim.start import start_of, truth_of

MS = 1_000_000  # [ns]
FAILS = 7


class Inner(NamedTuple):
    values: np.ndarray
    count: int


class Middle(NamedTuple):
    inner: Inner
    share: float


class Outer(NamedTuple):
    middle: Middle
    table: np.ndarray


@kernel
def added(outer, more):
    """Reads scalars and arrays at all depths, writes to an array."""
    inner = outer.middle.inner
    outer.table[1, 2] += outer.middle.share
    return inner.values[inner.count] + outer.table[1, 2] + more


def example() -> Outer:
    return Outer(Middle(Inner(np.array([1.0, 2.0, 4.0]), 2), 0.25), np.arange(6.0).reshape(2, 3))


def test_a_named_tuple_is_read_and_written_at_its_address() -> None:
    outer = example()
    assert enter(added, (pinned(outer),), 100.0) == 4.0 + 5.25 + 100.0
    assert outer.table[1, 2] == 5.25
    assert enter(added, (pinned(outer),), 0.0) == 4.0 + 5.5
    assert len(added.signatures) == 1


def test_an_array_that_is_a_part_of_another_is_read_with_its_strides() -> None:
    table = np.arange(20.0).reshape(4, 5)
    outer = example()._replace(table=np.ascontiguousarray(table)[1:3])
    assert enter(added, (pinned(outer),), 0.0) == 4.0 + 12.25
    assert table[2, 2] == 12.25


@pytest.mark.parametrize("bad", [True, "text", np.zeros(2, dtype=np.float32), None])
def test_what_compiled_code_would_read_wrongly_is_not_pinned(bad) -> None:
    with pytest.raises(TypeError, match="cannot be pinned"):
        pinned(Inner(np.zeros(1), bad))


class Step(NamedTuple):
    """What a function of this test writes to the commands, and when it fails."""

    number: float
    fails_at: float


class Count(NamedTuple):
    calls: np.ndarray


class Reads(NamedTuple):
    t: np.ndarray


class Writes(NamedTuple):
    numbers: np.ndarray


@pluggable
def append(params, memory, inputs, outputs):
    """Appends its number to the commands; a status of its own at the time at which it fails."""
    memory.calls[0] += 1.0
    if inputs.t[0] == params.fails_at:
        return FAILS
    outputs.numbers[0] = 10.0 * outputs.numbers[0] + params.number
    return DONE


@kernel
def run_until_done(schedule, progress, now):
    """One call of `run_functions`."""
    return run_functions(schedule, progress, now)


class Board:
    """Functions of a test and their schedule."""

    def __init__(self, *functions: Function) -> None:
        self.bus = bus_of((), (), (), [Field("others", shape=(2,)), Field("numbers")])
        self.functions = functions
        nothing_recorded = np.zeros((0, 3), dtype=np.int64)
        self.scheduled: Scheduled = scheduled(functions, 0, self.bus, nothing_recorded)
        self.scheduled.link([], None, functions, self.bus)
        self.progress = nothing_done()

    def at(self, now: int) -> int:
        """The status at an instant [ns]."""
        self.bus.measurements["t"][0] = now
        return int(run_until_done(self.scheduled.schedule, self.progress, now))

    def wrote(self) -> float:
        """What they have written since the last call."""
        numbers = self.bus.commands["numbers"]
        found = float(numbers[0])
        numbers[0] = 0.0
        assert not self.bus.commands["others"].any()
        return found


def function(number: float, period: int, fails_at: float = -1.0) -> Function:
    memory = Count(np.zeros(1))
    return Function(f"{number:g}", append, Reads, Writes, Step(number, fails_at), memory, period)


def in_python(name: str, period: int) -> Function:
    return Function(name, None, nothing(), nothing(), period=period)


def test_functions_run_in_their_order_each_at_its_period() -> None:
    board = Board(function(1.0, 2 * MS), function(2.0, MS), function(3.0, 4 * MS))
    wrote = []
    for tick in range(5):
        assert board.at(tick * MS) == DONE
        wrote.append(board.wrote())
    assert wrote == [123.0, 2.0, 12.0, 2.0, 123.0]


def test_a_function_in_python_has_one_turn_an_instant_and_others_run_once() -> None:
    """Before and behind it; the loop returns to Python and comes back at the same instant."""
    board = Board(function(1.0, MS), in_python("own", 2 * MS), function(3.0, MS))
    statuses = []
    for tick in range(4):
        status = board.at(tick * MS)
        statuses.append(status)
        if status == WANTS_PYTHON:
            assert (board.progress[NEXT], board.progress[ANSWERED]) == (1, tick * MS)
            numbers = board.bus.commands["numbers"]
            numbers[0] = 10.0 * numbers[0] + 2.0
            assert board.at(tick * MS) == DONE
        assert board.wrote() == (123.0 if status == WANTS_PYTHON else 13.0)
    assert statuses == [WANTS_PYTHON, DONE, WANTS_PYTHON, DONE]
    assert [float(each.memory.calls[0]) for each in (board.functions[0], board.functions[2])] == [
        4.0, 4.0,
    ]  # fmt: skip


def test_two_functions_in_python_each_have_their_turn_at_one_instant() -> None:
    board = Board(in_python("first", MS), in_python("second", MS))
    turns = []
    while board.at(0) == WANTS_PYTHON:
        turns.append(int(board.progress[NEXT]))
    assert turns == [0, 1]


def test_a_function_that_fails_ends_the_cycle_where_it_stands() -> None:
    board = Board(function(1.0, MS), function(2.0, MS, fails_at=MS), function(3.0, MS))
    assert (board.at(0), board.wrote()) == (DONE, 123.0)
    assert (board.at(MS), board.wrote()) == (FAILS, 1.0)
    assert board.progress[NEXT] == 1  # whose failure it is


def test_a_function_that_is_stopped_leaves_no_command_and_starts_again_from_its_first_state() -> (
    None
):
    board = Board(function(1.0, MS), function(2.0, MS))
    activity, memory = board.scheduled.schedule.activity, board.functions[1].memory
    assert board.at(0) == DONE
    activity[1] = 0.0
    assert board.at(MS) == SWITCHED
    assert board.progress[NEXT] == 1  # before any function that has changed
    board.scheduled.switch()
    assert board.wrote() == 0.0
    assert (board.at(MS), board.wrote()) == (DONE, 0.0)  # the first one has run before the switch
    assert (board.at(2 * MS), board.wrote()) == (DONE, 1.0)
    assert memory.calls[0] == 1.0
    memory.calls[0] = 99.0
    activity[1] = 1.0
    assert board.at(3 * MS) == SWITCHED
    board.scheduled.switch()
    assert board.at(3 * MS) == DONE
    assert memory.calls[0] == 1.0
    assert board.wrote() == 12.0


@kernel
def ask(schedule, progress, drawn, now):
    """One call of `sample`."""
    sample(schedule, progress, drawn, now)


def test_sensors_are_asked_once_an_instant_however_often_the_loop_comes_by() -> None:
    """A function in Python has it return within an instant: noise must not be drawn anew."""
    built = build(proxops.load("envisat-capture"))
    onboard = built.onboard
    state = start_of(built, onboard, built)
    state.hubs[:, 3], state.hubs[1, 0] = 1.0, 5.0
    bus, sensors, seen = onboard.bus, onboard.sensors, state.measurements
    made = scheduled([], len(sensors), bus, np.zeros((0, 3), dtype=np.int64))
    made.link(sensors, truth_of(state), [], bus)
    assert [each.name for each in sensors] == [
        "star_tracker", "gyro", "camera", "wrist", "encoders", "telemetry",
    ]  # fmt: skip
    for now, times in ((0, 1), (0, 1), (MS, 2), (MS, 2), (MS, 2)):
        before, is_new = seen.copy(), state.drawn[0] != times
        state.clock[0] = now
        ask(made.schedule, state.progress, state.drawn, now)
        assert state.drawn.tolist() == [times]
        assert is_new != (seen == before).all()


def test_a_chaser_without_software_that_senses_has_ideal_sensors_only() -> None:
    """Random numbers are then not used up either."""
    onboard = build(proxops.load("free-tumble")).onboard
    assert onboard.sensors == []
    assert [each.name for each in onboard.functions] == ["joint_control"]
    made = scheduled([], 0, onboard.bus, np.zeros((0, 3), dtype=np.int64))
    drawn = np.zeros(1, dtype=np.int64)
    ask(made.schedule, nothing_done(), drawn, MS)
    assert drawn.tolist() == [0]


def test_a_function_is_given_views_of_the_bus_by_the_names_of_its_fields() -> None:
    """What it writes is there at once for those behind it."""
    board = Board(function(1.0, MS))
    (row,) = board.scheduled.schedule.calls
    assert row[ENTRY] != 0
    views = board.bus.views(Writes)
    assert np.shares_memory(views.numbers, board.bus.commands.array)
    assert board.bus.commands.layout.where("numbers") == slice(2, 3)


def test_what_is_recorded_stands_where_the_bus_has_it() -> None:
    """All that functions make, and of commands those that somebody writes."""
    onboard = build(proxops.load("envisat-capture")).onboard
    bus = onboard.bus
    layouts = [each.layout for each in (bus.measurements, bus.estimates, bus.commands)]
    names = {
        each.name: each.signal
        for source, start, count in recorded_fields(onboard)
        for each in layouts[source]
        if layouts[source].where(each.name) == slice(start, start + count)
    }
    assert names == {
        "wrist.wrench": "sensors.wrist",
        "navigation.p_CG": "obsw.navigation.p_CG",
        "navigation.w_CG_C": "obsw.navigation.w_CG_C",
        "capture.mode": "obsw.mode",
        "capture.storage": "obsw.storage",
        "capture.power": "obsw.grasp.power",
        "capture.energy": "obsw.grasp.energy",
        "base.force": "obsw.base.force",
        "base.torque": "obsw.base.torque",
    }
