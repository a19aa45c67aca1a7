"""Flight arenas: read from a shipped name or a file, and fitted with a mission."""

import math
import os
from collections.abc import Mapping as Plain
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from proxops.assembly.arena_faults import battery_of, faults_of, reject_unready
from proxops.assembly.arena_payload import loads_of
from proxops.assembly.build import Built, build
from proxops.assembly.facility import FLIGHT_ARENA, Lab, read_facility
from proxops.assembly.facility_steps import at_one_step
from proxops.core.by_address import pinned
from proxops.core.errors import InputError
from proxops.core.frame import quaternion_of
from proxops.facility.arena.command import first_commands
from proxops.facility.arena.fence import MARGIN, USABLE, Fence
from proxops.facility.arena.lab import ArenaLab, Drawn, Mapping, arena_lab
from proxops.facility.arena.operator import HOLD, LAND, RETURN, Asked, Operator
from proxops.facility.arena.procedure import standing_places
from proxops.facility.arena.served import ServedPhysics
from proxops.facility.arena.tracking import largest_error
from proxops.facility.arena.vehicle import (
    CYCLE,
    GRAVITY,
    Arena,
    Gains,
    Sensing,
    Watch,
    flight,
    vehicle,
)
from proxops.facility.common.rows import PAIR
from proxops.links.arena_wire import is_address, parse_links
from proxops.physics.multirotor.mixer import (
    ROTORS,
    Geometry,
    condition,
    hover_tilt_limit,
    mixer,
    rank,
)
from proxops.physics.multirotor.wake import jet
from proxops.physics.relative.scaling import Scaling
from proxops.scenario.keys import put_all
from proxops.scenario.load import Scenario
from proxops.scenario.problems import explain, raise_problems
from proxops.scenario.schema.arena import FlightArena, InArena, Multirotor
from proxops.scenario.schema.arena import Operator as Script

HILL = "hill"  # what both vehicles move relative to
VIRTUAL = "virtual"  # link: MAVLink's bytes to virtual autopilots
SLOWEST_S = 0.02  # longest time between targets, as autopilots are sent them
WORST_CONDITION = 100.0  # of a mixer; beyond, forces aside take the rotors' drag: none is left
CRAFT = ("target", "chaser")  # whose mock-up each vehicle carries
UPRIGHT_RANK = 4  # of a mixer whose rotors are not tilted
# R_LH for each axis that may point up: the next two are x and y of L
_UP = {
    "z": np.eye(3),
    "x": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "y": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
}


