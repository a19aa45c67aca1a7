"""Dispersed cases of a mission at the same instant."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import proxops
from benchmarks.lanes.steps import Job
from proxops.core.by_address import pinned
from proxops.core.clock import to_ns
from proxops.core.lanes.arrays import LaneArray, PinnedLanes, lanes_of, type_of
from proxops.plant.workspace import workspace
from proxops.sim.lanes.link import link_plant
from proxops.sim.simulation import Simulation


class Group:
    """As many cases as there are lanes, flown in scalar code from instant to instant."""

    def __init__(self, mission: str, width: int) -> None:
        scenario = proxops.load(mission)
        self.width = width
        self.simulations = [Simulation(scenario.dispersed(seed)) for seed in range(width)]
        self._entries: np.ndarray | None = None

    def fly_to(self, t: float) -> None:
        """Brings all cases to the time t [s]."""
        for each in self.simulations:
            while each.state.clock[0] < to_ns(t):
                step = each._spans.at(each.state, False).step
                advance(each, (to_ns(t) - int(each.state.clock[0])) // step)

    @property
    def step(self) -> float:
        """Of the plant now [s]."""
        one = self.simulations[0]
        span = one._spans.at(one.state, False)
        return float(span.step / 1e9 / span.substeps)

    def jobs(self) -> tuple[list[Job], Job, PinnedLanes]:
        """A step of the plant of each case, and of all in lanes."""
        cases = [_job(each) for each in self.simulations]
        bare = [each._replace(plant=_without_entries(each.plant)) for each in cases]
        group = lanes_of(bare)
        if self._entries is None:
            ready = self.simulations[0]._ready
            link_plant(group.plant.entries, ready, type_of(group.plant), self.width)
            self._entries = group.plant.entries.copy()
        group.plant.entries[:] = self._entries
        return cases, group, PinnedLanes(group)


def advance(simulation: Simulation, ticks: int) -> None:
    """So many ticks, or fewer where the loop returns to Python before."""
    span = simulation._spans.at(simulation.state, False)
    cycles = simulation._advance(span._replace(ticks=min(ticks, span.ticks)), None)
    try:
        function = next(cycles)
    except StopIteration as ended:
        if ended.value is not None:
            raise RuntimeError(f"{ended.value.name}: {ended.value.detail}") from ended
    else:
        raise RuntimeError(f"{function.name} runs in Python, so it has no lanes")


def largest_difference(cases: list[Job], group: Job) -> float:
    """Between the states of cases flown alone and in lanes, relative to each number or to 1."""
    worst = 0.0
    for lane, case in enumerate(cases):
        difference = np.abs(group.y.case(lane) - case.y) / np.maximum(1.0, np.abs(case.y))
        worst = max(worst, float(difference.max()))
    return worst


def pins(cases: list[Job]) -> list[Any]:
    """For kernels that take a job by address."""
    return [pinned(each) for each in cases]


def lane_arrays(value: Any) -> Iterator[LaneArray]:
    """All of a group's, at any depth."""
    for each in value:
        if isinstance(each, LaneArray):
            yield each
        elif isinstance(each, tuple):
            yield from lane_arrays(each)


def _job(simulation: Simulation) -> Job:
    plant, y = simulation._world.built.plant, simulation.state.y.copy()
    return Job(plant, simulation.state.drive.copy(), workspace(plant), y, y.copy())


def _without_entries(plant: Any) -> Any:
    """Lanes have entries of their own."""
    return plant._replace(entries=np.zeros_like(plant.entries))
