"""Convex guidance: the cheapest way to the goal within thrust and limits, by a cone programme.

    min Σ_k b_k Σ_i a_ik       x[k+1] = A x[k] + B D a[k],    0 ≤ a ≤ a_max

within the corridor, the speed limit and the tolerance of the goal; out of the sphere, also when
thrust fails.  Slacks ease the limits at a price far above that of fuel, so that a start beyond a
tightened limit is brought back instead of called impossible.

Keep-out sphere and passive safety are not convex.  Planes that suit a path near the optimum replace
them, in a fixed number of passes (successive convexification).
"""

from dataclasses import replace

import numpy as np

from proxops.core.errors import InputError
from proxops.onboard.functions.guidance.balance import torque_rows
from proxops.onboard.functions.guidance.cone_programme import (
    ConeProgramme,
    Optimum,
    SolverFault,
    Status,
)
from proxops.onboard.functions.guidance.constraints import (
    Errors,
    add_corridor,
    add_half_spaces,
    add_speed_limit,
    unit,
)
from proxops.onboard.functions.guidance.discretisation import (
    Discretisation,
    Limit,
    Points,
    discretise,
)
from proxops.onboard.functions.guidance.passive_safety import add_passive_safety
from proxops.onboard.functions.guidance.plume import inhibited_thrusters
from proxops.onboard.functions.guidance.problem import Corridor, KeepOut, Problem, Thrusters
from proxops.onboard.functions.guidance.reference import Reference
from proxops.onboard.functions.guidance.separation import separating_normals, side_to_pass
from proxops.onboard.functions.guidance.solution import Solution

# Price of a slack for each interval, in units of n: a metre beyond a limit costs as much fuel as
# 300 m n.  No gain is as large: to move by a metre within an interval h takes 1/(n h), 200 for 5 s
# in a low orbit.  Higher prices cost the solver iterations.
_SLACK_PRICE = 300.0
_FIRST_PASSES = 4  # without a path; the plans of a receding horizon go on from each other
_ITERATIONS = 100  # 12 to 30 are usual
_NEAR = 3.0  # radii: no plane for a path that is farther from the sphere
_MISS = 1e-4  # of the units: a plan that ends farther from the goal is called inaccurate


def plan(
    problem: Problem, previous: Solution | None = None, fault: SolverFault | None = None
) -> Solution:
    """The cheapest plan, or a status that says why there is none; `fault` makes the solver fail.

    Sphere, passive safety and plume need a path to begin with: that of the previous plan for the
    same goal; without one, of a first solve without them, and more passes follow, each with the
    path of the one before.
    """
    _check(problem)
    if not _finite(problem):
        return _none(problem, Status.NOT_FINITE, 0)
    follows = (problem.keep_out, problem.passive_safety, problem.plume) != (None, None, None)
    path = None
    if follows and previous is not None and previous.status.usable:
        path = Reference(previous)
    solves = _FIRST_PASSES if follows and path is None else 1
    iterations = 0
    free = discretise(problem)
    for _ in range(solves):
        inhibited = _inhibited(problem, path)
        # An inhibited thruster has no effect, so that the optimum does not burn it
        grid = free if inhibited is None else replace(free, D=free.D * ~inhibited[:, None, :])
        optimum = _programme(problem, grid, inhibited, path).solve(_ITERATIONS, fault)
        iterations += optimum.iterations
        if not optimum.status.usable:
            return _none(problem, optimum.status, iterations)
        solution = _solution(problem, grid, optimum, inhibited, iterations)
        path = Reference(solution)
    return solution


def _check(problem: Problem) -> None:
    """Shapes and order: mistakes of who builds the problem, not of what flies."""
    times = np.asarray(problem.times, dtype=float)
    if times.ndim != 1 or times.size < 2 or (np.diff(times) <= 0.0).any():
        raise InputError("times: a plan needs two or more nodes, each later than the one before")
    for name in ("start", "goal", "tolerance"):
        if np.shape(getattr(problem, name)) != (6,):
            raise InputError(f"{name}: [p; v] has 6 numbers, found {getattr(problem, name)!r}")
    if problem.covariance is not None and problem.covariance.shape != (times.size, 6, 6):
        raise InputError(
            f"covariance: one 6 x 6 for each of {times.size} nodes,"
            f" found shape {problem.covariance.shape}"
        )


def _finite(problem: Problem) -> bool:
    """Whether what is measured and estimated is numbers."""
    values = [problem.times, problem.start, problem.goal, problem.tolerance]
    values += [np.array(problem.orbit.R0), np.array(problem.orbit.V0)]
    if problem.covariance is not None:
        values.append(problem.covariance)
    return all(bool(np.isfinite(value).all()) for value in values)


