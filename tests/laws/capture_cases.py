"""Two spacecraft that move against each other, and what a capture knows of them."""

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from proxops.core.frame import Frame, quaternion_of, rotation_of
from proxops.onboard.functions.capture.relative_state import RelativeState
from proxops.onboard.functions.capture.trajectory import PATH_WIDTH, put_path
from tests.laws.plants import rotation
from tests.laws.written import written

Pair = tuple[tuple[float, ...], tuple[float, ...]]


class Body(NamedTuple):
    """A rigid frame in N: its twist is of its origin in N, and of its axes in its own."""

    X: Frame
    v: np.ndarray  # [m/s]
    w: np.ndarray  # [rad/s]

    def after(self, t: float) -> "Body":
        """With both velocities as they are."""
        turn = Rotation.from_rotvec(t * self.w).as_matrix()
        return Body(Frame(self.X.R @ turn, self.X.p + t * self.v), self.v, self.w)


def random_body(rng: np.random.Generator) -> Body:
    """Metres away, with a tenth of a metre and of a radian a second."""
    X = Frame(rotation(rng), rng.uniform(-5.0, 5.0, 3))
    return Body(X, rng.uniform(-0.1, 0.1, 3), rng.uniform(-0.1, 0.1, 3))


def relative_between(chaser: Body, target: Body) -> RelativeState:
    """What an exact navigation would know."""
    R = chaser.X.R
    return RelativeState(
        pair_of(chaser.X.inverse() @ target.X),
        tuple(R.T @ (target.v - chaser.v)),
        tuple(chaser.w),
        tuple(target.w),
    )


def pair_of(X: Frame) -> Pair:
    """As kernels have it: (q, p)."""
    return tuple(quaternion_of(X.R)), tuple(X.p)


def frame_of(X: Any) -> Frame:
    """The other way round."""
    q, p = X
    return Frame(rotation_of(q), np.array(p))


def apart(X: Frame, Y: Frame) -> float:
    """Largest difference of two poses [-, m]."""
    return float(max(np.abs(X.R - Y.R).max(), np.abs(X.p - Y.p).max()))


def turning(R: np.ndarray, R_rate: np.ndarray) -> np.ndarray:
    """w of Ṙ = [w]× R."""
    skew = R_rate @ R.T
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0]])


def random_path(rng: np.random.Generator, begin: float, lasts: float) -> np.ndarray:
    """A way of metres and up to a turn about any axis."""
    path = np.zeros(PATH_WIDTH)
    ends = [pair_of(Frame(rotation(rng), rng.uniform(-2.0, 2.0, 3))) for _ in range(2)]
    written(put_path)(path, (begin, lasts), *ends)
    return path
