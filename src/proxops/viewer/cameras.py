"""Where to look from, so that what matters is in sight."""

import math
from typing import NamedTuple

import numpy as np

FIELD_OF_VIEW = math.radians(40.0)  # vertical
_ROOM = 1.08  # left around what is framed
_LIFTS = np.radians([14.0, 22.0, 30.0, 40.0])  # of the camera above the horizon
_USUAL_LIFT = math.radians(24.0)
_TURNS = np.radians(np.arange(0.0, 360.0, 12.0))

Triple = tuple[float, float, float]


class View(NamedTuple):
    """A camera, in the axes of the scene."""

    position: Triple
    look_at: Triple
    up: Triple


class Framing(NamedTuple):
    """What a view must hold: points, and directions that should be seen from their side."""

    points: np.ndarray  # (n, 3) [m]
    margin: float  # held around each of them [m]
    across: np.ndarray  # (k, 3), as long as they are important
    front: np.ndarray  # towards what should be nearer to the camera (3,), unit
    follow: str  # frame at the scene's origin


def view_of(framing: Framing, up: np.ndarray, aspect: float = 1.2) -> View:
    """The camera that is just far enough away to hold all points, from the side on which `across`
    is seen best; `aspect` is the width of the picture over its height."""
    away = _best_side(framing, up)
    right, above = _screen(away, up)
    low, high = framing.points.min(axis=0), framing.points.max(axis=0)
    centre = 0.5 * (low + high)
    for _ in range(3):  # what is nearer looks larger: the middle of the picture shifts a little
        distance = _distance(framing, centre, (right, above, away), aspect)
        seen = framing.points - centre
        depth = distance - seen @ away
        for axis in (right, above):
            slope = (seen @ axis) / depth
            centre = centre + 0.5 * (slope.max() + slope.min()) * distance * axis
    distance = _distance(framing, centre, (right, above, away), aspect)
    return View(_triple(centre + distance * away), _triple(centre), _triple(up))


def _distance(
    framing: Framing,
    centre: np.ndarray,
    axes: tuple[np.ndarray, np.ndarray, np.ndarray],
    aspect: float,
) -> float:
    """How far from the centre the camera must be [m]."""
    right, above, away = axes
    tangent = math.tan(0.5 * FIELD_OF_VIEW)
    seen = framing.points - centre
    needed = 0.0
    for axis, slope in ((right, tangent * aspect), (above, tangent)):
        beside = np.abs(seen @ axis) + framing.margin
        needed = max(needed, float((_ROOM * beside / slope + seen @ away).max()))
    return max(needed, 2.0 * framing.margin)


def _screen(away: np.ndarray, up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions to the right of the picture and to its top."""
    right = np.cross(up, away)
    right /= np.linalg.norm(right)
    return right, np.cross(away, right)


def place_in(view: View, x: float, y: float) -> np.ndarray:
    """The point of the scene that is x to the right and y above the middle of the picture, of half
    its height."""
    centre = np.array(view.look_at)
    away = np.array(view.position) - centre
    right, above = _screen(away / np.linalg.norm(away), np.array(view.up))
    return np.asarray(centre + half_height(view) * (x * right + y * above))


def half_height(view: View) -> float:
    """What half of the picture's height is at the point looked at [m]."""
    return math.dist(view.position, view.look_at) * math.tan(0.5 * FIELD_OF_VIEW)


def _best_side(framing: Framing, up: np.ndarray) -> np.ndarray:
    """The direction to a camera along which the given directions are least foreshortened."""
    east = np.cross(up, [0.0, 1.0, 0.0] if abs(up[1]) < 0.5 else [1.0, 0.0, 0.0])
    east /= np.linalg.norm(east)
    north = np.cross(up, east)
    across, lengths = framing.across, np.linalg.norm(framing.across, axis=1)
    best, least = north, math.inf
    for lift in _LIFTS:
        for turn in _TURNS:
            level = math.cos(turn) * east + math.sin(turn) * north
            away = math.cos(lift) * level + math.sin(lift) * up
            # Straight from the side, a box is a rectangle: 20 degrees off, it has depth.
            hidden = np.abs(across @ away) - math.sin(math.radians(20.0)) * lengths
            cost = float((hidden**2).sum()) + (lift - _USUAL_LIFT) ** 2
            cost -= 0.1 * float(framing.front @ away)
            # Along an axis of the scene, the names of the other two would stand on one another.
            cost += 20.0 * max(0.0, float(np.abs(away).max()) - 0.85)
            if cost < least - 1e-9:
                best, least = away, cost
    return np.asarray(best)


def _triple(values: np.ndarray) -> Triple:
    x, y, z = values.tolist()
    return x, y, z
