"""Where the joints of an arm go, without saying when: from one posture to the next."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proxops.arm_paths.arm import Arm, away_from_stops, effector_jacobian, effector_pose
from proxops.arm_paths.inverse_kinematics import pose_error, rotation_vector
from proxops.core.errors import InputError
from proxops.core.frame import Frame

STRAIGHT = 1e-10  # [m, rad] between the nodes of a straight path, how far E may be off it
SINGULAR = 1e-3  # smallest singular value, see `singularity`, below which no path is followed
_DEGREE = 7  # of the spline through the nodes
_FEWEST, _MOST = 32, 512  # nodes
_CORRECTIONS = 8  # of each node onto the line
_EXACT = 1e-13  # [m, rad] to which nodes lie on it, unless rounding ends the corrections
_JUMP = 0.05  # [rad or m] by which a node may have to be moved onto the line
_STOPS = 3.0  # [rad or m] by which a joint at its stop would be driven from it, were it free to
# go, over a path as long as the arm's reach or of one radian


class PathError(InputError):
    """There is no such path; the message says where it ends and why."""


@dataclass(frozen=True)
class Path:
    """Joint positions against the share s of a path, 0 to 1."""

    arm: Arm
    spline: Any  # scipy's BSpline with values (n,) [rad or m]

    def at(self, s: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Joints (m, n) at shares s (m,), or their derivative of that order by s [rad or m]."""
        return np.asarray(self.spline(s, nu=derivative))


def _through(arm: Arm, s: np.ndarray, q: np.ndarray, degree: int) -> Path:
    from scipy.interpolate import make_interp_spline  # a third of a second; few missions need it

    return Path(arm, make_interp_spline(s, q, k=degree))


def joint_path(arm: Arm, start: np.ndarray, end: np.ndarray) -> Path:
    """All joints in proportion from one posture to another (n,) [rad or m]."""
    for name, q in (("starts", start), ("ends", end)):
        _reject_beyond_stops(arm, np.asarray(q), f"the path {name}")
    return _through(arm, np.array([0.0, 1.0]), np.array([start, end]), 1)


def straight_path(arm: Arm, start: np.ndarray, X_CE: Frame) -> Path:
    """E in a straight line, turning evenly about one axis, from where it is with joints `start`
    (n,) [rad or m] to X_CE.  With `arm.holding(X_EF)` it is F that moves straight.

        p = p₀ + s d,  R = exp(s [r]×) R₀,      dq/ds = J⁺ [d; r] + k (1 - J⁺ J) (off the stops)

    Nodes of the integration (Runge and Kutta's) are moved onto the line by Newton's steps; between
    them a spline is off by no more than STRAIGHT.  PathError where a joint meets its stop or the
    arm is singular on the way, or where there is none.
    """
    _reject_beyond_stops(arm, start, "the path starts")
    line, nodes = _Line(arm, effector_pose(arm, start), X_CE), _FEWEST
    while True:
        try:
            path = _through(arm, *_followed(line, start, nodes), _DEGREE)
        except PathError:
            if nodes == _MOST:
                raise
        else:
            if _straight_between(line, path, nodes):
                return path
            if nodes == _MOST:
                raise PathError(
                    "the arm does not follow the straight path: near a singular posture its "
                    "joints turn too sharply; choose another posture to start from, or a via point"
                )
        nodes *= 2  # what failed may have been a step that was too long


class _Line:
    """The straight line of E."""

    def __init__(self, arm: Arm, start: Frame, end: Frame) -> None:
        self.arm, self.start = arm, start
        self.shift = end.p - start.p  # [m]
        self.turn = rotation_vector(end.R @ start.R.T)  # [rad], in C
        size = np.linalg.norm(self.shift) / arm.reach + np.linalg.norm(self.turn)
        self.off_stops = _STOPS * float(size)  # a short path is not to become a long self-motion

    def pose(self, s: float) -> Frame:
        """X_CE at a share."""
        return Frame(turn_by(s * self.turn) @ self.start.R, self.start.p + s * self.shift)

    def slope(self, s: float, q: np.ndarray) -> np.ndarray:
        """dq/ds."""
        J = effector_jacobian(self.arm, q[None])[0]
        inverse, least = _inverse(self.arm, J)
        if least < SINGULAR:
            raise _singular(s)
        own = self.off_stops * away_from_stops(self.arm, q)
        along: np.ndarray = inverse @ np.concatenate([self.shift, self.turn])
        return np.asarray(along + own - inverse @ (J @ own))


