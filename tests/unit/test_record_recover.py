"""Of a recording that was cut, everything before the cut is kept and nothing is made up."""

import errno
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.record_cases import PROVENANCE, TABLE, cut_short, rows_of, run_of, same_bits

from proxops.core.errors import InputError, OutputError
from proxops.results import store
from proxops.results.run import Event
from proxops.results.store.container import RunFile
from proxops.results.store.layout import Layout


@pytest.fixture
def recorded(tmp_path):
    """Rows recorded in five chunks, and the folder."""
    rows = rows_of(100)
    layout = Layout(TABLE)
    folder = tmp_path / "run"
    folder.mkdir()
    file = RunFile(folder / "run.mcap", layout, "tumble", PROVENANCE)
    for first in range(0, 100, 20):
        file.append(rows[first : first + 20])
    file.finish(json.dumps(run_of(rows).summary()))
    file.close()
    return rows, folder


def first_chunk(data):
    """Where the rows of a recording begin."""
    at = 8
    while data[at] != 0x06:
        at += 9 + struct.unpack_from("<Q", data, at + 1)[0]
    return at


def test_a_cut_anywhere_keeps_every_whole_row_before_it(recorded, tmp_path):
    rows, folder = recorded
    data = (folder / "run.mcap").read_bytes()
    start = first_chunk(data)
    row_bytes = Layout(TABLE).row_bytes
    # Besides its rows a chunk has a head of 49 bytes and, per topic, 15 bytes and 16 a row.
    chunk_bytes = 49 + 20 * row_bytes + 5 * (15 + 16 * 20)
    rng = np.random.default_rng(5)
    for number, cut in enumerate(rng.integers(0, len(data) - 1, 200)):
        copy = tmp_path / str(number)
        copy.mkdir()
        (copy / "run.mcap").write_bytes(data[:cut])
        whole, rest = divmod(max(0, cut - start), chunk_bytes)
        expected = min(100, 20 * whole + min(20, max(0, rest - 49) // row_bytes))
        if expected == 0:
            with pytest.raises(InputError, match="before the first row"):
                store.recover(copy, cut_short)
            assert (copy / "run.mcap").read_bytes() == data[:cut]
            continue
        run = store.recover(copy, cut_short)
        assert same_bits(run.rows, rows[:expected])
        assert same_bits(store.open(copy).rows, rows[:expected])
        assert store.open(copy).outcome == "cut-short"
        shutil.rmtree(copy)


def test_a_flipped_bit_keeps_the_rows_before_it(recorded, tmp_path):
    rows, folder = recorded
    data = (folder / "run.mcap").read_bytes()
    start = first_chunk(data)
    rng = np.random.default_rng(6)
    for number, at in enumerate(rng.integers(start, len(data), 60)):
        copy = tmp_path / str(number)
        copy.mkdir()
        changed = bytearray(data)
        changed[at] ^= 1 << int(rng.integers(8))
        (copy / "run.mcap").write_bytes(changed)
        try:
            run = store.recover(copy, cut_short)
        except InputError:
            continue
        assert same_bits(run.rows, rows[: len(run.rows)])


def test_a_tail_of_zeros_adds_no_rows(recorded):
    rows, folder = recorded
    data = bytearray((folder / "run.mcap").read_bytes())
    row_bytes = Layout(TABLE).row_bytes
    cut = first_chunk(data) + 49 + 7 * row_bytes + row_bytes // 2
    # A machine that loses power may leave the length of a file without its content.
    data[cut : cut + 5 * row_bytes] = bytes(5 * row_bytes)
    (folder / "run.mcap").write_bytes(data[: cut + 5 * row_bytes])
    assert same_bits(store.recover(folder, cut_short).rows, rows[:7])


def test_a_length_beyond_all_memory_is_taken_as_a_cut(recorded):
    _, folder = recorded
    data = bytearray((folder / "run.mcap").read_bytes())
    at = first_chunk(data)
    data[at + 1 : at + 9] = struct.pack("<Q", 2**63)
    (folder / "run.mcap").write_bytes(data)
    with pytest.raises(InputError):
        store.recover(folder, cut_short)


def test_recovering_a_complete_run_says_so_and_changes_nothing(tmp_path):
    store.save(run_of(rows_of(50)), tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    with pytest.raises(InputError, match="is a complete run"):
        store.recover(tmp_path / "run", cut_short)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize("summary", [None, "{", "{}"])
def test_a_whole_recording_without_its_summary_keeps_its_verdicts(tmp_path, summary):
    run = run_of(rows_of(50))
    store.save(run, tmp_path / "run")
    path = tmp_path / "run" / "summary.json"
    text = path.read_text()
    path.unlink()
    if summary is not None:
        path.write_text(summary)
    assert store.recover(tmp_path / "run", cut_short).outcome == "failed"
    assert path.read_text() == text
    assert store.open(tmp_path / "run").hash == run.hash


@pytest.mark.parametrize("tail", [b"xxxxx", None], ids=["longer", "cut"])
def test_a_recording_damaged_behind_its_rows_keeps_events_and_verdicts(tmp_path, tail, caplog):
    """The summary beside it is that of these very rows."""
    run = replace(run_of(rows_of(50)), events=(Event(0.2, "collision", "a meets b"),))
    store.save(run, tmp_path / "run")
    path = tmp_path / "run" / "run.mcap"
    data = path.read_bytes()
    path.write_bytes(data + tail if tail else data[:-3])
    for found in (
        store.look(tmp_path / "run", cut_short),
        store.recover(tmp_path / "run", cut_short),
    ):
        assert (found.outcome, found.events) == (run.outcome, run.events)
    assert store.open(tmp_path / "run").summary() == run.summary()
    assert "lost" not in caplog.text


def test_events_that_a_cut_recording_cannot_keep_are_reported_as_lost(recorded, caplog):
    """A summary of other rows is not believed."""
    _, folder = recorded
    other = replace(run_of(rows_of(50)), events=(Event(0.2, "collision", "a meets b"),))
    (folder / "summary.json").write_text(json.dumps(other.summary()))
    data = (folder / "run.mcap").read_bytes()
    (folder / "run.mcap").write_bytes(data[: len(data) // 2])
    found = store.recover(folder, cut_short)
    assert found.outcome == "cut-short"
    assert "collision" not in [event.name for event in found.events]
    assert "events of the recording that was cut are lost" in caplog.text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_place_of_the_summary_is_not_waited_for(tmp_path):
    run = run_of(rows_of(50))
    store.save(run, tmp_path / "run")
    path = tmp_path / "run" / "summary.json"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InputError, match="is a pipe, not a file"):
        store.open(tmp_path / "run")
    assert store.recover(tmp_path / "run", cut_short).hash == run.hash


def test_a_recovery_that_cannot_be_written_leaves_the_cut_recording(recorded, monkeypatch):
    _, folder = recorded
    data = (folder / "run.mcap").read_bytes()
    (folder / "run.mcap").write_bytes(data[:-200])

    def full(self, summary):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(RunFile, "finish", full)
    with pytest.raises(OutputError, match=r"run.*No space left"):
        store.recover(folder, cut_short)
    assert [path.name for path in folder.iterdir()] == ["run.mcap"]
    assert (folder / "run.mcap").read_bytes() == data[:-200]


def test_a_recording_in_progress_is_left_alone(tmp_path):
    recorder = store.Recorder(tmp_path / "run", PROVENANCE, TABLE, "tumble")
    recorder.write(rows_of(10))
    for act in (store.open, lambda folder: store.recover(folder, cut_short)):
        with pytest.raises(InputError, match="still being recorded"):
            act(tmp_path / "run")
    with pytest.raises(OutputError, match="another process"):
        store.Recorder(tmp_path / "run", PROVENANCE, TABLE, "tumble", overwrite=True)
    recorder.finish(run_of(rows_of(10)).summary())
    assert same_bits(store.open(tmp_path / "run").rows, rows_of(10))


ENDLESS = """
    import sys, time
    from proxops.results.store import Recorder
    from tests.unit.record_cases import PROVENANCE, TABLE, rows_of

    rows = rows_of(10_000)
    recorder = Recorder(sys.argv[1], PROVENANCE, TABLE, "tumble")
    for first in range(0, len(rows), 5):  # so slowly that no chunk fills
        recorder.write(rows[first : first + 5])
        print(time.monotonic(), first + 5, flush=True)
        time.sleep(0.01)  # the pace of the recorded process, not a wait for anything
"""


def test_a_killed_process_loses_less_than_its_last_second(tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(ENDLESS), str(tmp_path / "run")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    handed: list[tuple[float, int]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout:
            at, count = line.split()
            handed.append((float(at), int(count)))
            if handed[-1][0] - handed[0][0] > 1.4:
                process.send_signal(signal.SIGKILL)
                break
    due = max(count for at, count in handed if at < handed[-1][0] - 1.0)
    run = store.recover(tmp_path / "run", cut_short)
    assert len(run.rows) >= due > 0
    assert same_bits(run.rows, rows_of(10_000)[: len(run.rows)])
