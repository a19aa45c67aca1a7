"""What an operator confirms before a rehearsal, line by line."""

from typing import TYPE_CHECKING

import numpy as np

from proxops.facility.robot_cell.industrial.robot import MASS

if TYPE_CHECKING:
    from proxops.feasibility.answers import Feasibility

SLOWLY = 0.25  # of the mission's speed: a dry run


def checklist(found: "Feasibility") -> list[str]:
    """The lines, in the order in which they are gone through; none where there are no robots."""
    case, asked = found.case, found.asked
    if case.robots is None:
        return []
    lab, touches = case.lab.facility, bool(found.contacts)
    lines = [
        "Emergency stop pressed and released: both robots stop, the arm goes compliant",
        "Workspace clear, nobody inside, fence closed",
        f"Facility {found.facility}, scenario {found.scenario}, representation "
        f"{asked.representation}{case.nominal.suffix}, {found.duration:g} s",
    ]
    if not asked.feasible:
        lines.append(f"Stop before {asked.lasts:.1f} s: the facility cannot reproduce the rest")
    for robot, built in zip(asked.robots, case.robots, strict=True):
        if robot.start is None:
            lines.append(f"{robot.name.capitalize()}'s robot cannot reach its start: do not run")
            continue
        joints = "  ".join(f"{q:.1f}" for q in np.degrees(robot.start))
        lines.append(f"{robot.name.capitalize()}'s robot at its start joints [deg]: {joints}")
        lines.append(
            f"{robot.name.capitalize()}'s load data set: {built.load[MASS]:.1f} kg; expect its "
            f"flange at up to {1e3 * robot.speed:.0f} mm/s"
        )
    p = ", ".join(f"{x:.3f}" for x in case.X_LG.p)
    lines.append(f"Mock-up's grapple frame measured at [{p}] m in the lab")
    lines += [
        f"Tools weighed; the rehearsal tares for {lab.procedure.tare_s:g} s, mock-ups separated, "
        "before it engages: no contact until then",
        f"Contact is measured by the {lab.feedback_sensor} sensor, "
        f"{1e3 * found.delay.total:.1f} ms late",
    ]
    if asked.torques:
        worst = min(asked.torques, key=lambda torque: torque.margin)
        lines.append(
            "Arm's brakes released under torque control; expect up to "
            f"{abs(worst.value):.0f} {worst.unit} as {worst.name}"
        )
    lines.append(
        f"Dry run done: {_dry_run(found)}"
        + ("; contacting parts removed: it does not stop where contact would" if touches else "")
    )
    return lines


def _dry_run(found: "Feasibility") -> str:
    """The same mission without contact at a quarter of its speed: as a command, or in Python."""
    if found.command:
        return f"{found.command} --no-contact --speed {SLOWLY:g}"
    given = ", nominal=nominal" if found.case.nominal.suffix else ""
    return (
        f"proxops.rehearse(scenario, facility, representation={found.asked.representation!r}"
        f"{given}, no_contact=True, speed={SLOWLY:g})"
    )
