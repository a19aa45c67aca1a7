"""Which shapes are meant to touch: those between which a scenario declares a contact or a hold."""

from collections.abc import Callable

import numpy as np

from proxops.core.frame import cross
from proxops.core.kept import kept_by_arrays
from proxops.plant import clearance as of
from proxops.plant import contact_array as contact
from proxops.plant import hold_array as hold

NEAR = 0.01  # a pad, face or grasp point belongs to the shapes of its body within this [m]
CLOSE = 1e-6  # to which distances are found, unless they are near anyway [m]
TRIALS = 200  # of the search for the nearest points; a few are usual

Projection = Callable[[np.ndarray], np.ndarray]  # the nearest point of a convex body


def meant_to_touch(
    shapes: np.ndarray, contacts: np.ndarray, holds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which contacts and holds join which two shapes: (meant, joins).

    Rows of `joins` are a shape of the chaser, one of the target, and the number of a contact or,
    after all of them, of a hold.  `meant` (n, n), the chaser's first, is 0 for two shapes that
    nothing joins, else one more than the first of their rows.

    A hold on the hub without a port has no place of its own there: it means all shapes of the hub.
    """
    places, points = contacts.copy(), holds.copy()
    places[:, [contact.MASS, contact.LONGEST_STEP]] = 0.0  # they touch wherever masses are
    points[:, [hold.MASS, hold.INERTIA, hold.LONGEST_STEP]] = 0.0
    return _joined(shapes, places, points)


@kept_by_arrays
def _joined(
    shapes: np.ndarray, contacts: np.ndarray, holds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    rows = []
    for number, row in enumerate(contacts):
        own, others = _sides(row)
        mine = _carriers(shapes, row[contact.BODY], own)
        theirs = _carriers(shapes, of.ON_TARGET, others)
        rows += [(first, second, number) for first in mine for second in theirs]
    for number, row in enumerate(holds, start=len(contacts)):
        body, held = row[hold.BODY], _ball(row[hold.POINT : hold.POINT + 3], 0.0)
        mine = np.flatnonzero(shapes[:, of.BODY] == 0)
        if body > 0 or row[hold.HAS_PORT] == 1.0:
            mine = _carriers(shapes, body, _ball(row[hold.EFFECTOR : hold.EFFECTOR + 3], 0.0))
        theirs = _carriers(shapes, of.ON_TARGET, held)
        rows += [(first, second, number) for first in mine for second in theirs]
    joins = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    meant = np.zeros((len(shapes), len(shapes)), dtype=np.int64)
    for position, (own, other, _) in reversed(list(enumerate(joins, start=1))):
        meant[own, other] = position
    return meant, joins


def _sides(row: np.ndarray) -> tuple[Projection, Projection]:
    """What touches on the chaser's body and what on the target."""
    pad = _ball(row[contact.PAD : contact.PAD + 3], row[contact.RADIUS])
    if row[contact.KIND] == contact.BALLS:
        return pad, _ball(row[contact.FACE : contact.FACE + 3], row[contact.OTHER_RADIUS])
    face = _rectangle(row)
    return (pad, face) if row[contact.KIND] == contact.PAD_ON_TARGET else (face, pad)


def _carriers(shapes: np.ndarray, body: float, feature: Projection) -> np.ndarray:
    """Numbers of the shapes of a body that a feature of it is on."""
    own = np.flatnonzero(shapes[:, of.BODY] == body)
    near = [apart(feature, _shape(shapes[number]), shapes[number]) <= NEAR for number in own]
    return np.asarray(own[np.array(near, dtype=bool)])


def apart(first: Projection, second: Projection, row: np.ndarray) -> float:
    """Distance of two convex bodies [m], the second a shape: the nearest point of one and of the
    other in turn (von Neumann)."""
    point, gap = row[of.CENTRE : of.CENTRE + 3], np.inf
    for _ in range(TRIALS):
        other = first(point)
        point = second(other)
        before, gap = gap, float(np.linalg.norm(point - other))
        if gap <= NEAR or before - gap <= CLOSE:
            break
    return gap


def _ball(centre: np.ndarray, radius: float) -> Projection:
    def nearest(point: np.ndarray) -> np.ndarray:
        away = point - centre
        return np.asarray(centre + away * _shortened(away, radius))

    return nearest


def _shortened(away: np.ndarray, maximum: float) -> float:
    """The factor that makes a vector no longer than `maximum`."""
    length = float(np.linalg.norm(away))
    return 1.0 if length <= maximum else maximum / length


def _rectangle(row: np.ndarray) -> Projection:
    centre, normal = (row[first : first + 3] for first in (contact.FACE, contact.NORMAL))
    along = row[contact.ALONG : contact.ALONG + 3]
    edges, half = np.array([along, cross(normal, along)]), row[contact.HALF : contact.HALF + 2]

    def nearest(point: np.ndarray) -> np.ndarray:
        return np.asarray(centre + np.clip(edges @ (point - centre), -half, half) @ edges)

    return nearest


def _shape(row: np.ndarray) -> Projection:
    """The nearest point of a box, a cylinder or a ball."""
    R = row[of.ROTATION : of.ROTATION + 9].reshape(3, 3)
    centre, half = row[of.CENTRE : of.CENTRE + 3], row[of.HALF : of.HALF + 3]
    disc, ball = row[of.DISC], row[of.BALL]

    def nearest(point: np.ndarray) -> np.ndarray:
        local = R.T @ (point - centre)
        inside = np.clip(local, -half, half)
        if disc > 0.0:
            inside[:2] = local[:2] * _shortened(local[:2], disc)
        if ball > 0.0:
            inside = local * _shortened(local, ball)
        return np.asarray(centre + R @ inside)

    return nearest
