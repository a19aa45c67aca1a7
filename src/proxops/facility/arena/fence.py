"""What the targets of two vehicles must keep, and the guard that it makes.

Truth keeps d apart horizontally, at any height, and w from the walls; vehicles are at most b from
their targets (facility.arena.tracking), and the guard's looks may miss a margin.  So targets keep

    d + 2 b + margin apart,    w + b from the walls

Seen from above each vehicle is a disc: that of the column of its wake, which reaches to the floor.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.facility.arena.vehicle import GRAVITY
from proxops.facility.common.guard.build import AxisLimits, GuardDescription, Pair, Shape

AXES = 6  # of a vehicle: x, y, z, roll, pitch, yaw
X, Y, Z, ROLL, PITCH, YAW = range(AXES)
NAMES = ("target's vehicle", "chaser's vehicle")

MARGIN = 0.005  # of the guard's looks [m]
LONGEST_STOP = 6.0  # [s]
MAX_CYCLES = 1900  # of a stop
TURNS = 1000.0  # yaw, either way [rad]
USABLE = 0.9  # share of what rotors push aside that commands may ask for
LEFT = 0.1  # acceleration that is left to a vehicle that leans as far as it may [m/s2]
LEVEL = 1e-3  # lean of targets for rotors that are not tilted [rad]
DIAGONAL = 2.0**0.5


class Fence(NamedTuple):
    """What targets must keep; limits are those of each axis."""

    lowest: np.ndarray  # corner of the box for centres (3,) [m]
    highest: np.ndarray  # [m]
    apart: float  # least horizontal distance of centres [m]
    tips: float  # from tip to tip of one vehicle [m]
    flown_apart: float  # what is left of `apart` in flight [m]
    tracking: float  # b [m]
    speed: float  # [m/s]
    acceleration: float  # [m/s2]
    jerk: float  # [m/s3]
    turn_rate: float  # [rad/s]
    turn_acceleration: float  # [rad/s2]
    sideways: float  # what rotors push aside when level [m/s2]; infinite if the vehicle leans to
    oldest: float  # age of a pose [s]


@helper
def acceleration_left(fence, sine):
    """What each of x and y may have [m/s2] of a vehicle that leans; holding it there takes g sin of
    what its rotors push aside."""
    return min(fence.acceleration, (fence.sideways - GRAVITY * sine) / DIAGONAL)


def largest_lean(fence: Fence) -> float:
    """Of roll and pitch [rad], each."""
    if math.isinf(fence.sideways):
        return LEVEL
    return max(LEVEL, math.asin(min(1.0, max(0.0, (fence.sideways - DIAGONAL * LEFT) / GRAVITY))))


def describe(fence: Fence, period: float) -> GuardDescription:
    """All that is guarded in an arena with commands every `period` [s]."""
    shapes = tuple(
        Shape(f"the column of the {name}", which, ((0.0, 0.0, 0.0),) * 2, 0.5 * fence.tips)
        for which, name in enumerate(NAMES)
    )
    return GuardDescription(
        axes=tuple(axis for name in NAMES for axis in _axes(name, fence)),
        period=period,
        oldest=fence.oldest,
        shapes=shapes,
        pairs=(Pair(shapes[0].name, shapes[1].name, fence.apart - fence.tips),),
        margin=MARGIN,
        longest_stop=min(LONGEST_STOP, MAX_CYCLES * period),
        robots=NAMES,
    )


def _axes(name: str, fence: Fence) -> list[AxisLimits]:
    """Moved by a metre, x and y move a disc by as much; other axes do not move it."""
    limits = fence.speed, fence.acceleration, fence.jerk
    moving = [
        AxisLimits(
            f"{axis} of the {name}",
            float(fence.lowest[i]),
            float(fence.highest[i]),
            *limits,
            reach=0.0 if i == Z else 1.0,
            unit="m",
        )
        for i, axis in enumerate("xyz")
    ]
    lean, rate, gain = largest_lean(fence), fence.turn_rate, fence.turn_acceleration
    jerk = gain * fence.jerk / fence.acceleration
    turning = [
        AxisLimits(f"{axis} of the {name}", -most, most, rate, gain, jerk, reach=0.0)
        for axis, most in (("roll", lean), ("pitch", lean), ("yaw", TURNS))
    ]
    return moving + turning
