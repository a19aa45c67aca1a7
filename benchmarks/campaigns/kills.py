"""Campaigns of which something dies, again and again, at random instants."""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.campaigns.cluster import Cluster, cluster_of
from benchmarks.campaigns.command import (
    DISPERSIONS,
    Cases,
    Command,
    differing,
    say,
    write_mission,
)
from benchmarks.campaigns.hosts import two_hosts, why_no_hosts

SEED = 20  # of when what is killed
_UNTIL = 0.3  # seconds after a case, at most


def kills(rounds: int, cases: int) -> None:
    """Of each kind so many in one campaign, which is to end with the cases of one undisturbed."""
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        mission = write_mission(Path(folder) / "mission.toml", "touch", DISPERSIONS)
        command = Command(Path(folder), str(mission), cases)
        reference = command.fly("reference", ("--workers", "2"))
        say("| | times | exit codes of the command | cases | differ |\n|---|--:|---|--:|--:|")
        for kind in (_workers, _nannies, _schedulers, _clients):
            with cluster_of(2, tls=True) as cluster:
                name = kind.__name__.strip("_")
                codes = kind(cluster, command, name, _instants(rng, rounds, cases), rng)
            _row(f"{name} killed", rounds, codes, command.cases(name), reference)
        missing = why_no_hosts()
        if missing:
            say(f"cable between two hosts: LEFT OUT, {missing}")
        else:
            _cut_from_a_worker(command, reference)
            _cut_from_the_scheduler(command, reference)


def _row(name: str, times: int, codes: list[int], found: Cases, reference: Cases) -> None:
    counted = ", ".join(f"{codes.count(code)} times {code}" for code in sorted(set(codes)))
    differ = len(differing(found, reference))
    say(f"| {name} | {times} | {counted} | {len(reference)} | {differ} |")


def _instants(rng: random.Random, rounds: int, cases: int) -> list[int]:
    """How many cases are to be done before each kill: none of them after the last one."""
    return sorted(rng.sample(range(1, cases - 4 * rounds // 5), rounds))


def _workers(
    cluster: Cluster, command: Command, out: str, instants: list[int], rng: random.Random
) -> list[int]:
    return _disturbed(cluster, command, out, instants, rng, lambda: cluster.kill_worker(rng))


def _nannies(
    cluster: Cluster, command: Command, out: str, instants: list[int], rng: random.Random
) -> list[int]:
    return _disturbed(cluster, command, out, instants, rng, lambda: cluster.kill_nanny(rng))


def _disturbed(
    cluster: Cluster,
    command: Command,
    out: str,
    instants: list[int],
    rng: random.Random,
    disturb: Callable[[], None],
) -> list[int]:
    """Exit codes of one campaign that goes on whatever is killed."""
    process = command.start(out, cluster.words)
    for count in instants:
        _wait(command, process, out, count, rng)
        disturb()
    return [process.wait()]


def _schedulers(
    cluster: Cluster, command: Command, out: str, instants: list[int], rng: random.Random
) -> list[int]:
    """The command ends each time, and is given again once there is a scheduler."""
    codes = []
    for count in instants:
        process = command.start(out, cluster.words)
        _wait(command, process, out, count, rng)
        cluster.kill_scheduler()
        codes.append(process.wait())
        cluster.restart(2)
    return [*codes, command.start(out, cluster.words).wait()]


def _clients(
    cluster: Cluster, command: Command, out: str, instants: list[int], rng: random.Random
) -> list[int]:
    codes = []
    for count in instants:
        process = command.start(out, cluster.words)
        _wait(command, process, out, count, rng)
        process.kill()
        codes.append(process.wait())
    return [*codes, command.start(out, cluster.words).wait()]


def _wait(command: Command, process: object, out: str, count: int, rng: random.Random) -> None:
    if not command.wait_for(process, out, count):
        raise RuntimeError(f"ended early: {command.said(out).read_text()[-2000:]}")
    time.sleep(_UNTIL * rng.random())


def _cut_from_a_worker(command: Command, reference: Cases) -> None:
    """For good: the cases of the worker behind the cable are flown by the other one."""
    with two_hosts() as (one, other, cable), cluster_of(1, one, tls=True) as cluster:
        cluster.start_worker(other)
        out = "cut-worker"
        process = command.start(out, cluster.words, one)
        command.wait_for(process, out, command.count // 4)
        cable.cut()
        cut = time.monotonic()
        codes = [process.wait()]
        _row("cable to a worker cut", 1, codes, command.cases(out), reference)
        say(f"cable to a worker cut: the campaign ended {time.monotonic() - cut:.0f} s after that")


def _cut_from_the_scheduler(command: Command, reference: Cases) -> None:
    """The command ends; once the cable is mended, the same one goes on."""
    with two_hosts() as (one, other, cable), cluster_of(2, one, tls=True) as cluster:
        out = "cut-client"
        process = command.start(out, cluster.words, other)
        command.wait_for(process, out, command.count // 4)
        cable.cut()
        cut = time.monotonic()
        codes = [process.wait()]
        ended = time.monotonic() - cut
        cable.mend()
        codes.append(command.start(out, cluster.words, other).wait())
        _row("cable to the scheduler cut", 1, codes, command.cases(out), reference)
        say(f"cable to the scheduler cut: the command ended {ended:.0f} s after that")
