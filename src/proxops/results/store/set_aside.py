"""Runs that are kept in the folder of another one, and what a kill has left there.

A run that was to replace another and did not come to its end is in `unfinished`, see folder.  An
earlier version moved the run of a folder aside, as `.run.mcap.old`, before it recorded the next
one: what it left comes back here as well.
"""

import os
from pathlib import Path

from proxops.core.errors import InputError
from proxops.results.store.folder import (
    EARLIER,
    RECORDING,
    REPORT,
    SUMMARY,
    UNFINISHED,
    aside,
    being_recorded,
    is_recording,
    kept_inside,
    new_inside,
)
from proxops.results.store.plain import read_object
from proxops.results.store.reading import Content, read

CUT = ("interrupted", "cut-short")  # outcomes of runs that did not come to their end


def whole(path: Path) -> Content | None:
    """What a recording holds if it is whole."""
    try:
        content = read(path)
    except InputError:
        return None
    return content if content.problem is None else None


def came_to_its_end(path: Path) -> bool:
    """Whether a recording is whole, and of a run that was not ended early."""
    content = whole(path)
    return content is not None and (content.summary or {}).get("outcome") not in CUT


def bring_back(folder: Path) -> bool:
    """Puts back in place what a kill has left aside; whether a run was.

    Every step is a rename: a kill on the way leaves it to the next call.
    """
    if is_recording(aside(folder, RECORDING)):
        _bring_run_back(folder)
        return True
    moved = [name for name in (REPORT, SUMMARY) if aside(folder, name).exists()]
    if moved:
        theirs = _summary_aside(folder)
        content = whole(folder / RECORDING) if theirs is not None else None
        same = content is not None and content.summary == theirs
        for name in moved:
            if same and not (folder / name).exists():
                os.replace(aside(folder, name), folder / name)
            else:  # of a run that was replaced
                aside(folder, name).unlink()
    return False


def other_contents(folder: Path) -> list[str]:
    """What else the folder of a run holds, a sentence each."""
    sentences = []
    for inside in kept_inside(folder):
        if not is_recording(inside / RECORDING):
            continue
        if (inside / SUMMARY).exists():
            sentences.append(f"{inside}: contains another run, which stays there")
        elif being_recorded(inside / RECORDING):
            sentences.append(f"{inside}: the run that is to replace this one is being recorded")
        else:
            sentences.append(
                f"{inside}: holds a run that was to replace this one and was cut short; "
                f"`proxops recover {folder}` completes it there"
            )
    if is_recording(aside(folder, RECORDING)):
        sentences.append(f"{folder}: {set_aside(folder)}")
    return sentences


def set_aside(folder: Path) -> str:
    """What is said of a run that stands aside."""
    name = aside(folder, RECORDING).name
    return f"an earlier run was set aside as {name}; `proxops recover {folder}` brings it back"


def _bring_run_back(folder: Path) -> None:
    """The run aside goes back to its place, unless a whole one has taken it."""
    if whole(folder / RECORDING) is not None:
        place = new_inside(folder, EARLIER)
    else:
        place = folder
        if (folder / RECORDING).exists():
            inside = new_inside(folder, UNFINISHED)
            (folder / SUMMARY).unlink(missing_ok=True)  # of a cut recording: it belongs to nothing
            os.replace(folder / RECORDING, inside / RECORDING)
    for name in (RECORDING, REPORT, SUMMARY):
        if aside(folder, name).exists():
            os.replace(aside(folder, name), place / name)


def _summary_aside(folder: Path) -> dict[str, object] | None:
    try:
        return read_object(aside(folder, SUMMARY))
    except InputError:
        return None
