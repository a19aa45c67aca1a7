"""What is left running once a campaign was ended: nothing of ours."""

import os
import random
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

from benchmarks.campaigns.cluster import cluster_of
from benchmarks.campaigns.command import DISPERSIONS, Command, say, write_mission
from benchmarks.campaigns.kills import SEED
from benchmarks.campaigns.processes import command_of, marked, wait_until

_MARK = "PROXOPS_CAMPAIGN_OF"  # in the environment of all that is started, and of what that starts
_ENDS_S = 120.0
_CASES = 10_000


def leftovers(rounds: int) -> None:
    """Ends campaigns by Ctrl-C and by SIGKILL at random instants; RuntimeError if a process stays
    for longer than two minutes."""
    rng = random.Random(SEED)
    mark = uuid4().hex
    os.environ[_MARK] = mark
    say("| flown by | ended by | times | exit codes | processes then | until none [s] |\n"
        "|---|---|--:|---|--:|--:|")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        mission = write_mission(Path(folder) / "mission.toml", "touch", DISPERSIONS)
        command = Command(Path(folder), str(mission), _CASES)
        for by in ("pool", "dask"):
            for ending in (signal.SIGINT, signal.SIGKILL):
                with ExitStack() as stack:
                    fliers = ["--workers", "2"]
                    if by == "dask":
                        fliers = stack.enter_context(cluster_of(2, tls=True)).words
                    _ended(command, f"{by}-{ending.name}", fliers, rounds, ending, mark, rng)


def _ended(
    command: Command,
    out: str,
    fliers: list[str],
    rounds: int,
    ending: signal.Signals,
    mark: str,
    rng: random.Random,
) -> None:
    codes, left, seconds = [], 0, 0.0
    for _ in range(rounds):
        process = command.start(out, fliers)
        instant = command.done(out) + rng.randrange(3)
        command.wait_for(process, out, instant)
        time.sleep(rng.random())
        process.send_signal(ending)
        codes.append(process.wait())
        left = max(left, len(_ours(mark)))
        seconds = max(seconds, wait_until(lambda: not _ours(mark), "end of all", _ENDS_S))
    counted = ", ".join(f"{codes.count(code)} times {code}" for code in sorted(set(codes)))
    by, _, name = out.partition("-")
    say(f"| {by} | {name} | {rounds} | {counted} | {left} | {seconds:.1f} |")


def _ours(mark: str) -> list[int]:
    """Processes of ours, wherever they are: those of dask are not."""
    return [pid for pid in marked(mark) if "campaign_worker" in command_of(pid)]
