"""With NUMBA_DISABLE_JIT=1 nothing is compiled: a debugger sees every step, and finds the same."""

import os
import subprocess
import sys

import numpy as np
import pytest

import proxops

pytestmark = pytest.mark.slow

SHORT = {"time.duration_s": 0.04, "time.phases": {"capture": {"until_s": 0.04, "step_s": 0.001}}}
FLY = f"""
import proxops
scenario = proxops.load("envisat-capture").replace({SHORT!r})
proxops.rehearse(scenario, "ideal", ablate=False).save("rehearsed")
proxops.simulate(scenario).save("simulated")
"""


def test_warming_up_says_that_nothing_is_compiled() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "proxops", "warmup"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "unset NUMBA_DISABLE_JIT" in done.stderr) == (2, True)


def test_a_capture_runs_uncompiled_as_it_does_compiled(tmp_path) -> None:
    """But for fused multiply-add: sensors, functions on board and the cell, in 40 ms of flight."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    env["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    subprocess.run([sys.executable, "-c", FLY], cwd=tmp_path, env=env, check=True)
    # no note that kernels are compiled: the next process would compile them without a word
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
    scenario = proxops.load("envisat-capture").replace(SHORT)
    compiled = {
        "simulated": proxops.simulate(scenario),
        "rehearsed": proxops.rehearse(scenario, "ideal", ablate=False),
    }
    for name, run in compiled.items():
        uncompiled = proxops.open(tmp_path / name)
        assert uncompiled.outcome == run.outcome
        for signal in ("chaser.p_HC", "chaser.arms.main.tau", "obsw.base.force", "target.w_NT_T"):
            expected = run[signal][1]
            scale = max(1.0, float(np.abs(expected).max()))
            assert uncompiled[signal][1] == pytest.approx(expected, abs=1e-9 * scale)
