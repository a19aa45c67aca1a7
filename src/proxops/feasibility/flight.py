"""Whether a flight arena can show a mission: what of it, with what margins, and is it seen.

What rotors must do follows from the mapped motion by the mixer, in air that the wind moves:

    T = H⁻¹ [Rᵀ (m a + m g z + c (v - v_wind)); 0]

so tilt and acceleration share one limit.
"""

import numpy as np

from proxops.assembly.arena import (
    ArenaFile,
    arena_of,
    cycles_of,
    fence_of,
    geometry_of,
    tilt_limit,
)
from proxops.assembly.arena_faults import (
    AROUND_S,
    fault_events,
    hover_power,
    torque_without_rotor,
)
from proxops.assembly.facility_steps import at_one_step
from proxops.assembly.robot import step_of
from proxops.core.errors import InputError
from proxops.facility.arena.fence import Fence
from proxops.facility.arena.vehicle import GRAVITY, Arena
from proxops.feasibility.flight_answers import FlightFeasibility, FlightLimit
from proxops.feasibility.flight_guard import guard_stop
from proxops.feasibility.flight_path import FlightPath, bow_of, motions_of, path_of
from proxops.feasibility.flight_scale import scales_of
from proxops.feasibility.flight_start import best_start
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.scenario.schema.arena import InArena

SEEN = 2.0  # how many times the tracking error a bow must be to be seen


def check_flight(
    run: Run, arena: ArenaFile, optimise_start: bool = False, scale: bool = False
) -> FlightFeasibility:
    """Whether an arena can show a mission that was run in orbit; `optimise_start` looks for the
    best place and heading in it, `scale` for the lengths and paces that fit."""
    scenario = Scenario.from_dict(run.provenance["scenario"]).extended(run.extensions)
    shown, given, t = scenario.mission.arena or InArena(), arena.file, run.rows[:, 0]
    motions = motions_of(run, scenario)
    made, fence = arena_of(given), fence_of(given)
    paths = {name: path_of(motion, given, shown) for name, motion in motions.items()}
    limits: list[FlightLimit] = []
    used = AROUND_S + t / shown.time_scale
    for which, (name, path) in enumerate(paths.items()):
        limits += _limits(which, f"{name}'s vehicle", t, path, arena, made)
    limits += _both(t, paths["target"].p, paths["chaser"].p, fence)
    limits.append(_limit(ENDURANCE, t, used, "<=", given.limits.endurance_s, "s"))
    limits += _charges(t, paths, made, shown)
    limits += _guarded(t, paths, scenario, arena)
    bow = bow_of(paths["chaser"].p - paths["target"].p)
    return FlightFeasibility(
        run.name,
        arena.name,
        float(t[-1]),
        float(t[-1]) / shown.time_scale,
        tuple(limits),
        bow,
        torque_without_rotor(geometry_of(given.vehicle), made),
        tuple(_warnings(scenario, arena, bow)),
        best_start(motions, given, shown) if optimise_start else None,
        scales_of(motions, given, shown, made, SEEN, step_of(scenario)) if scale else None,
    )


ENDURANCE = "endurance in the arena, with take-off and landing"


def _limits(
    which: int, who: str, t: np.ndarray, path: FlightPath, arena: ArenaFile, made: Arena
) -> list[FlightLimit]:
    """Of one vehicle."""
    given, fence = arena.file, fence_of(arena.file)
    craft, limits, size = given.vehicle, given.limits, np.linalg.norm
    inside = np.minimum(path.p - fence.lowest, fence.highest - path.p).min(axis=1)
    kept = limits.walls_m + fence.tracking  # by targets
    thrusts, loads = _thrusts(path, made, which), made.loads
    hover = loads.allocation[which, :, 2] * loads.mass[which] * GRAVITY / craft.max_thrust_N
    tilt = np.degrees(np.arccos(np.clip(path.R[:, 2, 2], -1.0, 1.0)))
    can_lean = np.degrees(tilt_limit(craft, float(loads.mass[which])))
    yaw = np.degrees(np.abs(path.w[:, 2]))
    rows = [
        ("distance from walls", inside + kept, ">=", kept, "m"),
        ("speed", size(path.v, axis=1), "<=", limits.speed_m_s, "m/s"),
        ("acceleration", size(path.a, axis=1), "<=", limits.acceleration_m_s2, "m/s2"),
        ("yaw rate", yaw, "<=", limits.yaw_rate_deg_s, "deg/s"),
        ("tilt, of what it hovers with", tilt, "<=", max(float(can_lean), 1e-3), "deg"),
        ("hover, of the largest thrust", 0.0 * t + hover.max(), "<=", limits.hover_share, "1"),
        ("largest thrust of a rotor", thrusts.max(axis=1), "<=", craft.max_thrust_N, "N"),
        ("least thrust of a rotor", thrusts.min(axis=1), ">=", craft.min_thrust_N, "N"),
    ]
    return [_limit(f"{who}: {name}", t, *rest) for name, *rest in rows]


