"""Whether a flight arena can show a mission: what of it, with what margins, and is it seen.

The motion in orbit is mapped as `facility.arena.command` maps it; what rotors must do follows from
it by the mixer, at rest in the moving air of the vehicle's own speed:

    T = H⁻¹ [Rᵀ (m a + m g z + c v); 0]

so tilt and acceleration share one limit.
"""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from proxops.assembly.arena import (
    ArenaFile,
    arena_of,
    cycles_of,
    fence_of,
    mapping_of,
    tilt_limit,
)
from proxops.assembly.describe import describe
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.facility.arena.vehicle import GRAVITY
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.kepler import propagate
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.scenario.schema.arena import InArena

AROUND_S = 60.0  # take-off, engage, stop and landing, about
SEEN = 2.0  # how many times the tracking error a bow must be to be seen
CRAFTS = {"target": "T", "chaser": "C"}


class FlightLimit(NamedTuple):
    """Where the flight comes nearest to a limit."""

    name: str
    value: float
    comparison: str
    limit: float
    unit: str
    t_s: float  # of the mission, where it is nearest
    fails_at_s: float | None  # the first instant beyond the limit

    @property
    def passed(self) -> bool:
        """Whether it is kept."""
        return self.fails_at_s is None


@dataclass(frozen=True)
class FlightFeasibility:
    """Whether an arena can show a mission."""

    scenario: str
    facility: str
    duration_s: float  # of the mission
    flight_s: float  # in the arena, without take-off and landing
    limits: tuple[FlightLimit, ...]
    bow_m: float  # of the relative path, in the arena, from a straight line
    warnings: tuple[str, ...]

    @property
    def feasible(self) -> bool:
        """Whether the whole mission can be flown."""
        return all(each.passed for each in self.limits)

    @property
    def lasts_s(self) -> float:
        """Until when it can be flown [s] of the mission."""
        ends = [each.fails_at_s for each in self.limits if each.fails_at_s is not None]
        return min([self.duration_s, *ends])

    def as_dict(self) -> dict[str, Any]:
        """Plain data, in SI units: what `--json` prints."""
        rows = [each._asdict() | {"passed": each.passed} for each in self.limits]
        plain = asdict(self) | {"limits": rows, "warnings": list(self.warnings)}
        return plain | {"feasible": self.feasible, "lasts_s": self.lasts_s}


class _Path(NamedTuple):
    """A vehicle's reference in L."""

    p: np.ndarray  # (n, 3) [m]
    v: np.ndarray  # [m/s]
    a: np.ndarray  # [m/s2]
    R: np.ndarray  # R_LV (n, 3, 3)
    yaw_rate: np.ndarray  # (n,) [rad/s]


def check_flight(run: Run, arena: ArenaFile) -> FlightFeasibility:
    """Whether an arena can show a mission that was run in orbit."""
    scenario = Scenario.from_dict(run.provenance["scenario"]).extended(run.extensions)
    shown, t = scenario.mission.arena or InArena(), run.rows[:, 0]
    R_NH, w_NH = _hill_axes(scenario, t)
    paths = {name: _path(run, arena, shown, name, R_NH, w_NH) for name in CRAFTS}
    flight = float(t[-1]) / shown.time_scale
    limits: list[FlightLimit] = []
    for name, path in paths.items():
        limits += _limits(f"{name}'s vehicle", t, path, arena)
    limits += _both(t, paths["target"].p, paths["chaser"].p, arena)
    end = arena.file.limits.endurance_s
    used = AROUND_S + t / shown.time_scale
    limits.append(_limit("endurance, with take-off and landing", t, used, "<=", end, "s"))
    bow = _bow(paths["chaser"].p - paths["target"].p)
    return FlightFeasibility(
        run.name,
        arena.name,
        float(t[-1]),
        flight,
        tuple(limits),
        bow,
        tuple(_warnings(scenario, arena, bow)),
    )