@dataclass(frozen=True)
class ArenaFile:
    """A flight arena by its name."""

    name: str
    file: FlightArena

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `load_arena` turns into the same arena, bit by bit."""
        return {"name": self.name, "file": self.file.model_dump(mode="json")}


class FlownMission(NamedTuple):
    """A mission fitted to an arena."""

    built: Built
    lab: ArenaLab
    drawn: Drawn
    cycles: int  # of the autopilots in a step of the plant


def load_arena(
    facility: str | os.PathLike[str] | Plain[str, Any] | Lab | ArenaFile,
) -> ArenaFile | None:
    """A flight arena, shipped, from a file or from a run's provenance; None if the facility is of
    another kind."""
    if isinstance(facility, ArenaFile):
        return facility
    if isinstance(facility, Lab):
        return None
    name, where, document = read_facility(facility)
    return _arena(name, where, document) if document.get("kind") == FLIGHT_ARENA else None


def change_arena(arena: ArenaFile, changes: Plain[str, Any]) -> ArenaFile:
    """The arena with other values at dotted keys, checked like a file."""
    document = arena.file.model_dump(mode="json", exclude_none=True)
    raise_problems(arena.name, put_all(document, changes, FlightArena))
    return _arena(arena.name, arena.name, document)


def _arena(name: str, where: str, document: dict[str, Any]) -> ArenaFile:
    try:
        arena = FlightArena.model_validate(document)
    except ValidationError as error:
        raise_problems(where, explain(error, document, FlightArena))
        raise
    _reject_unable(where, arena)
    return ArenaFile(name, arena)


def load_flight_arena(facility: str | os.PathLike[str]) -> ArenaFile:
    """The same; an error if it is of another kind."""
    found = load_arena(facility)
    if found is None:
        raise InputError(f"--facility: name a flight arena, as flight-arena; {facility} is none")
    return found


def without_each(arena: ArenaFile) -> dict[str, ArenaFile]:
    """The arena without each of its effects, by what is left out."""
    given = arena.file
    quiet = given.imu.model_copy(update={"vibration_m_s2": 1e-3, "rate_noise_rad_s": 1e-5})
    changes: dict[str, dict[str, object]] = {"vibration": {"imu": quiet}}
    if given.wake:
        changes["wake"] = {"wake": False}
    if any(given.wind_m_s):
        changes["wind"] = {"wind_m_s": (0.0, 0.0, 0.0)}
    return {
        name: ArenaFile(f"{arena.name} without {name}", given.model_copy(update=change))
        for name, change in changes.items()
    }


def without_script(arena: ArenaFile) -> ArenaFile:
    """The arena whose operator commands nothing."""
    return ArenaFile(arena.name, arena.file.model_copy(update={"operator": Script()}))


def reject_options(
    arena: ArenaFile,
    representation: str,
    nominal: object,
    no_contact: bool = False,
    speed: float = 1.0,
) -> None:
    """Refuses what a flight arena has no use for."""
    wrong = {
        "representation": representation not in ("relative", HILL),
        "nominal": nominal not in ("unforced", HILL),
        "no_contact": no_contact,
        "speed": speed != 1.0,
    }
    found = [name for name, is_wrong in wrong.items() if is_wrong]
    if found:
        raise InputError(
            f"{', '.join(found)}: leave out: in a flight arena ({arena.name}) nothing touches, and "
            "motion is relative to the Hill frame, at the mission's arena.time_scale"
        )


def check_link(arena: ArenaFile | None, link: str | None) -> None:
    """Rejects a link to what cannot be flown over it."""
    if link is not None and arena is None:
        raise InputError("link: leave out: only flight arenas are flown over a link")
    if link is None or link == VIRTUAL:
        return
    if not is_address(link):
        raise InputError(f"link: write {VIRTUAL} or udp://127.0.0.1:14550, found {link!r}")
    parse_links(link)


def geometry_of(given: Multirotor) -> Geometry:
    """Rotors as the laws have them."""
    return Geometry(
        given.arm_m,
        math.radians(given.alpha_deg),
        math.radians(given.beta_deg),
        given.drag_ratio_m,
        given.min_thrust_N,
        given.max_thrust_N,
    )


def tilt_limit(given: Multirotor, mass: float | None = None) -> float:
    """Largest tilt [rad] at which a vehicle hovers, with payloads if its mass [kg] is given; none
    that it can choose with upright rotors."""
    geometry = geometry_of(given)
    if rank(mixer(geometry)) < ROTORS:
        return 0.0
    return hover_tilt_limit(geometry, (mass or given.mass_kg) * GRAVITY)


def _reject_unable(where: str, arena: FlightArena) -> None:
    """Refuses vehicles that cannot hover, or neither move aside nor lean properly."""
    given = arena.vehicle
    geometry = geometry_of(given)
    H = mixer(geometry)
    found, spread = rank(H), condition(H)
    if found not in (UPRIGHT_RANK, ROTORS) or (found == ROTORS and spread > WORST_CONDITION):
        raise InputError(
            f"{where}: vehicle: tilt rotors by alpha_deg, or leave both tilts 0: with alpha_deg = "
            f"{given.alpha_deg:g} and beta_deg = {given.beta_deg:g} the mixer has rank {found}, "
            f"condition {spread:.3g}; possible are rank {ROTORS} with at most {WORST_CONDITION:g} "
            f"and, upright, rank {UPRIGHT_RANK}"
        )
    loads = loads_of(arena, geometry)
    for which, name in enumerate(CRAFT):
        thrusts = loads.allocation[which, :, 2] * loads.mass[which] * GRAVITY
        if thrusts.max() > given.max_thrust_N or thrusts.min() < given.min_thrust_N:
            raise InputError(
                f"{where}: vehicle.mass_kg, payloads.{name}: a hover takes {thrusts.min():.3g} to "
                f"{thrusts.max():.3g} N of the rotors of the {name}'s vehicle, possible are "
                f"{given.min_thrust_N:g} to {given.max_thrust_N:g} N"
            )


def cycles_of(scenario: Scenario) -> int:
    """The autopilots' cycles in a step of the plant, the same in all phases; refused where it has
    no whole number of them, or targets would come too seldom."""
    scale = (scenario.mission.arena or InArena()).time_scale
    time, longest = scenario.mission.time, scale * SLOWEST_S
    counts = []
    for step in time.steps_s.values():
        cycles = step / (scale * CYCLE)
        counts.append(round(cycles))
        if abs(cycles - round(cycles)) > 1e-6 or not 1 <= round(cycles) <= round(SLOWEST_S / CYCLE):
            raise InputError(
                f"{scenario.name}: time: choose a step_s of {longest:g} s, or of {longest:g} s "
                f"over 2, 4 or 8: {step:g} s in orbit are {1e3 * step / scale:g} ms in the arena "
                f"at arena.time_scale = {scale:g}, where targets are sent every 2.5, 5, 10 or 20 ms"
            )
    if len(set(counts)) > 1:
        listed = ", ".join(f"{place[-1]} {step:g} s" for place, step in time.steps_s.items())
        raise InputError(
            f"{scenario.name}: time: give all phases one step_s: the guard counts on targets at "
            f"one rate, found {listed}"
        )
    return counts[0]


def arena_of(given: FlightArena) -> Arena:
    """Vehicles, sensors and air."""
    craft, seen, imu, limits = given.vehicle, given.motion_capture, given.imu, given.limits
    wake = jet(ROTORS, 0.5 * craft.propeller_m)
    x, y, z = craft.inertia_kg_m2
    return Arena(
        vehicle(
            geometry_of(craft),
            craft.mass_kg,
            (x, y, z),
            craft.rotor_lag_s,
            craft.drag_N_s_m,
            wake if given.wake else wake._replace(spread=-1.0),
        ),
        Gains(),
        Sensing(
            imu.vibration_m_s2,
            imu.rate_noise_rad_s,
            imu.force_bias_m_s2,
            imu.rate_bias_rad_s,
            seen.position_noise_m,
            seen.angle_noise_rad,
            max(1, round(1.0 / (seen.rate_hz * CYCLE))),
            round(seen.delay_s / CYCLE),
            seen.timeout_s,
            math.inf if seen.lost_at_s is None else seen.lost_at_s,
        ),
        np.array(given.wind_m_s),
        faults_of(given),
        battery_of(given),
        Watch(limits.abort_m, math.radians(limits.abort_deg), limits.abort_saturated_s),
        loads_of(given, geometry_of(craft)),
        np.array([given.flies in ("both", name) for name in CRAFT], dtype=np.int64),
    )


def mapping_of(given: FlightArena, shown: InArena) -> Mapping:
    """How the mission's motion is shown: level where a hub has the axes of the Hill frame."""
    R_LH = _UP[shown.up]
    if shown.heading_deg != 0.0:
        c, s = (f(math.radians(shown.heading_deg)) for f in (math.cos, math.sin))
        R_LH = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ R_LH
    upright = quaternion_of(R_LH.T)
    return Mapping(
        Scaling(shown.length_scale, shown.time_scale),
        np.array(shown.origin_m or given.origin_m),
        quaternion_of(R_LH),
        np.array([upright, upright]),
    )


