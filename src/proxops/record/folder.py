"""The folder of a run: who may write into it, and how files appear in it whole or not at all."""

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
_FILES = (RECORDING, REPORT, SUMMARY)

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


def claim(folder: Path, overwrite: bool) -> tuple[Path, ...]:
    """The folders that had to be made for a new run, innermost first.

    An earlier run in it is set aside (`release` brings it back, `settle` removes it).
    """
    with writing(folder):
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder}: is a file, where the folder of a run was to be made")
        made = tuple(path for path in (folder, *folder.parents) if not path.exists())
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            _remove_folders(made)
            raise
        if not made:
            _set_aside(folder, overwrite)
    return made


def release(folder: Path, made: tuple[Path, ...]) -> None:
    """Undoes a claim: removes what was written, brings an earlier run back."""
    for name in _FILES:
        with suppress(OSError):
            (folder / name).unlink(missing_ok=True)
        with suppress(OSError):
            os.replace(_aside(folder, name), folder / name)
    _remove_folders(made)


def settle(folder: Path) -> None:
    """Removes what a complete run has replaced and what a kill may have left."""
    with suppress(OSError):  # the run is complete, whether this succeeds or not
        for name in filter(_leftover, os.listdir(folder)):
            (folder / name).unlink(missing_ok=True)


def _set_aside(folder: Path, overwrite: bool) -> None:
    found = sorted(os.listdir(folder))
    if not found:
        return
    if not overwrite:
        raise OutputError(
            f"{folder}: is not empty; choose another folder, or --overwrite it (overwrite=True)"
        )
    foreign = [name for name in found if name not in _FILES and not _leftover(name)]
    if foreign or not _is_recording(folder / RECORDING):
        what = f"{foreign[0]!r}" if foreign else f"no {RECORDING} of proxops"
        raise OutputError(f"{folder}: holds {what}, so it is not overwritten as an earlier run")
    if being_recorded(folder / RECORDING):
        raise OutputError(f"{folder}: another process is recording into it")
    # The summary goes first and returns last: without it the folder never looks complete.
    for name in reversed(_FILES):
        _aside(folder, name).unlink(missing_ok=True)
        if (folder / name).exists():
            os.replace(folder / name, _aside(folder, name))


def _aside(folder: Path, name: str) -> Path:
    return folder / f".{name}.old"


def _leftover(name: str) -> bool:
    starts = tuple(f".{file}." for file in _FILES)
    return name.startswith(starts) and name.endswith((".part", ".old"))


def _is_recording(path: Path) -> bool:
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return HEAD.startswith(file.read(len(HEAD)))


def _remove_folders(made: tuple[Path, ...]) -> None:
    for path in made:
        with suppress(OSError):
            path.rmdir()
