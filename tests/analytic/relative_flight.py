"""A chaser flown by plans: true, nonlinear relative motion, thrust as the plan has it.

Written out here, not taken from the package: Newton's attraction of both spacecraft, seen from the
turning Hill frame.
"""

import math
from dataclasses import replace

import numpy as np

from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.reference import Reference
from proxops.physics.orbit.kepler import propagate

STEP = 10.0  # longest of Runge and Kutta's [s]: (n h)⁵ = 2e-10 of a metre's range in a low orbit


def rates(orbit, t, s, u):
    """d/dt [p; v] in H with the acceleration u."""
    R, V = propagate(orbit.mu, orbit.R0, orbit.V0, t)
    r, h = math.hypot(*R), np.cross(R, V)[2]
    w = h / r**2
    w_dot = -2.0 * w * float(np.dot(R, V)) / r**2
    x, y, z, vx, vy, vz = s
    # (r/d)³ - 1 without cancellation, d the chaser's distance from the attractor
    q = (2.0 * r * x + x * x + y * y + z * z) / r**2
    less = math.expm1(-1.5 * math.log1p(q))
    k = orbit.mu / r**3
    return np.array(
        [
            vx,
            vy,
            vz,
            2.0 * w * vy + w_dot * y + w * w * x - k * (x + (r + x) * less) + u[0],
            -2.0 * w * vx - w_dot * x + w * w * y - k * (y + y * less) + u[1],
            -k * (z + z * less) + u[2],
        ]
    )


def fly(orbit, t, x, u, end):
    """[p; v] at the end, with u from t on."""
    steps = max(1, math.ceil((end - t) / STEP))
    h = (end - t) / steps
    for _ in range(steps):
        k1 = rates(orbit, t, x, u)
        k2 = rates(orbit, t + 0.5 * h, x + 0.5 * h * k1, u)
        k3 = rates(orbit, t + 0.5 * h, x + 0.5 * h * k2, u)
        k4 = rates(orbit, t + h, x + h * k3, u)
        x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        t += h
    return x


def follow(orbit, solution, t, x, end):
    """States (j, 7) [t, p, v] on the way from t to the end, and the fuel [m/s]."""
    edges = np.concatenate([solution.times, solution.times[:-1] + solution.burn, [end]])
    edges = np.unique(edges[(edges > t + 1e-9) & (edges <= end)])
    path, fuel, reference = [], 0.0, Reference(solution)
    for edge in edges:
        middle = np.array([0.5 * (t + edge)])
        u = reference.acceleration(middle)[0]
        interval = np.searchsorted(solution.times, middle[0]) - 1
        if u.any():
            fuel += (edge - t) * float(solution.thrust[interval].sum())
        x, t = fly(orbit, t, x, u, edge), edge
        path.append(np.concatenate([[t], x]))
    return np.array(path), fuel


def closed_loop(problem, nodes, every, seen=lambda t, x: x, until=None, covariance=None):
    """A chaser that replans: states (j, 7), fuel, plans.

    nodes         times of the nodes of a plan that begins at t
    seen          what the software takes for the state at t
    covariance    of its errors at times, or None
    """
    t, x, fuel = float(problem.times[0]), np.asarray(problem.start), 0.0
    arrival = float(problem.times[-1])
    path, plans, last = [np.concatenate([[t], x])], [], None
    while t < (until or arrival) - 1e-6:
        times = nodes(t, arrival)
        errors = None if covariance is None else covariance(times)
        found = plan(replace(problem, times=times, start=seen(t, x), covariance=errors), last)
        plans.append(found)
        last = found if found.status.usable else last
        some, spent = follow(problem.orbit, last, t, x, min(t + every, arrival))
        path.append(some)
        fuel += spent
        t, x = some[-1, 0], some[-1, 1:]
    return np.vstack(path), fuel, plans
