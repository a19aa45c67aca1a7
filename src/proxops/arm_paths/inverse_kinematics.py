"""Joints that put the end effector where it shall be."""

from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import (
    Arm,
    away_from_stops,
    effector_jacobian,
    effector_pose,
    ranges,
)
from proxops.core.frame import Frame, quaternion_of

TOLERANCE = 1e-9  # [m, rad] within which a pose counts as reached
_CLOSE = 1e-13  # to which the search goes, of the arm's reach and of a radian
_ITERATIONS = 200
_RESTARTS = 24  # from other postures, where the seed leads nowhere
_SELF_MOTIONS = 40  # iterations towards the posture nearest to the seed
_SETTLED = 1e-10  # [rad or m] a self-motion below which that posture is found


@dataclass(frozen=True)
class Solution:
    """Joints, and how far E is from where it shall be with them."""

    q: np.ndarray  # (n,) [rad or m]
    position_error: float  # [m]
    angle_error: float  # [rad]

    @property
    def reached(self) -> bool:
        """Whether E is there, to TOLERANCE."""
        return max(self.position_error, self.angle_error) <= TOLERANCE


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """The rotation vector of R [rad], at most π long.

        r = s θ/|s|,   s = ½ (R - Rᵀ)ᵛ = sin θ axis,   θ = atan2(|s|, ½ (tr R - 1))

    and, beyond a right angle, where s cancels, from the quaternion.
    """
    sine = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    cosine, size = 0.5 * (np.trace(R) - 1.0), float(np.linalg.norm(sine))
    if cosine > 0.0:
        return np.asarray(sine * (np.arctan2(size, cosine) / size if size > 0.0 else 1.0))
    w, *xyz = quaternion_of(R)
    size = float(np.linalg.norm(xyz))
    return np.asarray(np.array(xyz) * (2.0 * np.arctan2(size, w) / size))


def pose_error(X_CE: Frame, wanted: Frame) -> np.ndarray:
    """From a pose to the one that is wanted, both in C (6,): shift [m] and rotation vector [rad],
    in C."""
    return np.concatenate([wanted.p - X_CE.p, rotation_vector(wanted.R @ X_CE.R.T)])


def solve(arm: Arm, X_CE: Frame, seed: np.ndarray) -> Solution:
    """Joints within their stops that put E at X_CE: of those that the search finds from the seed
    (n,) [rad or m], the posture nearest to the seed that also keeps off the stops.

    Levenberg and Marquardt's steps, joints at a stop left out where a step leads beyond it,

        Δq = Jᵀ (J Jᵀ + λ)⁻¹ e,    then   min  ½ |u - u_seed|² + ¼ Σ x⁴

    along the arm's self-motions, with u the joints in halves of their ranges, x measured from the
    middle of the range.  Where the seed leads nowhere, postures over the whole range are tried; of
    these, the solution nearest to the seed counts.  Where none does, what comes back is the
    posture that comes nearest to X_CE, not `reached`.
    """
    start = np.clip(seed, arm.lower, arm.upper)
    best = reach_from(arm, X_CE, start)
    if not best.reached:
        best = _from_elsewhere(arm, X_CE, start, best)
    return _nearest_to_seed(arm, X_CE, start, best) if best.reached else best


def _from_elsewhere(arm: Arm, X_CE: Frame, seed: np.ndarray, best: Solution) -> Solution:
    """The best that other postures lead to, always the same ones."""
    rng = np.random.default_rng(0)
    middle, half = ranges(arm)
    for _ in range(_RESTARTS):
        start = np.clip(middle + half * rng.uniform(-1.0, 1.0, len(seed)), arm.lower, arm.upper)
        found = reach_from(arm, X_CE, start)
        if _rank(arm, found, seed) < _rank(arm, best, seed):
            best = found
    return best


def _rank(arm: Arm, found: Solution, seed: np.ndarray) -> tuple[float, float]:
    """Smaller for the better of two: reached first, then nearer to the seed."""
    if found.reached:
        return 0.0, float(np.linalg.norm(found.q - seed))
    return found.position_error / arm.reach + found.angle_error, 0.0


