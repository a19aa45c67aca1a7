"""Campaigns by processes of this computer and by a dask cluster: equal cases, kills, overhead.

    python -m benchmarks.campaigns same [--cases 200]       pools and clusters
    python -m benchmarks.campaigns kills [--rounds 5]       of worker, nanny, scheduler, client
    python -m benchmarks.campaigns trivial [--cases 10000]  overhead a case, memory
    python -m benchmarks.campaigns cold                     an empty cache of kernels
    python -m benchmarks.campaigns search [--rounds 20]     cases until a weakness is found

Everything listens on loopback only.  Figures are CPU seconds where a clock is needed.
"""

import argparse
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

TLS = Path(__file__).parents[1] / "tests" / "scenarios" / "tls"
FILES = [str(TLS / name) for name in ("ours-ca.pem", "ours.pem", "ours.key")]
DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "inertia": {"key": "target.inertia_kg_m2", "scale": 0.1},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
    "speed": {"key": "chaser.v_HC_m_s.0", "shift": 0.01},
}
PROXOPS = [sys.executable, "-m", "proxops"]
SEED = 20  # of when what is killed


def say(text: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def chosen() -> Any:
    """The mission that is flown."""
    import proxops

    return proxops.load("touch").replace({"dispersions": DISPERSIONS})


# --- a cluster -----------------------------------------------------------------------------------


class Cluster:
    """A scheduler and workers with nannies, which may be killed and started again."""

    def __init__(self, stack: ExitStack, tls: bool) -> None:
        self._stack, self.tls, self.port = stack, tls, 0
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.nannies: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    @property
    def address(self) -> str:
        return f"{'tls' if self.tls else 'tcp'}://127.0.0.1:{self.port}"

    def start_scheduler(self) -> None:
        """At the port it had before, if it had one."""
        said = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "said"
        protocol = ["--protocol", "tls"] if self.tls else []
        self.scheduler = self._start(said, "scheduler", "--port", str(self.port), *protocol)
        while not (found := re.search(r"Scheduler at:\s+t..://\S+:(\d+)", said.read_text())):
            time.sleep(0.05)
        self.port = int(found.group(1))

    def start_worker(self) -> None:
        """One more, with a nanny that starts it again."""
        said = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "said"
        words = (self.address, "--nthreads", "1", "--memory-limit", "0")
        self.nannies.append(self._start(said, "worker", *words))

    def _start(self, said: Path, kind: str, *words: str) -> subprocess.Popen[bytes]:
        names = ("ca-file", "cert", "key")
        files = [f"--tls-{n}={f}" for n, f in zip(names, FILES, strict=True)] if self.tls else []
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, *files]
        with open(said, "wb") as file:
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--no-dashboard"], stdout=file, stderr=file
            )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@contextmanager
def cluster_of(workers: int, *, tls: bool = False) -> Iterator[Cluster]:
    """A scheduler with that many workers."""
    with ExitStack() as stack:
        made = Cluster(stack, tls)
        for _ in range(workers):
            made.start_worker()
        yield made


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(each) for file in files for each in file.read_text().split()]


# --- equal cases ---------------------------------------------------------------------------------


