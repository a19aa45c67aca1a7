"""The convex guidance in a receding horizon: how long a plan takes, from problem to solution."""

import math
import time
from dataclasses import replace

import numpy as np

from benchmarks.timing import Effort, table
from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.nodes import node_times
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.problem import (
    Corridor,
    PassiveSafety,
    Problem,
    SpeedLimit,
    Thrusters,
)
from proxops.onboard.functions.guidance.reference import Reference
from proxops.onboard.functions.guidance.tightening import grown_covariance

INTERVALS = 50
ARRIVAL, EVERY, BURN = 6000.0, 20.0, 10.0  # [s]
SIGMA = np.repeat([1e-3, 5e-7], 3)  # of navigation, for each metre of range
GOAL = "40 ms"  # 99 of 100 plans


def _approach() -> Problem:
    """From 1 km to 10 m on V-bar, corridor of 15 deg, six thrusters, e = 0.05."""
    mu, a, e = 3.986004418e14, 6778137.0, 0.05
    r, v = a * (1.0 - e), math.sqrt(mu / a * (1.0 + e) / (1.0 - e))
    directions = np.vstack([np.eye(3), -np.eye(3)])
    return Problem(
        orbit=Orbit(mu=mu, R0=(r, 0.0, 0.0), V0=(0.0, v, 0.0)),
        times=_nodes(0.0),
        start=np.array([0.0, -1000.0, 0.0, 0.0, 0.0, 0.0]),
        goal=np.array([0.0, -10.0, 0.0, 0.0, 0.0, 0.0]),
        thrust=Thrusters(directions=directions, a_max=np.full(6, 0.02)),
        burn=BURN,
        corridor=Corridor(
            apex=(0.0, -5.0, 0.0), axis=(0.0, -1.0, 0.0), half_angle=math.radians(15)
        ),
    )


def _nodes(t: float) -> np.ndarray:
    return node_times(t, ARRIVAL, intervals=INTERVALS, burn=BURN, every=EVERY)


def _receding(problem: Problem, plans: int, tightened: bool) -> tuple[list[float], int]:
    """CPU time of each plan but the first [s], and how many have failed; navigation is noisy."""
    generator = np.random.default_rng(0)
    taken, failed, last = [], 0, plan(problem)
    for t in np.arange(1, plans + 1) * EVERY:
        x = Reference(last).states(np.array([t]))[0]
        ranges = np.linalg.norm(x[:3])
        start = time.process_time()
        times = _nodes(float(t))
        covariance = None
        if tightened:
            ahead = np.linalg.norm(Reference(last).states(times)[:, :3], axis=1)
            one = grown_covariance(
                problem.orbit, times, np.diag(SIGMA**2), execution=0.0, feedback=EVERY
            )
            covariance = one * ahead[:, None, None] ** 2
        seen = x + generator.normal(size=6) * SIGMA * ranges
        now = replace(problem, times=times, start=seen, covariance=covariance)
        found = plan(now, last)
        taken.append(time.process_time() - start)
        failed += not found.status.usable
        last = found if found.status.usable else last
    return taken, failed


def guidance_cost(effort: Effort) -> str:
    """CPU time of plans along an approach."""
    problem = _approach()
    limits = replace(
        problem,
        speed=SpeedLimit(floor=0.05, slope=1e-3, axis=(0.0, -1.0, 0.0)),
        passive_safety=PassiveSafety(radius=50.0),
    )
    cases = {
        "thrust and corridor": (problem, False),
        "and speed limit, passive safety, tightened": (limits, True),
    }
    rows = []
    for name, (case, tightened) in cases.items():
        taken, failed = _receding(case, 20 * effort.rounds - 1, tightened)
        middle, last = (1e3 * float(np.percentile(taken, share)) for share in (50, 99))
        count = len(taken)
        rows.append([name, f"{middle:.1f} ms", f"{last:.1f} ms", GOAL, f"{failed} of {count}"])
    head = f"1 km to 10 m in 6000 s, six thrusters, {INTERVALS} intervals, a plan every {EVERY:g} s"
    return table([head, "median", "99 %", "goal", "failed"], rows) + "\n"
