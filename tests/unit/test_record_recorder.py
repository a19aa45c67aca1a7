"""A recorder takes rows as they come, and a failure is heard of and leaves nothing behind."""

import errno
import os
import subprocess
import sys
import textwrap
from contextlib import nullcontext
from threading import Event

import numpy as np
import pytest
from tests.unit.record_cases import (
    PROVENANCE,
    TABLE,
    WIDTH,
    cut_short,
    rows_of,
    run_of,
    same_bits,
)

from proxops.core.errors import InputError, OutputError
from proxops.results import store
from proxops.results.store import Recorder
from proxops.results.store.container import RunFile
from proxops.results.store.layout import Layout


def recorder_in(folder, **options):
    return Recorder(folder, PROVENANCE, TABLE, "tumble", **options)


def write_often(recorder, rows, before_each=lambda: None):
    for _ in range(200):
        before_each()
        recorder.write(rows)


def disk_full(self, rows):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_blocks_of_any_size_make_the_same_run(tmp_path):
    rows = rows_of(5000)
    recorder = recorder_in(tmp_path / "run")
    buffer = np.empty_like(rows)
    sizes = np.random.default_rng(2).integers(0, 400, 100).cumsum()
    for piece in np.split(rows, sizes[sizes < 5000]):
        buffer[: len(piece)] = piece
        recorder.write(buffer[: len(piece)])
        buffer[: len(piece)] = 1.0  # the simulation goes on in its buffer
    recorder.finish(run_of(rows).summary())
    assert same_bits(store.open(tmp_path / "run").rows, rows)


def test_two_recorders_at_once_do_not_mix(tmp_path):
    both = [rows_of(3000, seed=1), rows_of(3000, seed=2)]
    recorders = [recorder_in(tmp_path / str(number)) for number in range(2)]
    for first in range(0, 3000, 100):
        for recorder, rows in zip(recorders, both, strict=True):
            recorder.write(rows[first : first + 100])
    for number, rows in enumerate(both):
        recorders[number].finish(run_of(rows).summary())
        assert same_bits(store.open(tmp_path / str(number)).rows, rows)


def test_discard_removes_all_that_was_made(tmp_path):
    (tmp_path / "mine").mkdir()
    recorder = recorder_in(tmp_path / "mine" / "a" / "b")
    recorder.write(rows_of(100))
    recorder.discard()
    recorder.discard()
    assert list((tmp_path / "mine").iterdir()) == []
    with pytest.raises(OutputError, match="has ended"):
        recorder.write(rows_of(1))


def test_a_full_disk_is_heard_of_at_the_next_call(tmp_path, monkeypatch):
    tried = Event()

    def full(self, rows):
        tried.set()
        disk_full(self, rows)

    monkeypatch.setattr(RunFile, "append", full)
    recorder = recorder_in(tmp_path / "a" / "run")
    recorder.write(rows_of(100))
    with pytest.raises(OutputError, match=r"run: recording failed: No space left on device"):
        write_often(recorder, rows_of(100), before_each=tried.wait)
    with pytest.raises(OutputError, match="No space left"):
        recorder.finish({})
    assert list(tmp_path.iterdir()) == []


