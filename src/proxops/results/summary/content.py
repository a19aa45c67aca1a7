"""A mission in numbers before any run: masses, modes, distances, what sensors see, rates, legs."""

import math
from typing import Any

from proxops.assembly.build import Built, build
from proxops.assembly.describe import describe
from proxops.assembly.limits import reject_fine_steps, reject_long_steps
from proxops.assembly.start_poses import Start, start_of
from proxops.core.clock import NS_PER_S
from proxops.core.description import OrbitDescription
from proxops.core.errors import InputError
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.physics.orbit.axes import hill_rotation
from proxops.results.summary.craft import craft_summary
from proxops.results.summary.start import clearance_summary, relative_summary, seen_by
from proxops.results.warnings import foreseen
from proxops.scenario.dispersion_text import method_of
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission

_SHOWN_OF_CONTROLLER = {"name", "rate_hz", "modes"}


def summary(scenario: Scenario, *, checked: bool = True) -> dict[str, Any]:
    """Plain data about a scenario at its start, units in the names of keys.

    With `checked`, its stages are built as for a run, which may take seconds: only then there are
    the periods of functions on board, the clearance, `warnings`, and `problems`, for which a run
    would be rejected.
    """
    mission, own = scenario.mission, scenario.mission.obsw.controller
    chaser, target, orbit = describe(scenario)
    start = start_of(chaser, target, orbit)
    found: dict[str, Any] = {
        "name": scenario.name,
        "title": mission.title,
        "seed": mission.seed,
        "case": None if scenario.case is None else scenario.case.seed,
        "orbit": _orbit(mission, orbit),
        "chaser": craft_summary(chaser, start.R_HC, mission.chaser) | _actuators(mission),
        "target": craft_summary(target, start.R_HT, mission.target),
        "relative": relative_summary(mission, chaser, start),
        "sees": seen_by(mission, start),
        "time": _time(mission),
        "contacts": list(mission.contacts),
        "holds": list(mission.holds),
        "plan": _plan(mission),
        "requirements": {
            name: each.model_dump(mode="json", exclude_none=True)
            for name, each in mission.requirements.items()
        },
        "controller": None if own is None else own.model_dump(include=_SHOWN_OF_CONTROLLER),
        "dispersions": _dispersions(mission),
        "faults": {name: each.kind for name, each in mission.faults.items()},
    }
    return found | _checks(scenario, start, found) if checked else found


def _checks(scenario: Scenario, start: Start, found: dict[str, Any]) -> dict[str, Any]:
    """What only stages that were built can tell."""
    problems: list[str] = []
    built: Built | None = None
    try:
        built = build(scenario)
        reject_long_steps(scenario)
        reject_fine_steps(scenario, built)
    except InputError as error:
        problems = str(error).splitlines()
    if built is None:
        return {"warnings": [], "problems": problems}
    return {
        "time": found["time"] | {"functions_s": _periods(built)},
        "relative": found["relative"] | clearance_summary(built, start),
        "warnings": foreseen(scenario, built),
        "problems": problems,
    }


def _periods(built: Built) -> dict[str, float]:
    """Periods of the functions on board, in their order [s]."""
    onboard = built.onboard
    return {
        each.name: float(period) / NS_PER_S
        for each, period in zip(onboard.functions, onboard.periods, strict=True)
    }


def _orbit(mission: Mission, orbit: OrbitDescription | None) -> dict[str, Any] | None:
    given = mission.orbit
    if given is None or orbit is None:
        return None
    attractor = ATTRACTORS[given.attractor]
    a, e = given.a_km * 1e3, given.eccentricity
    _, rate = hill_rotation(orbit.R, orbit.V)
    return {
        "attractor": given.attractor,
        "periapsis_altitude_km": (a * (1.0 - e) - attractor.radius) / 1e3,
        "apoapsis_altitude_km": (a * (1.0 + e) - attractor.radius) / 1e3,
        "inclination_deg": given.inclination_deg,
        "period_s": 2.0 * math.pi * math.sqrt(a**3 / attractor.mu),
        "w_NH_H_deg_s": [0.0, 0.0, math.degrees(rate)],
    }


def _actuators(mission: Mission) -> dict[str, Any]:
    chaser = mission.chaser
    return {
        "thrusters_N": {name: each.thrust_N for name, each in chaser.thrusters.items()},
        "wheels_N_m": {name: each.max_torque_N_m for name, each in chaser.wheels.items()},
    }


def _time(mission: Mission) -> dict[str, Any]:
    time = mission.time
    found: dict[str, Any] = {
        "duration_s": time.duration_s,
        "control_rate_hz": time.control_rate_hz,
        "record_rate_hz": time.record_rate_hz,
    }
    if time.arm_rate_hz is not None:
        found["arm_rate_hz"] = time.arm_rate_hz
    if time.ends_on is not None:
        found |= {"ends_on": time.ends_on, "ends_after_s": time.ends_after_s}
    for kind in ("phases", "paces"):
        spans = getattr(time, kind)
        found[kind] = {
            name: each.model_dump(mode="json", exclude_none=True) for name, each in spans.items()
        }
    sensors = mission.sensors.all().items()
    found["sensors_hz"] = {".".join(path): each.rate_hz for path, each in sensors if each.rate_hz}
    return found


def _plan(mission: Mission) -> list[dict[str, Any]]:
    """Legs in the order of the file."""
    plan = mission.obsw.plan
    if plan is None:
        return []
    legs = []
    for name, leg in plan.legs.items():
        found = leg.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        found |= {"name": name, "does": leg.does, "on_abort": plan.abort_leg(leg)}
        legs.append(found)
    return legs


def _dispersions(mission: Mission) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, each in mission.dispersions.items():
        declared = each.model_dump(mode="json", exclude_none=True)
        method = method_of(declared)
        found[name] = {"method": method, "bound": declared.pop(method), **declared}
    return found
