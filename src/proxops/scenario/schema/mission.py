"""The root of a scenario file."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from proxops.scenario.schema.arena import InArena
from proxops.scenario.schema.base import Name, Section, reject, reject_all
from proxops.scenario.schema.contact import Contact, Hold, missing_arms, port_problems
from proxops.scenario.schema.craft import Chaser, Target
from proxops.scenario.schema.dispersion import Dispersion
from proxops.scenario.schema.fault_injection import FaultInjection
from proxops.scenario.schema.fault_injection import fit_problems as injection_problems
from proxops.scenario.schema.ground import Ground
from proxops.scenario.schema.obsw import Obsw, rate_problems
from proxops.scenario.schema.obsw_fit import (
    arm_problems,
    brake_problems,
    onboard_problems,
    orbital_problems,
    planned_problems,
)
from proxops.scenario.schema.orbit import Orbit
from proxops.scenario.schema.requirement import Requirement
from proxops.scenario.schema.robot import OnGround, Robot, fit_problems
from proxops.scenario.schema.sensors import Sensors, sun_problems
from proxops.scenario.schema.sensors import fit_problems as sensor_problems
from proxops.scenario.schema.time import Time
from proxops.scenario.schema.zones import Zones

MAX_SEED = 2**63  # a seed is below it


class Mission(Section):
    """A mission: two spacecraft, their orbit, the on-board software and the requirements.

    Frames: N inertial; H Hill frame at the reference orbit (x radial, y along-track, z normal),
    the same as N where there is no orbit; C and T the spacecraft's hubs.  Quaternions are wxyz.
    """

    title: str = Field(min_length=1, max_length=200, description="One line that says what happens")
    seed: int = Field(default=0, ge=0, lt=MAX_SEED, description="Seed of all randomness [-]")
    time: Time = Field(description="Duration, rates and phases")
    orbit: Orbit | None = Field(
        default=None, description="Reference orbit; without one there is no gravity"
    )
    zones: Zones | None = Field(
        default=None, description="Safety zones about the target; only with an orbit"
    )
    chaser: Chaser = Field(description="The spacecraft that carries the arms")
    target: Target = Field(description="The spacecraft to be serviced")
    contacts: dict[Name, Contact] = Field(
        default={}, description="Where the two can touch, by name"
    )
    holds: dict[Name, Hold] = Field(default={}, description="Holds between the two, by name")
    collisions: Literal["fail", "report"] = Field(
        default="fail",
        description="What a collision does: parts that meet where no contact or hold joins them "
        "fail the run, or are only reported as events",
    )
    robot: Robot | None = Field(
        default=None, description="Robot in a lab that renders the target; none in orbit"
    )
    arena: InArena | None = Field(
        default=None, description="How a flight arena shows the mission; at its own size and pace"
    )
    on_ground: OnGround | None = Field(
        default=None, description="What robots show in place of a mission that they cannot show"
    )
    sensors: Sensors = Field(
        default=Sensors(), description="The chaser's sensors, for a capture or a user's controller"
    )
    obsw: Obsw = Field(default=Obsw(), description="On-board software")
    ground: Ground | None = Field(
        default=None, description="What the ground sends, and when it cannot be heard"
    )
    faults: dict[Name, FaultInjection] = Field(
        default={}, description="Scripted faults, by name; those of sensors stand with the sensors"
    )
    requirements: dict[Name, Requirement] = Field(
        default={}, description="What the run must fulfil, by name"
    )
    dispersions: dict[Name, Dispersion] = Field(
        default={}, description="What is truly different from case to case, by name"
    )

    @field_validator("zones")
    @classmethod
    def _are_in_orbit(cls, zones: Zones | None, info: ValidationInfo) -> Zones | None:
        if zones is not None and "orbit" in info.data and info.data["orbit"] is None:
            raise reject("add an [orbit]: zones lie along the axes of its Hill frame")
        return zones

    @field_validator("contacts", "holds")
    @classmethod
    def _touch_with_what_exists(
        cls, given: dict[str, Contact] | dict[str, Hold], info: ValidationInfo
    ) -> dict[str, Contact] | dict[str, Hold]:
        chaser = info.data.get("chaser")
        if isinstance(chaser, Chaser):  # absent while the chaser has problems
            reject_all(missing_arms(given, chaser.arms))
        return given

    @field_validator("holds")
    @classmethod
    def _have_ports_on_the_surface(
        cls, holds: dict[str, Hold], info: ValidationInfo
    ) -> dict[str, Hold]:
        chaser, target = info.data.get("chaser"), info.data.get("target")
        if isinstance(chaser, Chaser) and isinstance(target, Target):  # absent with problems
            reject_all(port_problems(holds, chaser.shapes.values(), target.shapes.values()))
        return holds

    @field_validator("robot")
    @classmethod
    def _keeps_step(cls, robot: Robot | None, info: ValidationInfo) -> Robot | None:
        time, orbit = info.data.get("time"), info.data.get("orbit")
        if robot is not None and isinstance(time, Time):  # absent while it has problems
            reject_all(fit_problems(robot, time))
        if robot is not None and isinstance(orbit, Orbit) and orbit.inside is not None:
            text = "leave out orbit.inside: a robot renders the target with all orbital terms"
            reject_all([((), text)])
        return robot

    @field_validator("sensors")
    @classmethod
    def _in_step(cls, sensors: Sensors, info: ValidationInfo) -> Sensors:
        time = info.data.get("time")
        problems = sun_problems(sensors, info.data.get("orbit"))
        if isinstance(time, Time):  # absent while it has problems
            problems += sensor_problems(sensors, time)
        if sensors.latches is not None and info.data.get("holds") == {}:
            problems.append((("latches",), "there is no hold for it to report; leave it out"))
        reject_all(problems)
        return sensors

    @field_validator("ground")
    @classmethod
    def _is_heard_in_time(cls, ground: Ground | None, info: ValidationInfo) -> Ground | None:
        time = info.data.get("time")
        if ground is not None and isinstance(time, Time):  # absent while it has problems
            reject_all(ground.late(time))
        return ground

    @field_validator("faults")
    @classmethod
    def _strike_what_exists(
        cls, faults: dict[str, FaultInjection], info: ValidationInfo
    ) -> dict[str, FaultInjection]:
        known = (info.data.get(each) for each in ("time", "chaser", "obsw"))
        reject_all(injection_problems(faults, *known))
        return faults

    @field_validator("obsw")
    @classmethod
    def _runs_in_its_cycles(cls, obsw: Obsw, info: ValidationInfo) -> Obsw:
        time = info.data.get("time")
        if isinstance(time, Time):  # absent while it has problems
            reject_all(rate_problems(obsw, time))
            reject_all(orbital_problems(obsw, time, info.data.get("orbit")))
        return obsw

    @field_validator("obsw")
    @classmethod
    def _controls_what_exists(cls, obsw: Obsw, info: ValidationInfo) -> Obsw:
        chaser = info.data.get("chaser")
        if isinstance(chaser, Chaser):  # absent while the chaser has problems
            problems = onboard_problems(obsw, chaser, info.data.get("contacts"))
            if {"orbit", "zones"} <= info.data.keys():
                problems += planned_problems(obsw, chaser, info.data["orbit"], info.data["zones"])
            holds, sensors = info.data.get("holds"), info.data.get("sensors")
            problems += arm_problems(obsw, chaser, holds, sensors)
            problems += brake_problems(obsw, info.data.get("time"))
            reject_all(problems)
        return obsw
