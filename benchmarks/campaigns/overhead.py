"""What a campaign takes beside its cases, and what an empty cache of kernels costs."""

import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.campaigns.command import DISPERSIONS, PROXOPS, say

TRIVIAL = """
import json, sys
sys.stdin.readline()
print('{"ready": true}', flush=True)
case = {"outcome": "passed", "passed": True, "cause": None, "detail": "", "drawn": {},
        "warnings": [], "requirements": [], "ledger": None, "end_s": 0.0, "hash": "0"}
for line in sys.stdin:
    print(json.dumps([case | ask for ask in json.loads(line)]), flush=True)
"""


def trivial(cases: int) -> None:
    """Cases that take no time: what is left is the campaign's own."""
    import proxops
    from proxops.campaigns import Job, fly, worker_process

    worker_process._START = TRIVIAL
    job = Job(proxops.load("touch").replace({"dispersions": DISPERSIONS}))
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
