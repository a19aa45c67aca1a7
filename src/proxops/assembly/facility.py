"""Facilities: read from a shipped name or a file, and fitted with a mission's mock-ups."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from proxops.assembly.describe import describe
from proxops.core.description import RigidInertia, point_inertia
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame
from proxops.facility.robot_cell.arms import links_of, posed
from proxops.facility.robot_cell.industrial.kr120 import DEGREE, KR120
from proxops.facility.robot_cell.industrial.robot import (
    Placement,
    Robot,
    RobotDescription,
    build,
)
from proxops.scenario.keys import put_all
from proxops.scenario.load import Scenario
from proxops.scenario.problems import explain, raise_problems, shown
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.calibration import Calibration
from proxops.scenario.schema.facility import CarrierRobot, Facility
from proxops.scenario.schema.robot import Sensor
from proxops.scenario.source import read_facility_file

MODELS = {KR120.name: KR120}
FLIGHT_ARENA = "flight-arena"  # kind of a facility file that has no robots but multirotors

# How signals and events of contact begin
TOUCHING = ("contacts.", "holds.")
TOUCHES = ("touch-down", "lift-off", "separation", "hold-")


@dataclass(frozen=True)
class Lab:
    """A facility by its name."""

    name: str
    facility: Facility

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `load_facility` turns into the same facility, bit by bit."""
        return {"name": self.name, "file": self.facility.model_dump(mode="json")}


FacilityGiven = str | os.PathLike[str] | Mapping[str, Any] | Lab


class Robots(NamedTuple):
    """The robots of a facility with the mock-ups of a mission: M is Tl and Cl."""

    target: Robot
    chaser: Robot


def load_facility(facility: FacilityGiven) -> Lab:
    """A shipped facility of robots, one from a file, or the one that a run's provenance has."""
    if isinstance(facility, Lab):
        return facility
    name, where, document = read_facility(facility)
    if document.get("kind") == FLIGHT_ARENA:
        raise InputError(f"{where}: is a flight arena, which is for `rehearse` alone")
    lab = _lab(name, where, document)
    if not isinstance(facility, Mapping):  # recordings of earlier versions did not say so
        raise_problems(where, _carrier_problems(lab.facility))
    return lab


def change_facility(lab: Lab, changes: Mapping[str, Any]) -> Lab:
    """The facility with other values at dotted keys, checked like a file."""
    document = lab.facility.model_dump(mode="json", exclude_none=True)
    raise_problems(lab.name, put_all(document, changes, Facility))
    changed = _lab(lab.name, lab.name, document)
    raise_problems(lab.name, _carrier_problems(changed.facility))
    return changed


def _lab(name: str, where: str, document: dict[str, Any]) -> Lab:
    try:
        return Lab(name, Facility.model_validate(document))
    except ValidationError as error:
        raise_problems(where, explain(error, document, Facility))
        raise


# What a force sensor does to a rehearsal, by the fields that make it
SENSOR_EFFECTS = {
    "sensor lag": ("filter_hz", "rate_hz", "delay_s"),
    "sensor noise": ("noise_N", "noise_N_m"),
    "sensor bias": ("bias_N", "bias_N_m"),
}


def _carrier_problems(facility: Facility) -> list[Problem]:
    """A facility either has robots, or says that it needs none."""
    if facility.robots is None and facility.carriers is None:
        text = 'missing; give [robots.target] and [robots.chaser], or carriers = "ideal" for '
        return [(("robots",), f"{text}carriers without limits, or extend a shipped facility")]
    if facility.robots is not None and facility.carriers is not None:
        return [(("carriers",), "remove it: this facility has robots")]
    return []


def read_facility(
    facility: str | os.PathLike[str] | Mapping[str, Any],
) -> tuple[str, str, dict[str, Any]]:
    """Name, place and content of a shipped facility, of one from a file, or of the one that a run's
    provenance has."""
    if isinstance(facility, Mapping):
        return _stored(facility)
    source = read_facility_file(os.fspath(facility))
    return source.name, source.where, source.document


