"""Where to look from, so that what matters is in sight."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.viewer.pose import Pose, inverse, vector

FIELD_OF_VIEW = math.radians(40.0)  # vertical
_MARGIN = 1.08  # left around what is framed
_HALVINGS = 14  # of the interval of distances
_ROUNDS = 6
_LIFTS = np.radians([14.0, 22.0, 30.0, 40.0, 50.0])  # of the camera above the horizon
_USUAL_LIFT = math.radians(24.0)
_CLEAR = 0.05  # distance from obstacles, of that from what is looked at
_APART = 0.5  # of the length of an arrow that names of axes are to be apart
_AZIMUTHS = np.radians(np.arange(0.0, 360.0, 10.0))

Triple = tuple[float, float, float]


class View(NamedTuple):
    """A camera, in the axes of the scene."""

    position: Triple
    look_at: Triple
    up: Triple


class Obstacle(NamedTuple):
    """A box that a camera must not be in, nor look through."""

    X: Pose  # of its middle, in the scene
    half: np.ndarray  # half of its edges (3,) [m]

    def within(self, point: np.ndarray, margin: float) -> bool:
        """Whether a point of the scene is inside, or nearer than a margin [m]."""
        return bool((np.abs(self._own(point)) < self.half + margin).all())

    def hides(self, start: np.ndarray, end: np.ndarray) -> bool:
        """Whether it cuts the line from one point of the scene to another."""
        a, b = self._own(start), self._own(end)
        way = np.where(np.abs(b - a) < 1e-12, 1e-12, b - a)
        one, two = (-self.half - a) / way, (self.half - a) / way
        enters, leaves = np.minimum(one, two).max(), np.maximum(one, two).min()
        return bool(max(enters, 0.0) < min(leaves, 1.0))

    def _own(self, point: np.ndarray) -> np.ndarray:
        turned = Pose((0.0, 0.0, 0.0), inverse(self.X.q))
        return np.array(turned.rotate(vector(point - np.array(self.X.p))))


class Framing(NamedTuple):
    """What a view must hold: points, and directions that should be seen from their side."""

    points: np.ndarray  # (n, 3) [m]
    margin: float  # held around each of them [m]
    across: np.ndarray  # (k, 3), as long as they are important
    front: np.ndarray  # towards what should be nearer to the camera (3,), unit
    follow: str  # frame at the scene's origin
    away: np.ndarray | None = None  # to the camera (3,), unit; from where it is seen best if None
    obstacles: Sequence[Obstacle] = ()  # that the camera is to stay out of


def view_of(framing: Framing, up: np.ndarray, aspect: float, free: float = 1.0) -> View:
    """The camera that is just far enough away to hold all points, from the side on which `across`
    is seen best of those where no obstacle is in the way.

    `aspect` is the width of the picture over its height, `free` the upper part of it that nothing
    covers, of its height.
    """
    if framing.away is not None:
        return _view_from(framing.away, framing, up, (aspect, free))
    sides = _sides(framing, up)
    for away in sides:
        view = _view_from(away, framing, up, (aspect, free))
        if not _blocked(view, framing):
            return view
    return _view_from(sides[0], framing, up, (aspect, free))


def _blocked(view: View, framing: Framing) -> bool:
    """Whether the camera is in an obstacle; of a small thing, also whether one hides it."""
    eye, centre = np.array(view.position), np.array(view.look_at)
    keep = _CLEAR * float(np.linalg.norm(eye - centre))
    if any(each.within(eye, keep) for each in framing.obstacles):
        return True
    if framing.margin == 0.0:  # all of a spacecraft: it hides its own middle
        return False
    near = centre + 0.5 * framing.margin * (eye - centre) / np.linalg.norm(eye - centre)
    return any(each.hides(eye, near) for each in framing.obstacles)


def _view_from(
    away: np.ndarray, framing: Framing, up: np.ndarray, picture: tuple[float, float]
) -> View:
    """The camera in a direction from what it holds."""
    aspect, free = picture
    axes = (*_screen(away, up), away)
    tangent = math.tan(0.5 * FIELD_OF_VIEW)
    half = np.array([tangent * aspect, tangent * free]) / _MARGIN
    middle = np.array([0.0, tangent * (1.0 - free)])
    near = max(framing.margin, 1e-3)
    far = near
    while not _fits(framing, axes, far, (half, middle))[1]:
        far *= 2.0
    for _ in range(_HALVINGS):
        halfway = 0.5 * (near + far)
        if _fits(framing, axes, halfway, (half, middle))[1]:
            far = halfway
        else:
            near = halfway
    centre, _ = _fits(framing, axes, far, (half, middle))
    return View(_triple(centre + far * away), _triple(centre), _triple(up))


def _fits(
    framing: Framing,
    axes: tuple[np.ndarray, np.ndarray, np.ndarray],
    distance: float,
    picture: tuple[np.ndarray, np.ndarray],
) -> tuple[np.ndarray, bool]:
    """What a camera at that distance looks at [m], and whether it then holds all points.

    `picture` has the half width and height that are free, and their middle, as slopes.
    """
    half, middle = picture
    sideways = np.array(axes[:2])
    centre = 0.5 * (framing.points.min(axis=0) + framing.points.max(axis=0))
    for _ in range(_ROUNDS):  # what is nearer looks larger, so that the middle shifts a little
        seen = framing.points - centre
        depth = distance - seen @ axes[2]
        if depth.min() <= framing.margin:
            return centre, False
        flat = seen @ sideways.T
        low = ((flat - framing.margin) / depth[:, None]).min(axis=0)
        high = ((flat + framing.margin) / depth[:, None]).max(axis=0)
        off = 0.5 * (low + high) - middle
        centre = centre + distance * (off @ sideways)
    return centre, bool((0.5 * (high - low) + np.abs(off) <= half).all())


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


def places_of(points: np.ndarray, view: View) -> np.ndarray:
    """Where a picture has points (n, 3): to the right and above its middle (n, 2), of half its
    height."""
    eye = np.array(view.position)
    away = eye - np.array(view.look_at)
    away /= np.linalg.norm(away)
    seen = points - eye
    depth = np.maximum(-(seen @ away), 1e-9) * math.tan(0.5 * FIELD_OF_VIEW)
    return np.asarray(seen @ np.column_stack(_screen(away, np.array(view.up))) / depth[:, None])


def half_height(view: View) -> float:
    """What half of the picture's height is at the point looked at [m]."""
    return math.dist(view.position, view.look_at) * math.tan(0.5 * FIELD_OF_VIEW)