def _scaled(arm: Arm, q: np.ndarray, X_CE: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Error and Jacobian, lengths in parts of the arm's reach."""
    e, J = pose_error(effector_pose(arm, q), X_CE), effector_jacobian(arm, q[None])[0]
    e[:3] /= arm.reach
    J[:3] /= arm.reach
    return e, J


def _solution(arm: Arm, q: np.ndarray, X_CE: Frame) -> Solution:
    e = pose_error(effector_pose(arm, q), X_CE)
    return Solution(q, float(np.linalg.norm(e[:3])), float(np.linalg.norm(e[3:])))


def reach_from(arm: Arm, X_CE: Frame, q: np.ndarray) -> Solution:
    """Where the search leads from q (n,) [rad or m] within the stops, whatever the self-motion."""
    damping = 1e-3
    e, J = _scaled(arm, q, X_CE)
    for _ in range(_ITERATIONS):
        size = float(np.linalg.norm(e))
        if size <= _CLOSE or damping > 1e6:
            break
        trial = _stepped(arm, q, e, J, damping)
        e_trial, J_trial = _scaled(arm, trial, X_CE)
        if np.linalg.norm(e_trial) < size:
            q, e, J, damping = trial, e_trial, J_trial, max(0.1 * damping, 1e-15)
        else:
            damping *= 10.0
    return _solution(arm, q, X_CE)


def _stepped(arm: Arm, q: np.ndarray, e: np.ndarray, J: np.ndarray, damping: float) -> np.ndarray:
    """q after one step, within the stops."""
    free = np.ones(len(q), dtype=bool)
    while True:
        J_free = J[:, free]
        step = np.zeros(len(q))
        step[free] = J_free.T @ np.linalg.solve(J_free @ J_free.T + damping * np.eye(6), e)
        beyond = ((q <= arm.lower) & (step < 0.0)) | ((q >= arm.upper) & (step > 0.0))
        if not (beyond & free).any():
            return np.clip(q + step, arm.lower, arm.upper)
        free &= ~beyond


def _nearest_to_seed(arm: Arm, X_CE: Frame, seed: np.ndarray, found: Solution) -> Solution:
    """The same pose with the posture that is nearest to the seed, and off the stops."""
    _, half = ranges(arm)
    q = found.q
    for _ in range(_SELF_MOTIONS):
        _, J = _scaled(arm, q, X_CE)
        inwards = away_from_stops(arm, q)
        slope = (seed - q) / half + inwards
        free = ~((q <= arm.lower) & (slope < 0.0) | (q >= arm.upper) & (slope > 0.0))
        basis = null_space((J * half)[:, free])
        curvature = 1.0 + 3.0 * np.abs(inwards[free]) ** (2.0 / 3.0)
        along = np.linalg.solve(basis.T @ (curvature[:, None] * basis), basis.T @ slope[free])
        move = np.zeros(len(q))
        move[free] = half[free] * (basis @ along)
        inside = _within(arm, q, move)
        moved = reach_from(arm, X_CE, q + inside * move)
        if not moved.reached:
            break
        found, shift = moved, float(np.abs(moved.q - q).max())
        q = moved.q
        if shift < _SETTLED:
            break
    return found


def _within(arm: Arm, q: np.ndarray, move: np.ndarray) -> float:
    """The largest share of a move, up to all of it, that stays within the stops."""
    room = np.where(move > 0.0, arm.upper - q, q - arm.lower)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(move == 0.0, np.inf, room / np.abs(move))
    return float(min(1.0, 0.9 * shares.min(initial=np.inf)))


def null_space(J: np.ndarray) -> np.ndarray:
    """Orthonormal self-motions (n, k): what J does not turn into any motion of E."""
    _, sigma, Vt = np.linalg.svd(J)
    rank = int((sigma > 1e-9 * sigma.max(initial=0.0)).sum())
    return np.asarray(Vt[rank:].T)
