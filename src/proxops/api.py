"""What `import proxops` offers."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from proxops import record
from proxops.core.errors import InputError, OutputError, ProxopsError
from proxops.run import Run, Signal
from proxops.scenario.load import Scenario, load
from proxops.validation import validate

if TYPE_CHECKING:
    from proxops.sim import Simulation, Sink

__all__ = [
    "InputError",
    "OutputError",
    "ProxopsError",
    "Run",
    "Scenario",
    "load",
    "open",
    "recover",
    "simulate",
    "validate",
]


def simulate(
    scenario: Scenario,
    *,
    progress: bool | Callable[[float], None] = False,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
    watch: "Callable[[Mapping[str, Any], tuple[Signal, ...]], Sink] | None" = None,
) -> Run:
    """Simulates a scenario, with the robot in the loop if it has one.

    `progress=True` shows a bar on stderr.  `out` names a folder that the run is recorded into
    while it goes on, so that even a killed run can be recovered.  `watch` is given provenance and
    signals, and returns what else takes the rows as they are made.
    """
    if not isinstance(scenario, Scenario):
        raise InputError(f"simulate takes a scenario: proxops.simulate(proxops.load({scenario!r}))")
    simulation = _ready(scenario)
    with _watching(simulation, progress) as report, _ctrl_c() as pressed:
        if out is None:
            onlooker = watch and watch(simulation.provenance, simulation.signals)
            return simulation.run(onlooker, report, pressed)
        recorder = record.Recorder(
            out, simulation.provenance, simulation.signals, scenario.name, overwrite=overwrite
        )
        try:
            sink: Sink = recorder
            if watch is not None:
                sink = _Both(recorder, watch(simulation.provenance, simulation.signals))
            run = simulation.run(sink, report, pressed)
            recorder.finish(run.summary())
        except BaseException:
            recorder.discard()
            raise
        return run


class _Both:
    """Rows go to one sink, then to another."""

    def __init__(self, first: "Sink", second: "Sink") -> None:
        self._sinks = (first, second)

    def write(self, rows: np.ndarray) -> None:
        for sink in self._sinks:
            sink.write(rows)


def _ready(scenario: Scenario) -> "Simulation":
    if scenario.mission.robot is None:
        from proxops.sim import Simulation

        return Simulation(scenario)
    from proxops.rehearsal import with_robot

    return with_robot(scenario)


def open(folder: str | PathLike[str]) -> Run:
    """The run that was recorded into a folder."""
    return record.open(folder)


def recover(folder: str | PathLike[str]) -> Run:
    """Completes a recording that was cut short, keeping every row that can be read."""
    return record.recover(folder, _judged)


def _judged(
    name: str, provenance: Mapping[str, Any], signals: tuple[Signal, ...], rows: np.ndarray
) -> Run:
    from proxops.verdict import judge

    scenario = provenance.get("scenario")
    if not isinstance(scenario, Mapping):
        raise InputError(f"{name}: its provenance holds no scenario, so it cannot be judged")
    run = judge(Scenario.from_dict(scenario), signals, rows, events=None)
    return replace(run, provenance=provenance)


@contextmanager
def _ctrl_c() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: the first time ends the run between two steps, with its rows
    kept; the second time raises KeyboardInterrupt at once."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # signals reach the main thread only
        return
    presses: list[int] = []

    def pressed(number: int, frame: FrameType | None) -> None:
        presses.append(number)
        if len(presses) > 1:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield lambda: bool(presses)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _watching(
    simulation: "Simulation", progress: bool | Callable[[float], None]
) -> Iterator[Callable[[float], None] | None]:
    """A function that takes the share done, or None."""
    if progress is not True:
        yield progress or None
        return
    from proxops.progress import bar

    with bar(simulation.scenario.name, simulation.kernels) as report:
        yield report
