"""When the joints go along a path: from rest to rest, speed, acceleration and jerk limited.

    s = 10 τ³ - 15 τ⁴ + 6 τ⁵,   τ = t/T

Its jerk is 60/T³ at both ends and never more; speed and acceleration begin and end at zero.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from proxops.arm_paths.arm import effector_jacobian
from proxops.arm_paths.path import Path, PathError

_GRID = 800  # instants at which a maximum is looked for
_ZOOMS = 5  # each ten times closer
ORDERS = ("speed", "acceleration", "jerk")


@dataclass(frozen=True)
class MotionLimits:
    """The fastest that joints, and the end effector, may move along a path."""

    speed: np.ndarray  # (n,) [rad/s or m/s]
    acceleration: np.ndarray  # (n,) [rad/s2 or m/s2]
    jerk: np.ndarray  # (n,) [rad/s3 or m/s3]
    effector_speed: float = math.inf  # of E's origin as C sees it [m/s]
    effector_rate: float = math.inf  # of E's turn as C sees it [rad/s]


@dataclass(frozen=True)
class MotionTable:
    """Joints against time at a constant step, from rest to rest.  Cubic interpolation of q and qd
    (`at`) gives back the path to `interpolation_error`."""

    joints: tuple[str, ...]
    step: float  # [s]
    q: np.ndarray  # (k, n) [rad or m]
    qd: np.ndarray  # (k, n) [rad/s or m/s]
    qdd: np.ndarray  # (k, n) [rad/s2 or m/s2]
    interpolation_error: float  # [rad or m]

    @property
    def duration(self) -> float:
        """From the first row to the last [s]."""
        return self.step * (len(self.q) - 1)

    @property
    def t(self) -> np.ndarray:
        """Times of the rows [s]."""
        return self.step * np.arange(len(self.q))

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Joints and their rates (m, n) at times t (m,) [s] by cubic Hermite interpolation; before
        and after the table, its first and last row."""
        t = np.clip(t, 0.0, self.duration)
        row = np.minimum((t / self.step).astype(int), max(len(self.q) - 2, 0))
        return _hermite(self, row, (t / self.step - row)[:, None])


