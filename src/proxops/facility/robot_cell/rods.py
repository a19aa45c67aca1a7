"""What the chaser's hub touches with, for the guard: a rod from the flange to every pad.

The end of a rod is meant to touch the target's mock-up; all that is behind it is not.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import ContactDescription
from proxops.core.frame import frame
from proxops.facility.robot_cell.industrial.robot import MOCK_UP_ON_FLANGE, P, Q, Robot

THINNEST = 0.03  # radius of what carries a pad, assumed [m]
APPROACHED = 0.1  # how far a rod is let in beyond what robots keep clear [m]

Point = tuple[float, float, float]


class Rod(NamedTuple):
    """A capsule from the flange to a pad."""

    name: str
    p_K: np.ndarray  # the pad's centre, from the flange [m]
    radius: float  # [m]


class Piece(NamedTuple):
    """A part of a rod."""

    name: str
    ends: tuple[Point, Point]  # from the flange [m]
    touches: bool  # is meant to meet the target's mock-up


def rods_of(contacts: Sequence[ContactDescription], robot: Robot) -> tuple[Rod, ...]:
    """The rods that carry what touches on the hub, which that robot carries."""
    row = robot.poses[MOCK_UP_ON_FLANGE]
    X_KC = frame(row[P:Q], row[Q:])
    rods = []
    for each in contacts:
        if each.arm:
            continue
        points = each.pads if each.pads_on_chaser else each.centre[np.newaxis]
        for number, point in enumerate(points):
            name = each.name if len(points) == 1 else f"{each.name}-{number}"
            rods.append(Rod(name, X_KC.R @ point + X_KC.p, max(each.radius, THINNEST)))
    return tuple(rods)


def reach_of(rod: Rod) -> float:
    """How far from the flange a rod gets [m]."""
    return float(np.linalg.norm(rod.p_K)) + rod.radius


def pieces(rod: Rod, clearance: float) -> tuple[Piece, ...]:
    """The shaft of a rod and its tip, the shaft so much shorter that it keeps a clearance [m]
    while the tip touches; a short rod is all tip."""
    length, tip = float(np.linalg.norm(rod.p_K)), clearance + APPROACHED
    whole = _point(rod.p_K)
    if length <= tip:
        return (Piece(f"{rod.name} tip", ((0.0, 0.0, 0.0), whole), True),)
    middle = _point((1.0 - tip / length) * rod.p_K)
    return (
        Piece(f"{rod.name}", ((0.0, 0.0, 0.0), middle), False),
        Piece(f"{rod.name} tip", (middle, whole), True),
    )


def _point(p: np.ndarray) -> Point:
    x, y, z = (float(each) for each in p)
    return x, y, z