def _sides(framing: Framing, up: np.ndarray) -> list[np.ndarray]:
    """Directions to a camera, those first along which the given directions are least
    foreshortened."""
    east = np.cross(up, [0.0, 1.0, 0.0] if abs(up[1]) < 0.5 else [1.0, 0.0, 0.0])
    east /= np.linalg.norm(east)
    north = np.cross(up, east)
    across, lengths = framing.across, np.linalg.norm(framing.across, axis=1)
    found: list[tuple[float, np.ndarray]] = []
    for lift in _LIFTS:
        for azimuth in _AZIMUTHS:
            level = math.cos(azimuth) * east + math.sin(azimuth) * north
            away = math.cos(lift) * level + math.sin(lift) * up
            # Straight from the side, a box is a rectangle: 20 degrees off, it has depth.
            hidden = np.abs(across @ away) - math.sin(math.radians(20.0)) * lengths
            cost = float((hidden**2).sum()) + (lift - _USUAL_LIFT) ** 2
            cost -= 0.1 * float(framing.front @ away)
            cost += 6.0 * max(0.0, _APART - _names_apart(away, up))
            found.append((round(cost, 9), away))
    return [away for _, away in sorted(found, key=lambda each: each[0])]


def _names_apart(away: np.ndarray, up: np.ndarray) -> float:
    """Least distance, in the picture, of the names of the scene's axes from one another and from
    that of the way down, all at the ends of arrows of unit length."""
    right, above = _screen(away, up)
    tips = np.vstack([np.eye(3), -up])
    flat = np.column_stack([tips @ right, tips @ above])
    apart = np.linalg.norm(flat[:, None] - flat[None], axis=2)
    return float(apart[np.triu_indices(len(tips), 1)].min())


def _triple(values: np.ndarray) -> Triple:
    x, y, z = values.tolist()
    return x, y, z
