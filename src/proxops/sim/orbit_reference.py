"""A rehearsal that records beside its own signals what the same mission does in orbit."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from proxops.results.run import Run, Signal
from proxops.sim.simulation import Simulation, Sink

ORBIT = "orbit."  # how the names of the signals begin that were taken from the orbit run
REFERENCE_SIGNALS = (
    "relative.p_CT",
    "relative.q_CT",
    "relative.w_CT_C",
    "relative.p_GE",
    "chaser.p_HC",
    "target.p_HT",
)
SAME_INSTANT = 1e-9  # [s]


def is_reference(name: str) -> bool:
    """Whether a signal of the orbit run is recorded beside a rehearsal."""
    parts = name.split(".")
    return name in REFERENCE_SIGNALS or (parts[0] == "contacts" and parts[-1] == "f")


class WithOrbitReference:
    """A simulation whose rows go on with those of an orbit run at the same instants."""

    def __init__(self, simulation: Simulation, orbit: Run) -> None:
        reference = [signal for signal in orbit.signals() if is_reference(signal.name)]
        self._simulation, self._times = simulation, orbit.rows[:, 0]
        columns = [
            orbit[signal.name][1].reshape(len(orbit.rows), signal.width) for signal in reference
        ]
        self._columns = np.column_stack(columns)
        self._added = tuple(replace(each, name=f"{ORBIT}{each.name}") for each in reference)
        self.scenario, self.kernels = simulation.scenario, simulation.kernels
        self.provenance = simulation.provenance
        self.signals: tuple[Signal, ...] = (*simulation.signals, *self._added)

    def run(
        self,
        sink: Sink | None = None,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Run:
        """As `Simulation.run`."""
        inner = None if sink is None else _Widened(sink, self.widened)
        return self._with_orbit(self._simulation.run(inner, progress, stop))

    def so_far(self) -> Run:
        """As `Simulation.so_far`."""
        return self._with_orbit(self._simulation.so_far())

    def _with_orbit(self, run: Run) -> Run:
        rows = self.widened(run.rows)
        rows.flags.writeable = False
        return replace(run, table=self.signals, rows=rows)

    def widened(self, rows: np.ndarray) -> np.ndarray:
        """Rows with the orbit's columns at the same instants, or at the last one before."""
        after = np.searchsorted(self._times, rows[:, 0] + SAME_INSTANT, side="right")
        return np.hstack([rows, self._columns[np.maximum(after - 1, 0)]])


class _Widened:
    """Rows go on to a sink once they are widened."""

    def __init__(self, sink: Sink, widened: Callable[[np.ndarray], np.ndarray]) -> None:
        self._sink, self._widened = sink, widened

    def write(self, rows: np.ndarray) -> None:
        self._sink.write(self._widened(rows))


def orbit_of(run: Run) -> Run | None:
    """The orbit run as far as a rehearsal recorded it, None where it did not."""
    reference = [signal for signal in run.signals() if signal.name.startswith(ORBIT)]
    if not reference:
        return None
    columns = [run[signal.name][1].reshape(len(run.rows), signal.width) for signal in reference]
    table = tuple(replace(each, name=each.name.removeprefix(ORBIT)) for each in reference)
    return replace(run, table=table, rows=np.column_stack([run.rows[:, 0], *columns]))
