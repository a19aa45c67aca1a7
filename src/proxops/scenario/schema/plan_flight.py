"""Whether the legs of a plan can be flown at all: thrust, speed limit, straight lines, ways out.

Only what is certain is rejected: bounds leave gravity and drifts their part.
"""

import math
from collections.abc import Iterator

import numpy as np

from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.onboard.functions.guidance.feasibility import (
    hold_acceleration,
    shortest_time,
    thrust_may_suffice,
)
from proxops.scenario.schema.arm_leg import ArmLeg
from proxops.scenario.schema.base import Problem, Vector3
from proxops.scenario.schema.craft import Chaser
from proxops.scenario.schema.guidance import Guidance
from proxops.scenario.schema.orbit import Orbit
from proxops.scenario.schema.plan import (
    Avoid,
    FlyAround,
    FlyTo,
    Leg,
    Plan,
    StationKeep,
    fit_problems,
    forbidden,
)
from proxops.scenario.schema.zones import Zones

_SURE = 0.8  # share of a distance that counts: a leg begins only about where the one before ended
_POINTS = 200  # of a straight line, at which it is compared with the zones
_HCW_TOLERANCE = 1.0  # [m]
_ANOMALIES = 24  # at which a flight may begin
_MAX_RATE_TIME = 1.0  # [rad] beyond which gravity may do what thrust does not


def plan_problems(
    plan: Plan, guidance: Guidance, chaser: Chaser, orbit: Orbit | None, zones: Zones | None
) -> list[Problem]:
    """What a plan asks for that the rest of a mission does not have, or cannot fly."""
    found = fit_problems(plan, chaser, orbit, zones)
    if orbit is not None and chaser.thrusters:
        found += flight_problems(plan, guidance, chaser, orbit, zones)
    return found


def flight_problems(
    plan: Plan, guidance: Guidance, chaser: Chaser, orbit: Orbit, zones: Zones | None
) -> list[Problem]:
    """What no chaser with these thrusters can fly, and ways out that leave it in danger."""
    found = [*_too_soon(plan, guidance, chaser, orbit), *_too_weak(plan, chaser, orbit)]
    found += _misses(plan, chaser, orbit)
    if zones is not None:
        found += [*_straight_through(plan, chaser, zones), *_left_inside(plan, chaser, zones)]
    return [(("legs", *path), text) for path, text in found]


def _starts(plan: Plan, chaser: Chaser) -> dict[str, set[Vector3]]:
    """Places where legs may begin, in H; a leg without a place of its own hands its start on."""
    starts: dict[str, set[Vector3]] = {name: set() for name in plan.legs}
    open_legs = [(next(iter(plan.legs)), chaser.p_HC_m)]
    while open_legs:
        name, place = open_legs.pop()
        if place in starts[name]:
            continue
        starts[name].add(place)
        leg = plan.legs[name]
        end = _place(leg) or place
        if leg.next is not None:
            open_legs.append((leg.next, end))
        out = plan.abort_leg(leg)
        if out is not None:
            open_legs += [(out, place), (out, end)]
    return starts


def _place(leg: Leg) -> Vector3 | None:
    """Where a leg ends, in H; none if that is where it begins."""
    if isinstance(leg, FlyAround):
        p, angle = np.array(leg.p_H_m), math.radians(leg.angle_deg)
        x, y, z = math.cos(angle) * p + math.sin(angle) * np.cross(leg.axis_H, p)
        return float(x), float(y), float(z)
    return leg.p_H_m if isinstance(leg, FlyTo | StationKeep) else None


def _mass(chaser: Chaser) -> float:
    """Of the hub, the least that the whole can have [kg]."""
    return chaser.mass_kg


def _acceleration(chaser: Chaser, direction_C: np.ndarray) -> float:
    """The largest along a direction [m/s2]."""
    along = [
        each.thrust_N * max(0.0, float(np.dot(each.direction_C, direction_C)))
        for each in chaser.thrusters.values()
    ]
    return sum(along) / _mass(chaser)


def _any_acceleration(chaser: Chaser, rotation_HC: np.ndarray | None, way_H: np.ndarray) -> float:
    """The largest along a way or against it; whatever the attitude where that is not fixed."""
    if rotation_HC is None:
        return sum(each.thrust_N for each in chaser.thrusters.values()) / _mass(chaser)
    way_C = rotation_HC.T @ way_H
    return max(_acceleration(chaser, way_C), _acceleration(chaser, -way_C))


