"""The mixer of a hexarotor with tilted rotors: from rotor thrusts to the wrench on the body.

    F = H T,   column i of H:  [n_i ;  p_i × n_i - s_i κ n_i]

    p_i = L Rz(ψ_i) x,   n_i = Rz(ψ_i) Rx(s_i α) Ry(β) z,   ψ_i = i 60°,   s_i = +1, -1, +1, ...

T are thrusts [N], F = [f; t] is force [N] and torque [N m] about the centre, in body axes V (x
forward, z up).  α tilts a rotor about its arm, in turn to either side, β towards the centre or
away from it; κ is drag torque over thrust.  Spin s_i and tilt go together, so that a rotor's
leaning and its drag turn the body the same way.

With α = 0 all rotors push along z: H has rank 4 (β = 0), and the body must lean to move aside.
Source: Rajappa et al., ICRA 2015; Ryll et al., IJRR 2019.
"""

import math
from typing import NamedTuple

import numpy as np

ROTORS = 6
FORCE = slice(3)
TORQUE = slice(3, 6)
_ROUNDING = 1e-9  # of the largest singular value: smaller ones are zero


class Geometry(NamedTuple):
    """Where rotors stand, how they lean, what they can do."""

    arm: float  # L [m]
    alpha: float  # tilt about the arm, in turn to either side [rad]
    beta: float  # tilt towards the centre [rad]
    drag_ratio: float  # κ [m]
    least: float  # thrust of a rotor [N]
    largest: float  # [N]


def rotor_positions(geometry: Geometry) -> np.ndarray:
    """p_i (6, 3) [m] in V."""
    angles = np.arange(ROTORS) * math.tau / ROTORS
    return geometry.arm * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(ROTORS)])


def thrust_directions(geometry: Geometry) -> np.ndarray:
    """n_i (6, 3) in V: Rz(ψ) (sin β, -sin(s α) cos β, cos(s α) cos β)."""
    rows = []
    for i, spin in enumerate(spins()):
        angle, alpha = i * math.tau / ROTORS, spin * geometry.alpha
        x = math.sin(geometry.beta)
        y, z = -math.sin(alpha) * math.cos(geometry.beta), math.cos(alpha) * math.cos(geometry.beta)
        c, s = math.cos(angle), math.sin(angle)
        rows.append((c * x - s * y, s * x + c * y, z))
    return np.array(rows)


def spins() -> np.ndarray:
    """s_i (6,): +1 and -1 in turn."""
    return np.resize([1.0, -1.0], ROTORS)


def mixer(geometry: Geometry) -> np.ndarray:
    """H (6, 6): wrench [N, N m] of the rotors' thrusts [N]."""
    p, n = rotor_positions(geometry), thrust_directions(geometry)
    drag = -geometry.drag_ratio * spins()[:, np.newaxis] * n
    return np.vstack([n.T, (np.cross(p, n) + drag).T])


def rank(H: np.ndarray) -> int:
    """Independent components of a wrench that the rotors can make."""
    return int(np.linalg.matrix_rank(H, tol=_ROUNDING * np.linalg.norm(H, 2)))


def condition(H: np.ndarray) -> float:
    """Largest over smallest singular value of H; infinite without full rank."""
    sizes = np.linalg.svd(H, compute_uv=False)
    return float(sizes[0] / sizes[-1]) if rank(H) == len(H) else math.inf


def allocation(H: np.ndarray) -> np.ndarray:
    """H⁻¹ (6, 6), or without full rank the pseudo-inverse: thrusts [N] of a wrench."""
    return np.asarray(np.linalg.pinv(H, rcond=_ROUNDING))


def is_reachable(geometry: Geometry, F: np.ndarray) -> bool:
    """Whether rotors within their limits make the wrench F (6,) [N, N m].

    The reachable wrenches are the image of the box of thrusts under H, a zonotope; for H of full
    rank F is in it where H⁻¹ F is in the box.
    """
    H = mixer(geometry)
    T = allocation(H) @ F
    makes_it = np.linalg.norm(H @ T - F) <= _ROUNDING * max(1.0, float(np.linalg.norm(F)))
    return bool(makes_it and T.min() >= geometry.least and T.max() <= geometry.largest)


def hover_tilt_limit(geometry: Geometry, weight: float) -> float:
    """Largest tilt [rad] at which a body of that weight [N] hovers, leaning in any direction.

    Thrusts of a hover that leans by φ towards azimuth χ are

        T_i = W (z_i cos φ + (x_i cos χ + y_i sin χ) sin φ)

    with x, y, z the columns of H⁻¹ of the three forces.  At the worst χ of each rotor this is
    W (z_i cos φ ± √(x_i² + y_i²) sin φ), so each limit is met at a closed-form angle.  No force is
    left to move with there.
    """
    B = allocation(mixer(geometry))
    limits = [
        _angle(weight * B[i, 2], sign * weight * math.hypot(B[i, 0], B[i, 1]), bound)
        for i in range(ROTORS)
        for sign, bound in ((-1.0, geometry.least), (1.0, geometry.largest))
    ]
    return min(limits)


def _angle(along: float, aside: float, bound: float) -> float:
    """The first angle φ ≥ 0 at which along cos φ + aside sin φ reaches a bound; 0 if it is passed
    from the start, a right angle if it is never met."""
    if (along - bound) * aside >= 0.0 and aside != 0.0:
        return 0.0
    size = math.hypot(along, aside)
    if aside == 0.0 or abs(bound) > size:
        return 0.5 * math.pi
    turn, peak = math.acos(bound / size), math.atan2(aside, along)
    return min(angle for angle in (peak - turn, peak + turn) if angle >= 0.0)


def hover_thrusts(geometry: Geometry, weight: float) -> np.ndarray:
    """Thrusts (6,) [N] that carry a weight [N] without torque, level."""
    return np.asarray(allocation(mixer(geometry))[:, 2] * weight)


def rotor_speed(thrust: float, coefficient: float) -> float:
    """Speed of a rotor [rpm] from T = C_T Ω², C_T in N/rpm²."""
    return math.sqrt(thrust / coefficient)
