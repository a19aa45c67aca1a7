"""Whenever a process that replaces a run is killed, or its disk fails: nothing is lost.

Every operation on the file system is counted, and the process dies, or the disk fails, at each.
"""

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.unit.record_cases import cut_short, rows_of, run_of, same_bits

from proxops.core.errors import InputError, OutputError
from proxops.results import store
from proxops.results.run import Run
from proxops.results.store.container import RunFile

pytestmark = pytest.mark.slow

EARLIER, LATER = run_of(rows_of(40, seed=1)), run_of(rows_of(70, seed=2))
PAGE = "<p>of the earlier run</p>"
OPERATIONS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "write", "fsync")


def earlier_run(folder: Path) -> None:
    """A whole run and its page."""
    store.save(EARLIER, folder)
    (folder / "report.html").write_text(PAGE)


def left_by_an_earlier_version(folder: Path) -> None:
    """It had set the whole run aside and was killed while it recorded the next one."""
    earlier_run(folder)
    for name in ("run.mcap", "summary.json", "report.html"):
        (folder / name).rename(folder / f".{name}.old")
    store.save(LATER, folder / "later")
    data = (folder / "later" / "run.mcap").read_bytes()
    shutil.rmtree(folder / "later")
    (folder / "run.mcap").write_bytes(data[:-3000])


def left_before_it_recorded(folder: Path) -> None:
    """Likewise, before it had made its own recording."""
    left_by_an_earlier_version(folder)
    (folder / "run.mcap").unlink()


def cut_twice(folder: Path) -> None:
    """A cut run, and inside another one that was to replace it."""
    for place, run in ((folder, EARLIER), (folder / "unfinished", LATER)):
        store.save(run, place)
        (place / "summary.json").unlink()
        data = (place / "run.mcap").read_bytes()
        (place / "run.mcap").write_bytes(data[:-3000])


def replace_it(folder: Path) -> None:
    store.save(LATER, folder, overwrite=True)


def recover_it(folder: Path) -> None:
    store.recover(folder, cut_short)


def put_in_order(folder: Path) -> None:
    """What a user does after a kill."""
    try:
        recover_it(folder)
    except InputError as error:
        if "complete run" not in str(error):
            raise


def at_each_operation(
    prepare: Callable[[Path], None],
    act: Callable[[Path], None],
    strike: Callable[[], None],
    place: Path,
) -> Iterator[tuple[Path, int]]:
    """A folder for each operation at which a forked process is struck, and how it ended; the last
    one was not struck at all."""
    for number in range(1000):
        folder = place / str(number) / "run"
        prepare(folder)
        child = os.fork()
        if child == 0:
            os._exit(struck(folder, number, act, strike))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        yield folder, code
        if code == 0:
            return
        shutil.rmtree(folder.parent)
    raise AssertionError("it never came to its end")


def struck(
    folder: Path, number: int, act: Callable[[Path], None], strike: Callable[[], None]
) -> int:
    """Acts, and strikes before the operation of that number on the folder; 1 for an OutputError,
    0 if nothing was struck."""
    done = [0]

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in OPERATIONS and str(folder) in str(arguments[0]):
            done[0] += 1
            if done[0] == number + 1:
                strike()

    for name, method in (("write", "_write"), ("fsync", "sync")):
        own = getattr(RunFile, method)

        def audited(self: RunFile, *data: bytes, own=own, name=name) -> None:
            sys.audit(name, str(folder))
            own(self, *data)

        setattr(RunFile, method, audited)
    sys.addaudithook(watch)
    try:
        act(folder)
    except OutputError:
        return 1
    return 2 if done[0] > number else 0


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def all_runs(folder: Path) -> dict[str, Run]:
    """The runs in a folder and inside it, by place; each can be opened."""
    places = sorted(path.parent for path in folder.rglob("run.mcap"))
    return {str(path.relative_to(folder)): store.open(path) for path in places}


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".*")]


def test_a_kill_at_any_operation_of_a_replacement_loses_nothing(tmp_path):
    ends = []
    for folder, code in at_each_operation(earlier_run, replace_it, kill, tmp_path):
        now = store.open(folder)
        ends.append(now.hash)
        assert now.hash in (EARLIER.hash, LATER.hash)  # to the bit, whatever the instant
        if code == 0:
            assert now.hash == LATER.hash
            break
        assert code == -signal.SIGKILL
        put_in_order(folder)
        runs = all_runs(folder)
        assert runs["."].hash == now.hash
        assert hidden(folder) == []
        if now.hash == EARLIER.hash:
            assert (folder / "report.html").read_text() == PAGE
            for run in list(runs.values())[1:]:  # what had been recorded of the later one
                assert same_bits(run.rows, LATER.rows[: len(run.rows)])
        else:
            assert not (folder / "report.html").exists()
        replace_it(folder)
        assert all_runs(folder)["."].hash == LATER.hash
        assert sorted(os.listdir(folder)) == ["run.mcap", "summary.json"]
    assert ends.index(LATER.hash) > 10
    assert EARLIER.hash not in ends[ends.index(LATER.hash) :]


def test_a_disk_that_fails_at_any_operation_leaves_the_earlier_run_as_it_was(tmp_path):
    earlier_run(tmp_path / "same")
    before = {path.name: path.read_bytes() for path in (tmp_path / "same").iterdir()}
    codes = []
    for folder, code in at_each_operation(earlier_run, replace_it, full, tmp_path):
        codes.append(code)
        if code == 1:
            after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
            assert after == before or store.open(folder).hash == LATER.hash
            if (folder / "unfinished").exists():  # whole, but could not be put in place
                put_in_order(folder)
                assert LATER.hash in {run.hash for run in all_runs(folder).values()}
        else:  # it came to its end without that operation
            assert store.open(folder).hash == LATER.hash
    assert codes.count(1) > 10


@pytest.mark.parametrize("state", [left_by_an_earlier_version, left_before_it_recorded, cut_twice])
@pytest.mark.parametrize("act", [recover_it, replace_it])
def test_a_kill_while_an_unfinished_replacement_is_put_in_order_loses_nothing(tmp_path, state, act):
    rows = 70 if act is replace_it else None
    for folder, code in at_each_operation(state, act, kill, tmp_path):
        if code != 0 or act is recover_it:
            put_in_order(folder)
        runs = all_runs(folder)
        assert hidden(folder) == []
        if rows and same_bits(runs["."].rows, LATER.rows):
            continue  # replaced by a complete one
        assert same_bits(runs["."].rows, EARLIER.rows[: len(runs["."].rows)])
        if state is not cut_twice:
            assert runs["."].hash == EARLIER.hash
            assert (folder / "report.html").read_text() == PAGE
        if state is not left_before_it_recorded:
            assert same_bits(runs["unfinished"].rows, LATER.rows[: len(runs["unfinished"].rows)])
            assert len(runs["unfinished"].rows) > 20
