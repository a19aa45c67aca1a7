"""What a user waits for: the first run after an installation, later runs, `--help`; and memory."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.timing import Effort, say, table

FIRST_GOALS_S = {"free-tumble": 30.0, "envisat-capture": 60.0}  # CPU time
LATER_GOAL_S = 1.0
HELP_GOAL_S = 0.5


class Cost(NamedTuple):
    """Of a command in a process of its own."""

    cpu: float  # [s]
    wall: float  # [s]
    memory: float  # resident, at its peak [MB]


def _timed(arguments: list[str], cache: Path) -> Cost:
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "proxops", *arguments],
            env=environment | {"XDG_CACHE_HOME": str(cache)},
            stdout=said,
            stderr=said,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode not in (0, 1):  # 1: a requirement failed, the run is complete
            said.seek(0)
            raise RuntimeError(f"proxops {' '.join(arguments)} failed:\n{said.read()}")
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def start_times(effort: Effort) -> str:
    """Table of what commands cost, with kernels not yet compiled and compiled."""
    rows: list[tuple[str, Cost, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)

        def run(mission: str) -> list[str]:
            return ["run", mission, "--overwrite", "--out", str(room / "run")]

        for mission, goal in FIRST_GOALS_S.items():
            say(f"start: first run of {mission}, compiling ...")
            cost = _timed(run(mission), room / f"cache-{mission}")
            rows.append((f"first `proxops run {mission}`", cost, f"{goal:g}"))
        for text, command, goal in (
            ("later `proxops run free-tumble`", run("free-tumble"), f"{LATER_GOAL_S:g}"),
            ("`proxops list`", ["list"], ""),
            ("`proxops --help`", ["--help"], f"{HELP_GOAL_S:g}"),
        ):
            say(f"start: {text} ...")
            costs = [_timed(command, room / "cache-free-tumble") for _ in range(effort.rounds)]
            medians = Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))
            rows.append((text, medians, goal))
    return table(
        ["command", "CPU time [s]", "wall time [s]", "goal [s of CPU]", "memory at its peak [MB]"],
        [
            [text, f"{cost.cpu:.2f}", f"{cost.wall:.2f}", goal, f"{cost.memory:.0f}"]
            for text, cost, goal in rows
        ],
    )
