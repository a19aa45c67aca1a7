"""Where a tick of a mission goes: CPU time of each stage, measured in flight.

    python -m benchmarks.tick

The loop calls sensors, functions on board, stages of the world, contacts and holds by their
addresses.  Here a stopwatch stands at each address: it reads the processor's cycle counter, calls
the function and reads again.  What a stage calls by address itself is taken off it, and so is the
time of the stopwatches.  The rest is the loop, random numbers, rows and verdict.
"""

import statistics
import sys
import time
from typing import Any, NamedTuple
from unittest.mock import patch

import llvmlite.ir as ir
import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

import proxops
from benchmarks.timing import table
from proxops.core import jit
from proxops.onboard import schedule
from proxops.sim.simulation import Simulation

MISSION = "envisat-capture"
TICKS_PER_S = 1000
SPANS = (("free flight", 5.0, 30.0), ("held", 38.0, 58.0), ("mission", 0.0, 60.0))  # [s] of it
FLIGHTS = 5
EMPTY_CALLS, ROUNDS = 1000, 200
REST, ALL = "rest: loop, random numbers, rows taken, verdict", "all"
INTERRUPTED = 200_000  # cycles: what takes longer was interrupted by another process
# Entries of a stopwatch's book, and of the one that all share
OWN, CALLS, INNER_CALLS = range(3)
INNER, INNER_COUNT = range(2)
# Stages by the names of their functions
STAGES = {
    "advance": "plant: RK4 without contacts and holds",
    "touch": "plant: contacts and holds in the stages",
    "weakest": "plant: search for contacts that close or open",
    "settle_contacts": "plant: ends of steps of contacts and holds",
    "settle_holds": "plant: ends of steps of contacts and holds",
    "show": "truth for the sensors",
    "put_interface": "forces for peaks and rows",
    "put_forces": "forces for peaks and rows",
    "add_wrist": "forces for the wrist",
    "sample": "sensors",
    "navigation": "navigation",
    "capture": "capture",
    "allocation": "allocation",
    "find_collisions": "search for collisions",
    "write": "rows",
}
LABELS = tuple(dict.fromkeys(STAGES.values()))


def _word(builder: Any, address: Any, number: int) -> Any:
    """Pointer to a word of a book."""
    words = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.gep(words, [ir.Constant(ir.IntType(32), number)])


def _cycles(builder: Any) -> Any:
    name = "llvm.readcyclecounter"
    kind = ir.FunctionType(ir.IntType(64), [])
    counter = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(counter, [])


@intrinsic
def _now(typingctx: Any) -> Any:
    """The processor's cycle counter."""
    return types.int64(), lambda context, builder, sig, args: _cycles(builder)


def _add(builder: Any, address: Any, number: int, value: Any) -> None:
    word = _word(builder, address, number)
    builder.store(builder.add(builder.load(word), value), word)