def _rotation(plan: Plan, leg: Leg) -> np.ndarray | None:
    """R_HC of a leg; none where the chaser turns with the target."""
    if leg.pointing != "hill":
        return None
    return rotation_of(leg.q_HC or plan.q_HC)


def _too_soon(plan: Plan, guidance: Guidance, chaser: Chaser, orbit: Orbit) -> Iterator[Problem]:
    """Arrivals sooner than thrust or the speed limit allow."""
    from proxops.physics.orbit.attractors import ATTRACTORS

    periapsis = orbit.a_km * 1e3 * (1.0 - orbit.eccentricity)
    rate = math.sqrt(ATTRACTORS[orbit.attractor].mu * (1.0 + orbit.eccentricity) / periapsis**3)
    starts = _starts(plan, chaser)
    for name, leg in plan.legs.items():
        if not isinstance(leg, FlyTo):
            continue
        for place in sorted(starts[name]):
            way = np.subtract(leg.p_H_m, place) * _SURE
            distance = float(np.linalg.norm(way))
            if distance == 0.0:
                continue
            a_max = _any_acceleration(chaser, _rotation(plan, leg), way / distance)
            start, goal = np.zeros(6), np.zeros(6)
            goal[:3] = leg.p_H_m
            start[:3] = goal[:3] - way
            limits = {"a_max": a_max, "rate": rate}
            sure = a_max > 0.0 and rate * leg.duration_s < _MAX_RATE_TIME
            limited = _limited_time(guidance, place, leg.p_H_m) if leg.guidance == "convex" else 0.0
            what = f"{leg.duration_s:g} s for {distance / _SURE:.4g} m"
            if sure and not thrust_may_suffice(start, goal, leg.duration_s, **limits):
                least = shortest_time(start, goal, **limits)
                text = f"{what} is sooner than the thrusters allow: they need {least:.3g} s or more"
                yield (name, "duration_s"), text
            elif leg.duration_s < limited:
                limit = "obsw.guidance.speed_limit_m_s"
                text = f"{what} is sooner than {limit} allows: {limited:.3g} s or more"
                yield (name, "duration_s"), text


def _limited_time(guidance: Guidance, start: Vector3, goal: Vector3) -> float:
    """Least time [s] from one distance d to a smaller one with ḋ ≥ -(v₀ + k d)."""
    v0, k = guidance.speed_limit_m_s, guidance.speed_limit_per_m_1_s
    far, near = _SURE * math.hypot(*start), math.hypot(*goal)
    if v0 is None or far <= near:
        return 0.0
    return (far - near) / v0 if k == 0.0 else math.log((v0 + k * far) / (v0 + k * near)) / k


def _misses(plan: Plan, chaser: Chaser, orbit: Orbit) -> Iterator[Problem]:
    """Flights by Hill, Clohessy and Wiltshire's two burns that miss by more than their tolerance,
    wherever on the orbit they begin."""
    for name, leg in plan.legs.items():
        if not isinstance(leg, FlyTo) or leg.guidance != "hcw":
            continue
        for place in sorted(_starts(plan, chaser)[name]):
            try:
                miss = _hcw_miss(orbit, place, leg)
            except InputError as error:
                yield (name, "duration_s"), str(error)
                break
            tolerance = leg.tolerance_m or _HCW_TOLERANCE
            if miss > tolerance:
                text = (
                    'use "two-impulse": by "hcw", two burns miss by up to '
                    f"{miss:.3g} m on this orbit, e = {orbit.eccentricity:g}; "
                    f"tolerance_m = {tolerance:g}"
                )
                yield (name, "guidance"), text
                break