def _thrusts(path: FlightPath, made: Arena, which: int) -> np.ndarray:
    """Thrusts (n, 6) [N] that make the motion.  Upright rotors lean by themselves: theirs carry
    the force along the thrust."""
    craft, loads = made.vehicle, made.loads
    up = np.array([0.0, 0.0, GRAVITY])
    force = loads.mass[which] * (path.a + up) + craft.drag * (path.v - made.wind)
    in_body = np.einsum("nji,nj->ni", path.R, force)
    if not craft.tilted:
        in_body = np.column_stack([0.0 * force[:, :2], np.linalg.norm(force, axis=1)])
    return np.asarray(in_body @ loads.allocation[which, :, :3].T)


def _both(t: np.ndarray, p_T: np.ndarray, p_C: np.ndarray, fence: Fence) -> list[FlightLimit]:
    """Of both vehicles."""
    apart = np.linalg.norm(p_C - p_T, axis=1) - fence.tips
    aside = np.linalg.norm((p_C - p_T)[:, :2], axis=1)
    name = "horizontal distance of centres, for the wake"
    return [
        _limit("gap between tips", t, apart, ">=", fence.apart - fence.tips, "m"),
        _limit(name, t, aside, ">=", fence.apart, "m"),
    ]


def _guarded(
    t: np.ndarray, paths: dict[str, FlightPath], scenario: Scenario, arena: ArenaFile
) -> list[FlightLimit]:
    """Until when the guard lets targets through; none where steps suit no target."""
    try:
        cycles = cycles_of(at_one_step(scenario))
    except InputError:  # it is among the warnings
        return []
    end = float(t[-1])
    stop = guard_stop(t, paths, arena.file, scenario.mission.arena or InArena(), cycles)
    if stop is None:
        return [FlightLimit("the guard lets it through", end, ">=", end, "s", end, None)]
    name = f"the guard: {stop.reason}"
    return [FlightLimit(name, stop.t_s, ">=", end, "s", stop.t_s, stop.t_s)]


def _charges(
    t: np.ndarray, paths: dict[str, FlightPath], made: Arena, shown: InArena
) -> list[FlightLimit]:
    """What batteries have left; none where they are not known."""
    battery, rows = made.battery, []
    if not np.isfinite(battery.capacity):
        return []
    for which, (name, path) in enumerate(paths.items()):
        thrusts = np.maximum(_thrusts(path, made, which), 0.0)
        power = battery.power * (thrusts**1.5).sum(axis=1)
        steps = 0.5 * (power[1:] + power[:-1]) * np.diff(t) / shown.time_scale
        drawn = AROUND_S * hover_power(made, which) + np.concatenate([[0.0], np.cumsum(steps)])
        left = battery.charge[which] - drawn / battery.capacity
        what = f"{name}'s vehicle: charge, with take-off and landing"
        rows.append(_limit(what, t, left, ">=", battery.reserve, "1"))
    return rows


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


def _warnings(scenario: Scenario, arena: ArenaFile, bow: float) -> list[str]:
    lines, error = [], arena.file.limits.tracking_m
    if bow < SEEN * error:
        lines.append(
            f"the relative path bows by {1e3 * bow:.0f} mm from a straight line, and the vehicles "
            f"may be {1e3 * error:.0f} mm off: orbital motion cannot be told from a straight line"
        )
    try:
        cycles_of(at_one_step(scenario))
    except InputError as problem:
        lines.append(str(problem))
    scripted = [f"{text}, from {t:g} s of the flight" for t, text in fault_events(arena.file)]
    return lines + [f"not looked at, scripted: {each}" for each in scripted]
