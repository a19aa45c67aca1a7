"""The same cases, whoever flies them."""

import tempfile
from pathlib import Path

from benchmarks.campaigns.cluster import cluster_of
from benchmarks.campaigns.command import (
    DISPERSIONS,
    Cases,
    Command,
    differing,
    say,
    write_mission,
)
from benchmarks.campaigns.hosts import two_hosts, why_no_hosts

CLUSTERS = ((1, False), (2, False), (2, True))


def same(touches: int, captures: int) -> None:
    """Flies both missions by pools and clusters, and each of their cases by itself."""
    say("| mission | flown by | cases | differ |\n|---|---|--:|--:|")
    for mission, count in (("touch", touches), ("envisat-capture", captures)):
        if count:
            with tempfile.TemporaryDirectory() as folder:
                _compared(Path(folder), mission, count)


def _compared(folder: Path, mission: str, count: int) -> None:
    base = mission
    if mission == "touch":
        base = str(write_mission(folder / "mission.toml", mission, DISPERSIONS))
    command = Command(folder, base, count)
    reference = command.fly("one", ("--workers", "1"))
    assert sorted(reference) == list(range(count))

    def compare(flown_by: str, found: Cases) -> None:
        say(f"| `{mission}` | {flown_by} | {count} | {len(differing(found, reference))} |")

    compare("pool of 1", reference)
    for workers in (2, 3):
        compare(f"pool of {workers}", command.fly(f"pool-{workers}", ("--workers", str(workers))))
    for workers, tls in CLUSTERS:
        with cluster_of(workers, tls=tls) as cluster:
            name = f"dask, {workers} worker{'s' if workers > 1 else ''}{', TLS' if tls else ''}"
            compare(name, command.fly(f"dask-{workers}-{tls}", cluster.words))
    missing = why_no_hosts()
    if missing:
        say(f"two hosts: LEFT OUT, {missing}")
    else:
        with two_hosts() as (one, other, _), cluster_of(1, one, tls=True) as cluster:
            cluster.start_worker(other)
            compare("dask, two hosts, TLS", command.fly("hosts", cluster.words, one))
    compare("each by itself", _alone(base, reference))


def _alone(mission: str, reference: Cases) -> Cases:
    """The same cases if each has the hash that it has in the campaign."""
    import proxops

    scenario = proxops.load(mission)
    return {
        seed: case | {"hash": proxops.simulate(scenario.dispersed(seed)).hash}
        for seed, case in reference.items()
    }
