"""Poses X_AB = (p_AB, q_AB) in plain Python: a frame of a scene has a few dozen of them."""

from typing import NamedTuple

import numpy as np

from proxops.core.frame import quaternion_of
from proxops.core.spatial.quaternion import IDENTITY as UNTURNED
from proxops.core.spatial.quaternion import quat_inverse, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import ZERO, mul

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

# The formulas behind compiled helpers: run as they stand, nothing compiles.
multiply = quat_mul.py_func
inverse = quat_inverse.py_func
_rotation = quat_to_rotation.py_func
_turn = mul.py_func


class Pose(NamedTuple):
    """Frame B in A."""

    p: Vector  # p_AB [m]
    q: Quaternion  # q_AB, wxyz

    def __matmul__(self, other: "Pose") -> "Pose":
        """X_AC = X_AB X_BC."""
        return Pose(self.act(other.p), multiply(self.q, other.q))

    def act(self, p_B: Vector) -> Vector:
        """The point p_B, given in B, as seen from A [m]."""
        x, y, z = _turn(_rotation(self.q), p_B)
        return self.p[0] + x, self.p[1] + y, self.p[2] + z

    def rotate(self, v_B: Vector) -> Vector:
        """The vector v_B, given in B, in A's axes."""
        turned: Vector = _turn(_rotation(self.q), v_B)
        return turned


HERE = Pose(ZERO, UNTURNED)


def back(X: Pose) -> Pose:
    """X_BA of X_AB."""
    q = inverse(X.q)
    x, y, z = Pose(ZERO, q).rotate(X.p)
    return Pose((-x, -y, -z), q)


def pose_of(R: np.ndarray, p: np.ndarray) -> Pose:
    """The pose with that rotation matrix and position [m]."""
    return Pose(vector(p), quaternion(quaternion_of(R)))


def vector(values: np.ndarray) -> Vector:
    """An array as a vector."""
    x, y, z = values.tolist()
    return x, y, z


def quaternion(values: np.ndarray) -> Quaternion:
    """An array as a quaternion."""
    w, x, y, z = values.tolist()
    return w, x, y, z
