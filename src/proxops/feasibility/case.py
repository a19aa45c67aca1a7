"""A recorded mission and the facility that is to reproduce it."""

from dataclasses import dataclass

import numpy as np

from proxops.assembly.build import Built, build
from proxops.assembly.facility import Lab, Robots, start_pose
from proxops.assembly.facility_fit import reject_unfit
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame
from proxops.facility.common.rows import TARGET
from proxops.facility.robot_cell.reproduction import Flight
from proxops.feasibility.loaded_robots import loaded, lowered
from proxops.plant.frames import rows_from_hill
from proxops.results.run import Run
from proxops.scenario.load import Scenario

CRAFTS = ("target", "chaser")  # in the order of all that comes in pairs
FEWEST = 3  # samples that a motion takes


@dataclass(frozen=True)
class Case:
    """A flight to be reproduced on a facility."""

    scenario: Scenario
    lab: Lab
    built: Built
    flight: Flight
    torques: np.ndarray  # that the arms' joints are given in orbit (n, joints) [N m or N]
    robots: Robots | None  # None where nothing limits the carriers
    nominal: NominalChoice = UNFORCED
    measured_wrench: np.ndarray | None = None  # on the target about To, in T (n, 6), if any

    @property
    def X_LG(self) -> Frame:
        """Where the facility's file has the grapple frame at the start."""
        start = self.lab.facility.start
        return frame(start.p_LG_m, start.q_LG)

    @property
    def X_LM(self) -> Frame:
        """Where the facility's file has M, the target's pose at the start."""
        return start_pose(self.lab.facility, self.scenario)


def case_of(run: Run, lab: Lab, nominal: NominalChoice = UNFORCED) -> Case:
    """What a recorded mission asks of a facility."""
    scenario = Scenario.from_dict(run.provenance["scenario"]).extended(run.extensions)
    built = build(scenario)
    reject_unfit(built, scenario.mission.on_ground)
    t = run.rows[:, 0].copy()
    if len(t) < FEWEST:
        raise InputError(f"{run.name}: {len(t)} recorded rows; a check takes {FEWEST} or more")
    names = [f"chaser.arms.{mounted.name}" for mounted in built.chaser.arms]
    q, qd, torques = (
        np.hstack([np.empty((len(t), 0)), *(run[f"{name}.{what}"][1] for name in names)])
        for what in ("q", "qd", "tau")
    )
    flight = flight_of(t, (_hub(run, built, "target", "T"), _hub(run, built, "chaser", "C")), q, qd)
    robots = lowered(loaded(lab, scenario, q), lab) if lab.facility.robots else None
    return Case(scenario, lab, built, flight, torques, robots, nominal)


def flight_of(
    t: np.ndarray, hubs: tuple[np.ndarray, np.ndarray], q: np.ndarray, qd: np.ndarray
) -> Flight:
    """Both spacecraft, the target first, in samples of p, q, v in O, w in hub axes (n, 13)."""
    states = np.ascontiguousarray(hubs)
    rates = np.ascontiguousarray(np.gradient(states[TARGET], t, axis=0, edge_order=2))
    return Flight(t, states, rates, np.ascontiguousarray(q), np.ascontiguousarray(qd))


def _hub(run: Run, built: Built, craft: str, B: str) -> np.ndarray:
    """A hub's states in O (n, 13)."""
    names = (f"p_H{B}", f"q_N{B}", f"v_H{B}", f"w_N{B}_{B}")
    states = np.hstack([run[f"{craft}.{name}"][1] for name in names])
    rows_from_hill(built.plant.orbit, run.rows[:, 0].copy(), states)
    return states
