"""Runs to and from their folders."""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from proxops.core.errors import InputError
from proxops.results.run import Event, Run, Signal
from proxops.results.store.container import RunFile
from proxops.results.store.folder import (
    RECORDING,
    SUMMARY,
    alone_in,
    aside,
    being_recorded,
    is_recording,
    kept_inside,
    remove_folders,
    remove_parts,
    remove_run,
    replacing,
    write_text,
    writing,
)
from proxops.results.store.layout import Layout
from proxops.results.store.plain import read_object, run_from, strict, to_json
from proxops.results.store.reading import Content, NoRowsError, read
from proxops.results.store.recorder import Recorder
from proxops.results.store.set_aside import bring_back, other_contents, set_aside

Finish = Callable[[str, Mapping[str, Any], tuple[Signal, ...], np.ndarray], Run]
_log = logging.getLogger("proxops")


def save(run: Run, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Writes a run into a folder of its own, whole or not at all; the folder that it is in."""
    recorder = Recorder(folder, run.provenance, run.table, run.name, overwrite)
    try:
        recorder.write(run.rows)
        return recorder.finish(run.summary())
    except BaseException:
        recorder.discard()
        raise


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The run that a folder holds, bit for bit as it was recorded; what else is kept in the folder
    is reported as a warning of the logger `proxops`."""
    folder = _run_folder(folder)
    content = _content(folder)
    problem = (
        f"{RECORDING} {content.problem}" if content.problem else _summary_problem(folder, content)
    )
    if problem:
        cure = f"`proxops recover {folder}` keeps what is readable{_earlier(folder)}"
        raise InputError(f"{folder}: {problem}: {cure}")
    _warn_of_other_contents(folder)
    if not (folder / SUMMARY).exists():
        _log.warning("%s: lacks %s; `proxops recover %s` writes it", folder, SUMMARY, folder)
    return _whole(folder, content)


def look(folder: str | os.PathLike[str], finish: Finish) -> Run:
    """The run that a folder holds or, of a recording that was cut short, what is readable of it;
    nothing is written.  What is missing is reported by an event."""
    folder = _run_folder(folder)
    content = _content(folder)
    _warn_of_other_contents(folder)
    if content.problem is None:
        problem = _summary_problem(folder, content)
        if problem:
            _log.warning("%s: %s; what follows is the recording's", folder, problem)
        return _whole(folder, content)
    described = _described(folder, content)
    if described is not None:
        _log.warning("%s: %s, behind its rows", folder / RECORDING, content.problem)
        return described
    run = finish(content.name, content.provenance, content.signals, content.rows)
    lost = f"{RECORDING} {content.problem}.  Events of the run are lost."
    cut = Event(float(content.rows[-1, 0]), "recording-cut", lost)
    return replace(run, events=(*run.events, cut), folder=folder)


def recover(folder: str | os.PathLike[str], finish: Finish) -> Run:
    """What is readable of a recording that was cut short, made complete in its place; `folder` of
    the run says where that is.

    `finish` gives the run with its verdicts from name, provenance, signal table and rows.  The cut
    recording stays until the new one is written.  Runs that are kept in the folder are completed
    there, and one that was set aside comes back.
    """
    folder = _folder(folder)
    with writing(folder), alone_in(folder) as alone:
        if not alone:
            raise InputError(f"{folder}: is still being recorded")
        back, problem = bring_back(folder), None
        runs: list[Run | None] = []
        try:
            runs.append(_recovered(folder, finish))
        except InputError as error:  # what is kept inside may be better
            problem = error
        runs += [_recovered_inside(path, finish) for path in kept_inside(folder)]
    found = [run for run in runs if run is not None]
    if back:
        _log.warning("%s: the run that had been set aside is back", folder)
    for run in found[1:]:
        _log.warning("%s: completed too", run.folder)
    if found:
        return found[0]
    if problem is not None:
        raise problem
    if back:
        return open_run(folder)
    raise InputError(f"{folder}: is a complete run: nothing to recover")


def _recovered(folder: Path, finish: Finish) -> Run | None:
    """The run of a folder, completed; None if it was complete."""
    folder = _run_folder(folder)
    remove_parts(folder)
    content = _content(folder)
    if content.problem is None:
        return _complete(folder, content)
    run = _described(folder, content)
    if run is None:
        run = finish(content.name, content.provenance, content.signals, content.rows)
        _log.warning("%s: events of the recording that was cut are lost", folder)
    text = to_json(strict(run.summary()), "the summary", indent=2)
    with replacing(folder / RECORDING) as part:
        _write_recording(part, run, text)
        # Never a complete-looking folder whose two files disagree
        (folder / SUMMARY).unlink(missing_ok=True)
    write_text(folder / SUMMARY, text)
    return replace(run, folder=folder)


def _recovered_inside(folder: Path, finish: Finish) -> Run | None:
    """Likewise of a run that is kept in the folder of another one; one without rows is removed."""
    try:
        if (folder / RECORDING).exists():
            return _recovered(folder, finish)
    except NoRowsError:
        pass
    except InputError as error:  # damaged: somebody may know better
        _log.warning("%s", error)
        return None
    remove_run(folder)
    remove_folders((folder,))
    return None


def _described(folder: Path, content: Content) -> Run | None:
    """The run whose rows are all readable, though its recording is damaged behind them, as the
    summary beside it has it; None unless that is the summary of these very rows."""
    try:
        summary = read_object(folder / SUMMARY)
        run = run_from(summary, content.provenance, content.signals, content.rows)
    except InputError:
        return None
    return replace(run, folder=folder)


def _complete(folder: Path, content: Content) -> Run | None:
    """The run of a whole recording that lacks the summary beside it; None if it does not."""
    if (folder / SUMMARY).exists() and _summary_problem(folder, content) is None:
        return None
    run = _whole(folder, content)
    write_text(folder / SUMMARY, to_json(content.summary, "the summary", indent=2))
    return run


def _summary_problem(folder: Path, content: Content) -> str | None:
    """What is wrong with the summary beside a whole recording, which has it as well."""
    if not (folder / SUMMARY).exists():
        return None
    try:
        if read_object(folder / SUMMARY) == content.summary:
            return None
    except InputError as error:
        return str(error)
    return f"{SUMMARY} does not belong to the {RECORDING} beside it"


def _whole(folder: Path, content: Content) -> Run:
    try:
        run = run_from(content.summary or {}, content.provenance, content.signals, content.rows)
    except InputError as error:
        raise InputError(f"{folder / RECORDING}: {error}") from error
    return replace(run, folder=folder)


def _write_recording(path: Path, run: Run, summary: str) -> None:
    layout = Layout(run.table)
    layout.check(run.rows)
    file = RunFile(path, layout, run.name, run.provenance)
    try:
        for piece in layout.pieces(run.rows):
            file.append(piece)
        file.finish(summary)
    finally:
        file.close()


def _folder(folder: str | os.PathLike[str]) -> Path:
    folder = Path(folder)
    try:
        if not folder.exists():
            raise InputError(f"{folder}: there is no such folder")
        if not folder.is_dir():
            raise InputError(f"{folder}: is a file, where the folder of a run was expected")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    return folder


def _run_folder(folder: str | os.PathLike[str]) -> Path:
    folder = _folder(folder)
    try:
        if (folder / RECORDING).is_file():
            return folder
        if is_recording(aside(folder, RECORDING)):
            raise InputError(f"{folder}: {set_aside(folder)}")
        if os.path.lexists(folder / RECORDING):
            raise InputError(f"{folder / RECORDING}: is not a file")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    if (folder / "campaign.json").is_file():
        raise InputError(
            f"{folder}: is the folder of a campaign, not of a run; record a case of it: "
            f"proxops replay {folder} SEED"
        )
    raise InputError(f"{folder}: is not the folder of a run, it has no {RECORDING}")


def _content(folder: Path) -> Content:
    """What the recording of a folder holds, unless it is still being written."""
    try:
        busy = not (folder / SUMMARY).exists() and being_recorded(folder / RECORDING)
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    if busy:
        raise InputError(f"{folder}: is still being recorded")
    try:
        return read(folder / RECORDING)
    except NoRowsError as error:
        raise NoRowsError(f"{error}{_earlier(folder)}") from None


def _earlier(folder: Path) -> str:
    """What is said of a run aside where the one in its place is cut."""
    return f"; {set_aside(folder)}" if is_recording(aside(folder, RECORDING)) else ""


def _warn_of_other_contents(folder: Path) -> None:
    try:
        for sentence in other_contents(folder):
            _log.warning("%s", sentence)
    except OSError:
        return  # a run that can be read is, whatever stands beside it
