"""A case that kills whoever flies it, among others that do not."""

import json
import tempfile
from pathlib import Path

from benchmarks.campaigns.cluster import Cluster, cluster_of
from benchmarks.campaigns.command import Command, differing, say

# A reading that differs from case to case, and software that ends a process where it is too large:
# its own, or its parent, which is a worker of dask; not while the file `armed` says neither.
EXTENSION = """
import os, signal
from pathlib import Path

import proxops


def measure(parameters, memory, truth, draws, values):
    values[0] = parameters.level
    return True


class Fuse:
    name, rate_hz, fields, writes, modes = "fuse", 1.0, (), (), ()
    parameters = {"limit": 1.0}

    def start(self, briefing):
        self.limit = briefing.parameters["limit"]

    def run(self, measurements, estimates, commands):
        armed = Path(__file__).with_name("armed").read_text()
        if armed and measurements.level.level > self.limit:
            with open(Path(__file__).with_name("deaths"), "a") as file:
                file.write("died\\n")
            own = os.getpid() if armed == "process" else os.getppid()
            os.kill(own, signal.SIGKILL)
            signal.pause()


level = proxops.Sensor(
    name="level", measure=measure, fields=(proxops.Field("level", ""),), parameters={"level": 0.0}
)
EXTENSIONS = [level, Fuse]
"""
MISSION = """
extends = "touch"
[sensors.extra.level]
rate_hz = 1.0
parameters = {{ level = 0.0 }}
[obsw.functions.fuse]
parameters = {{ limit = {limit!r} }}
[dispersions.level]
key = "sensors.extra.level.parameters.level"
shift = 1.0
"""


def poison(cases: int) -> None:
    """One case in a pool and in a cluster; all others are to be as if it were not there."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        (folder / "fuse.py").write_text(EXTENSION)
        (folder / "armed").write_text("")
        command = Command(folder, "mission.toml", cases, ("--extension", "fuse.py"))
        seed = _write_mission(folder, cases)
        reference = command.fly("reference", ("--workers", "2"))
        say("| kills | flown by | deaths | outcome | cause | others | differ |\n"
            "|---|---|--:|---|---|--:|--:|")  # fmt: skip
        _poisoned(command, seed, reference, "process", None)
        for victim in ("process", "worker"):
            with cluster_of(2, tls=True) as cluster:
                _poisoned(command, seed, reference, victim, cluster)


def _write_mission(folder: Path, cases: int) -> int:
    """The seed of the case with the largest reading: the limit is just below that."""
    import proxops

    file = folder / "mission.toml"
    file.write_text(MISSION.format(limit=2.0))
    scenario = proxops.load(file, extensions=[folder / "fuse.py"])
    drawn = {seed: scenario.dispersed(seed).case for seed in range(cases)}
    levels = {seed: case.plain_draws()["level"]["value"] for seed, case in drawn.items() if case}
    *_, below, largest = sorted(levels.values())
    file.write_text(MISSION.format(limit=0.5 * (below + largest)))
    return max(levels, key=lambda seed: float(levels[seed]))


def _poisoned(
    command: Command,
    seed: int,
    reference: dict[int, dict[str, object]],
    victim: str,
    cluster: Cluster | None,
) -> None:
    deaths = command.folder / "deaths"
    deaths.write_text("")
    (command.folder / "armed").write_text(victim)
    by = "pool" if cluster is None else "dask"
    found = command.fly(f"{victim}-{by}", ("--workers", "2") if cluster is None else cluster.words)
    (command.folder / "armed").write_text("")
    case = found.pop(seed)
    others = {each: case for each, case in reference.items() if each != seed}
    died = deaths.read_text().count("\n")
    row = (f"its {victim}", by, str(died), case["outcome"], json.dumps(case["cause"]))
    say(f"| {' | '.join(row)} | {len(others)} | {len(differing(found, others))} |")
