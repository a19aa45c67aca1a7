"""One case flown to the bits that it has in a group."""

from collections.abc import Callable

import numpy as np

from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.sim.lanes.allowed import check_lanes
from proxops.sim.lanes.flight import Case, Flight
from proxops.sim.simulation import Sink


class AloneInLanes:
    """For whoever runs a `Simulation`."""

    def __init__(self, scenario: Scenario, lanes: int) -> None:
        check_lanes(scenario, lanes)
        self._case, self._flight = Case(scenario), Flight(lanes)
        self.scenario, self.signals = scenario, self._case.ready.signals
        self.provenance = self._case.ready.provenance | {"lanes": lanes}
        self.kernels = f"lanes-{lanes}"

    def run(
        self,
        sink: Sink | None = None,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Run:
        """See `Simulation.run`."""

        def take(rows: np.ndarray) -> None:
            if sink is not None:
                sink.write(rows)
            if progress is not None:
                progress(self._flight.share)

        (run,) = self._flight.fly([self._case], take, stop)
        return run

    def so_far(self) -> Run:
        """See `Simulation.so_far`."""
        (run,) = self._flight.so_far()
        return run