def _inhibited(problem: Problem, path: Reference | None) -> np.ndarray | None:
    """(N, k) thrusters that the plume rule silences where the path is as an interval begins."""
    if path is None or problem.plume is None or not isinstance(problem.thrust, Thrusters):
        return None
    start = np.asarray(problem.times, dtype=float)[:-1]
    directions = np.asarray(problem.thrust.directions, dtype=float)
    each = np.broadcast_to(directions, (start.size, *directions.shape[-2:]))
    return inhibited_thrusters(problem.plume, each, path.states(start)[:, :3])


def _programme(
    problem: Problem, grid: Discretisation, inhibited: np.ndarray | None, path: Reference | None
) -> ConeProgramme:
    """All rows."""
    inputs = grid.input_columns(np.arange(grid.intervals))
    cost = np.zeros(grid.variables)
    cost[inputs if isinstance(problem.thrust, Thrusters) else inputs[:, -1]] = 1.0
    cost[inputs.max() + 1 :] = _SLACK_PRICE
    programme = ConeProgramme(cost)
    _add_motion(programme, problem, grid)
    _add_thrust(programme, problem, grid)
    if isinstance(problem.thrust, Thrusters):
        _add_balance(programme, problem.thrust, grid, inhibited)
    slack = np.arange(inputs.max() + 1, grid.variables)[:, None]
    programme.add("nonnegative", np.zeros(slack.shape), (-np.ones((*slack.shape, 1)), slack))
    errors = Errors(grid.times, problem.covariance, problem.probability)
    if problem.corridor is not None:
        for points in (grid.nodes, grid.between):
            add_corridor(programme, grid, points, problem.corridor, errors)
    if problem.speed is not None:
        for points in (grid.nodes, grid.burn_ends):
            add_speed_limit(programme, grid, points, problem.speed, errors)
    if path is not None:
        if problem.keep_out is not None:
            for points in (grid.nodes, grid.between):
                _add_keep_out(
                    programme, problem.keep_out, problem.corridor, grid, points, path, errors
                )
        if problem.passive_safety is not None:
            add_passive_safety(programme, grid, problem.orbit, problem.passive_safety, path, errors)
    return programme


def _largest_inputs(problem: Problem, grid: Discretisation) -> np.ndarray:
    """(N, k) of each thruster, (N, 1) of ideal thrust, without units."""
    limits: np.ndarray = np.atleast_1d(problem.thrust.a_max) / grid.acceleration[:, None]
    return limits


def _add_motion(programme: ConeProgramme, problem: Problem, grid: Discretisation) -> None:
    """Start, motion from node to node, goal."""
    N = grid.intervals
    one = np.eye(6)[None]
    first, last = grid.state_columns(np.array([0])), grid.state_columns(np.array([N]))
    programme.add("zero", np.asarray(problem.start)[None] / grid.units, (one, first))
    k = np.arange(N)
    programme.add(
        "zero",
        np.zeros((N, 6)),
        (np.broadcast_to(one, (N, 6, 6)), grid.state_columns(k + 1)),
        (-grid.A, grid.state_columns(k)),
        (-grid.B @ grid.D, grid.input_columns(k)),
    )
    goal = np.asarray(problem.goal, dtype=float) / grid.units
    free = np.asarray(problem.tolerance, dtype=float) / grid.units
    exact = free == 0.0
    programme.add("zero", goal[None, exact], (one[:, exact], last))
    for side in (1.0, -1.0):
        programme.add(
            "nonnegative", (side * goal + free)[None, ~exact], (side * one[:, ~exact], last)
        )


def _add_thrust(programme: ConeProgramme, problem: Problem, grid: Discretisation) -> None:
    """0 ≤ a ≤ a_max of each thruster; of an ideal one |u| ≤ s ≤ a_max, s the last input."""
    N, m = grid.intervals, grid.inputs
    columns = grid.input_columns(np.arange(N))
    if isinstance(problem.thrust, Thrusters):
        programme.add(
            "nonnegative", np.zeros((N, m)), (np.broadcast_to(-np.eye(m), (N, m, m)), columns)
        )
    else:
        last_first = -np.eye(m)[[m - 1, *range(m - 1)]]
        programme.add(
            "second-order", np.zeros((N, m)), (np.broadcast_to(last_first, (N, m, m)), columns)
        )
    limit = _largest_inputs(problem, grid)
    bounded = np.isfinite(limit[0])
    rows = np.eye(m)[m - bounded.size :][bounded]
    programme.add(
        "nonnegative", limit[:, bounded], (np.broadcast_to(rows, (N, *rows.shape)), columns)
    )


