"""A problem in numbers: units, variables, and the states of a plan as linear functions of them.

Lengths are in units of L, the larger of the distances of start and goal; times in 1/n; inputs are
acceleration times burn: so that all variables are of the order of one.  Variables: states at the
nodes (N + 1, 6), inputs (N, m), and a slack for each kind of limit and interval.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from proxops.onboard.functions.guidance.prediction import effects
from proxops.onboard.functions.guidance.problem import Problem, Thrusters

_SHORTEST = 1.0  # L is no less [m]


class Limit(IntEnum):
    """Kinds of limits: each has slacks of its own."""

    CORRIDOR = 0
    SPEED = 1
    DISTANCE = 2


@dataclass(frozen=True, kw_only=True)
class Points:
    """g places along a plan: x = F x[node] + G u[interval], without units."""

    F: np.ndarray  # (g, 6, 6)
    G: np.ndarray  # (g, 6, 3)
    node: np.ndarray  # (g,)
    interval: np.ndarray  # (g,)
    time: np.ndarray  # (g,) [s]

    def take(self, which: np.ndarray) -> "Points":
        """Some of them."""
        return Points(
            F=self.F[which],
            G=self.G[which],
            node=self.node[which],
            interval=self.interval[which],
            time=self.time[which],
        )


@dataclass(frozen=True, kw_only=True)
class Discretisation:
    """What the programme is built from."""

    length: float  # L [m]
    rate: float  # n [rad/s]
    times: np.ndarray  # (N + 1,) [s]
    burn: np.ndarray  # (N,) [s]
    A: np.ndarray  # (N, 6, 6): x[k + 1] = A x[k] + B D a[k]
    B: np.ndarray  # (N, 6, 3)
    D: np.ndarray  # (N, 3, m)
    eased: tuple[Limit, ...]  # kinds of limits with slacks
    nodes: Points  # the nodes behind the first
    between: Points  # places between nodes
    burn_ends: Points  # where thrust ends: the drift from there is the drift from the whole coast

    @property
    def intervals(self) -> int:
        """N."""
        return self.burn.size

    @property
    def inputs(self) -> int:
        """m, of each interval."""
        return int(self.D.shape[2])

    @property
    def units(self) -> np.ndarray:
        """[m, m, m, m/s, m/s, m/s] of a state."""
        return self.length * np.repeat([1.0, self.rate], 3)

    @property
    def acceleration(self) -> np.ndarray:
        """[m/s2] of the inputs of each interval (N,): an input is the velocity that it brings."""
        return self.length * self.rate / self.burn

    def state_columns(self, node: np.ndarray) -> np.ndarray:
        """(g, 6) of the states at nodes."""
        return 6 * node[:, None] + np.arange(6)

    def input_columns(self, interval: np.ndarray) -> np.ndarray:
        """(g, m) of the inputs of intervals."""
        return 6 * (self.intervals + 1) + self.inputs * interval[:, None] + np.arange(self.inputs)

    def slack_columns(self, limit: Limit, interval: np.ndarray) -> np.ndarray:
        """(g, 1) of the slacks of a limit."""
        before = self.inputs + self.eased.index(limit)
        return 6 * (self.intervals + 1) + before * self.intervals + interval[:, None]

    @property
    def variables(self) -> int:
        """How many there are."""
        return 6 * (self.intervals + 1) + (self.inputs + len(self.eased)) * self.intervals


def input_matrix(problem: Problem) -> np.ndarray:
    """D (N, 3, m): u = D a."""
    intervals = len(problem.times) - 1
    if isinstance(problem.thrust, Thrusters):
        d = np.asarray(problem.thrust.directions, dtype=float)
        return np.broadcast_to(np.swapaxes(d, -1, -2), (intervals, 3, d.shape[-2]))
    return np.broadcast_to(np.eye(3, 4), (intervals, 3, 4))  # u, and its length


def _eased(problem: Problem) -> tuple[Limit, ...]:
    """Limits that a problem has."""
    has = (
        problem.corridor is not None,
        problem.speed is not None,
        problem.keep_out is not None or problem.passive_safety is not None,
    )
    return tuple(limit for limit, there in zip(Limit, has, strict=True) if there)


def discretise(problem: Problem) -> Discretisation:
    """The matrices of a problem."""
    times = np.asarray(problem.times, dtype=float)
    start, span = times[:-1], np.diff(times)
    burn = np.minimum(problem.burn, span)
    rate = problem.orbit.mean_motion
    length = max(*(float(np.linalg.norm(x[:3])) for x in (problem.start, problem.goal)), _SHORTEST)
    units = length * np.repeat([1.0, rate], 3)

    # Instants of each interval: its end, that of its burn, those between
    inner = np.arange(1, problem.parts) / problem.parts
    ends = np.concatenate(
        [times[1:, None], (start + burn)[:, None], start[:, None] + span[:, None] * inner], axis=1
    )
    each = ends.shape[1]
    A, B = effects(problem.orbit, np.repeat(start, each), np.repeat(burn, each), ends.ravel())
    A = (A * units / units[:, None]).reshape(-1, each, 6, 6)
    B = B.reshape(-1, each, 6, 3) * (length * rate / burn)[:, None, None, None] / units[:, None]
    k = np.arange(burn.size)

    def points(instants: slice) -> Points:
        time = ends[:, instants]
        interval = np.broadcast_to(k[:, None], time.shape).ravel()
        return Points(
            F=A[:, instants].reshape(-1, 6, 6),
            G=B[:, instants].reshape(-1, 6, 3),
            node=interval,
            interval=interval,
            time=time.ravel(),
        )

    nodes = Points(
        F=np.broadcast_to(np.eye(6), (burn.size, 6, 6)),
        G=np.zeros((burn.size, 6, 3)),
        node=k + 1,
        interval=k,
        time=times[1:],
    )
    coasting = burn < span
    return Discretisation(
        length=length,
        rate=rate,
        times=times,
        burn=burn,
        A=A[:, 0],
        B=B[:, 0],
        D=input_matrix(problem),
        eased=_eased(problem),
        nodes=nodes,
        between=points(slice(2, None)),
        burn_ends=_joined(points(slice(1, 2)).take(coasting), nodes.take(~coasting)),
    )


def _joined(*parts: Points) -> Points:
    """One after the other."""
    names = ("F", "G", "node", "interval", "time")
    return Points(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in names})