def _stored(data: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """The facility that `to_dict` wrote."""
    name, document = data.get("name"), data.get("file")
    if not (isinstance(name, str) and isinstance(document, dict)):
        raise InputError("stored facility: must have a name and a file, as provenance has them")
    return name, f"stored facility {shown(name)}", document


def without_each(lab: Lab) -> dict[str, Lab]:
    """The facility without each of its effects, by what is left out."""
    given, servo = lab.facility, lab.facility.servo
    changes: dict[str, dict[str, object]] = {}
    if given.robots is not None:
        if servo.bandwidth_hz is not None:
            stiff = servo.model_copy(update={"bandwidth_hz": None})
            changes["servo lag"] = {"servo": stiff}
        cycle = 1.0 / given.command_rate_hz if given.command_rate_hz else 0.0
        if servo.delay_s > cycle > 0.0:
            shorter = servo.model_copy(update={"delay_s": cycle})
            changes["delay"] = {"servo": shorter}
        changes["robots"] = {"robots": None}
    sensor = given.flange_sensor if given.feedback_sensor == "flange" else given.wrist_sensor
    for effect, fields in SENSOR_EFFECTS.items():
        ideal = {name: getattr(Sensor(), name) for name in fields}
        better = sensor.model_copy(update=ideal)
        if better != sensor:
            changes[effect] = {f"{given.feedback_sensor}_sensor": better}
    off, right = given.calibration, Calibration()
    errors = [
        name for name in Calibration.model_fields if getattr(off, name) != getattr(right, name)
    ]
    if errors:
        changes["calibration"] = {"calibration": right}
    for name in errors if len(errors) > 1 else ():
        less = off.model_copy(update={name: getattr(right, name)})
        changes[f"error of {name.replace('_', ' ')}"] = {"calibration": less}
    return {
        name: Lab(f"{lab.name} without {name}", given.model_copy(update=change))
        for name, change in changes.items()
    }


def without_contact(scenario: Scenario) -> Scenario:
    """The mission with nothing that touches or holds, nor requirements on it: a dry run.  What was
    to touch overlaps in it, so that collisions are only reported."""
    mission = scenario.mission
    about = [
        name
        for name, demand in mission.requirements.items()
        if (demand.signal or "").startswith(TOUCHING) or (demand.event or "").startswith(TOUCHES)
    ]
    gone = [name for name in ("contacts", "holds") if getattr(mission, name)]
    gone += [f"requirements.{name}" for name in about]
    gone += [
        f"dispersions.{name}"
        for name, each in scenario.believed.mission.dispersions.items()
        if each.key.startswith(TOUCHING)
    ]
    return scenario.replace({**dict.fromkeys(gone), "collisions": "report"})


def start_pose(facility: Facility, scenario: Scenario) -> Frame:
    """X_LTl when a rehearsal begins: the mission's grapple frame G is where the facility has it."""
    start = facility.start
    return frame(start.p_LG_m, start.q_LG) @ _grapple(scenario).inverse()


def fit_out(facility: Facility, scenario: Scenario, q: np.ndarray | None = None) -> Robots:
    """The facility's robots with the mission's mock-ups on their flanges; the joints of all arms
    are at q, or as they are at the start."""
    robots = facility.robots
    if robots is None:
        raise InputError("this facility has no robots: nothing limits it")
    chaser, _, _ = describe(scenario)
    one, other = (model_of(facility, each.model) for each in (robots.target, robots.chaser))
    target = _robot(one, robots.target, _grapple(scenario), ())
    if not chaser.arms:
        return Robots(target, _robot(other, robots.chaser, Frame(np.eye(3), np.zeros(3)), ()))
    first, arms = chaser.arms[0], chaser.arms if q is None else posed(chaser.arms, q)
    X_CA = Frame(first.R_CA, first.p_CA)
    return Robots(target, _robot(other, robots.chaser, X_CA, links_of(arms)))


def model_of(facility: Facility, name: str) -> RobotDescription:
    """A shipped robot, or one of the facility's own."""
    if name in MODELS:
        return MODELS[name]
    own = facility.robot_models[name]
    return RobotDescription(
        name=name,
        a1=own.a1_m,
        d1=own.d1_m,
        a2=own.a2_m,
        a3=own.a3_m,
        d4=own.d4_m,
        d6=own.d6_m,
        signs=own.signs,
        payload=own.payload_kg,
        moment=own.moment_N_m,
        inertia=own.inertia_kg_m2,
        offsets=_radians(own.offsets_deg),
        lower=_radians(own.lower_deg),
        upper=_radians(own.upper_deg),
        speed=_radians(own.speed_deg_s),
        acceleration=_radians(own.acceleration_deg_s2),
        jerk=_radians(own.jerk_deg_s3),
    )


def _radians(angles_deg: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(DEGREE * angle for angle in angles_deg)


def _grapple(scenario: Scenario) -> Frame:
    """X_TG."""
    grapple = scenario.mission.target.grapple
    return frame(grapple.p_TG_m, grapple.q_TG)


def _robot(
    model: RobotDescription, given: CarrierRobot, X_BM: Frame, more: tuple[RigidInertia, ...]
) -> Robot:
    """A robot that carries the body B by its frame M; `more` is on B too, given in B."""
    X_KB = frame(given.p_KM_m, given.q_KM) @ X_BM.inverse()
    X_BK = X_KB.inverse()
    bolted, com = given.mock_up, np.array(given.mock_up.p_KS_m)
    I = np.array(bolted.inertia_kg_m2) + point_inertia(bolted.mass_kg, com)
    load = RigidInertia(bolted.mass_kg, com, I).seen_from(X_BK.R, X_BK.p)
    for each in more:
        load = load.joined(each)
    X_LB = np.array([*given.p_LB_m, *given.q_LB])
    return build(model, Placement(X_LB, X_KB.row(), load))