def _add_balance(
    programme: ConeProgramme, thrust: Thrusters, grid: Discretisation, inhibited: np.ndarray | None
) -> None:
    """Σ τ a = 0, over those whose torques others can balance that are not inhibited either."""
    if thrust.torques is None or not thrust.torques.any():
        return
    N = grid.intervals
    silent = np.zeros((N, grid.inputs), dtype=bool) if inhibited is None else inhibited
    for pattern in np.unique(silent, axis=0):
        at = np.flatnonzero((silent == pattern).all(axis=1))
        usable = ~pattern & (thrust.a_max > 0.0)
        rows = torque_rows(grid.D[at[0]].T, thrust.torques, usable)
        matrix = np.broadcast_to(rows, (at.size, *rows.shape))
        programme.add("zero", np.zeros(matrix.shape[:2]), (matrix, grid.input_columns(at)))


def _add_keep_out(
    programme: ConeProgramme,
    sphere: KeepOut,
    corridor: Corridor | None,
    grid: Discretisation,
    points: Points,
    path: Reference,
    errors: Errors,
) -> None:
    """Points whose place on the path is not in the corridor stay out of the sphere."""
    if corridor is not None:
        away = path.states(points.time)[:, :3] - np.asarray(corridor.apex)
        along = away @ unit(corridor.axis)
        points = points.take(along < np.cos(corridor.half_angle) * np.linalg.norm(away, axis=1))
    points = points.take(np.argsort(points.time))
    places = path.states(points.time)[:, :3]
    if points.time.size == 0:
        return
    side = side_to_pass(places, sphere.radius)
    rows = np.zeros((points.time.size, 6))
    everywhere = np.ones((1, points.time.size), dtype=bool)
    normals = separating_normals(places[None], everywhere, sphere.radius, side[None])
    rows[:, :3] = normals[0]
    near = np.linalg.norm(places, axis=1) < _NEAR * sphere.radius
    points, rows = points.take(near), rows[near]
    margin = errors.quantile(1) * errors.sigma(points, rows)
    add_half_spaces(programme, grid, points, rows, (sphere.radius + margin) / grid.length)


def _solution(
    problem: Problem,
    grid: Discretisation,
    optimum: Optimum,
    inhibited: np.ndarray | None,
    iterations: int,
) -> Solution:
    """From the variables to a plan; its states follow from its thrust, not from the solver."""
    N = grid.intervals
    a = optimum.z[grid.input_columns(np.arange(N))]
    if isinstance(problem.thrust, Thrusters):
        a = np.clip(a, 0.0, _largest_inputs(problem, grid))
        if inhibited is not None:
            a = np.where(inhibited, 0.0, a)
        thrust = a
    else:
        thrust = np.linalg.norm(a[:, :3], axis=1, keepdims=True)
    u = np.einsum("kcm,km->kc", grid.D, a)
    x = np.empty((N + 1, 6))
    x[0] = np.asarray(problem.start) / grid.units
    for k in range(N):
        x[k + 1] = grid.A[k] @ x[k] + grid.B[k] @ u[k]
    beyond = np.abs(x[N] - np.asarray(problem.goal) / grid.units)
    beyond -= np.asarray(problem.tolerance) / grid.units
    status = optimum.status if beyond.max() <= _MISS else Status.INACCURATE
    slack = np.zeros(len(Limit))
    for limit in grid.eased:
        slack[limit] = max(0.0, optimum.z[grid.slack_columns(limit, np.arange(N))].max())
    return Solution(
        orbit=problem.orbit,
        status=status,
        times=grid.times,
        states=x * grid.units,
        thrust=thrust * grid.acceleration[:, None],
        acceleration=u * grid.acceleration[:, None],
        burn=grid.burn,
        delta_v=float(thrust.sum()) * grid.length * grid.rate,
        slack=slack * grid.length * np.array([1.0, grid.rate, 1.0]),
        miss=x[N] * grid.units - np.asarray(problem.goal),
        iterations=iterations,
    )


def _none(problem: Problem, status: Status, iterations: int) -> Solution:
    """Why there is no plan."""
    N = len(problem.times) - 1
    k = np.shape(problem.thrust.a_max)[0] if isinstance(problem.thrust, Thrusters) else 1
    nan = np.nan
    return Solution(
        orbit=problem.orbit,
        status=status,
        times=np.asarray(problem.times, dtype=float),
        states=np.full((N + 1, 6), nan),
        thrust=np.full((N, k), nan),
        acceleration=np.full((N, 3), nan),
        burn=np.full(N, nan),
        delta_v=nan,
        slack=np.full(len(Limit), nan),
        miss=np.full(6, nan),
        iterations=iterations,
    )
