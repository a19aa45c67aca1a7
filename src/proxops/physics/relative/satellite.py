"""A satellite with thrusters beside its target: the equations of motion that a flight arena shows.

Translation in the Hill frame of the target's orbit, nonlinear, with θ̇ = |R × V|/R²:

    m r̈ + C_t ṙ + D_t r + n_t = f_c + f_d
    C_t = 2 m θ̇ [[0, -1, 0], [1, 0, 0], [0, 0, 0]]
    D_t = m [[μ/d³ - θ̇², -θ̈, 0], [θ̈, μ/d³ - θ̇², 0], [0, 0, μ/d³]],   d = |R + r|
    n_t = m μ [R/d³ - 1/R², 0, 0]

Attitude relative to the target, in chaser axes, w_t the target's inertial rate in target axes and
R = R_CT:

    J_c ẇ + C_r w + n_r = t_c + t_d
    C_r = J_c S(R w_t) + S(R w_t) J_c - S(J_c (w + R w_t))
    n_r = S(R w_t) J_c R w_t - J_c R J_t⁻¹ S(w_t) J_t w_t

Thrusters f_a [N] push with f_c = F_a f_a (H axes) and turn with t_c = T_a f_a (C axes).  θ̇ is
*squared* in D_t, which the publication's print lacks (Eqs 9 to 11).  The target is free of torque.
"""

import numpy as np


def _skew(a: np.ndarray) -> np.ndarray:
    """S(a), so that S(a) b = a × b."""
    return np.cross(np.eye(3), a)


def translation_terms(
    mu: float, R: np.ndarray, V: np.ndarray, mass: float, r: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """C_t, D_t (3, 3) and n_t (3,) at the target's R, V in inertial axes and r in H; SI."""
    size = float(np.linalg.norm(R))
    rate = float(np.linalg.norm(np.cross(R, V))) / size**2
    slope = -2.0 * rate * float(R @ V) / size**2
    pull = mu / float(np.linalg.norm([size + r[0], r[1], r[2]])) ** 3
    C = 2.0 * mass * rate * np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    across = pull - rate**2
    D = mass * np.array([[across, -slope, 0.0], [slope, across, 0.0], [0.0, 0.0, pull]])
    return C, D, mass * np.array([size * pull - mu / size**2, 0.0, 0.0])


def attitude_terms(
    J_c: np.ndarray, J_t: np.ndarray, R_CT: np.ndarray, w: np.ndarray, w_t: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """C_r (3, 3) and n_r (3,)."""
    carried = R_CT @ w_t
    S = _skew(carried)
    C = J_c @ S + S @ J_c - _skew(J_c @ (w + carried))
    own = np.linalg.solve(J_t, np.cross(w_t, J_t @ w_t))
    return C, S @ J_c @ carried - J_c @ R_CT @ own