def _hermite(table: MotionTable, row: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At the share u of the interval behind each row."""
    after = np.minimum(row + 1, len(table.q) - 1)
    a, b = table.q[row], table.q[after]
    da, db = table.step * table.qd[row], table.step * table.qd[after]
    c2, c3 = 3.0 * (b - a) - 2.0 * da - db, 2.0 * (a - b) + da + db
    q = a + u * (da + u * (c2 + u * c3))
    return q, (da + u * (2.0 * c2 + 3.0 * u * c3)) / table.step


def share(tau: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """s and its first three derivatives by τ, for τ from 0 to 1."""
    return (
        tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2),
        30.0 * tau**2 * (1.0 - tau) ** 2,
        60.0 * tau * (1.0 - tau) * (1.0 - 2.0 * tau),
        60.0 - 360.0 * tau * (1.0 - tau),
    )


def _derivatives(path: Path, tau: np.ndarray) -> tuple[np.ndarray, ...]:
    """Joints and their first three derivatives by τ, each (m, n).

    q̇ = q' ṡ,   q̈ = q'' ṡ² + q' s̈,   q⃛ = q''' ṡ³ + 3 q'' ṡ s̈ + q' s⃛
    """
    s, s1, s2, s3 = share(tau)
    q, q1, q2, q3 = (path.at(s, order) for order in range(4))
    s1, s2, s3 = s1[:, None], s2[:, None], s3[:, None]
    return (
        q,
        q1 * s1,
        q2 * s1**2 + q1 * s2,
        q3 * s1**3 + 3.0 * q2 * s1 * s2 + q1 * s3,
    )


def _effector_speeds(path: Path, tau: np.ndarray) -> np.ndarray:
    """Speed [m] and rate [rad] of E by τ (m, 2)."""
    q, qd, *_ = _derivatives(path, tau)
    V = np.einsum("mij,mj->mi", effector_jacobian(path.arm, q), qd)
    return np.stack([np.linalg.norm(V[:, :3], axis=1), np.linalg.norm(V[:, 3:], axis=1)], axis=1)


def _maxima(values: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Largest magnitude (n,) of each column of values(τ) (m, n), over τ from 0 to 1: on a grid,
    then ever closer around where each is largest."""
    tau = np.linspace(0.0, 1.0, _GRID + 1)
    rows = np.abs(values(tau))
    largest, where, width = rows.max(axis=0), tau[rows.argmax(axis=0)], 1.0 / _GRID
    for _ in range(_ZOOMS):
        near = np.clip(where + width * np.linspace(-1.0, 1.0, 21)[:, None], 0.0, 1.0)
        for column in range(len(largest)):
            found = np.abs(values(near[:, column])[:, column])
            best = int(found.argmax())
            if found[best] > largest[column]:
                largest[column], where[column] = found[best], near[best, column]
        width *= 0.1
    return np.asarray(largest)


@dataclass(frozen=True)
class _Demand:
    """One limit, and how long the path must take at least to keep it."""

    what: str
    unit: str
    limit: float
    order: int  # 1 for a speed, 2 for an acceleration, 3 for a jerk
    largest: float  # by τ, of that order

    @property
    def shortest(self) -> float:
        """[s]"""
        if self.largest == 0.0:
            return 0.0
        if self.limit <= 0.0:
            return math.inf
        return float((self.largest / self.limit) ** (1.0 / self.order))

    def needed(self, duration: float) -> float:
        """What the path needs of it in that time."""
        return self.largest / duration**self.order


def _demands(path: Path, limits: MotionLimits) -> list[_Demand]:
    arm, found = path.arm, list[_Demand]()
    for order, word in enumerate(ORDERS, start=1):

        def values(tau: np.ndarray, order: int = order) -> np.ndarray:
            return _derivatives(path, tau)[order]

        bounds = getattr(limits, word)
        for i, largest in enumerate(_maxima(values)):
            unit = ("m" if arm.prismatic[i] else "rad") + ("/s", "/s2", "/s3")[order - 1]
            what = f"{word} of {arm.joints[i]}"
            found.append(_Demand(what, unit, float(bounds[i]), order, float(largest)))
    if math.isfinite(limits.effector_speed) or math.isfinite(limits.effector_rate):
        speed, rate = _maxima(lambda tau: _effector_speeds(path, tau))
        found.append(_Demand("speed of the end effector", "m/s", limits.effector_speed, 1, speed))
        found.append(_Demand("rate of the end effector", "rad/s", limits.effector_rate, 1, rate))
    return found


def timed(
    path: Path, limits: MotionLimits, step: float, duration: float | None = None
) -> MotionTable:
    """The path as a table with that step [s]: in the shortest time that keeps all limits, or in
    `duration` [s], either rounded up to whole steps.  PathError where that is too short."""
    demand = max(_demands(path, limits), key=lambda each: each.shortest)
    least = demand.shortest
    if not math.isfinite(least):
        raise PathError(
            f"the {demand.what} may be {demand.limit:g} {demand.unit}: no path keeps it"
        )
    if duration is not None and duration < least * (1.0 - 1e-12):
        raise PathError(
            f"{duration:g} s are too short: the {demand.what} would be "
            f"{demand.needed(duration):.4g} {demand.unit}, and may be {demand.limit:.4g} "
            f"{demand.unit}; the path takes at least {least:.4g} s"
        )
    rows = max(1, math.ceil((least if duration is None else duration) / step * (1.0 - 1e-12)))
    T = rows * step
    tau = np.arange(rows + 1) / rows
    q, q1, q2, _ = _derivatives(path, tau)
    table = MotionTable(path.arm.joints, step, q, q1 / T, q2 / T**2, 0.0)
    between = (np.arange(rows) + 0.5) / rows
    exact = path.at(share(between)[0])
    error = float(np.abs(table.at(between * T)[0] - exact).max())
    return MotionTable(path.arm.joints, step, q, q1 / T, q2 / T**2, error)


def joined(tables: Sequence[MotionTable]) -> MotionTable:
    """Tables of one arm and step one after the other, each beginning where the one before ends."""
    first = tables[0]

    def rows(name: str) -> np.ndarray:
        later = [getattr(each, name)[1:] for each in tables[1:]]
        return np.concatenate([getattr(first, name), *later])

    error = max(each.interpolation_error for each in tables)
    return MotionTable(first.joints, first.step, rows("q"), rows("qd"), rows("qdd"), error)