def same(cases: int) -> None:
    """Cases of all ways are compared with those of one worker, and some with runs by themselves."""
    import proxops
    from proxops.campaigns import Scheduler

    mission, seeds = chosen(), range(cases)
    one = proxops.campaign(mission, seeds, workers=1).cases
    say("| flown by | cases | differ |\n|---|--:|--:|")

    def compare(name: str, other: tuple[dict[str, Any], ...]) -> None:
        differ = sum(a != b for a, b in zip(one, other, strict=True))
        say(f"| {name} | {len(other)} | {differ} |")

    for workers in (2, 3):
        compare(f"pool of {workers}", proxops.campaign(mission, seeds, workers=workers).cases)
    for workers, tls in ((1, False), (2, False), (2, True)):
        with cluster_of(workers, tls=tls) as made:
            scheduler = Scheduler(made.address, *(FILES if tls else ()))
            found = proxops.campaign(mission, seeds, scheduler=scheduler).cases
        compare(f"dask, {workers} workers{', TLS' if tls else ''}", found)
    alone = range(0, cases, max(1, cases // 20))
    hashes = [proxops.simulate(mission.dispersed(seed)).hash for seed in alone]
    differ = sum(one[seed]["hash"] != found for seed, found in zip(alone, hashes, strict=True))
    say(f"| by itself | {len(hashes)} | {differ} |")


# --- kills ---------------------------------------------------------------------------------------


def kills(rounds: int, cases: int) -> None:
    """Of a worker, a nanny, the scheduler and the client, each at random instants."""
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as text, cluster_of(2, tls=True) as made:
        folder = Path(text)
        (folder / "mission.toml").write_text('extends = "touch"\n' + _toml(DISPERSIONS))
        _fly(folder, "reference", cases, None)
        reference = _cases(folder / "reference")
        say("| killed | times | exit codes | cases that differ |\n|---|--:|---|--:|")
        for kind in ("worker", "nanny", "scheduler", "client"):
            codes, differ = [], 0
            for i in range(rounds):
                out = f"{kind}-{i}"
                codes += _killed(made, folder, out, cases, kind, rng)
                found = _cases(folder / out)
                differ += sum(found.get(seed) != case for seed, case in reference.items())
            say(f"| {kind} | {rounds} | {_counted(codes)} | {differ} |")


def _killed(
    made: Cluster, folder: Path, out: str, cases: int, kind: str, rng: random.Random
) -> list[int]:
    """Exit codes of a campaign of which something is killed, and of its resumption if it ended."""
    client = _start(folder, out, cases, made)
    wanted = rng.randrange(1, cases // 2)
    while client.poll() is None and len(_cases(folder / out)) < wanted:
        time.sleep(0.02)
    time.sleep(0.3 * rng.random())
    if kind == "worker":
        pids = [pid for pid in children(rng.choice(made.nannies).pid) if _is_worker(pid)]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
    elif kind == "nanny":
        nanny = made.nannies.pop(rng.randrange(len(made.nannies)))
        nanny.kill()
        made.start_worker()
    elif kind == "client":
        client.kill()
    else:
        assert made.scheduler is not None
        made.scheduler.kill()
        made.scheduler.wait()
    codes = [client.wait()]
    if kind == "scheduler":
        made.start_scheduler()
        for nanny in made.nannies:
            nanny.kill()
        made.nannies = []
        for _ in range(2):
            made.start_worker()
    if codes[0] not in (0, 1):
        codes.append(_start(folder, out, cases, made).wait())
    return codes


def _is_worker(pid: int) -> bool:
    return "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()


def _start(folder: Path, out: str, cases: int, made: Cluster | None) -> subprocess.Popen[bytes]:
    words = ["campaign", "mission.toml", "--seeds", f"0-{cases - 1}", "--out", out]
    if made is not None:
        names = ("ca", "cert", "key")
        files = [f"--tls-{name}={file}" for name, file in zip(names, FILES, strict=True)]
        words += ["--scheduler", made.address, *files]
    return subprocess.Popen(
        [*PROXOPS, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _fly(folder: Path, out: str, cases: int, made: Cluster | None) -> None:
    _start(folder, out, cases, made).wait()


def _cases(folder: Path) -> dict[int, dict[str, Any]]:
    """What a campaign has stored, without what it took."""
    file = folder / "cases.jsonl"
    lines = file.read_text().split("\n")[:-1] if file.exists() else []
    cases = [json.loads(line) for line in lines]
    return {case["seed"]: {k: v for k, v in case.items() if k != "timing"} for case in cases}


def _counted(codes: list[int]) -> str:
    return ", ".join(f"{codes.count(code)} × {code}" for code in sorted(set(codes)))


def _toml(dispersions: dict[str, dict[str, Any]]) -> str:
    lines = []
    for name, each in dispersions.items():
        lines += [f"[dispersions.{name}]", *(f"{k} = {json.dumps(v)}" for k, v in each.items())]
    return "\n".join(lines)


# --- overhead ------------------------------------------------------------------------------------

TRIVIAL = """
import json, sys
sys.stdin.readline()
print('{"ready": true}', flush=True)
case = {"outcome": "passed", "passed": True, "cause": None, "detail": "", "drawn": {},
        "warnings": [], "requirements": [], "ledger": None, "end_s": 0.0, "hash": "0"}
for line in sys.stdin:
    print(json.dumps(case | json.loads(line)), flush=True)
"""


def trivial(cases: int) -> None:
    """Cases that take no time: what is left is the campaign's own."""
    from proxops.campaigns import Job, fly, worker_process

    worker_process._START = TRIVIAL
    job = Job(chosen())
    sizes: list[float] = []

    def report(done: int, passed: int, asked: int) -> None:
        if done % max(1, cases // 4) == 0:
            sizes.append(_resident_mb())

    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_SELF)
        wall = time.perf_counter()
        fly(job, range(cases), workers=2, out=Path(folder) / "kept", report=report)
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    say(f"pool of 2, {cases} cases: {1e3 * cpu / cases:.2f} ms of CPU a case, "
          f"{1e3 * wall / cases:.2f} ms by the clock")  # fmt: skip
    say("resident [MB] from first to last case: " + ", ".join(f"{each:.0f}" for each in sizes))


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


# --- cold cache ----------------------------------------------------------------------------------


def cold() -> None:
    """CPU of a case with each of some workers, from an empty cache of kernels."""
    say("| workers | cases | CPU [s] |\n|--:|--:|--:|")
    for workers in (1, 4):
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
            words = ["campaign", "touch", "--seeds", f"0-{workers - 1}", "--out", "kept"]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [*PROXOPS, *words, "--workers", str(workers)],
                cwd=folder,
                env=os.environ | {"XDG_CACHE_HOME": cache},
                capture_output=True,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        say(f"| {workers} | {workers} | {cpu:.1f} |")


# --- the worst case ------------------------------------------------------------------------------


def search(rounds: int, cases: int) -> None:
    """Cases until one fails, of a mission in which about 1 % of random ones do."""
    import proxops
    from proxops.campaigns import Design, Job, fly

    name = "touches_gently"
    limits = chosen().mission.requirements[name].model_dump(mode="json", exclude_none=True)
    mission = chosen().replace({"dispersions.spin": None, "requirements": {name: limits}})
    sample = proxops.campaign(mission, range(cases), at_least=0.0).cases
    values = sorted(item["value"] for case in sample for item in case["requirements"])
    limit = values[-1 - cases // 100]
    share = sum(value > limit for value in values) / cases
    say(f"limit {limit:.3f} N: {100 * share:.2f} % of {cases} random cases fail")
    job = Job(mission.replace({f"requirements.{name}.limit": limit}))
    for batch in (1, 2):
        taken = []
        for i in range(rounds):
            failed: list[bool] = []
            found = fly(
                job,
                range(1000 * i, 1000 * i + 100),
                design=Design("worst-case", batch=batch),
                workers=batch,
                report=lambda done, passed, asked, failed=failed: failed.append(done > passed),
                stop=lambda failed=failed: any(failed),
            )
            passes = [case["passed"] for case in found.cases]
            taken.append(1 + (passes.index(False) if False in passes else len(passes)))
        say(f"batch {batch}: {sum(taken) / rounds:.1f} cases on average, at most {max(taken)}")


def main() -> None:
    """Runs one of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("same", "kills", "trivial", "cold", "search"))
    parser.add_argument("--cases", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    if asked.what == "same":
        same(asked.cases or 200)
    elif asked.what == "kills":
        kills(asked.rounds, asked.cases or 40)
    elif asked.what == "trivial":
        trivial(asked.cases or 10_000)
    elif asked.what == "cold":
        cold()
    else:
        search(asked.rounds, asked.cases or 400)


if __name__ == "__main__":
    main()
