"""A dry run at a reduced pace: what the mission was in orbit, shown slowly, without contact.

The motion of the recorded run goes through inverse kinematics, guard and servos with its time
stretched, and the arm is where it was recorded to be.  Contact and free dynamics have a pace of
their own, so nothing is felt and nothing is fed back.
"""

import math
from dataclasses import replace

import numpy as np

from proxops.assembly.cell import Made
from proxops.assembly.facility import Lab
from proxops.assembly.robot import step_of
from proxops.core.errors import InputError
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.sentences import sentences
from proxops.facility.robot_cell.industrial.forward import mock_up_pose
from proxops.facility.robot_cell.industrial.robot import AXES, LOWER, POSE_WIDTH, UPPER
from proxops.facility.robot_cell.procedure.drive import drive, least_along, site_of
from proxops.facility.robot_cell.procedure.paced import joints_along, serve
from proxops.facility.robot_cell.procedure.plan import cycle_of_press
from proxops.facility.robot_cell.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.servo import JOINTS, moving
from proxops.feasibility.command_rows import between
from proxops.feasibility.reproduction import CRAFTS, case_of, show, track_in_lab
from proxops.rehearsal.states import after
from proxops.results.run import Event, Phase, Requirement, Run, Signal
from proxops.scenario.load import Scenario
from proxops.sim.worlds.rehearsed import ROBOT_SIGNALS, CellWorld

SLOWEST = 0.01

