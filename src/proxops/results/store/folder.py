"""The folder of a run: who may write into it, and how files appear in it whole or not at all.

A run that replaces another is recorded in a folder inside, `unfinished`, which is a run's folder
like any other.  Once it is complete, one rename puts its recording in the place of the earlier one;
until then nothing of that is touched.
"""

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from proxops.core.errors import OutputError

RECORDING = "run.mcap"
SUMMARY = "summary.json"
REPORT = "report.html"  # of the run, if one was asked for
FILES = (RECORDING, REPORT, SUMMARY)
UNFINISHED = "unfinished"  # and unfinished-2, ...: runs that were to replace the one in the folder
EARLIER = "earlier"  # likewise: runs that were replaced, and that nobody has removed

MAGIC = b"\x89MCAP0\r\n"
_PROFILE = struct.pack("<I", 7) + b"proxops"
# What every recording of ours begins with: the magic and a header record (profile, library).
HEAD = MAGIC + struct.pack("<BQ", 1, 2 * len(_PROFILE)) + _PROFILE + _PROFILE


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the operating system refuses into an OutputError that names the place."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{path}: cannot be written: {reason}") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to: it takes its place on success and vanishes on failure."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        os.replace(part, path)
    except BaseException:  # an interrupt, too, must leave nothing half-written
        part.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Puts a text in place, whole or not at all."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


def lock(file: int) -> bool:
    """Whether this process now holds the file; the system lets go when the process ends."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: go on as if there were none
        return True
    return True


def being_recorded(path: Path) -> bool:
    """Whether a live process is writing the recording."""
    with open(path, "rb") as file:
        return not lock(file.fileno())


@contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Whether no other process writes into the folder; it is locked meanwhile."""
    if sys.platform == "win32":  # folders cannot be opened there
        yield True
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        yield lock(file)
    finally:
        os.close(file)


def make_folder(folder: Path) -> tuple[Path, ...]:
    """Makes the folder of a run; the folders that had to be made, innermost first."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder}: is a file; choose another path for the folder of the run")
    made = tuple(path for path in (folder, *folder.parents) if not path.exists())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        remove_folders(made)
        raise
    return made


def place_in(folder: Path, overwrite: bool) -> Path:
    """Where a new run is recorded: in the folder itself or, if that holds a run, in one inside."""
    found = sorted(os.listdir(folder))
    if not found:
        return folder
    if not overwrite:
        raise OutputError(
            f"{folder}: is not empty; choose another folder, or --overwrite it (overwrite=True)"
        )
    foreign = [name for name in found if name not in FILES and not _of_runs(folder, name)]
    if foreign or not is_recording(folder / RECORDING):
        what = f"{foreign[0]!r}" if foreign else f"no {RECORDING} of proxops"
        raise OutputError(f"{folder}: holds {what}, so it is not overwritten as an earlier run")
    if being_recorded(folder / RECORDING):
        raise OutputError(f"{folder}: another process is recording into it")
    return new_inside(folder, UNFINISHED)


def new_inside(folder: Path, name: str) -> Path:
    """An empty folder inside: NAME, or NAME-2, ..."""
    count, path = 1, folder / name
    while path.exists() and not (path.is_dir() and not os.listdir(path)):
        count += 1
        path = folder / f"{name}-{count}"
    path.mkdir(exist_ok=True)
    return path


def kept_inside(folder: Path) -> list[Path]:
    """The folders of runs that are kept inside that of a run, the newest last."""
    found = []
    for path in folder.iterdir():
        name, _, count = path.name.partition("-")
        ours = name in (EARLIER, UNFINISHED) and (count.isdecimal() or not count)
        if ours and path.is_dir() and not path.is_symlink():
            found.append((name, int(count or 1), path))
    return [path for _, _, path in sorted(found)]


def put_in_place(folder: Path, inside: Path, summary: str) -> None:
    """Replaces the run of a folder by a complete one that was recorded inside.

    The rename of the recording decides: before it the earlier run is there, after it the new one.
    Its summary and its page stand aside meanwhile, so that no files disagree.
    """
    write_text(inside / SUMMARY, summary)
    moved = [name for name in (SUMMARY, REPORT) if (folder / name).exists()]
    try:
        for name in moved:
            os.replace(folder / name, aside(folder, name))
        os.replace(inside / RECORDING, folder / RECORDING)
    except OSError:
        for name in reversed(moved):
            with suppress(OSError):
                os.replace(aside(folder, name), folder / name)
        raise
    os.replace(inside / SUMMARY, folder / SUMMARY)


def clear(folder: Path) -> None:
    """Removes what a complete run has replaced: runs kept inside, and what a kill has left."""
    with suppress(OSError):  # the run is complete, whether this succeeds or not
        for inside in kept_inside(folder):
            clear(inside)
            remove_run(inside)
            remove_folders((inside,))
        for name in filter(leftover, os.listdir(folder)):
            (folder / name).unlink(missing_ok=True)


def remove_run(folder: Path) -> None:
    """Removes the files of a run."""
    for name in reversed(FILES):  # the summary first: without it the folder never looks complete
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)


def remove_parts(folder: Path) -> None:
    """Removes files that a kill has left before they were whole."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if leftover(name) and name.endswith(".part"):
                (folder / name).unlink(missing_ok=True)


def aside(folder: Path, name: str) -> Path:
    """Where a file of a run stands while its recording is replaced."""
    return folder / f".{name}.old"


def leftover(name: str) -> bool:
    """Whether a name is that of a file aside, or of one that is not whole."""
    starts = tuple(f".{file}." for file in FILES)
    return name.startswith(starts) and name.endswith((".part", ".old"))


def is_recording(path: Path) -> bool:
    """Whether a file begins as recordings of proxops do, or is shorter than that."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return HEAD.startswith(file.read(len(HEAD)))


def remove_folders(made: tuple[Path, ...]) -> None:
    """Removes folders as far as they are empty."""
    for path in made:
        with suppress(OSError):
            path.rmdir()


def _of_runs(folder: Path, name: str) -> bool:
    """Whether an entry of a run's folder was made by proxops: then --overwrite replaces it."""
    if leftover(name):
        return True
    inside = folder / name
    return inside in kept_inside(folder) and all(
        each in FILES or leftover(each) for each in os.listdir(inside)
    )
