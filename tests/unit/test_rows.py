"""Rows of a long run: out of memory, and back as they were."""

import subprocess
import sys

import numpy as np
import pytest

import proxops
from proxops.results import rows as module
from proxops.results import store
from proxops.results.rows import Rows, blocks_of

WIDTH = 7


@pytest.fixture(params=[0, 3000, 10**9], ids=["spilled", "partly", "in-memory"])
def made(request, monkeypatch):
    """Rows in portions of all sizes, and the array that they are."""
    monkeypatch.setattr(module, "IN_MEMORY", request.param)
    monkeypatch.setattr(module, "BLOCK", 8 * WIDTH * 5)
    rng = np.random.default_rng(3)
    rows, parts = Rows(WIDTH), []
    for size in (0, 1, 4, 5, 6, 0, 23, 1, 1, 17):
        part = rng.normal(size=(size, WIDTH))
        rows.append(part)
        parts.append(part.copy())
        part[:] = np.nan  # the loop writes over what it has handed on
    return rows.settled(), np.concatenate(parts)


@pytest.mark.parametrize(
    "key",
    [
        np.s_[:, 0], np.s_[:, -1], np.s_[:, 2:5], np.s_[:, 1:], np.s_[-1, 0], np.s_[0, 3:],
        np.s_[3:9], np.s_[5:5], np.s_[40:], np.s_[-6:], np.s_[:], np.s_[7], np.s_[-1],
        np.s_[2:50:3, 4], np.s_[4:20, 1:3], np.s_[:, [1, 3]], np.s_[::2],
    ],
    ids=str,
)  # fmt: skip
def test_rows_are_read_as_an_array_is(made, key) -> None:
    rows, expected = made
    np.testing.assert_array_equal(rows[key], expected[key])


def test_all_rows_come_back_in_blocks_and_at_once(made) -> None:
    rows, expected = made
    assert (len(rows), rows.shape, rows.ndim) == (len(expected), expected.shape, 2)
    np.testing.assert_array_equal(np.asarray(rows), expected)
    np.testing.assert_array_equal(np.concatenate(list(blocks_of(rows))), expected)


def test_a_run_whose_rows_are_in_a_file_is_the_same_run(monkeypatch, tmp_path) -> None:
    """Hash, verdicts and signals; saved and opened again."""
    scenario = proxops.load("free-tumble")
    expected = proxops.simulate(scenario)
    monkeypatch.setattr(module, "IN_MEMORY", 0)
    monkeypatch.setattr(module, "BLOCK", 100_000)
    run = proxops.simulate(scenario)
    assert isinstance(run.rows, Rows)
    assert run.summary() == expected.summary()
    for signal in run.signals():
        np.testing.assert_array_equal(run[signal][1], expected[signal][1])
    run.save(str(tmp_path / "run"))
    assert store.open(tmp_path / "run").summary() == expected.summary()


FLY = """
import resource, sys
import proxops
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
time = {"duration_s": seconds, "control_rate_hz": 10.0, "record_rate_hz": rate}
if rate == 1.0:
    time["phases"] = {"only": {"until_s": seconds, "step_s": 0.1}}
else:
    time["paces"] = {"far": {"step_s": 0.1}, "near": {"step_s": 0.05, "within_m": 1e3}}
slow = {"signal": "chaser.v_HC", "measure": "max-norm", "comparison": "<=", "limit": 1e3,
        "unit": "m/s"}
scenario = proxops.load("free-tumble").replace({"time": time, "chaser.arms": {}, "obsw.joints": {},
                                                "requirements": {"slow": slow}})
run = proxops.simulate(scenario)
assert run.ledger.closed and len(run.rows) == seconds * rate + 1 and run.requirements[0].passed
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts kilobytes")
@pytest.mark.parametrize("rate", [1, 10])
def test_memory_does_not_grow_with_the_length_of_a_run(rate: int) -> None:
    """From 600 s to 60 000 s by less than 20 MB: the rows alone have 20 MB, with paces at the
    higher rate 200 MB, of which a signal has 15 MB."""
    used = []
    for seconds in (600, 60_000):
        words = [sys.executable, "-c", FLY, str(seconds), str(rate)]
        found = subprocess.run(words, capture_output=True, text=True, check=True)
        used.append(int(found.stdout) / 1000.0)
    assert used[1] - used[0] < 20.0
