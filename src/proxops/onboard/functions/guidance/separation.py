"""Planes that keep paths out of a sphere about the target, chosen from the paths as they were.

Beyond a plane at the sphere, n·p ≥ R with |n| = 1, a point is outside of the sphere, wherever it
moves to.  Which plane only decides how much freedom is left.
"""

import numpy as np

# Share of the radius: a path that comes closer passes through.  Planes of its single points would
# ask it to be on one side first and on the other afterwards, so that it gets one plane for all.
_THROUGH = 0.8
_DEGENERATE = 0.1  # share of the radius: so close to the middle a path does not say on which side


def separating_normals(
    paths: np.ndarray, there: np.ndarray, radius: float, sides: np.ndarray
) -> np.ndarray:
    """n (k, j, 3) for each of j points of k paths (k, j, 3) [m]: n = p/|p|, each on its own side.

    A path that passes through the sphere has n = its side for all points; and, unless the first
    path does so, one that leaves the half of space on its side of the target.

    there    (k, j): points that count
    sides    (k, 3) unit vectors
    """
    length = np.sqrt(np.einsum("kjc,kjc->kj", paths, paths))
    distance = np.where(there, length, np.inf)
    own: np.ndarray = paths / np.maximum(length, 1e-9 * radius)[:, :, None]
    one = distance.min(axis=1) < _THROUGH * radius
    height = np.where(there, np.einsum("kjc,kc->kj", paths, sides), np.inf)
    beyond = height.min(axis=1) < 0.0
    one |= beyond & ~beyond[0]
    own[one] = sides[one, None, :]
    return own


def side_to_pass(path: np.ndarray, radius: float) -> np.ndarray:
    """Unit vector (3,) to the side on which a path (j, 3) [m] had better pass the sphere.

    That of its closest point, across its way; straight through the middle: above where it moves
    ahead, below where it moves back, as drifts turn.
    """
    closest = path[int(np.argmin(np.linalg.norm(path, axis=1)))]
    along = path[-1] - path[0]
    along = along / max(float(np.linalg.norm(along)), 1e-9 * radius)
    aside = closest - along * (closest @ along)
    if float(np.linalg.norm(aside)) < _DEGENERATE * radius:
        radial = np.array([1.0 if along[1] >= 0.0 else -1.0, 0.0, 0.0])
        aside = radial - along * (radial @ along)
        if float(np.linalg.norm(aside)) < _DEGENERATE:
            aside = np.cross(along, [0.0, 0.0, 1.0])
    unit: np.ndarray = aside / np.linalg.norm(aside)
    return unit
