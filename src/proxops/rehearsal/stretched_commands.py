"""The commands of a recorded mission in stretched time, through inverse kinematics and guard."""

import math

import numpy as np

from proxops.assembly.facility import Lab
from proxops.assembly.robot import step_of
from proxops.facility.common.guard import table as of
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.procedure.drive import drive, site_of
from proxops.facility.robot_cell.procedure.paced import joints_along
from proxops.facility.robot_cell.procedure.plan import cycle_of_press
from proxops.facility.robot_cell.servo import JOINTS, moving
from proxops.feasibility.case import case_of
from proxops.feasibility.command_rows import between
from proxops.feasibility.reproduction import reproduce, track_in_lab
from proxops.results.run import Run
from proxops.sim.worlds.rehearsed import CellWorld


def send_stretched(
    stage: CellWorld, orbit: Run, lab: Lab, speed: float
) -> tuple[np.ndarray, np.ndarray]:
    """What the guard sends (n, 12) [rad] and the arm's joints then; puts the servos where they
    begin."""
    case = case_of(orbit, lab, stage.nominal)
    cell, memory = stage.made.cell, stage.made.state.memory
    reproduced = reproduce(case, str(stage.provenance["representation"]))
    period = float(cell.guard.settings[of.PERIOD])
    start, speeds = memory.sent[of.Q].copy(), speed * memory.sent[of.V]
    count = math.floor(float(reproduced.t[-1]) / (speed * period) + 1e-6)
    joints = np.empty((PAIR, count, AXES))
    found, short, robot_short = count, 0.0, TARGET
    for which, robot in ((TARGET, cell.target_robot), (CHASER, cell.chaser_robot)):
        track, here = track_in_lab(reproduced, which, case.X_LM), start[which * AXES :][:AXES]
        reached, excess = joints_along(robot, track, here, speed * period, joints[which])
        if reached < found:
            found, short, robot_short = reached, excess, which
    t = speed * period * np.arange(1, count + 1)
    arm = between(reproduced.t, case.flight.q, t)
    memory.sent[of.V] = memory.sent[of.V_BEFORE] = speeds
    axes = moving(cell.servo, start, speeds, step_of(case.scenario))
    for mine, new in zip(stage.made.state.axes, axes, strict=True):
        mine[...] = new
    sent = np.empty((count, JOINTS))
    commands = np.hstack([joints[TARGET, :found], joints[CHASER, :found]])
    press = cycle_of_press(cell.rules.emergency, 0.0, period)
    site = site_of(cell, memory)
    cycles = drive(site, arm, commands, press, sent[:found]).cycles
    if found < count and memory.status[of.MODE] != of.STOPPED:
        site.given.cues[[of.SHORT, of.SHORT_ROBOT]] = short, robot_short
        asked, later = (
            site.given.q[np.newaxis].copy(),
            press if press < 0 else max(0, press - found),
        )
        cycles += drive(site, arm[found:], asked, later, sent[found:]).cycles
    return sent[:cycles], arm[:cycles]
