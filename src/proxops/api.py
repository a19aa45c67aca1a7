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
from proxops.run import Cause, Fidelity, Run, Signal
from proxops.scenario.load import Scenario, load
from proxops.validation import validate

if TYPE_CHECKING:
    from proxops.sim import Simulation

__all__ = [
    "InputError",
    "OutputError",
    "ProxopsError",
    "Run",
    "Scenario",
    "load",
    "open",
    "recover",
    "rehearse",
    "simulate",
    "validate",
]


def simulate(
    scenario: Scenario,
    *,
    progress: bool | Callable[[float], None] = False,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Run:
    """Simulates a scenario, with the robot in the loop if it has one.

    `progress=True` shows a bar on stderr.  `out` names a folder that the run is recorded into
    while it goes on, so that even a killed run can be recovered.
    """
    if not isinstance(scenario, Scenario):
        raise InputError(f"simulate takes a scenario: proxops.simulate(proxops.load({scenario!r}))")
    return _run(_ready(scenario), progress, out, overwrite)


def rehearse(
    scenario: Scenario,
    facility: str | PathLike[str] = "oos-sim",
    *,
    representation: str = "relative",
    causes: bool = False,
    dry: bool = False,
    progress: bool | Callable[[float], None] = False,
    out: str | PathLike[str] | None = None,
    overwrite: bool = False,
) -> Run:
    """Rehearses a scenario on a facility and holds it against the same mission in orbit, see
    `fidelity` of the run.

    `representation` is relative (to the target's unforced motion), absolute or target-fixed.
    `causes` rehearses again without each effect of the facility.  `dry` leaves contact out: the
    same motion, and nothing touches or holds.
    """
    from proxops.analysis.fidelity import compare
    from proxops.rehearsal import on_facility
    from proxops.scenario.facility import load_facility, without_contact, without_each

    lab = load_facility(facility)
    scenario = without_contact(scenario) if dry else scenario
    simulation = on_facility(scenario, lab, representation)
    orbit = simulate(scenario, progress=progress)

    def judged(run: Run) -> Run:
        found = [
            Cause(name, compare(orbit, on_facility(scenario, less, representation).run()))
            for name, less in (without_each(lab).items() if causes else ())
        ]
        rows = compare(orbit, run)
        return replace(run, fidelity=Fidelity(lab.name, representation, rows, tuple(found)))

    return _run(simulation, progress, out, overwrite, judged)


def _run(
    simulation: "Simulation",
    progress: bool | Callable[[float], None],
    out: str | PathLike[str] | None,
    overwrite: bool,
    judged: Callable[[Run], Run] = lambda run: run,
) -> Run:
    """Runs to the end, recorded if `out` names a folder."""
    with _watching(simulation, progress) as report, _ctrl_c() as pressed:
        if out is None:
            return judged(simulation.run(progress=report, stop=pressed))
        name = simulation.scenario.name
        recorder = record.Recorder(
            out, simulation.provenance, simulation.signals, name, overwrite=overwrite
        )
        try:
            run = judged(simulation.run(recorder, report, pressed))
            recorder.finish(run.summary())
        except BaseException:
            recorder.discard()
            raise
        return run


def _ready(scenario: Scenario) -> "Simulation":
    if scenario.mission.robot is None:
        from proxops.sim import Simulation

        return Simulation(scenario)
    from proxops.rendered import with_robot

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