def _hcw_miss(orbit: Orbit, start: Vector3, leg: FlyTo) -> float:
    """Largest distance from the goal at which a flight by HCW arrives in the true motion [m]."""
    from proxops.physics.orbit.attractors import ATTRACTORS
    from proxops.physics.orbit.hcw import hcw_transition
    from proxops.physics.orbit.kepler import state_from_elements
    from proxops.physics.orbit.transfers import relative_motion, two_impulse

    mu, a = ATTRACTORS[orbit.attractor].mu, orbit.a_km * 1e3
    Phi = hcw_transition(math.sqrt(mu / a**3), leg.duration_s)
    found = two_impulse(Phi, [*start, 0.0, 0.0, 0.0], [*leg.p_H_m, 0.0, 0.0, 0.0])
    departure, worst = [*start, *found.dv1], 0.0
    for nu in np.linspace(0.0, math.tau, _ANOMALIES, endpoint=False):
        R, V = state_from_elements(mu, a, orbit.eccentricity, 0.0, 0.0, 0.0, nu)
        arrival = relative_motion(mu, R, V, departure, leg.duration_s)
        worst = max(worst, math.dist(arrival[:3], leg.p_H_m))
    return worst


def _too_weak(plan: Plan, chaser: Chaser, orbit: Orbit) -> Iterator[Problem]:
    """Places that the thrusters cannot hold even at apoapsis, where gravity pulls least."""
    from proxops.physics.orbit.attractors import ATTRACTORS

    apoapsis = orbit.a_km * 1e3 * (1.0 + orbit.eccentricity)
    share = 1.0 - orbit.eccentricity / 3.0  # (3 - e) μ/r³ of R-bar, e times less of H's own rate
    n = math.sqrt(share * ATTRACTORS[orbit.attractor].mu / apoapsis**3)
    for name, leg in plan.legs.items():
        place = _place(leg)
        if place is None:
            continue
        if not any(place):
            yield (name, "p_H_m"), "is the target's centre of mass; nothing can stay there"
            continue
        pull_H = np.array([3.0 * place[0], 0.0, -place[2]])  # of gravity, in units of n²
        if not pull_H.any():
            continue
        needed = hold_acceleration(np.array(place), n)
        way = -pull_H / np.linalg.norm(pull_H)
        rotation = _rotation(plan, leg)
        given = (
            _any_acceleration(chaser, None, way)
            if rotation is None
            else _acceleration(chaser, rotation.T @ way)
        )
        if needed > given:
            mass = _mass(chaser)
            text = (
                f"cannot be held: gravity pulls with {needed * mass:.3g} N (3n²x m on R-bar), "
                f"the thrusters give {given * mass:.3g} N against it"
            )
            yield (name, "p_H_m"), text


def _straight_through(plan: Plan, chaser: Chaser, zones: Zones) -> Iterator[Problem]:
    """Straight flights that cross the keep-out zone outside of its corridors."""
    starts = _starts(plan, chaser)
    for name, leg in plan.legs.items():
        if not isinstance(leg, FlyTo) or leg.guidance != "straight":
            continue
        for place in sorted(starts[name]):
            line = np.linspace(place, leg.p_H_m, _POINTS)
            crossing = [why for p in line if (why := forbidden((p[0], p[1], p[2]), zones))]
            if crossing:
                begin = ", ".join(f"{value:g}" for value in place)
                text = f"the straight line from [{begin}] m crosses a place that {crossing[0]}"
                yield (name, "p_H_m"), text
                break


def _left_inside(plan: Plan, chaser: Chaser, zones: Zones) -> Iterator[Problem]:
    """Ways out of legs inside the keep-out zone that neither evade nor fly out of it; those of the
    arm may stay, with a target that is in its hand or at its port."""
    starts = _starts(plan, chaser)
    for name, leg in plan.legs.items():
        if isinstance(leg, ArmLeg):
            continue
        ends = {place for place in (_place(leg), *starts[name]) if place is not None}
        inside = [place for place in ends if math.hypot(*place) < zones.keep_out_m]
        if not inside or plan.abort_leg(leg) is None:
            continue
        passed, at = [], plan.abort_leg(leg)
        leads_out = False
        while at is not None and not leads_out:
            passed.append(at)
            out = plan.legs[at]
            place = _place(out)
            flies_out = place is not None and math.hypot(*place) >= zones.keep_out_m
            leads_out = isinstance(out, Avoid) or flies_out
            at = plan.abort_leg(out) if out.can_abort else out.next
        if not leads_out:
            text = (
                f"{' -> '.join((name, *passed))} leaves the chaser in the keep-out zone; let a leg "
                'with does = "avoid", or one that flies out of it, be on the way'
            )
            yield (name, "on_abort"), text
