"""What the guard did, in words: rows of its log as sentences."""

import numpy as np

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import GuardDescription
from proxops.facility.common.guard.clearance import FAR

_CUES = {of.SEQUENCE: "sequence number"}

_INPUT = {
    of.LINK_LOST: "link lost: no command in this cycle",
    of.OUT_OF_ORDER: "command out of order: number {found:.0f}, expected {limit:.0f}",
    of.REPEATED: "command repeated: number {found:.0f}, expected {limit:.0f}",
    of.STALE: "input too old: {found:.4g} s, limit {limit:.4g} s",
    of.BAD_OVERRIDE: "speed override {found:.4g} is not between 0 and 1",
    of.EMERGENCY_STOP: "emergency stop",
    of.UNPROVEN: "clearances on the way of a stop could not be shown: {found:.4g}, at most "
    "{limit:.4g}",
    of.RELEASED: "released",
}
_UNITS = {
    of.MEASURED_FORCE: "N",
    of.FLANGE_FORCE: "N",
    of.MEASURED_TORQUE: "N m",
    of.ARM_TORQUE: "N m",
    of.FLANGE_MOMENT: "N m",
}
_AXIS = {
    of.NOT_FINITE: "command for {name} is not finite: {found}",
    of.AWAY_FROM_START: "first command {found:.4g} {unit} away from {name}, limit "
    "{limit:.4g} {unit}",
    of.AXIS_POSITION: "position of {name} {found:.4g} {unit}, limit {limit:.4g} {unit}",
    of.AXIS_SPEED: "speed of {name} {found:.4g} {unit}/s, limit {limit:.4g} {unit}/s",
    of.AXIS_ACCELERATION: "acceleration of {name} {found:.4g} {unit}/s2, limit "
    "{limit:.4g} {unit}/s2",
    of.AXIS_JERK: "jerk of {name} {found:.4g} {unit}/s3, limit {limit:.4g} {unit}/s3",
    of.STOP_POSITION: "no stop from there: {name} would come to {found:.4g} {unit}, limit "
    "{limit:.4g} {unit}",
    of.STOP_SPEED: "no stop from there: {name} would reach {found:.4g} {unit}/s, limit "
    "{limit:.4g} {unit}/s",
    of.STOP_ACCELERATION: "no stop from there: {name} would need {found:.4g} {unit}/s2, limit "
    "{limit:.4g} {unit}/s2",
    of.STOP_JERK: "no stop from there: {name} would need {found:.4g} {unit}/s3, limit "
    "{limit:.4g} {unit}/s3",
}
_PAIR = {
    of.CLEARANCE: "{name} {found:.4g} m apart, least {limit:.4g} m",
    of.WORKSPACE: "{name} {found:.4g} m apart, least {limit:.4g} m",
    of.STOP_CLEARANCE: "no stop from there: {name} would come to {found:.4g} m, least "
    "{limit:.4g} m",
    of.STOP_WORKSPACE: "no stop from there: {name} would come to {found:.4g} m, least "
    "{limit:.4g} m",
}


def sentence(description: GuardDescription, row: np.ndarray) -> str:
    """Why the guard acted, from a row of its log."""
    reason, which = int(row[of.WHY]), int(row[of.WHICH])
    numbers = {"found": float(row[of.FOUND]), "limit": float(row[of.LIMIT])}
    if reason in _INPUT:
        return _INPUT[reason].format(**numbers)
    if reason == of.UNREACHABLE:
        return f"{description.robots[which]} falls short of the pose by {numbers['found']:.4g} m"
    if reason in _AXIS:
        axis = description.axes[which]
        return _AXIS[reason].format(name=axis.name, unit=axis.unit, **numbers)
    if reason in _PAIR:
        name = pair_name(description, which)
        if numbers["found"] <= -0.5 * FAR:
            return f"the place of {name} is not finite"
        return _PAIR[reason].format(name=name, **numbers)
    if reason == of.FIELD_NOT_FINITE:
        named = _CUES.get(which) or description.watched[which - of.CUES].name
        return f"{named} is not finite: {numbers['found']}"
    unit = _UNITS[reason]
    watched = description.watched[which]
    found, limit = numbers["found"], numbers["limit"]
    return f"{watched.kind} of {watched.name} {found:.4g} {unit}, limit {limit:.4g} {unit}"


def sentences(description: GuardDescription, log: np.ndarray) -> list[tuple[float, str]]:
    """(time [s], sentence) of every row of a log."""
    rows = log[1 : 1 + int(log[0, of.USED])]
    return [(float(row[of.CYCLE]) * description.period, sentence(description, row)) for row in rows]


def pair_name(description: GuardDescription, which: int) -> str:
    """The names of a pair, walls counted after pairs of shapes."""
    planes = {plane.name for plane in description.planes}
    shapes = [pair for pair in description.pairs if pair.second not in planes]
    walls = [pair for pair in description.pairs if pair.second in planes]
    pair = (shapes + walls)[which]
    return f"{pair.first} and {pair.second}"
