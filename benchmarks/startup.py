"""What a user waits for: the first run after an installation, later runs, and `--help`."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import Effort, say, table

FIRST_GOAL_S = 30.0  # CPU time
LATER_GOAL_S = 2.5
HELP_GOAL_S = 0.5


def _timed(arguments: list[str], cache: Path) -> tuple[float, float]:
    """CPU and wall time of a `proxops` command in a process of its own [s]."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "proxops", *arguments],
        env=environment | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):  # 1: a requirement failed, the run is complete
        raise RuntimeError(f"proxops {' '.join(arguments)} failed:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall


def start_times(effort: Effort) -> str:
    """Table of CPU and wall times of commands, with kernels not yet compiled and compiled."""
    rows: list[tuple[str, float, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        run = ["run", "free-tumble", "--overwrite", "--out", str(room / "run")]
        say("start: first run, compiling ...")
        cpu, wall = _timed(run, room / "cache")
        rows.append(("first `proxops run free-tumble`", cpu, wall, FIRST_GOAL_S))
        for text, command, goal in (
            ("later `proxops run free-tumble`", run, LATER_GOAL_S),
            ("`proxops --help`", ["--help"], HELP_GOAL_S),
        ):
            say(f"start: {text} ...")
            times = [_timed(command, room / "cache") for _ in range(effort.rounds)]
            cpu, wall = (statistics.median(values) for values in zip(*times, strict=True))
            rows.append((text, cpu, wall, goal))
    return table(
        ["command", "CPU time [s]", "wall time [s]", "goal [s]"],
        [[text, f"{cpu:.2f}", f"{wall:.2f}", f"{goal:g}"] for text, cpu, wall, goal in rows],
    )
