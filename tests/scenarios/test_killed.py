"""A run killed without warning loses at most its last second, and never an earlier run."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

import proxops
from proxops.api import recover

pytestmark = pytest.mark.slow

# A run of more than 20 s: 400 s in steps of 1 ms, each integrated in ten parts.
DRIVER = """
import sys, time, proxops
scenario = proxops.load("free-tumble").replace({
    "time": {
        "duration_s": 400.0, "control_rate_hz": 500.0, "record_rate_hz": 100.0,
        "phases": {"only": {"until_s": 400.0, "step_s": 0.001, "substeps": 10}},
    },
    "requirements": {},
})
def report(share):
    sys.stdout.write(f"{time.monotonic()} {400.0 * share}\\n")
    sys.stdout.flush()
proxops.simulate(scenario, out=sys.argv[1], progress=report)
"""
INSTANTS = np.random.default_rng(2).uniform(1.2, 6.0, 4)


@pytest.mark.parametrize("instant", INSTANTS)
def test_all_but_the_last_second_before_a_kill_is_recovered(tmp_path, instant):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", DRIVER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        reports = [tuple(map(float, process.stdout.readline().split()))]
        while time.monotonic() < reports[0][0] + instant:
            reports.append(tuple(map(float, process.stdout.readline().split())))
        process.kill()
        killed = time.monotonic()
    assert process.returncode == -9
    due = max((done for when, done in reports if when <= killed - 1.0), default=0.0)

    with pytest.raises(proxops.InputError, match="recover"):
        proxops.open(folder)
    run = recover(folder)
    assert run.outcome == "cut-short"
    assert run.rows[-1, 0] >= due - 0.01  # rows are 10 ms apart
    assert due > 0.0
    assert run.ledger.closed
    assert np.array_equal(proxops.open(folder).rows, run.rows)


# Runs of some twenty reports, each of which ends if it is left alone.  Python and kernels are
# loaded once: a copy of this process, which says its number first, flies every seed that comes in.
REPLACING = """
import os, sys, proxops
scenario = proxops.load("free-tumble").replace({
    "time": {
        "duration_s": 80.0, "control_rate_hz": 500.0, "record_rate_hz": 100.0,
        "phases": {"only": {"until_s": 80.0, "step_s": 0.001}},
    },
    "requirements": {},
})
proxops.simulate(scenario.replace({
    "time.duration_s": 0.1, "time.phases.only.until_s": 0.1,
}))
def report(share):
    print(share, flush=True)
for line in iter(sys.stdin.readline, ""):
    copy = os.fork()
    if copy == 0:
        print(os.getpid(), flush=True)
        run = proxops.simulate(
            scenario.replace({"seed": int(line)}),
            out=sys.argv[1], overwrite=True, progress=report,
        )
        print(run.hash, flush=True)
        os._exit(0)
    os.waitpid(copy, 0)
    print("ended", flush=True)
"""


class Replacing:
    """A process that flies runs into one folder, one after the other."""

    def __init__(self, folder):
        self._process = subprocess.Popen(
            [sys.executable, "-c", REPLACING, str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.communicate()

    def line(self):
        return self._process.stdout.readline().strip()

    def begin(self, seed):
        """Begins a run; the number of its process."""
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        return int(self.line())

    def rest(self):
        """What a run still says until it has ended."""
        return list(iter(self.line, "ended"))


def test_twenty_kills_of_runs_that_replace_another_lose_nothing(tmp_path):
    """Killed after a random number of reports, at random moments after that."""
    folder = tmp_path / "run"
    with Replacing(folder) as runs:
        runs.begin(0)
        earlier = runs.rest()[-1]
        cut = 0
        for after in np.random.default_rng(9).integers(0, 21, 20):
            process = runs.begin(0)
            for _ in range(after):
                runs.line()
            os.kill(process, signal.SIGKILL)
            runs.rest()
            assert proxops.open(folder).hash == earlier  # the later run has the same bits
            inside = sorted(folder.glob("unfinished*/run.mcap"))
            cut += bool(inside)
            if inside:
                with suppress(proxops.InputError):  # it was killed before the first row
                    recover(folder)
            for recording in folder.glob("unfinished*/run.mcap"):
                rows = proxops.open(recording.parent).rows
                assert np.array_equal(rows, proxops.open(folder).rows[: len(rows)])
        assert cut >= 5
        runs.begin(0)
        assert runs.rest()[-1] == earlier
    assert sorted(path.name for path in folder.iterdir()) == ["run.mcap", "summary.json"]