def _hill_axes(scenario: Scenario, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R_NH (n, 3, 3) and w_NH_H (n, 3) [rad/s]."""
    orbit = describe(scenario)[2]
    if orbit is None:
        return np.tile(np.eye(3), (len(t), 1, 1)), np.zeros((len(t), 3))
    epoch = tuple(map(float, orbit.R)), tuple(map(float, orbit.V))
    axes, rates = [], []
    for each in t:
        R, V = propagate(orbit.mu, *epoch, float(each))
        unit = [inertial_from_hill(R, V, (0.0, 0.0, 0.0), tuple(e))[1] for e in np.eye(3).tolist()]
        axes.append(np.column_stack(unit))
        rates.append((0.0, 0.0, np.linalg.norm(np.cross(R, V)) / np.dot(R, R)))
    return np.array(axes), np.array(rates)


def _path(
    run: Run,
    arena: ArenaFile,
    shown: InArena,
    name: str,
    R_NH: np.ndarray,
    w_NH: np.ndarray,
) -> _Path:
    body, mapping = CRAFTS[name], mapping_of(arena.file, shown)
    t, p_H = run[f"{name}.p_H{body}"]
    R_LH, R_BV = rotation_of(tuple(mapping.q_LH)), rotation_of(tuple(mapping.q_BV[0]))
    v = shown.length_scale * shown.time_scale * run[f"{name}.v_H{body}"][1] @ R_LH.T
    R_NB = np.moveaxis(rotation_of(tuple(run[f"{name}.q_N{body}"][1].T)), -1, 0)
    R_HN = np.swapaxes(R_NH, 1, 2)
    w_H = np.einsum("nij,njk,nk->ni", R_HN, R_NB, run[f"{name}.w_N{body}_{body}"][1]) - w_NH
    return _Path(
        mapping.p_LH + shown.length_scale * p_H @ R_LH.T,
        v,
        np.gradient(v, t / shown.time_scale, axis=0) if len(t) > 1 else 0.0 * v,
        R_LH @ R_HN @ R_NB @ R_BV,
        shown.time_scale * (w_H @ R_LH.T)[:, 2],
    )


def _limits(who: str, t: np.ndarray, path: _Path, arena: ArenaFile) -> list[FlightLimit]:
    """Of one vehicle."""
    given, fence = arena.file, fence_of(arena.file)
    craft, limits, size = given.vehicle, given.limits, np.linalg.norm
    inside = np.minimum(path.p - fence.lowest, fence.highest - path.p).min(axis=1)
    thrusts = _thrusts(path, arena)
    tilt = np.degrees(np.arccos(np.clip(path.R[:, 2, 2], -1.0, 1.0)))
    can_lean = np.degrees(tilt_limit(craft))
    yaw = np.degrees(np.abs(path.yaw_rate))
    rows = [
        ("distance from walls", inside + limits.walls_m, ">=", limits.walls_m, "m"),
        ("speed", size(path.v, axis=1), "<=", limits.speed_m_s, "m/s"),
        ("acceleration", size(path.a, axis=1), "<=", limits.acceleration_m_s2, "m/s2"),
        ("yaw rate", yaw, "<=", limits.yaw_rate_deg_s, "deg/s"),
        ("tilt, of what it hovers with", tilt, "<=", max(float(can_lean), 1e-3), "deg"),
        ("largest thrust of a rotor", thrusts.max(axis=1), "<=", craft.max_thrust_N, "N"),
        ("least thrust of a rotor", thrusts.min(axis=1), ">=", craft.min_thrust_N, "N"),
    ]
    return [_limit(f"{who}: {name}", t, *rest) for name, *rest in rows]


def _thrusts(path: _Path, arena: ArenaFile) -> np.ndarray:
    """Thrusts (n, 6) [N] that make the motion.  Upright rotors lean by themselves: theirs carry
    the force along the thrust."""
    craft = arena_of(arena.file).vehicle
    up = np.array([0.0, 0.0, GRAVITY])
    force = craft.mass * (path.a + up) + craft.drag * path.v
    in_body = np.einsum("nji,nj->ni", path.R, force)
    if not craft.tilted:
        in_body = np.column_stack([0.0 * force[:, :2], np.linalg.norm(force, axis=1)])
    return np.asarray(in_body @ craft.allocation[:, :3].T)


def _both(t: np.ndarray, p_T: np.ndarray, p_C: np.ndarray, arena: ArenaFile) -> list[FlightLimit]:
    """Of both vehicles."""
    fence = fence_of(arena.file)
    apart = np.linalg.norm(p_C - p_T, axis=1) - fence.tips
    aside = np.linalg.norm((p_C - p_T)[:, :2], axis=1)
    name = "horizontal distance of centres, for the wake"
    return [
        _limit("gap between tips", t, apart, ">=", fence.apart - fence.tips, "m"),
        _limit(name, t, aside, ">=", fence.apart, "m"),
    ]


def _limit(
    name: str, t: np.ndarray, values: np.ndarray, comparison: str, limit: float, unit: str
) -> FlightLimit:
    below = comparison == "<="
    worst = int(np.argmax(values) if below else np.argmin(values))
    beyond = np.flatnonzero(values > limit if below else values < limit)
    fails = float(t[beyond[0]]) if len(beyond) else None
    return FlightLimit(
        name, float(values[worst]), comparison, float(limit), unit, float(t[worst]), fails
    )


def _bow(p: np.ndarray) -> float:
    """Largest distance [m] of a path (n, 3) from the straight line that fits it best."""
    off = p - p.mean(axis=0)
    along = np.linalg.svd(off, full_matrices=False)[2][0]
    return float(np.linalg.norm(off - np.outer(off @ along, along), axis=1).max())


def _warnings(scenario: Scenario, arena: ArenaFile, bow: float) -> list[str]:
    lines, error = [], arena.file.limits.tracking_m
    if bow < SEEN * error:
        lines.append(
            f"the relative path bows by {1e3 * bow:.0f} mm from a straight line, and the vehicles "
            f"may be {1e3 * error:.0f} mm off: orbital motion cannot be told from a straight line"
        )
    try:
        cycles_of(scenario)
    except InputError as problem:
        lines.append(str(problem))
    return lines