def test_a_queue_that_stays_full_ends_in_the_error(tmp_path, monkeypatch):
    go = Event()

    def stuck(self, rows):
        go.wait()
        disk_full(self, rows)

    monkeypatch.setattr(RunFile, "append", stuck)
    monkeypatch.setattr("proxops.results.store.recorder._QUEUE_PIECES", 2)
    monkeypatch.setattr("proxops.results.store.recorder._POLL_S", 0.001)
    put = store.recorder.Queue.put
    refused = []

    def counting(self, piece, timeout):
        try:
            put(self, piece, timeout=timeout)
        except store.recorder.Full:
            refused.append(piece)
            go.set()
            raise

    monkeypatch.setattr(store.recorder.Queue, "put", counting)
    recorder = recorder_in(tmp_path / "run")
    rows = rows_of(Layout(TABLE).chunk_rows)
    with pytest.raises(OutputError, match="No space left"):
        write_often(recorder, rows)
    assert refused
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["append", "finish"])
def test_a_disk_full_at_the_very_end_leaves_nothing(tmp_path, monkeypatch, step):
    monkeypatch.setattr(RunFile, step, disk_full)
    with pytest.raises(OutputError, match=r"run: recording failed: No space left on device"):
        store.save(run_of(rows_of(10)), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("replaces", [False, True])
def test_a_whole_recording_is_kept_though_its_summary_cannot_be_written(
    tmp_path, monkeypatch, replaces
):
    folder = tmp_path / "run"
    if replaces:
        store.save(run_of(rows_of(3)), folder)
    with monkeypatch.context() as patched:
        for module in ("recorder", "folder"):
            patched.setattr(f"proxops.results.store.{module}.write_text", disk_full)
        with pytest.raises(OutputError, match=r"^proxops recover .*run: .*is whole.*No space left"):
            store.save(run_of(rows_of(10)), folder, overwrite=True)
    if replaces:
        assert same_bits(store.open(folder).rows, rows_of(3))
    store.recover(folder, lambda *_: pytest.fail("its verdicts are in it"))
    whole = folder / "unfinished" if replaces else folder
    assert same_bits(store.open(whole).rows, rows_of(10))


def test_a_fault_in_the_writer_is_not_lost(tmp_path, monkeypatch):
    def broken(self, rows):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(RunFile, "append", broken)
    with pytest.raises(OutputError, match="a bug") as caught:
        store.save(run_of(rows_of(10)), tmp_path / "run")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


LIMITED = """
    import resource, sys
    from proxops.core.errors import OutputError
    from proxops.results.store import save
    from tests.unit.record_cases import rows_of, run_of

    run = run_of(rows_of(3000))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
    try:
        save(run, sys.argv[1])
    except OutputError as error:
        sys.exit(str(error))
"""


@pytest.mark.parametrize("limit", [0, 10, 5000, 400_000])
def test_a_file_size_limit_leaves_nothing(tmp_path, limit):
    command = [sys.executable, "-c", textwrap.dedent(LIMITED), tmp_path / "run", str(limit)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 1
    assert done.stderr.startswith(str(tmp_path / "run"))
    assert done.stderr.rstrip().endswith("File too large")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_hold_a_run_are_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("mine")
    cases = [
        (tmp_path / "file", "is a file"),
        (tmp_path / "file" / "run", "cannot be written: Not a directory"),
        (tmp_path / "full", "is not empty"),
        (tmp_path / ("x" * 300), "cannot be written: File name too long"),
    ]
    for folder, message in cases:
        with pytest.raises(OutputError, match=message) as caught:
            recorder_in(folder)
        assert str(folder) in str(caught.value)
    with pytest.raises(OutputError, match=r"holds 'thesis\.tex'"):
        recorder_in(tmp_path / "full", overwrite=True)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "thesis.tex"]


def test_a_folder_without_permission_is_refused(tmp_path, monkeypatch):
    def denied(self, *args, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", denied)
    with pytest.raises(OutputError, match=r"run: cannot be written: Permission denied"):
        recorder_in(tmp_path / "a" / "run")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_run_is_replaced_only_when_asked(tmp_path):
    folder = tmp_path / "run"
    store.save(run_of(rows_of(10)), folder)
    with pytest.raises(OutputError, match="is not empty"):
        store.save(run_of(rows_of(20)), folder)
    store.save(run_of(rows_of(20)), folder, overwrite=True)
    assert len(store.open(folder).rows) == 20
    assert sorted(path.name for path in folder.iterdir()) == ["run.mcap", "summary.json"]


def test_a_folder_that_only_looks_like_a_run_is_not_replaced(tmp_path):
    (tmp_path / "run.mcap").write_text("the recording of somebody else")
    with pytest.raises(OutputError, match=r"no run\.mcap of proxops"):
        recorder_in(tmp_path, overwrite=True)
    assert (tmp_path / "run.mcap").read_text() == "the recording of somebody else"


def test_a_replacement_that_fails_brings_the_earlier_run_back(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    run = run_of(rows_of(10))
    store.save(run, folder)
    monkeypatch.setattr(RunFile, "finish", disk_full)
    with pytest.raises(OutputError):
        store.save(run_of(rows_of(20)), folder, overwrite=True)
    assert store.open(folder).hash == run.hash
    assert sorted(path.name for path in folder.iterdir()) == ["run.mcap", "summary.json"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"signals": ()}, "at least one signal"),
        ({"signals": (*TABLE, TABLE[0])}, "given twice"),
        ({"provenance": {"seed": object()}}, "provenance seed cannot be stored"),
    ],
)
def test_what_cannot_be_recorded_makes_no_folder(tmp_path, change, message):
    arguments = {"provenance": PROVENANCE, "signals": TABLE, "name": "tumble"} | change
    with pytest.raises(InputError, match=message):
        Recorder(tmp_path / "run", **arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("t", [-1e-3, np.nan, np.inf, 1e12])
def test_a_row_without_a_log_time_is_refused(tmp_path, t):
    rows = rows_of(3)
    rows[1, 0] = t
    with pytest.raises(InputError, match="cannot be recorded"):
        store.save(run_of(rows), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_rows_of_another_width_are_refused(tmp_path):
    with pytest.raises(InputError, match=rf"where \(n, {WIDTH}\)"):
        store.save(run_of(rows_of(3)[:, 1:]), tmp_path / "run")


def test_a_recorder_that_comes_second_leaves_the_first_one_alone(tmp_path, monkeypatch):
    """As when two runs choose the same free folder in the same moment, on a disk without locks."""
    rows = rows_of(30)
    first = recorder_in(tmp_path / "run")
    monkeypatch.setattr("proxops.results.store.recorder.alone_in", lambda folder: nullcontext(True))
    monkeypatch.setattr("proxops.results.store.recorder.place_in", lambda folder, overwrite: folder)
    with pytest.raises(OutputError, match="another process"):
        recorder_in(tmp_path / "run")
    first.write(rows)
    first.finish(run_of(rows).summary())
    assert same_bits(store.open(tmp_path / "run").rows, rows)


@pytest.mark.parametrize("outcome", ["interrupted", "cut-short"])
def test_a_run_that_was_ended_early_does_not_replace_one_that_was_not(tmp_path, outcome, caplog):
    folder, whole, early = tmp_path / "run", run_of(rows_of(10)), run_of(rows_of(5), outcome)
    store.save(whole, folder)
    assert store.save(early, folder, overwrite=True) == folder / "unfinished"
    assert "the run in it stays" in caplog.text
    assert store.open(folder).hash == whole.hash
    assert f"{folder / 'unfinished'}: contains another run" in caplog.text
    assert store.open(folder / "unfinished").outcome == outcome
    assert store.save(early, folder, overwrite=True) == folder / "unfinished-2"
    later = run_of(rows_of(20))
    assert store.save(later, folder, overwrite=True) == folder
    assert store.open(folder).hash == later.hash
    assert sorted(path.name for path in folder.iterdir()) == ["run.mcap", "summary.json"]


def test_a_run_that_was_ended_early_is_replaced_by_another_such(tmp_path):
    for count in (5, 7):
        run = run_of(rows_of(count), "interrupted")
        assert store.save(run, tmp_path / "run", overwrite=True) == tmp_path / "run"
        assert store.open(tmp_path / "run").hash == run.hash


def test_one_recorder_at_a_time_replaces_a_run_and_the_earlier_one_opens_meanwhile(tmp_path):
    folder, run = tmp_path / "run", run_of(rows_of(10))
    store.save(run, folder)
    first = recorder_in(folder, overwrite=True)
    with pytest.raises(OutputError, match="another process is recording into it"):
        recorder_in(folder, overwrite=True)
    with pytest.raises(InputError, match="still being recorded"):
        store.recover(folder, cut_short)
    assert store.open(folder).hash == run.hash
    first.write(rows_of(20))
    first.finish(run_of(rows_of(20)).summary())
    assert len(store.open(folder).rows) == 20


def test_a_run_inside_that_somebody_has_put_things_into_is_not_removed(tmp_path):
    store.save(run_of(rows_of(10)), tmp_path / "run")
    (tmp_path / "run" / "unfinished").mkdir()
    (tmp_path / "run" / "unfinished" / "thesis.tex").write_text("mine")
    with pytest.raises(OutputError, match="holds 'unfinished'"):
        store.save(run_of(rows_of(20)), tmp_path / "run", overwrite=True)
    assert (tmp_path / "run" / "unfinished" / "thesis.tex").read_text() == "mine"