def _timed(returns: Any) -> Any:
    """What calls a function by its address, and books its time."""

    @intrinsic
    def timed(typingctx: Any, entry: Any, book: Any, shared: Any, arguments: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            entry, book, shared, given = args
            each = [builder.extract_value(given, i) for i in range(len(arguments.types))]
            value_type = context.get_value_type
            kind = ir.FunctionType(value_type(returns), [value_type(a) for a in arguments.types])
            zero, one = (ir.Constant(ir.IntType(64), number) for number in (0, 1))
            before = builder.load(_word(builder, shared, INNER))
            builder.store(zero, _word(builder, shared, INNER))
            calls = builder.load(_word(builder, shared, INNER_COUNT))
            start = _cycles(builder)
            result = builder.call(builder.inttoptr(entry, kind.as_pointer()), each)
            passed = builder.sub(_cycles(builder), start)
            inner = builder.load(_word(builder, shared, INNER))
            kept = builder.icmp_signed("<", passed, ir.Constant(ir.IntType(64), INTERRUPTED))
            own = builder.sub(passed, inner)
            _add(builder, book, OWN, builder.select(kept, own, zero))
            _add(builder, book, CALLS, builder.select(kept, one, zero))
            inner_calls = builder.load(_word(builder, shared, INNER_COUNT))
            _add(builder, book, INNER_CALLS, builder.sub(inner_calls, calls))
            builder.store(builder.add(before, passed), _word(builder, shared, INNER))
            # Those that it calls call others, which are their matter: none of ours nests deeper
            builder.store(builder.add(calls, one), _word(builder, shared, INNER_COUNT))
            return result

        return returns(types.int64, types.int64, types.int64, arguments), codegen

    return timed


_STATUS, _NUMBER = _timed(types.int64), _timed(types.float64)


def _stopwatch(entry: int, book: int, shared: int, arity: int, returns_number: bool) -> Any:
    """A function of so many arguments that calls the one at that address, and books its time."""
    names = ", ".join(f"a{i}" for i in range(arity))
    text = f"def timed({names}):\n    return call({entry}, {book}, {shared}, ({names},))\n"
    space = {"call": _NUMBER if returns_number else _STATUS}
    exec(text, space)
    settings = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cpython_wrapper": True}
    return numba.njit(**settings)(space["timed"])


class Stopwatches:
    """At all addresses that a run calls while this is in force."""

    def __init__(self) -> None:
        self.shared = np.zeros(2, dtype=np.int64)
        self.books: dict[str, np.ndarray] = {}
        self._entry_of = jit.entry_of
        self._keep: list[Any] = []

    def entry_of(self, function: Any, *examples: Any, returns_number: bool = False) -> int:
        """The address of a stopwatch around a function."""
        entry = self._entry_of(function, *examples, returns_number=returns_number)
        name = function.py_func.__name__
        stage = name if name != "step" else function.py_func.__module__.split(".")[-2]
        book = self.books.setdefault(STAGES.get(stage, REST), np.zeros(3, dtype=np.int64))
        place, shared = (int(each.ctypes.data) for each in (book, self.shared))
        timed = _stopwatch(entry, place, shared, len(examples), returns_number)
        self._keep.append(timed)
        return self._entry_of(timed, *examples, returns_number=returns_number)

    def read(self) -> dict[str, np.ndarray]:
        """Own cycles, calls and inner calls so far of each stage."""
        return {name: book.copy() for name, book in self.books.items()}


def _nothing(n: int) -> int:
    return 0


def stopwatch_costs() -> tuple[float, float]:
    """Cycles that a stopwatch books for a function that does nothing, and those that it takes
    besides."""
    watches = Stopwatches()
    settings = {"_nrt": False, "no_cpython_wrapper": True}
    nothing = numba.njit(**settings)(_nothing)
    invoke = jit.invoke

    def repeat(entry: int) -> int:
        for _ in range(EMPTY_CALLS):
            invoke(entry, (1,))
        return 0

    taken = []
    for timed in (False, True):
        entry = watches.entry_of(nothing, 1) if timed else jit.entry_of(nothing, 1)
        whole = Stopwatches()
        outer = whole.entry_of(numba.njit(**settings)(repeat), 1)
        call = numba.njit(lambda outer, entry: invoke(outer, (entry,)), _nrt=False)
        for _ in range(ROUNDS):
            call(outer, entry)
        book = whole.books[REST]
        inside = watches.books[REST][OWN] if timed else 0
        taken.append((book[OWN] / book[CALLS] / EMPTY_CALLS, inside))
    booked = watches.books[REST][OWN] / watches.books[REST][CALLS]
    return booked, max(taken[1][0] - taken[0][0], 0.0)


class Mark(NamedTuple):
    """What was read at an instant."""

    t: float  # of the mission [s]
    cpu: float  # [s]
    wall: float  # [s]
    cycles: int
    books: dict[str, np.ndarray]


def fly() -> list[Mark]:
    """A flight: what was read whenever the loop came back."""
    simulation = Simulation(proxops.load(MISSION))
    duration = simulation.scenario.mission.time.duration_s
    watches = Stopwatches()
    clock = numba.njit(lambda: _now(), _nrt=False)
    clock()
    marks = []

    def note(share: float) -> None:
        books = {name: book.copy() for name, book in watches.books.items()}
        now = time.process_time(), time.perf_counter(), clock()
        marks.append(Mark(share * duration, *now, books))

    with (
        patch.object(jit, "entry_of", watches.entry_of),
        patch.object(schedule, "entry_of", watches.entry_of),
    ):
        simulation.run(progress=note)
    return marks


def us_a_tick(begin: Mark, end: Mark, costs: tuple[float, float]) -> dict[str, float]:
    """Of each stage and of the rest [us]."""
    booked, besides = costs
    per_s = (end.cycles - begin.cycles) / (end.wall - begin.wall)
    ticks = round((end.t - begin.t) * TICKS_PER_S)
    found, watches = {}, 0.0
    for name, book in end.books.items():
        own, calls, inner = book - begin.books[name]
        taken = own - calls * booked - inner * besides
        found[name] = 1e6 * taken / per_s / ticks
        watches += 1e6 * calls * (booked + besides) / per_s / ticks
    whole = 1e6 * (end.cpu - begin.cpu) / ticks - watches
    found[REST] = whole - sum(taken for name, taken in found.items() if name != REST)
    return found | {ALL: whole}


def main() -> None:
    """Prints a table: medians of flights."""
    fly()  # compiles
    found: dict[str, list[dict[str, float]]] = {name: [] for name, _, _ in SPANS}
    for _ in range(FLIGHTS):
        costs, marks = stopwatch_costs(), fly()
        for name, begin, end in SPANS:
            within = [mark for mark in marks if begin <= mark.t <= end]
            found[name].append(us_a_tick(within[0], within[-1], costs))
    rows = []
    for label in (*LABELS, REST, ALL):
        cells = [
            statistics.median(each.get(label, 0.0) for each in flights)
            for flights in found.values()
        ]
        rows.append([label, *(f"{cell:.2f}" for cell in cells)])
    sys.stdout.write(table(["us a tick", *found], rows) + "\n")


if __name__ == "__main__":
    main()
