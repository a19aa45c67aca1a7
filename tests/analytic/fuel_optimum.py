"""Least fuel of an approach in the orbit plane, by a linear programme: the referee of the guidance.

Written another way than the guidance: motion by numerical integration of the linear equations in
the Hill frame, a corridor of two lines, thrust along fixed directions, simplex or interior point of
HiGHS.  Many directions stand for an engine that points anywhere.
"""

import math
from itertools import pairwise

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import linprog
from scipy.sparse import block_diag, coo_matrix, hstack, kron, vstack
from scipy.sparse import eye as identity


def motion(mu, a, e, nu, times):
    """Φ (N, 4, 4) and Γ (N, 4, 2) of x, y and their rates from node to node, thrust held between.

    ẍ = 2θ̇ẏ + θ̈y + θ̇²x + 2μx/r³ + u_x,    ÿ = -2θ̇ẋ - θ̈x + θ̇²y - μy/r³ + u_y

    The anomaly is integrated along, θ̇ = √(μp)/r²; a and e of the target's orbit, ν at t = 0.
    """
    p = a * (1.0 - e * e)

    def rates(_, flat):
        theta, Y = flat[0], flat[1:].reshape(4, 6)
        r = p / (1.0 + e * math.cos(theta))
        w = math.sqrt(mu * p) / r**2
        w_dot = -2.0 * mu * e * math.sin(theta) / r**3
        A = np.array(
            [
                [0.0, 0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0, 1.0],
                [w * w + 2.0 * mu / r**3, w_dot, 0.0, 2.0 * w],
                [-w_dot, w * w - mu / r**3, -2.0 * w, 0.0],
            ]
        )
        Y_dot = A @ Y
        Y_dot[2:, 4:] += np.eye(2)
        return np.concatenate([[w], Y_dot.ravel()])

    theta, Phi, Gamma = nu, [], []
    for start, end in pairwise(times):
        flat = np.concatenate([[theta], np.eye(4, 6).ravel()])
        flown = solve_ivp(rates, (start, end), flat, "DOP853", rtol=1e-11, atol=1e-9).y[:, -1]
        theta, Y = flown[0], flown[1:].reshape(4, 6)
        Phi.append(Y[:, :4])
        Gamma.append(Y[:, 4:])
    return np.array(Phi), np.array(Gamma)


def directions(count):
    """(count, 2) even ones in the plane."""
    angle = np.arange(count) * math.tau / count
    return np.column_stack([np.cos(angle), np.sin(angle)])


def least_fuel(orbit, times, start, goal, *, thrusters, a_max, corridor=None):
    """Σ ∫ a_i dt [m/s] of the best plan; infinite where there is none.

    orbit      mu, a, e, ν at t = 0
    start      x, y, ẋ, ẏ in H
    thrusters  (k, 2) directions of force
    corridor   half angle [rad], apex (2,) and axis (2,), or None
    """
    Phi, Gamma = motion(*orbit, times)
    N, k = Phi.shape[0], thrusters.shape[0]
    unit = np.array([1.0, 1.0, 1e-3, 1e-3])  # m, mm/s
    push = (Gamma @ thrusters.T) * 1e-3 / unit[:, None]  # inputs in mm/s2
    before = hstack([block_diag(Phi * unit / unit[:, None]), coo_matrix((4 * N, 4))])
    after = hstack([coo_matrix((4 * N, 4)), identity(4 * N)])
    ends = hstack([np.eye(8, 4), coo_matrix((8, 4 * (N - 1))), np.eye(8, 4, -4)])
    equal = vstack(
        [
            hstack([after - before, -block_diag(push)]),
            hstack([ends, coo_matrix((8, N * k))]),
        ]
    )
    above = limit = None
    if corridor is not None:
        half, apex, axis = corridor
        across = np.array([-axis[1], axis[0]])
        sides = np.array([across, -across]) - math.tan(half) * np.asarray(axis)
        lines = kron(identity(N), np.hstack([sides, np.zeros((2, 2))]))
        above = hstack([coo_matrix((2 * N, 4)), lines, coo_matrix((2 * N, N * k))])
        limit = np.tile(sides @ np.asarray(apex), N)
    states = 4 * (N + 1)
    found = linprog(
        np.concatenate([np.zeros(states), np.repeat(np.diff(times) * 1e-3, k)]),
        A_ub=above,
        b_ub=limit,
        A_eq=equal,
        b_eq=np.concatenate([np.zeros(4 * N), np.asarray(start) / unit, np.asarray(goal) / unit]),
        bounds=[(None, None)] * states + [(0.0, a_max * 1e3)] * (N * k),
    )
    return float(found.fun) if found.status == 0 else math.inf
