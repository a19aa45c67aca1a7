"""CPU time, fairly: engines take turns, and the median of the rounds counts."""

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key")
Job = Callable[[int], object]  # is told how often to repeat


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int
    slice_s: float  # CPU time of one engine's turn


FULL = Effort(rounds=15, slice_s=0.05)
QUICK = Effort(rounds=5, slice_s=0.01)


def say(text: str) -> None:
    """Tells how far it has got, on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _cpu_seconds(job: Job, count: int) -> float:
    """CPU time of one call, all threads of this process [s]."""
    start = time.process_time()
    job(count)
    return time.process_time() - start


def microseconds(jobs: Mapping[Key, Job], effort: Effort) -> dict[Key, float]:
    """CPU time per repetition [us] of jobs, interleaved."""
    counts = {key: _count(job, effort.slice_s) for key, job in jobs.items()}
    rounds: dict[Key, list[float]] = {key: [] for key in jobs}
    for _ in range(effort.rounds):
        for key, job in jobs.items():
            rounds[key].append(_cpu_seconds(job, counts[key]))
    return {key: 1e6 * statistics.median(times) / counts[key] for key, times in rounds.items()}


def _count(job: Job, slice_s: float) -> int:
    """How many repetitions fill a turn; the first call may compile."""
    job(1)
    count = 1
    while True:
        taken = _cpu_seconds(job, count)
        if taken > slice_s / 4:
            return max(1, round(count * slice_s / taken))
        count *= 4


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its first column left and the others right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
