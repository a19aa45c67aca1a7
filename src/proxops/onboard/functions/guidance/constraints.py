"""Limits on the states of a plan, as rows of its cone programme."""

import math
from dataclasses import dataclass

import numpy as np

from proxops.onboard.functions.guidance.cone_programme import ConeProgramme
from proxops.onboard.functions.guidance.discretisation import Discretisation, Limit, Points
from proxops.onboard.functions.guidance.problem import Corridor, SpeedLimit
from proxops.onboard.functions.guidance.tightening import joint_quantile, sigma

_DIRECTIONS = 16  # about the corridor's axis, among which the largest error counts


@dataclass(frozen=True)
class Errors:
    """Of the flown state about the plan: limits are drawn in by q σ."""

    times: np.ndarray  # (N + 1,) [s]
    covariance: np.ndarray | None  # (N + 1, 6, 6) at the nodes; None: no errors
    probability: float

    def sigma(self, points: Points, normals: np.ndarray) -> np.ndarray:
        """(g, ...) at points along normals (g, ..., 6) [m] or [m/s]."""
        if self.covariance is None:
            return np.zeros(normals.shape[:-1])
        right = np.clip(np.searchsorted(self.times, points.time), 1, self.times.size - 1)
        left = right - 1
        share = (points.time - self.times[left]) / (self.times[right] - self.times[left])
        change = self.covariance[right] - self.covariance[left]
        P = self.covariance[left] + share[:, None, None] * change
        return sigma(P.reshape(-1, *[1] * (normals.ndim - 2), 6, 6), normals)

    def quantile(self, dimensions: int) -> float:
        """q."""
        return joint_quantile(self.probability, dimensions)


def across(axis: np.ndarray) -> np.ndarray:
    """(2, 3): two unit vectors across a unit axis and each other."""
    other = np.eye(3)[np.argmin(np.abs(axis))]
    first = np.cross(axis, other)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])


def unit(axis: tuple[float, float, float]) -> np.ndarray:
    """Of length one."""
    a: np.ndarray = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return a


def _add_on_states(
    programme: ConeProgramme,
    grid: Discretisation,
    points: Points,
    cone: str,
    matrix: np.ndarray,
    offset: np.ndarray,
    slack: Limit,
    worse: np.ndarray | float = 0.0,
) -> None:
    """matrix (g, d, 6) x - worse (g, d, m) a + offset (g, d) in a cone at points, the first row
    eased by a slack; a are the inputs of the point's interval."""
    ease = np.zeros((points.node.size, matrix.shape[1], 1))
    ease[:, 0] = -1.0
    programme.add(
        cone,
        offset,
        (-matrix @ points.F, grid.state_columns(points.node)),
        (worse - matrix @ points.G @ grid.D[points.interval], grid.input_columns(points.interval)),
        (ease, grid.slack_columns(slack, points.interval)),
    )


def add_corridor(
    programme: ConeProgramme,
    grid: Discretisation,
    points: Points,
    corridor: Corridor,
    errors: Errors,
) -> None:
    """Points stay within the corridor:  tan α s - |r| ≥ q σ/cos α.

    s is the distance from the apex along the axis, r the way from the axis.  σ is the largest among
    the normals of the cone, q the quantile of the cross-section: all sides at once.
    """
    axis, tangent = unit(corridor.axis), math.tan(corridor.half_angle)
    sides = across(axis)
    phi = np.arange(_DIRECTIONS) * math.tau / _DIRECTIONS
    outward = np.cos(phi)[:, None] * sides[0] + np.sin(phi)[:, None] * sides[1]
    normals = np.zeros((_DIRECTIONS, 6))
    normals[:, :3] = math.sin(corridor.half_angle) * axis - math.cos(corridor.half_angle) * outward
    count = points.node.size
    normals = np.broadcast_to(normals, (count, _DIRECTIONS, 6))
    margin = errors.quantile(2) * errors.sigma(points, normals).max(axis=1)

    cone = np.vstack([tangent * axis, sides])
    matrix = np.zeros((count, 3, 6))
    matrix[:, :, :3] = cone
    offset = np.tile(-cone @ np.asarray(corridor.apex, dtype=float), (count, 1))
    offset[:, 0] -= margin / math.cos(corridor.half_angle)
    _add_on_states(
        programme, grid, points, "second-order", matrix, offset / grid.length, Limit.CORRIDOR
    )


def add_speed_limit(
    programme: ConeProgramme,
    grid: Discretisation,
    points: Points,
    limit: SpeedLimit,
    errors: Errors,
) -> None:
    """|v| ≤ floor + slope s - q σ, s along the axis; σ that of the velocity, all axes."""
    count = points.node.size
    normals = np.broadcast_to(np.eye(3, 6, 3), (count, 3, 6))
    # Root of the trace: no direction has a larger sigma
    margin = errors.quantile(3) * np.linalg.norm(errors.sigma(points, normals), axis=1)
    matrix = np.zeros((count, 4, 6))
    matrix[:, 0, :3] = limit.slope / grid.rate * unit(limit.axis)
    matrix[:, 1:, 3:] = np.eye(3)
    offset = np.zeros((count, 4))
    offset[:, 0] = (limit.floor - margin) / (grid.length * grid.rate)
    _add_on_states(programme, grid, points, "second-order", matrix, offset, Limit.SPEED)


def add_half_spaces(
    programme: ConeProgramme,
    grid: Discretisation,
    points: Points,
    rows: np.ndarray,
    distance: np.ndarray,
    thrust_error: float = 0.0,
) -> None:
    """rows (g, 6) x ≥ distance (g,), both without units.

    Also where each thruster of the burn before a point is off by a share ε of its planned thrust:

        r·x - ε Σᵢ |r·B dᵢ| aᵢ ≥ distance
    """
    before = points.interval
    worse = thrust_error * np.abs(rows[:, None] @ grid.B[before] @ grid.D[before])
    _add_on_states(
        programme, grid, points, "nonnegative", rows[:, None], -distance[:, None], Limit.DISTANCE,
        worse,
    )  # fmt: skip