def fence_of(given: FlightArena) -> Fence:
    """What targets must keep, so that flights keep the arena's limits."""
    tips, limits, model = given.vehicle.tips_m, given.limits, arena_of(given)
    speed, acceleration = limits.speed_m_s, limits.acceleration_m_s2
    tracking = largest_error(model.vehicle, model.gains, speed, acceleration)
    walls, apart = limits.walls_m + tracking, limits.separation * tips
    sideways = math.inf
    if model.vehicle.tilted:
        lean = min(tilt_limit(given.vehicle, float(mass)) for mass in model.loads.mass)
        sideways = USABLE * GRAVITY * math.sin(lean)
    return Fence(
        np.array(given.p_min_m) + walls,
        np.array(given.p_max_m) - walls,
        apart + 2.0 * tracking + MARGIN,
        tips,
        apart,
        tracking,
        speed,
        acceleration,
        limits.jerk_m_s3,
        math.radians(limits.yaw_rate_deg_s),
        math.radians(limits.turn_acceleration_deg_s2),
        sideways,
        given.motion_capture.timeout_s,
    )


def operator_of(given: FlightArena, asked: Asked | None = None) -> Operator:
    """Who commands a flight: the facility file, then whoever is `asked`."""
    script = given.operator
    times = {HOLD: script.hold_at_s, RETURN: script.return_at_s, LAND: script.land_at_s}
    return Operator(((at_s, name) for name, at_s in times.items() if at_s is not None), asked)


def fit_arena(scenario: Scenario, arena: ArenaFile, steps: int) -> FlownMission:
    """A mission in an arena, with random numbers for so many steps in store; vehicles at the
    arena's origin until they are flown to their start.  StoppedError where one is not ready."""
    given, model = arena.file, arena_of(arena.file)
    shown, cycles = scenario.mission.arena or InArena(), cycles_of(scenario)
    reject_unready(given, model, scenario.mission.time.duration_s / shown.time_scale)
    built, mapping = build(scenario), mapping_of(given, shown)
    drawn = Drawn(scenario.mission.seed, steps * cycles)
    at_origin = flight(model, np.tile(np.array(given.origin_m), (PAIR, 1)), np.zeros(PAIR))
    return FlownMission(
        built,
        arena_lab(model, at_origin, mapping, fence_of(given), drawn, cycles),
        drawn,
        cycles,
    )


def reject_scripted(arena: ArenaFile) -> None:
    """Refuses scripted faults where vehicles are outside of this process."""
    scripted = [f"faults.{name}" for name in arena.file.faults]
    if arena.file.motion_capture.lost_at_s is not None:
        scripted.append("motion_capture.lost_at_s")
    if scripted:
        raise InputError(
            f"{arena.name}: leave out {', '.join(scripted)}: faults strike virtual vehicles only, "
            "not those behind a link or served to firmware"
        )


def served_physics(scenario: Scenario, arena: ArenaFile) -> ServedPhysics:
    """Both vehicles on the floor where the mission begins, for firmware in the loop."""
    reject_scripted(arena)
    made = fit_arena(at_one_step(scenario), arena, 1)
    first_commands(pinned(made.lab), made.built.plant, made.built.y)
    places, yaws = standing_places(made.lab)
    return ServedPhysics(arena_of(arena.file), places, yaws, scenario.mission.seed)
