"""What the guard stopped for, as a limit with a name, a value, a bound and a margin."""

from typing import NamedTuple

import numpy as np

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import GuardDescription
from proxops.facility.common.guard.sentences import pair_name, sentence
from proxops.facility.common.guard.step import MAX_CHECKS

GUARD, CLEARANCE = "guard", "clearance"  # whose limit it is
IN_A_STOP = ", in a stop from there"

_OF_AXIS = {  # quantity, what its unit is after that of the axis, where
    of.AXIS_POSITION: ("position", "", ""),
    of.AXIS_SPEED: ("speed", "/s", ""),
    of.AXIS_ACCELERATION: ("acceleration", "/s2", ""),
    of.AXIS_JERK: ("jerk", "/s3", ""),
    of.STOP_POSITION: ("position", "", IN_A_STOP),
    of.STOP_SPEED: ("speed", "/s", IN_A_STOP),
    of.STOP_ACCELERATION: ("acceleration", "/s2", IN_A_STOP),
    of.STOP_JERK: ("jerk", "/s3", IN_A_STOP),
    of.NOT_FINITE: ("command", "", ""),
}
_POSITIONS = (of.AXIS_POSITION, of.STOP_POSITION)
_OF_PAIR = {
    of.CLEARANCE: "",
    of.WORKSPACE: "",
    of.STOP_CLEARANCE: IN_A_STOP,
    of.STOP_WORKSPACE: IN_A_STOP,
}
_OF_INPUT = {
    of.EMERGENCY_STOP: ("emergency stop", ""),
    of.STALE: ("age of what is measured", "s"),
}
_WATCHED = {
    of.MEASURED_FORCE: "N",
    of.FLANGE_FORCE: "N",
    of.MEASURED_TORQUE: "N m",
    of.ARM_TORQUE: "N m",
    of.FLANGE_MOMENT: "N m",
}


class GuardLimit(NamedTuple):
    """A limit that ends a motion."""

    where: str  # GUARD or CLEARANCE
    name: str
    value: float
    bound: float
    unit: str
    margin: float  # 1 at best, 0 at the limit


def limit_of(description: GuardDescription, row: np.ndarray) -> GuardLimit:
    """From a row of the guard's log."""
    reason, which = int(row[of.WHY]), int(row[of.WHICH])
    found, bound = float(row[of.FOUND]), float(row[of.LIMIT])
    if reason in _OF_AXIS:
        axis = description.axes[which]
        what, per, stopping = _OF_AXIS[reason]
        margin = used_up(found, bound)
        if reason in _POSITIONS:
            margin = -2.0 * abs(found - bound) / (axis.upper - axis.lower)
        name = f"{what} of {axis.name}{stopping}"
        return GuardLimit(GUARD, name, found, bound, axis.unit + per, margin)
    if reason in _OF_PAIR:
        name = pair_name(description, which) + _OF_PAIR[reason]
        return GuardLimit(CLEARANCE, name, found, bound, "m", clear_by(found, bound))
    if reason == of.UNREACHABLE:
        name = f"reach of {description.robots[which]}"
        return GuardLimit(GUARD, name, -found, 0.0, "m", 0.0)
    if reason == of.UNPROVEN:
        unit = "looks" if bound == MAX_CHECKS else "m"
        name = "no stop from there is proven to be clear"
        return GuardLimit(CLEARANCE, name, found, bound, unit, 0.0)
    if reason in _OF_INPUT:
        name, unit = _OF_INPUT[reason]
        return GuardLimit(GUARD, name, found, bound, unit, used_up(found, bound))
    if reason in _WATCHED:
        watched = description.watched[which]
        name, unit = f"{watched.kind} of {watched.name}", _WATCHED[reason]
        return GuardLimit(GUARD, name, found, bound, unit, used_up(found, bound))
    return GuardLimit(GUARD, sentence(description, row), found, bound, "", 0.0)


def used_up(value: float, maximum: float) -> float:
    """Margin of what must not exceed a bound."""
    return 1.0 - abs(value) / maximum if maximum > 0.0 else 0.0


def clear_by(distance: float, least: float) -> float:
    """Margin of a distance [m] that must not fall below a bound: 1 far away, 0 at the bound."""
    largest = max(abs(distance), least)
    return (distance - least) / largest if largest > 0.0 else 0.0