MOCK_UPS = (
    Signal("lab.p_LTl", "m", "L", (3,)),
    Signal("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
    Signal("lab.p_LCl", "m", "L", (3,)),
    Signal("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
    Signal("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (WRENCH,)),  # nothing
)


def check_speed(speed: float, no_contact: bool, lab: Lab) -> None:
    """Refuses a pace that nothing can be shown at."""
    if not SLOWEST <= speed <= 1.0:
        raise InputError(f"speed {speed:g}: possible are {SLOWEST:g} to 1")
    if speed < 1.0 and not no_contact:
        raise InputError(
            f"speed {speed:g}: contact and free dynamics have their own pace, which cannot be "
            "slowed; a dry run can (--no-contact)"
        )
    if speed < 1.0 and lab.facility.robots is None:
        raise InputError(f"speed {speed:g}: facility {lab.name} has no robots to go slowly")


def show_slowly(orbit: Run, stage: CellWorld, lab: Lab, speed: float) -> Run:
    """A run in orbit shown on a facility at that share of its pace, in stretched time; `stage` is
    as it was built, and is used up.

    Signals of the models are those of the orbit.  Its requirements are the lab's: that the guard
    lets it through, clearance, and what is left of the axes' ranges.
    """
    made, scenario = stage.made, Scenario.from_dict(orbit.provenance["scenario"])
    sent, arm = _send(stage, orbit, lab, speed)
    start, followed = made.state.axes.q.copy(), np.empty_like(sent)
    serve(made.cell.servo, made.state.axes, sent, step_of(scenario), followed)
    told = [Event(t, "guard", text) for t, text in sentences(made.guarded, made.state.memory.log)]
    stops = told[0].t_s if told else math.inf
    shown = (replace(event, t_s=event.t_s / speed) for event in orbit.events)
    events = [*(event for event in shown if event.t_s <= stops), *told]
    demands = _demands(made, followed, arm, not told)
    outcome = "passed" if all(item.passed for item in demands) else "failed"
    if told:
        outcome = "stopped"
        events.append(Event(stops, "stopped", told[0].detail))
    rows = _rows(made, orbit, speed, np.vstack([start, followed]))
    slow = replace(
        orbit,
        provenance={**orbit.provenance, **stage.provenance},
        table=(*orbit.table, *MOCK_UPS, *ROBOT_SIGNALS),
        rows=rows,
        events=tuple(events),
        phases=_phases(orbit, speed, float(rows[-1, 0])),
        requirements=demands,
        outcome=outcome,
    )
    return replace(slow, procedure=after(made, lab, scenario, slow))


def _phases(orbit: Run, speed: float, ends: float) -> tuple[Phase, ...]:
    """Phases in stretched time, as far as they were shown until it ended [s]."""
    phases = (Phase(p.name, p.start_s / speed, p.end_s / speed) for p in orbit.phases)
    return tuple(replace(p, end_s=min(p.end_s, ends)) for p in phases if p.start_s <= ends)


def _send(stage: CellWorld, orbit: Run, lab: Lab, speed: float) -> tuple[np.ndarray, np.ndarray]:
    """What the guard sends (n, 12) [rad] and the arm's joints then; puts the servos where they
    begin."""
    case = case_of(orbit, lab, stage.nominal)
    cell, memory = stage.made.cell, stage.made.state.memory
    shown = show(case, str(stage.provenance["representation"]))
    period = float(cell.guard.settings[of.PERIOD])
    start, speeds = memory.sent[of.Q].copy(), speed * memory.sent[of.V]
    count = math.floor(float(shown.t[-1]) / (speed * period) + 1e-6)
    joints = np.empty((PAIR, count, AXES))
    found, short, robot_short = count, 0.0, TARGET
    for which, robot in ((TARGET, cell.target_robot), (CHASER, cell.chaser_robot)):
        track, here = track_in_lab(shown, which, case.X_LM), start[which * AXES :][:AXES]
        reached, excess = joints_along(robot, track, here, speed * period, joints[which])
        if reached < found:
            found, short, robot_short = reached, excess, which
    t = speed * period * np.arange(1, count + 1)
    arm = between(shown.t, case.flight.q, t)
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


def _rows(made: Made, orbit: Run, speed: float, joints: np.ndarray) -> np.ndarray:
    """Rows of the orbit in stretched time, with mock-ups, guard and axes; `joints` (n, 12) are
    those of the axes, one row a command period, from the start on."""
    period = float(made.cell.guard.settings[of.PERIOD])
    ticks = period * np.arange(len(joints))
    t = orbit.rows[:, 0] / speed
    t = t[t <= ticks[-1] + 1e-9]
    q = between(ticks, joints, t)
    poses = np.empty((PAIR, len(t), POSE_WIDTH))
    for which, robot in ((TARGET, made.cell.target_robot), (CHASER, made.cell.chaser_robot)):
        for row in range(len(t)):
            mock_up_pose(robot, q[row, which * AXES :][:AXES], poses[which, row])
    log = made.state.memory.log
    stops = log[1, of.CYCLE] * period if log[0, of.USED] else math.inf
    mode = np.where(t < stops, of.RUNNING, of.BRAKING).astype(float)
    felt = np.zeros((len(t), WRENCH))
    models = orbit.rows[: len(t), 1:]
    rows = np.hstack([t[:, np.newaxis], models, *poses, felt, mode[:, np.newaxis], q])
    rows.flags.writeable = False
    return rows


def _demands(
    made: Made, joints: np.ndarray, arm: np.ndarray, through: bool
) -> tuple[Requirement, ...]:
    """What a dry run shows: all of it let through, clearance, and room for every axis."""
    least = least_along(site_of(made.cell, q=joints[0]), arm, joints)
    items = [
        _at_least("guard lets it through", 1.0 if through else 0.0, 1.0, "1"),
        _at_least("clearance beyond what is to be kept", 1e3 * least.slack, 0.0, "mm"),
    ]
    for which, robot in enumerate((made.cell.target_robot, made.cell.chaser_robot)):
        q, limits = joints[:, which * AXES :][:, :AXES], robot.joints
        left = np.minimum(q - limits[:, LOWER], limits[:, UPPER] - q).min(axis=0)
        axis = int(np.argmin(left))
        name = f"axis {axis + 1} of the {CRAFTS[which]}'s robot from the end of its range"
        items.append(_at_least(name, math.degrees(left[axis]), 0.0, "deg"))
    return tuple(items)


def _at_least(name: str, value: float, limit: float, unit: str) -> Requirement:
    status = "passed" if value >= limit else "failed"
    return Requirement(name, float(value), ">=", limit, unit, float(value - limit), status)
