"""Runs a simulation to its end, or until Ctrl-C, and keeps what was recorded."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from proxops.core.interrupt import CtrlC, Interrupted, listening, shield
from proxops.results.run import Run, Signal

if TYPE_CHECKING:
    from proxops.results.store import Recorder
    from proxops.sim.lanes.alone import AloneInLanes
    from proxops.sim.orbit_reference import WithOrbitReference
    from proxops.sim.simulation import Simulation, Sink

    Watcher = Callable[[Mapping[str, Any], tuple[Signal, ...]], Sink]
    Judged = Callable[[Run, Callable[[], bool]], Run]
    Report = Callable[[float], None]

_log = logging.getLogger("proxops")


def unrecorded(
    simulation: "Simulation | WithOrbitReference | AloneInLanes",
    report: "Report | None",
    judged: "Judged",
    watch: "Watcher | None",
) -> Run:
    """The run; `judged` adds verdicts to it, `watch` makes what takes its rows."""
    begun = _Begun(report)
    with listening(gentle=begun) as ctrl_c:
        onlooker = watch and watch(simulation.provenance, simulation.signals)
        return judged(simulation.run(onlooker, begun.report, ctrl_c.pressed), ctrl_c.pressed)


def recorded(
    simulation: "Simulation | WithOrbitReference | AloneInLanes",
    report: "Report | None",
    judged: "Judged",
    watch: "Watcher | None",
    out: str | PathLike[str],
    overwrite: bool,
) -> Run:
    """Likewise, recorded into a folder while it goes on.  An error removes the recording; Ctrl-C,
    however often, does not."""
    from proxops.results.store import Recorder

    name, signals = simulation.scenario.name, simulation.signals
    begun, recorder = _Begun(report), None
    try:
        with shield():
            recorder = Recorder(out, simulation.provenance, signals, name, overwrite=overwrite)
        with listening(lambda: _keep(simulation, recorder), gentle=begun) as ctrl_c:
            sink: Sink = recorder
            if watch is not None:
                sink = _Both(recorder, watch(simulation.provenance, signals))
            try:
                run = judged(simulation.run(sink, begun.report, ctrl_c.pressed), ctrl_c.pressed)
            except KeyboardInterrupt:
                raise _kept(simulation, recorder, ctrl_c) from None
            ctrl_c.close()
            return replace(run, folder=recorder.finish(run.summary()))
    except BaseException:
        if recorder is not None:
            recorder.discard()  # unless it has been kept
        raise


def _kept(
    simulation: "Simulation | WithOrbitReference | AloneInLanes",
    recorder: "Recorder",
    ctrl_c: CtrlC,
) -> KeyboardInterrupt:
    """Keeps what was recorded; the error that says where."""
    ctrl_c.close()
    said = _keep(simulation, recorder)
    _log.warning("proxops: %s", said)
    return Interrupted(said)


def _keep(
    simulation: "Simulation | WithOrbitReference | AloneInLanes", recorder: "Recorder"
) -> str:
    """Completes a recording with the rows that there are, and says where it is."""
    run = simulation.so_far()
    if len(run.rows) == 0:
        recorder.discard()
        return "interrupted before the first row: no recording is kept"
    recorder.write(run.rows[recorder.rows :])
    folder = recorder.finish(run.summary())
    return f"interrupted at {run.rows[-1, 0]:g} s; the recording is kept in {folder}"


class _Begun:
    """Whether the loop has come back once: before that it is built and compiled, and there is
    nothing to end gently."""

    def __init__(self, report: "Report | None") -> None:
        self._report, self._begun = report, False

    def __call__(self) -> bool:
        return self._begun

    def report(self, share: float) -> None:
        """Takes the share done, and passes it on."""
        self._begun = True
        if self._report is not None:
            self._report(share)


class _Both:
    """Rows go to one sink, then to another."""

    def __init__(self, first: "Sink", second: "Sink") -> None:
        self._sinks = (first, second)

    def write(self, rows: np.ndarray) -> None:
        for sink in self._sinks:
            sink.write(rows)
