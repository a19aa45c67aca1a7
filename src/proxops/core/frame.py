"""Poses for Python that builds things; kernels have their own in core.spatial.pose."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Frame:
    """The pose X_AB of a frame: rotation R_AB (3, 3) and position p_AB (3,) [m]."""

    R: np.ndarray
    p: np.ndarray

    def __matmul__(self, other: "Frame") -> "Frame":
        """X_AC = X_AB X_BC."""
        return Frame(self.R @ other.R, self.p + self.R @ other.p)

    def inverse(self) -> "Frame":
        """X_BA."""
        return Frame(self.R.T, -self.R.T @ self.p)

    def row(self) -> np.ndarray:
        """Position and quaternion wxyz (7,)."""
        return np.array([*self.p, *quaternion_of(self.R)])


def frame(p: tuple[float, ...] | np.ndarray, q: tuple[float, ...] | np.ndarray) -> Frame:
    """The pose with that position [m] and unit quaternion wxyz."""
    return Frame(rotation_of(q), np.array(p, dtype=float))


def rotation_of(q: tuple[float, ...] | np.ndarray) -> np.ndarray:
    """R_AB of the unit quaternion q_AB, wxyz."""
    w, x, y, z = q
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of two vectors (3,); NumPy's own is for arrays of them and takes ten times as long."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def joint_motion(prismatic: bool, q: float) -> Frame:
    """X_z(q), a joint's own motion: along its z axis by q [m], or about it [rad]."""
    if prismatic:
        return Frame(np.eye(3), np.array([0.0, 0.0, q]))
    c, s = np.cos(q), np.sin(q)
    return Frame(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.zeros(3))


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """q_AB (wxyz, w ≥ 0) of the rotation R_AB.

    With q the eigenvector of the largest eigenvalue of K, whose entries are sums of R's; exact
    for every rotation (Bar-Itzhack 2000).
    """
    (a, b, c), (d, e, f), (g, h, i) = R
    K = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    q: np.ndarray = np.linalg.eigh(K)[1][:, -1]
    return -q if q[0] < 0.0 else q


def z_onto(axis: np.ndarray) -> np.ndarray:
    """A rotation that carries the z axis onto a unit vector.

    R = 1 + [v]× + [v]×² / (1 + c),   v = z × axis,  c = z · axis

    1 + c cancels for an axis near -z: there the opposite axis is reached, then turned over.
    """
    x, y, c = axis
    if c < 0.0:
        return z_onto(-axis) @ np.diag([1.0, -1.0, -1.0])
    v = np.array([[0.0, 0.0, x], [0.0, 0.0, y], [-x, -y, 0.0]])
    return np.asarray(np.eye(3) + v + v @ v / (1.0 + c))
