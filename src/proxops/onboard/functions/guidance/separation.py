"""Planes that keep a path out of a sphere about the target, chosen from the path as it was."""

import numpy as np

_NEAR = 2.0  # radii: farther away a path needs no plane
_DEGENERATE = 0.1  # radii: a pass this close to the middle does not say on which side to go round


def separating_normals(paths: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Normals n (k, j, 3) with n·p ≥ radius asked of j points of k paths, and where (k, j).

    Along a pass that stays outside each point has a plane of its own, n = p/|p|.  A pass through
    the sphere has one plane: that at its closest point.  Planes of its single points would ask it
    to be on one side first and on the other afterwards.

    paths    (k, j, 3) positions in order of time [m]
    """
    distance = np.linalg.norm(paths, axis=2)
    wanted = distance < _NEAR * radius
    normals = paths / np.maximum(distance, 1e-9 * radius)[:, :, None]
    inside = distance < radius
    for k in np.flatnonzero(inside.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.r_[False, wanted[k], False]))
        for first, end in edges.reshape(-1, 2):
            if inside[k, first:end].any():
                normals[k, first:end] = _side(paths[k, first:end], radius)
    return normals, wanted


def _side(path: np.ndarray, radius: float) -> np.ndarray:
    """Unit vector to the side on which a pass (j, 3) goes round."""
    closest = path[int(np.argmin(np.linalg.norm(path, axis=1)))]
    along = path[-1] - path[0]
    length = float(np.linalg.norm(along))
    if length > 0.0:
        closest = closest - along * (closest @ along) / length**2
    distance = float(np.linalg.norm(closest))
    if distance > _DEGENERATE * radius:
        aside: np.ndarray = closest / distance
        return aside
    # Straight through the middle: above or below along the radius, where a drift turns by itself
    radial = np.array([1.0, 0.0, 0.0]) if along[1] >= 0.0 else np.array([-1.0, 0.0, 0.0])
    if length > 0.0:
        radial = radial - along * (radial @ along) / length**2
        if float(np.linalg.norm(radial)) < _DEGENERATE:
            radial = np.cross(along, [0.0, 0.0, 1.0])
    around: np.ndarray = radial / np.linalg.norm(radial)
    return around
