"""A mission as the commands of a rehearsal: one row for every cycle of the facility."""

import math

import numpy as np

from proxops.assembly.facility import Lab
from proxops.assembly.robot import step_of
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.resample import resample
from proxops.facility.common.rows import PAIR
from proxops.facility.robot_cell.industrial.track import TWIST
from proxops.facility.robot_cell.replay import Commands
from proxops.facility.robot_cell.reproduction import REPRODUCED_WIDTH
from proxops.feasibility.case import Case
from proxops.feasibility.reproduction import Reproduction, arm_torques
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility

NS = 1e9
SAME = 1e-9  # times that far apart are one [s]
MAX_ROWS = 500_000  # recorded for a check; a mission that would take more keeps its own rate


def period_of(facility: Facility, step: float) -> float:
    """Time between two commands [s]; models step that long [s]."""
    return 1.0 / facility.command_rate_hz if facility.command_rate_hz else step


def at_command_rate(scenario: Scenario, lab: Lab) -> Scenario:
    """The scenario, recorded whenever the facility takes a command."""
    if lab.facility.robots is None:
        return scenario
    time = scenario.mission.time
    cycle = round(NS * period_of(lab.facility, step_of(scenario)))
    if cycle % time.record_ns == 0:
        return scenario
    record = math.gcd(cycle, time.duration_ns)  # the last row is the end of the mission
    if time.duration_ns // record > MAX_ROWS:
        return scenario
    return scenario.replace({"time.record_rate_hz": NS / record})


def commands_of(case: Case, reproduced: Reproduction) -> tuple[Commands, bool]:
    """The commands of the whole mission, and whether all of them were recorded: if not, they are
    interpolated."""
    period = period_of(case.lab.facility, step_of(case.scenario))
    t = reproduced.t
    times = t[0] + period * np.arange(math.floor((t[-1] - t[0]) / period + SAME) + 1)
    torques = arm_torques(case, reproduced, case.X_LM)
    wrench = case.measured_wrench
    wrench = np.zeros((len(t), WRENCH)) if wrench is None else wrench
    rows = np.minimum(np.searchsorted(t, times - SAME), len(t) - 1)
    if np.abs(t[rows] - times).max() <= SAME:
        hubs, rates = reproduced.hubs[:, rows], reproduced.rates[:, rows]
        others = [table[rows] for table in (case.flight.q, torques, wrench)]
        return Commands(*map(np.ascontiguousarray, (hubs, rates, *others))), True
    hubs, rates = (
        np.empty((PAIR, len(times), REPRODUCED_WIDTH)),
        np.empty((PAIR, len(times), TWIST)),
    )
    for which in range(PAIR):
        given = (
            np.ascontiguousarray(reproduced.hubs[which]),
            np.ascontiguousarray(reproduced.rates[which]),
        )
        resample(t, *given, np.minimum(times, t[-1]), hubs[which], rates[which])
    others = [between(t, table, times) for table in (case.flight.q, torques, wrench)]
    return Commands(hubs, rates, *others), False


def between(t: np.ndarray, table: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Columns of a table, of which there may be none, on straight lines between their samples."""
    columns = [np.interp(times, t, column) for column in table.T]
    return np.ascontiguousarray(np.reshape(columns, (len(columns), len(times))).T)
