"""Processes: which there are, and waiting for something without end."""

import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 1800.0  # the machine may be busy
_LOOK_S = 0.02


def wait_until(holds: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> float:
    """Seconds until something holds; TimeoutError if it does not in time."""
    begin = time.monotonic()
    while not holds():
        if time.monotonic() - begin > patience_s:
            raise TimeoutError(f"not within {patience_s:g} s: {what}")
        time.sleep(_LOOK_S)
    return time.monotonic() - begin


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(each) for each in file.read_text().split()]
        except OSError:  # it has just ended
            continue
    return found


def command_of(pid: int) -> str:
    """Its command line; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def marked(mark: str) -> list[int]:
    """All processes with that text in their environment, whoever their parent is by now."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_text(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]
