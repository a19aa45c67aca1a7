"""Where to look from, so that what matters is in sight."""

import math
from typing import NamedTuple

import numpy as np

from proxops.viewer.poses import CHASER, TARGET
from proxops.viewer.scene import Scene
from proxops.viewer.subject import Subject

FIELD_OF_VIEW = math.radians(40.0)  # vertical
_ROOM = 1.12  # left around what is framed
_FAR = 15.0  # distance in reaches of the larger craft from which spacecraft are drawn larger
_SHARE = 0.06  # of the view that such a spacecraft then takes
_LIFTS = np.radians([18.0, 32.0, 48.0])  # of the camera above the horizon
_TURNS = np.radians(np.arange(0.0, 360.0, 15.0))


class View(NamedTuple):
    """A camera, in the axes of the scene."""

    position: tuple[float, float, float]
    look_at: tuple[float, float, float]
    up: tuple[float, float, float]
    follow: str  # frame at the scene's origin


class Framing(NamedTuple):
    """What a view must hold: a ball, and directions that should be seen from their side."""

    centre: np.ndarray  # [m]
    radius: float  # [m]
    across: np.ndarray  # (n, 3), as long as they are important
    follow: str


def up_of(subject: Subject) -> np.ndarray:
    """Away from the planet with an orbit, else z."""
    return np.array([1.0, 0.0, 0.0]) if subject.orbit is not None else np.array([0.0, 0.0, 1.0])


def view_of(framing: Framing, up: np.ndarray, aspect: float = 1.4) -> View:
    """A camera that holds all of the ball, from the side on which `across` is seen best."""
    narrow = min(1.0, aspect)
    half = math.atan(math.tan(0.5 * FIELD_OF_VIEW) * narrow)
    distance = _ROOM * framing.radius / math.sin(half)
    away = _best_side(framing.across, up)
    x, y, z = (framing.centre + distance * away).tolist()
    a, b, c = framing.centre.tolist()
    d, e, f = up.tolist()
    return View((x, y, z), (a, b, c), (d, e, f), framing.follow)


def _best_side(across: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The direction to a camera along which the given directions are least foreshortened."""
    right = np.cross(up, [0.0, 1.0, 0.0] if abs(up[1]) < 0.5 else [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    ahead = np.cross(right, up)
    best, least = ahead, math.inf
    for lift in _LIFTS:
        for turn in _TURNS:
            level = math.cos(turn) * right + math.sin(turn) * ahead
            away = math.cos(lift) * level + math.sin(lift) * up
            # A view straight from the side looks flat: a little of everything is better.
            cost = float(((across @ away) ** 2).sum()) + 0.02 * float((across @ away).sum())
            if cost < least - 1e-9:
                best, least = away, cost
    return np.asarray(best)


def takes_part(subject: Subject, rows: np.ndarray, scene: Scene) -> bool:
    """Whether the chaser does anything but look on."""
    if subject.chaser.arms or subject.contacts or subject.thrusters or subject.chaser.appendages:
        return True
    way = subject.of("chaser.p_HC", rows) - subject.of("target.p_HT", rows)
    return bool(np.ptp(way, axis=0).max() > scene.reach[CHASER])


def size_for(subject: Subject, rows: np.ndarray, scene: Scene) -> float:
    """How many times as large spacecraft are drawn, so that they show in a view of all."""
    if not takes_part(subject, rows, scene):
        return 1.0
    way = subject.of("chaser.p_HC", rows) - subject.of("target.p_HT", rows)
    extent = float(np.linalg.norm(way, axis=1).max())
    reach = max(scene.reach.values())
    if extent < _FAR * reach:
        return 1.0
    return nice(_SHARE * extent / reach)


def framings(subject: Subject, rows: np.ndarray, scene: Scene, size: float) -> dict[str, Framing]:
    """What each camera button shows; the first is the start."""
    way = subject.of("chaser.p_HC", rows) - subject.of("target.p_HT", rows)
    reach = {name: size * value for name, value in scene.reach.items()}
    found: dict[str, Framing] = {}
    if takes_part(subject, rows, scene):
        low = np.minimum(way.min(axis=0) - reach[CHASER], -reach[TARGET])
        high = np.maximum(way.max(axis=0) + reach[CHASER], reach[TARGET])
        radius = 0.5 * float(np.linalg.norm(high - low))
        spread = np.linalg.svd(np.vstack([way, np.zeros(3)]), full_matrices=False)
        weights = spread[1] / max(float(spread[1].max()), 1e-9)
        across = np.vstack([weights[:, None] * spread[2], *_bending(subject)])
        found["overview"] = Framing(0.5 * (low + high), 0.8 * radius, across, TARGET)
    pair = way[0] / max(float(np.linalg.norm(way[0])), 1e-9)
    side = np.vstack([pair, *_bending(subject)])
    found["target"] = Framing(np.zeros(3), reach[TARGET], side, TARGET)
    found["chaser"] = Framing(np.zeros(3), reach[CHASER], side, CHASER)
    if subject.contacts:
        contact = subject.contacts[0]
        middle = contact.pads.mean(axis=0) if not contact.pads_on_chaser else contact.centre
        found["contact"] = Framing(_in_scene(subject, rows[0], middle), 2.0, side, TARGET)
    return found


def _in_scene(subject: Subject, row: np.ndarray, p_T: np.ndarray) -> np.ndarray:
    from proxops.viewer.pose import vector
    from proxops.viewer.poses import Kinematics

    kinematics = Kinematics(subject, row)
    pose = kinematics.at(row, kinematics.attitudes(row[:1])[0])[TARGET]
    return np.array(pose.turn(vector(p_T)))


def _bending(subject: Subject) -> list[np.ndarray]:
    """Directions of appendages and of their bending, hub axes taken for those of the scene."""
    rows = []
    for craft in (subject.target, subject.chaser):
        for appendage in craft.appendages:
            rows += [mode.e / max(float(np.linalg.norm(mode.e)), 1e-9) for mode in appendage.modes]
            way = appendage.rigid.com
            rows.append(way / max(float(np.linalg.norm(way)), 1e-9))
    return rows[:12]


def nice(value: float) -> float:
    """The largest of 1, 2, 5, 10, 20, ... that is not above a value, at least 1."""
    if value < 1.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return power * max(step for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-12))