def _inverse(arm: Arm, J: np.ndarray) -> tuple[np.ndarray, float]:
    """J⁺ and the smallest singular value of J, lengths in parts of the arm's reach."""
    scale = np.array([1.0 / arm.reach] * 3 + [1.0] * 3)
    U, sigma, Vt = np.linalg.svd(scale[:, None] * J, full_matrices=False)
    kept = sigma > 1e-12
    inverse = (Vt[kept].T / sigma[kept]) @ U[:, kept].T * scale
    return np.asarray(inverse), float(sigma[-1])


def _followed(line: _Line, start: np.ndarray, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Shares and joints at the nodes."""
    shares, h = np.linspace(0.0, 1.0, nodes + 1), 1.0 / nodes
    rows = [np.asarray(start, dtype=float)]
    for s in shares[:-1]:
        q = rows[-1]
        k1 = line.slope(s, q)
        k2 = line.slope(s + 0.5 * h, q + 0.5 * h * k1)
        k3 = line.slope(s + 0.5 * h, q + 0.5 * h * k2)
        k4 = line.slope(s + h, q + h * k3)
        q = _onto(line, s + h, q + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))
        _reject_beyond_stops(line.arm, q, f"{100.0 * (s + h):.0f} % of the straight path needs")
        rows.append(q)
    return shares, np.array(rows)


def _onto(line: _Line, s: float, predicted: np.ndarray) -> np.ndarray:
    """The joints nearest to the predicted ones with which E is on the line."""
    wanted, q, size, before = line.pose(s), predicted, np.inf, np.inf
    for _ in range(_CORRECTIONS):
        e = pose_error(effector_pose(line.arm, q), wanted)
        size = float(np.linalg.norm(e))
        if size <= _EXACT or size >= before:
            break
        before = size
        q = q + _inverse(line.arm, effector_jacobian(line.arm, q[None])[0])[0] @ e
    if size > STRAIGHT or np.abs(q - predicted).max() > _JUMP:
        raise _singular(s)
    return q


def _singular(s: float) -> PathError:
    return PathError(
        f"the arm is singular or stretched out at {100.0 * s:.0f} % of the straight path and "
        "cannot move its end on; bring the goal nearer, or start from another posture"
    )


def _straight_between(line: _Line, path: Path, nodes: int) -> bool:
    middles = (np.arange(nodes) + 0.5) / nodes
    errors = [
        pose_error(effector_pose(line.arm, q), line.pose(s))
        for s, q in zip(middles, path.at(middles), strict=True)
    ]
    return float(np.abs(errors).max()) <= STRAIGHT


def turn_by(r: np.ndarray) -> np.ndarray:
    """R = exp [r]×, the rotation by the rotation vector r [rad] (Rodrigues)."""
    angle = float(np.linalg.norm(r))
    K = np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
    a, b = np.sinc(angle / np.pi), 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    return np.asarray(np.eye(3) + a * K + b * K @ K)


def _reject_beyond_stops(arm: Arm, q: np.ndarray, place: str) -> None:
    beyond = np.flatnonzero((q < arm.lower) | (q > arm.upper))
    if len(beyond):
        i = int(beyond[0])
        unit = "m" if arm.prismatic[i] else "rad"
        raise PathError(
            f"{place} {arm.joints[i]} at {q[i]:.4f} {unit}, beyond its stops "
            f"{arm.lower[i]:.4f} to {arm.upper[i]:.4f} {unit}"
        )
