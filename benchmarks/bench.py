"""Measures and writes docs/benchmarks.md: `make bench`, or `python -m benchmarks.bench`."""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from benchmarks.batches import batch_cost
from benchmarks.capture import approach_cost, berthing_cost, capture_cost
from benchmarks.contacts import contact_cost
from benchmarks.controllers import controller_cost
from benchmarks.engines import installed
from benchmarks.facility import facility_cost
from benchmarks.flexible import mode_cost, mode_peers
from benchmarks.guidance import guidance_cost
from benchmarks.precision import work_precision
from benchmarks.startup import start_times
from benchmarks.steps import call_cost, joint_cost, step_cost
from benchmarks.timing import FULL, QUICK, Effort, say

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
INTRODUCTION = """\
# Benchmarks

Made by `make bench`.  CPU time of the whole process, engines interleaved in one
run, medians of the rounds.

The model: a free-floating base of 1200 kg with a 3 m, 100 kg arm of 7 revolute joints (13 degrees
of freedom), without gravity, contact or friction; the same numbers in every engine
(`benchmarks/peers/model.py`).  proxops takes the step of `simulate`, with its ledger of impulse
and work and with a second spacecraft, the target, which the others do not have.  Torques are
held during a step, steps are 1 ms.  MuJoCo and Basilisk take their own RK4, Drake (which has
none) its RK3 at a fixed step; Pinocchio's forward dynamics is called from Python within an RK4 in
NumPy.
"""


def _processor() -> str:
    """The processor's name as the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _machine() -> str:
    return (
        f"{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, "
        f"NumPy {np.__version__}, Numba {numba.__version__}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="rough numbers, no start times")
    entries, missing = installed()
    sections: dict[str, tuple[str, Callable[[Effort], str]]] = {
        "steps": ("A step of the 13-dof chaser", lambda effort: step_cost(entries, effort)),
        "precision": (
            "Work and precision: CPU time for a tip error of 1e-5 m",
            lambda effort: work_precision(entries, effort),
        ),
        "joints": ("Cost against joints", lambda effort: joint_cost(entries, effort)),
        "contacts": ("Contacts", contact_cost),
        "modes": ("Cost against modes of appendages", mode_cost),
        "basilisk-modes": (
            "A step with modes beside Basilisk",
            lambda effort: mode_peers(entries, effort),
        ),
        "calls": ("Cost against steps in a call", lambda effort: call_cost(entries, effort)),
        "facility": ("A step of a rehearsal", facility_cost),
        "capture": ("A capture with its on-board software", capture_cost),
        "berthing": ("A berthing, rehearsed", berthing_cost),
        "approach": ("An approach from one kilometre", approach_cost),
        "batches": ("Many cases of one mission", batch_cost),
        "controllers": ("A user's own controller", controller_cost),
        "guidance": ("A plan of the convex guidance", guidance_cost),
        "start": ("Compilation and start", start_times),
    }
    parser.add_argument("--only", choices=sections, nargs="+", help="just these sections")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    parts = [INTRODUCTION, f"Measured on: {_machine()}.\n"]
    if missing:
        parts.append("Not installed, so not measured: " + ", ".join(missing) + ".\n")
    measured = options.only or [key for key in sections if key != "start" or not options.quick]
    for key in measured:
        title, measure = sections[key]
        parts.append(f"## {title}\n\n{measure(effort)}\n")
    page = "\n".join(parts)
    sys.stdout.write(page)
    if options.quick or options.only:
        say(f"{PAGE.name} is left alone: only a full run writes it")
    else:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
