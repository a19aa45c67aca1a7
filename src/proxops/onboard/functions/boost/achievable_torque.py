"""The torques that shares of engines can make, named for messages."""

import math

import numpy as np

AXES = 3
_ROUNDING = 1e-9  # of lengths and torques near one


def reach(
    torques: np.ndarray, start: np.ndarray, direction: np.ndarray
) -> tuple[float, float] | None:
    """Between which multiples t of `direction` the torque start + t direction is achievable, None
    where it is for none; `direction` is not zero.

    The set B [0, 1]ⁿ is the body between parallel planes, one pair for each two engines, with the
    normal m = bᵢ × bⱼ:  Σ min(0, m·b) ≤ m·τ ≤ Σ max(0, m·b).  Where it is flat, directions that
    no engine has stand in for engines of no torque.
    """
    u, sizes, _ = np.linalg.svd(torques.T)
    rank = int(np.sum(sizes > _ROUNDING * float(sizes.max())))
    edges = np.vstack([torques, u[:, rank:].T])
    slack = _ROUNDING * float(np.sum(np.linalg.norm(torques, axis=1)))
    low, high = -math.inf, math.inf
    for i in range(len(edges)):
        for j in range(i):
            normal = np.cross(edges[i], edges[j])
            length = np.linalg.norm(normal)
            if length <= _ROUNDING * np.linalg.norm(edges[i]) * np.linalg.norm(edges[j]):
                continue
            normal /= length
            along = torques @ normal
            least = float(np.minimum(along, 0.0).sum() - normal @ start)
            largest = float(np.maximum(along, 0.0).sum() - normal @ start)
            slope = float(normal @ direction)
            if abs(slope) <= _ROUNDING * np.linalg.norm(direction):
                if least > slack or largest < -slack:
                    return None
            else:
                low = max(low, min(least / slope, largest / slope))
                high = min(high, max(least / slope, largest / slope))
    return (low, high) if low <= high + slack / float(np.linalg.norm(direction)) else None


def is_achievable(torques: np.ndarray, commands: np.ndarray) -> bool:
    """Whether some shares of engines with these torques (n, 3) make the commanded one [N m]."""
    if not np.any(commands):
        return True
    span = reach(torques, np.zeros(AXES), commands)
    return span is not None and span[1] >= 1.0 - _ROUNDING


def achievable_text(torques: np.ndarray, commands: np.ndarray) -> str:
    """The commanded torque and what is possible: along the same direction, and axis by axis."""
    size = float(np.linalg.norm(commands))
    direction = commands / size if size > 0.0 else np.eye(AXES)[0]
    extent = reach(torques, np.zeros(AXES), direction)
    farthest = max(0.0, extent[1]) if extent else 0.0
    shown = ", ".join(f"{each:.3g}" for each in direction)
    parts = [f"commanded {size:.4g} N m along [{shown}] in C, achievable up to {farthest:.4g} N m"]
    for axis, name in enumerate("xyz"):
        rest = np.where(np.arange(AXES) == axis, 0.0, commands)
        span = reach(torques, rest, np.eye(AXES)[axis])
        range_ = f"{span[0]:.4g} to {span[1]:.4g} N m" if span else "none"
        parts.append(f"{name} with the others as commanded: {range_}")
    return "; ".join(parts)
