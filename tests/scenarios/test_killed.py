"""A run killed without warning loses at most its last second."""

import subprocess
import sys
import time

import numpy as np
import pytest

import proxops
from proxops.api import recover

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
INSTANTS = np.random.default_rng(2).uniform(1.2, 8.0, 10)


@pytest.mark.slow
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
