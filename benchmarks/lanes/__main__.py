"""What parts of a tick gain by computing several cases at once in SIMD lanes; prints tables of
docs/lanes.md.

    python -m benchmarks.lanes [--width 8] [--captures 4]

Widths of 4 and 8 doubles are what registers of AVX2 and AVX-512 hold.  Times are CPU times, scalar
code and lanes taking turns.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from benchmarks.lanes import modes
from benchmarks.lanes.cases import Group, advance, largest_difference, pins
from benchmarks.lanes.onboard import Flown, Replays, replay, replay_group
from benchmarks.lanes.steps import repeat_group, repeat_scalar
from benchmarks.timing import Effort, microseconds, say, table
from proxops.core.lanes.branches import count_by_function, forget, parted_in
from proxops.plant.step import OK

EFFORT = Effort(rounds=9, slice_s=0.02)
MISSION = "envisat-capture"
CLOSING_S = 33.95  # fingers close: contacts of cases differ
PHASES = ((12.0, "free flight"), (45.0, "held"))  # instants [s] at which all parts are measured
FLIGHT_S = 10.0  # how much of a free flight is flown in lanes
WHOLE_TICKS = 1000  # over which a whole tick of a mission is averaged
TICKS = 200  # of the functions on board that are replayed
FUNCTIONS = ("navigation", "capture", "allocation")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lanes", description=__doc__)
    parser.add_argument("--width", type=int, default=8, help="lanes: 4 or 8")
    parser.add_argument("--captures", type=int, default=4, help="groups of whole captures compared")
    given = parser.parse_args()
    count_by_function()
    say(f"{llvm.get_host_cpu_name()}, {given.width} lanes")
    group = Group(MISSION, given.width)
    before, after = PHASES
    echo(free_flight(group))
    echo(phase(group, *before))
    echo(at_closing(group))
    echo(phase(group, *after))
    if given.captures:
        echo(differences(given.captures, given.width))


def echo(text: str) -> None:
    """A section of the page."""
    sys.stdout.write(text + "\n\n")
    sys.stdout.flush()


def _ratio(alone: float, together: float, width: int) -> list[str]:
    """Cells of a table: us a case alone, us a case in lanes, and how many times faster."""
    return [f"{alone:.2f}", f"{together / width:.2f}", f"{alone * width / together:.1f}"]


def _average(calls: list[Callable[[int], object]]) -> Callable[[int], object]:
    """All cases one after the other, each for its share of the repetitions."""

    def run(count: int) -> None:
        for each in calls:
            each(max(1, count // len(calls)))

    return run


def free_flight(group: Group) -> str:
    """The plant alone, from the start of the mission, flown on and on in lanes."""
    cases, together, pinned = group.jobs()
    start, steps, h = time.process_time(), round(FLIGHT_S / group.step), group.step
    _must_be(OK, repeat_group(pinned, 0.0, h, 0, False))
    compiled = time.process_time() - start
    begun = time.process_time()
    _must_be(OK, repeat_group(pinned, 0.0, h, steps, False))
    in_lanes = time.process_time() - begun
    apart = sum(parted_in().values())
    scalar = pins(cases)
    _must_be(OK, repeat_scalar(scalar[0], 0.0, h, 0, False))  # compiles
    begun = time.process_time()
    for each in scalar:
        _must_be(OK, repeat_scalar(each, 0.0, h, steps, False))
    alone = time.process_time() - begun
    worst = largest_difference(cases, together)
    rows = [
        ["CPU time of all cases, one by one", f"{alone:.3f} s"],
        ["in lanes", f"{in_lanes:.3f} s"],
        ["faster by", f"{alone / in_lanes:.1f}"],
        ["largest relative difference of the end states", f"{worst:.1e}"],
        ["branches that differed", str(apart)],
        ["compilation of the step for lanes", f"{compiled:.1f} s"],
        *([f"uses of {name} registers", str(count)] for name, count in _registers().items()),
    ]
    forget()
    head = f"{group.width} cases of `{MISSION}`, {FLIGHT_S:g} s of free flight in {steps} steps"
    return table([head, ""], rows)


def _registers() -> dict[str, int]:
    """How often the compiled step names vector registers of each width."""
    (code,) = repeat_group.inspect_asm().values()
    return {name: len(re.findall(f"%{name}\\d", code)) for name in ("xmm", "ymm", "zmm")}


class Part(NamedTuple):
    """A part of a tick: CPU time of a case alone and of a group in lanes [us]."""

    alone: float
    together: float
    difference: float  # largest, relative
    apart: float  # share of ticks in which lanes took different branches
    where: str  # some of these branches
    compiled: float  # compilation [s]


def plant_part(group: Group, t: float) -> Part:
    """A tick of the plant, repeated from the same states."""
    cases, together, pinned = group.jobs()
    h, alone = group.step, pins(cases)
    forget()
    _must_be(OK, repeat_group(pinned, t, h, 1, True))
    for each in alone:
        _must_be(OK, repeat_scalar(each, t, h, 1, True))
    jobs = {
        "alone": _average([_steps(repeat_scalar, each, t, h) for each in alone]),
        "lanes": _steps(repeat_group, pinned, t, h),
    }
    apart, where, worst = float(bool(parted_in())), _where(), largest_difference(cases, together)
    cost = microseconds(jobs, EFFORT)
    return Part(cost["alone"], cost["lanes"], worst, apart, where, 0.0)


def at_closing(group: Group) -> str:
    """Where cases part while their fingers close."""
    group.fly_to(CLOSING_S)
    _, _, pinned = group.jobs()
    forget()
    _must_be(OK, repeat_group(pinned, CLOSING_S, group.step, 1, True))
    text = f"At {CLOSING_S:g} s, fingers closing, lanes part first in: {_where() or 'none'}."
    forget()
    return text


def _where() -> str:
    """Functions whose branches differed."""
    return ", ".join(f"`{name}`" for name in list(parted_in())[:4])


def _steps(run: Any, job: Any, t: float, h: float) -> Callable[[int], object]:
    return lambda count: run(job, t, h, count, True)


def function_part(cases: list[Flown], names: tuple[str, ...]) -> Part:
    """Functions on board, replayed on what was measured."""
    start = time.process_time()
    replays = Replays(cases, names)
    compiled = time.process_time() - start
    forget()
    apart, worst = replays.run_checked(TICKS)
    where = _where()
    return Part(*_replay_times(replays), worst, apart / TICKS, where, compiled)


def phase(group: Group, t: float, what: str) -> str:
    """All parts of a tick at an instant."""
    say(what)
    group.fly_to(t)
    plant = plant_part(group, t)
    cases = [Flown(each, TICKS) for each in group.simulations]
    parts = {"plant": plant} | {each: function_part(cases, (each,)) for each in FUNCTIONS}
    for each in cases:
        each.go_on()
    start = time.process_time()
    for each in group.simulations:
        advance(each, WHOLE_TICKS)
    whole = 1e6 * (time.process_time() - start) / (WHOLE_TICKS * group.width)
    rest = whole - sum(each.alone for each in parts.values())
    rows = [
        [name, *_ratio(each.alone, each.together, group.width), f"{each.difference:.0e}",
         f"{each.apart:.1%}", each.where, f"{each.compiled:.0f}"]
        for name, each in parts.items()
    ]  # fmt: skip
    rows.append(["all else in a tick", f"{rest:.2f}", *[""] * 6])
    rows.append(["whole tick", f"{whole:.2f}", *[""] * 6])
    head = [
        f"{what}, {group.width} lanes", "alone [us]", "in lanes [us]", "faster by", "difference",
        "ticks apart", "branches that differ", "compiled [s]",
    ]  # fmt: skip
    return table(head, rows)


def _replay_times(replays: Replays) -> tuple[float, float]:
    """CPU time of a tick [us]: of a case alone, of a group; all cases from their first tick."""
    alone, together = [], []
    for _ in range(EFFORT.rounds):
        replays.go_back()
        start = time.process_time()
        for each in replays.alone:
            replay(each, 0, TICKS)
        middle = time.process_time()
        replay_group(replays.together, 0, TICKS)
        alone.append((middle - start) / len(replays.alone))
        together.append(time.process_time() - middle)
    middle = EFFORT.rounds // 2
    return 1e6 * sorted(alone)[middle] / TICKS, 1e6 * sorted(together)[middle] / TICKS


def differences(groups: int, width: int) -> str:
    """How long the cases of a group differ in whole missions."""
    found = modes.shares(MISSION, groups, width)
    texts = {
        "closed": "anything is closed in some case",
        "contacts": "what is closed differs between cases",
        "switches": "a contact or hold of some case switches",
        "modes": "the mode of the software differs",
    }
    rows = [[text, f"{found[name]:.2%}"] for name, text in texts.items()]
    return table(
        [f"ticks of {groups} groups of {width} dispersed captures in which", "share"], rows
    )


def _must_be(status: int, found: int) -> None:
    if found != status:
        raise RuntimeError(f"a step returned {found}")


if __name__ == "__main__":
    main()
