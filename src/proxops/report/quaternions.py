"""Many quaternions at once, wxyz (n, 4)."""

import numpy as np


def rotation_vector(q: np.ndarray) -> np.ndarray:
    """Axis times angle [rad] (n, 3) of quaternions wxyz (n, 4), the shorter way round.

    φ = 2 atan2(|v|, w) v/|v|,   q = (w, v) with w ≥ 0
    """
    q = np.where(q[:, :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2.0 * np.arctan2(sine, q[:, 0])
    # φ/sin(φ/2) → 2 where the turn vanishes
    factor = np.divide(angle, sine, out=np.full_like(angle, 2.0), where=sine > 1e-150)
    return np.asarray(factor[:, np.newaxis] * q[:, 1:])


def conjugate(q: np.ndarray) -> np.ndarray:
    """The inverse turns."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The turns b and then a: q_AC from q_AB and q_BC."""
    scalar = a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(axis=1)
    vector = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.column_stack([scalar, vector])


def turned_since_start(q: np.ndarray) -> np.ndarray:
    """Angle turned about the axes of the body since the first sample [rad] (n, 3): the rotations
    from sample to sample, added.  It never jumps while each is less than half a turn.

    φₙ = Σ rotation_vector(q̄ₖ qₖ₊₁)
    """
    steps = rotation_vector(product(conjugate(q[:-1]), q[1:]))
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])


def aligned(q: np.ndarray) -> np.ndarray:
    """The same turns, each with the sign nearer to the one before, so that they interpolate."""
    dots = (q[1:] * q[:-1]).sum(axis=1)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0))
    return np.concatenate([q[:1], q[1:] * signs[:, np.newaxis]])
