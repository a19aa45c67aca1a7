"""A rehearsal beside which the published commands are integrated; nobody follows them.

Steps are taken one by one: the cell's in its compiled loop, then those of (11) and (18), with the
wrenches that the cell's step has used.
"""

from typing import Any

import numpy as np

from proxops.assembly.facility import Lab
from proxops.core.by_address import Pinned
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.jit import enter
from proxops.results.run import Event, Run
from proxops.scenario.load import Scenario
from proxops.sim.simulation import Simulation
from proxops.sim.worlds.rehearsed import CellWorld
from proxops.sim.worlds.world import World
from proxops.validation import published_commands as commands
from proxops.validation import published_drift as drift


def rehearse_as_published(scenario: Scenario, lab: Lab) -> Run:
    """A rehearsal relative to the target's unforced motion, with the signals `lab.published.*`."""
    phases = scenario.mission.time.phases
    for name, phase in phases.items():
        if phase.substeps > 1:
            raise InputError(
                f"time.phases.{name}.substeps: {phase.substeps}; the published commands are "
                "integrated behind whole steps, possible is 1"
            )
    return Simulation(scenario, PublishedWorld(CellWorld(scenario, lab, "relative"))).run()


class PublishedWorld(World):
    """A cell with the published commands beside it."""

    def __init__(self, cell: CellWorld) -> None:
        self._cell, made = cell, cell.made
        self.given, self.built, self.touching = cell.given, cell.built, cell.touching
        self.lab = cell.lab
        self.kernels, self.kernel = cell.kernels, self._step_by_step
        self.stages = cell.stages
        self.provenance, self.signals = cell.provenance, (*cell.signals, *drift.SIGNALS)
        shows, M, motions = made.representation, made.nominal.y, made.state.motions
        self._commands = commands.start_published(made.built, shows, M, motions)
        self._works_on: tuple[Any, ...] = ()

    def draw(self, steps: int) -> None:
        """As the cell."""
        self._cell.draw(steps)

    def events(self) -> list[Event]:
        """As the cell."""
        return self._cell.events()

    def why(self, status: int, ended: bool) -> str | None:
        """As the cell."""
        return self._cell.why(status, ended)

    def _step_by_step(self, *args: Any) -> int:
        """The loop of a cell, left after each step."""
        *works_on, span = args
        if self._works_on != tuple(works_on):
            self._works_on = tuple(works_on)  # kept: `enter` knows it again
        state, log = (_unpinned(works_on[i]) for i in (1, 4))
        now, status = self.lab.state, 0
        for _ in range(span.ticks):
            begun, written = int(state.clock[0]), int(log.row_count[0])
            if begun >= span.end:
                break
            apart = self._drift_at(state.y, begun)
            z, qdd = now.z.copy(), now.qdd.copy()
            status = enter(self._cell.kernel, self._works_on, span._replace(ticks=1))
            log.rows[written : log.row_count[0], -drift.WIDTH :] = apart
            if state.clock[0] == begun:
                break
            t, h = begun / NS_PER_S, span.step / NS_PER_S
            commands.advance_published(self._commands, state.drive, z, qdd, t, h)
            if span.last and state.clock[0] == span.end:
                end = self._drift_at(state.y, span.end)
                log.rows[log.row_count[0] - 1, -drift.WIDTH :] = end
        return int(status)

    def _drift_at(self, y: np.ndarray, ns: int) -> np.ndarray:
        return drift.drift_of(self._commands, self.lab, self.built.plant, y, ns / NS_PER_S)


def _unpinned(value: Any) -> Any:
    return value.value if isinstance(value, Pinned) else value
