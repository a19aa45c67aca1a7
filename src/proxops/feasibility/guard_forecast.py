"""What the guard of a rehearsal would make of a mission, before any robot moves.

The guard is the rehearsal's own, with the same limits, shapes and cycle; the commands are those of
the mission as it went in orbit.
"""

from dataclasses import dataclass

import numpy as np

from proxops.assembly.cell import Made, build_cell
from proxops.assembly.robot import step_of
from proxops.core.frame import Frame
from proxops.facility.common.guard.limits import CLEARANCE, clear_by, limit_of
from proxops.facility.common.guard.sentences import pair_name, sentence
from proxops.facility.common.guard.table import ACCELERATION, JERK, LEAST
from proxops.facility.robot_cell.replay import Commands, Sent, closest, replay
from proxops.facility.robot_cell.servo import JOINTS
from proxops.feasibility.case import Case
from proxops.feasibility.command_rows import commands_of
from proxops.feasibility.margins import Standing
from proxops.feasibility.reproduction import Reproduction
from proxops.scenario.schema.facility import Facility

SAME = 1e-6  # of a cycle: times that far apart are one
FIRST = 1  # row of the first command
# Of accelerations and jerks, where a rehearsal is to be sure of its commands: those that the models
# make behind lagging robots differ from those in orbit by micrometres, which at a stretched arm is
# a seventh of the jerk that is allowed.
SURE = 0.75


@dataclass(frozen=True)
class Judge:
    """The guard before a mission in one representation, wherever in the lab."""

    case: Case
    reproduced: Reproduction
    commands: Commands
    recorded: bool  # all commands were: none is interpolated

    def at(self, X_LG: Frame, share: float = 1.0) -> "Verdict":
        """What the guard does if the grapple frame starts there, which robots must reach; it allows
        that share of accelerations and jerks."""
        case, commands = self.case, self.commands
        facility = placed(case.lab.facility, X_LG)
        made = build_cell(case.scenario, facility, self.reproduced.name, case.nominal)
        made.cell.guard.axes[:, [ACCELERATION, JERK]] *= share
        count = commands.hubs.shape[1]
        sent = Sent(np.zeros((count, JOINTS)), np.full(count, np.inf))
        stages, X_LM = (made.cell, made.state, made.workspace), made.representation.X_LM
        rows = int(replay(stages, X_LM, commands, sent, step_of(case.scenario)))
        return Verdict(made, commands, sent, rows)


@dataclass(frozen=True)
class Verdict:
    """What the guard let through, and why it stopped if it did."""

    made: Made
    commands: Commands
    sent: Sent
    rows: int  # of the commands, from the start on

    @property
    def stop(self) -> Standing | None:
        """The limit at which the guard stops both robots, and when."""
        row = self._log
        if row is None:
            return None
        found = limit_of(self.made.guarded, row)
        return Standing(*found, t=self.rows * self.made.guarded.period)

    @property
    def why(self) -> str | None:
        """The event that a rehearsal would report."""
        row = self._log
        return None if row is None else sentence(self.made.guarded, row)

    def clearance(self, until: float) -> Standing | None:
        """The least distance that is left beyond what is to be kept until then [s], and of what;
        none if not one command was sent."""
        guarded, cell = self.made.guarded, self.made.cell
        end = min(self.rows, int(until / guarded.period + SAME) + 1)
        if end <= FIRST or not guarded.pairs:
            return None
        row = int(np.argmin(self.sent.slack[:end]))
        stages = cell, self.made.state, self.made.workspace
        slack, which = closest(stages, self.sent.q[row], self.commands.q[row])
        least = float(np.concatenate([cell.guard.pairs, cell.guard.walls])[which, LEAST])
        distance, t = float(slack) + least, row * guarded.period
        name = pair_name(guarded, int(which))
        return Standing(CLEARANCE, name, distance, least, "m", clear_by(distance, least), t)

    @property
    def _log(self) -> np.ndarray | None:
        if self.rows == self.commands.hubs.shape[1]:
            return None
        row: np.ndarray = self.made.state.memory.log[1]
        return row


def judge_of(case: Case, reproduced: Reproduction) -> Judge:
    """The guard of a facility with robots, ready for a mission in one representation."""
    return Judge(case, reproduced, *commands_of(case, reproduced))


def placed(facility: Facility, X_LG: Frame) -> Facility:
    """The facility with the grapple frame's start there."""
    X = X_LG.row()
    start = facility.start.model_copy(update={"p_LG_m": tuple(X[:3]), "q_LG": tuple(X[3:])})
    return facility.model_copy(update={"start": start})
