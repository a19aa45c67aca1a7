"""Runs to and from their folders."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from proxops.core.errors import InputError
from proxops.record.container import RunFile
from proxops.record.folder import (
    RECORDING,
    SUMMARY,
    being_recorded,
    replacing,
    settle,
    write_text,
    writing,
)
from proxops.record.layout import Layout
from proxops.record.plain import read_object, run_from, strict, to_json
from proxops.record.reading import Content, read
from proxops.record.recorder import Recorder
from proxops.run import Event, Run, Signal

Finish = Callable[[str, Mapping[str, Any], tuple[Signal, ...], np.ndarray], Run]


def save(run: Run, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Writes a run into a folder of its own, whole or not at all."""
    recorder = Recorder(folder, run.provenance, run.table, run.name, overwrite)
    try:
        recorder.write(run.rows)
        recorder.finish(run.summary())
    except BaseException:
        recorder.discard()
        raise


def open_run(folder: str | os.PathLike[str]) -> Run:
    """The run that a folder holds, bit for bit as it was recorded."""
    folder = _run_folder(folder)
    if not (folder / SUMMARY).exists():
        _check_idle(folder)
    content = read(folder / RECORDING)
    fault = f"{RECORDING} {content.fault}" if content.fault else _summary_fault(folder, content)
    if fault:
        raise InputError(f"{folder}: {fault}: `proxops recover {folder}` keeps what is readable")
    return _whole(folder, content)


def look(folder: str | os.PathLike[str], finish: Finish) -> Run:
    """The run that a folder holds or, of a recording that was cut short, what is readable of it;
    nothing is written.  What is missing is told by an event."""
    folder = _run_folder(folder)
    if not (folder / SUMMARY).exists():
        _check_idle(folder)
    content = read(folder / RECORDING)
    if content.fault is None:
        return _whole(folder, content)
    if len(content.rows) == 0:
        raise InputError(f"{folder}: {RECORDING} {content.fault}, before the first row")
    run = finish(content.name, content.provenance, content.signals, content.rows)
    lost = f"{RECORDING} {content.fault}.  Events seen on the way are lost."
    cut = Event(float(content.rows[-1, 0]), "recording-cut", lost)
    return replace(run, events=(*run.events, cut))


def recover(folder: str | os.PathLike[str], finish: Finish) -> Run:
    """What is readable of a recording that was cut short, made complete in its place.

    `finish` gives the run with its verdicts from name, provenance, signal table and rows.  The cut
    recording stays until the new one is written.
    """
    folder = _run_folder(folder)
    _check_idle(folder)
    content = read(folder / RECORDING)
    if content.fault is None:
        return _complete(folder, content)
    if len(content.rows) == 0:
        raise InputError(f"{folder}: {RECORDING} {content.fault}, before the first row")
    run = finish(content.name, content.provenance, content.signals, content.rows)
    text = to_json(strict(run.summary()), "the summary", indent=2)
    with writing(folder):
        with replacing(folder / RECORDING) as part:
            _write_recording(part, run, text)
            # Never a complete-looking folder whose two files disagree
            (folder / SUMMARY).unlink(missing_ok=True)
        write_text(folder / SUMMARY, text)
        settle(folder)
    return run


def _complete(folder: Path, content: Content) -> Run:
    """The run of a whole recording, which at most lacks the summary beside it."""
    if _summary_fault(folder, content) is None:
        raise InputError(f"{folder}: is a complete run, there is nothing to recover")
    run = _whole(folder, content)
    with writing(folder):
        write_text(folder / SUMMARY, to_json(content.summary, "the summary", indent=2))
        settle(folder)
    return run


def _summary_fault(folder: Path, content: Content) -> str | None:
    """What is wrong with the summary beside a whole recording."""
    if not (folder / SUMMARY).exists():
        return f"{SUMMARY} is missing"
    try:
        if read_object(folder / SUMMARY) == content.summary:
            return None
    except InputError as error:
        return str(error)
    return f"{SUMMARY} does not belong to the {RECORDING} beside it"


def _whole(folder: Path, content: Content) -> Run:
    try:
        return run_from(content.summary or {}, content.provenance, content.signals, content.rows)
    except InputError as error:
        raise InputError(f"{folder / RECORDING}: {error}") from error


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


def _run_folder(folder: str | os.PathLike[str]) -> Path:
    folder = Path(folder)
    try:
        if not folder.exists():
            raise InputError(f"{folder}: there is no such folder")
        if not folder.is_dir():
            raise InputError(f"{folder}: is a file, where the folder of a run was expected")
        if not (folder / RECORDING).is_file():
            raise InputError(f"{folder}: is not the folder of a run, it has no {RECORDING}")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    return folder


def _check_idle(folder: Path) -> None:
    try:
        busy = being_recorded(folder / RECORDING)
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    if busy:
        raise InputError(f"{folder}: is still being recorded")
