"""A chaser's sensors and software from a scenario; the software believes the undispersed one."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from proxops import actuators
from proxops.assembly.berthing import berthing_of
from proxops.assembly.capture import capture_of, navigation_of
from proxops.assembly.extensions import extension
from proxops.assembly.ground import ground_windows
from proxops.assembly.joint_rate import joint_rate
from proxops.assembly.orbital_navigation import absent_fields, orbital_navigation_of
from proxops.assembly.platform import platform_of
from proxops.assembly.rendezvous import RENDEZVOUS_FIELDS, build_legs, rendezvous_functions
from proxops.assembly.sensors import build_sensors, sensors_of
from proxops.bus.bus import Bus, bus_of, command_fields, ideal_fields
from proxops.bus.fields import Field
from proxops.core.description import CraftDescription
from proxops.core.errors import InputError
from proxops.onboard import command_check
from proxops.onboard.function import Function
from proxops.onboard.functions import ground, joint_control
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.berthing import function as berthing
from proxops.onboard.functions.boost import boost
from proxops.onboard.functions.boost.boost import Boost
from proxops.onboard.functions.capture import cycle
from proxops.onboard.functions.joint_control import JointControl
from proxops.onboard.functions.navigation import function as navigation
from proxops.onboard.functions.plan.function import linked as link_plan
from proxops.onboard.functions.plan.function import running_together
from proxops.onboard.schedule import ScheduledSensor, own_periods
from proxops.onboard.user.functions import declared_fields, function_of
from proxops.scenario.fault_injection import guidance_failures
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission
from proxops.scenario.schema.extension import period_ns, rate_problem
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sensor import Chaser, block_fields

CONTROLLER_FIELDS = (
    *command_check.FIELDS,
    Field("controller.mode", title="Mode of the controller", signal="obsw.mode"),
)
MAX_CYCLES = 4002  # that one call of the loop may take: rows of random numbers in store


@dataclass
class Onboard:
    """A chaser's sensors and software, ready for the loop."""

    bus: Bus
    functions: list[Function]  # in their order
    activity: np.ndarray = field(repr=False)  # 1 for those that run, see onboard.schedule
    periods: np.ndarray = field(repr=False)  # of each [ns]
    sensors: list[ScheduledSensor]  # none: its software has ideal sensors only
    draws: SensorDraws = field(repr=False)
    platform: Platform = field(repr=False)
    limits: np.ndarray = field(repr=False)  # of the arms' motors [N m or N]
    period: int  # of a user's function, else of all [ns]

    def running_together(self) -> list[list[Function]]:
        """Those functions that run in each leg of a plan; all of them without one."""
        return running_together(self.functions)

    def joint_rate(self, mission: Mission) -> str:
        """Which rate sets how often the joints are commanded, as a message names it."""
        return joint_rate(mission, self.functions)

    def flown_by(self, functions: list[Function]) -> "Onboard":
        """The same with other functions, all of which run, at their own periods."""
        activity, periods = np.ones(len(functions)), own_periods(functions)
        return replace(self, functions=functions, activity=activity, periods=periods)


def build_onboard(
    scenario: Scenario, chaser: CraftDescription, control: JointControl, burn: Boost
) -> Onboard:
    """Sensors and software of a scenario's chaser, and their start."""
    mission = scenario.mission
    own, tick = mission.obsw.controller, mission.time.control_ns
    joints = tuple(f"{arm.name}.{joint.name}" for arm in chaser.arms for joint in arm.arm.joints)
    wheels = tuple(each.name for each in chaser.wheels)
    count = Chaser(len(joints) + len(wheels), len(mission.chaser.thrusters), tuple(mission.holds))
    users = _users(scenario)
    platform = platform_of(scenario.believed)
    shipped = _shipped(scenario, control, burn, users)
    flies_plan = mission.obsw.plan is not None
    commands_base = (
        own is not None
        or flies_plan
        or any(name.startswith("base") for name in (*_written(shipped), *_declared_writes(users)))
    )
    if commands_base:
        shipped.append(allocate.function(platform, tuple(mission.chaser.thrusters), tick))
    senses = own is not None or _navigates(scenario) or bool(users) or flies_plan
    sensed = [f for each in sensors_of(scenario) for f in block_fields(each, count)]
    berths = any(each.name == "berthing" for each in shipped)
    bus = bus_of(
        measured=[*sensed, *absent_fields(scenario, count)],
        ideal=ideal_fields(count.joints),
        estimated=[
            *(CONTROLLER_FIELDS if own is not None else ()),
            *(f for each in shipped for f in each.fields),
            # What the navigation reads of an allocation: nothing is pushed without one
            *(allocate.FIELDS if _navigates(scenario) and not commands_base else ()),
            # And of a berthing: without one it is not known that nothing touches the target
            *((berthing.TARGET_FREE,) if _navigates(scenario) and not berths else ()),
            *(f for name, given in users.items() for f in declared_fields(name, given)),
            *(command_check.FIELDS if _declared_writes(users) else ()),
            *(RENDEZVOUS_FIELDS if flies_plan else ()),
        ],
        commanded=command_fields(
            joints, wheels, tuple(mission.chaser.thrusters), tuple(mission.holds)
        ),
    )
    limits = actuators.build(chaser.arms).limit
    cycles = MAX_CYCLES if senses else 0
    sensors, draws = build_sensors(scenario, count, bus.measurements, cycles)
    flown = _checked(_built(scenario, users, bus), bus, platform, limits, tick)
    legs = build_legs(scenario.believed, bus) if flies_plan else None
    if legs is not None:
        failures = guidance_failures(mission)
        flown += rendezvous_functions(scenario.believed, legs, bus, tick, failures)
    functions = _in_order(shipped, flown)
    activity, periods = np.ones(len(functions)), own_periods(functions)
    if legs is not None:
        plan = next(each for each in functions if each.name == "plan")
        link_plan(plan, legs, functions, activity, periods)
    return Onboard(
        bus,
        functions,
        activity,
        periods,
        sensors if senses else [],
        draws,
        platform,
        limits,
        mission.time.arm_ns if own is None else own.period_ns(tick),
    )


def _users(scenario: Scenario) -> dict[str, Any]:
    """The user's own functions, in their order."""
    available = scenario.extensions.functions
    return {
        name: extension(available, name, f"obsw.functions.{name}")
        for name in scenario.mission.obsw.functions
    }


def _shipped(
    scenario: Scenario, control: JointControl, burn: Boost, users: dict[str, Any]
) -> list[Function]:
    """The shipped functions of a scenario but for the allocation."""
    tick, believed = scenario.mission.time.control_ns, scenario.believed
    if scenario.mission.obsw.controller is not None:
        return []
    functions: list[Function] = []
    if believed.mission.ground is not None:
        functions.append(ground.function(*ground_windows(believed.mission.ground), tick))
    if _navigates(believed):
        functions.append(navigation.function(*navigation_of(believed), tick))
    if believed.mission.obsw.orbital_navigation is not None:
        functions.append(orbital_navigation_of(believed, believed.mission.obsw.orbital_navigation))
    if believed.mission.obsw.capture is not None:
        functions.append(cycle.function(capture_of(believed, believed.mission.obsw.capture), tick))
    if believed.mission.obsw.berthing is not None:
        params = berthing_of(believed, believed.mission.obsw.berthing)
        functions.append(berthing.function(params, believed.mission.time.arm_ns))
    # Joints that nobody else commands are held at no torque
    taken = "joints" in (*_written(functions), *_declared_writes(users))
    if believed.mission.obsw.joints or not taken:
        functions.append(joint_control.function(control, tick))
    return functions + ([boost.function(burn, tick)] if burn.number.size else [])


def _navigates(scenario: Scenario) -> bool:
    """Whether its software has a navigation."""
    obsw = scenario.mission.obsw
    given = obsw.capture, obsw.berthing, obsw.orbital_navigation
    return any(each is not None for each in given)


def _written(functions: Iterable[Function]) -> list[str]:
    return [name for each in functions for name in each.written]


def _declared_writes(users: dict[str, Any]) -> list[str]:
    return [name for given in users.values() for name in getattr(given, "writes", ())]


def _built(scenario: Scenario, users: dict[str, Any], bus: Bus) -> list[Function]:
    """The user's functions on the bus."""
    tick, made = scenario.mission.time.control_ns, []
    for name, given in users.items():
        section = scenario.mission.obsw.functions[name]
        rate = section.rate_hz or getattr(given, "rate_hz", None)
        problem = rate_problem(rate, scenario.mission.time)
        if problem:
            raise InputError(f"obsw.functions.{name}.rate_hz: {problem}")
        made.append(function_of(name, given, section.parameters, bus, period_ns(rate, tick)))
    return made


def _checked(
    users: list[Function], bus: Bus, platform: Platform, limits: np.ndarray, tick: int
) -> list[Function]:
    """Functions of the user with a check of what they command behind them."""
    commanding = {"base_force", "base_torque", "holds", "joints"}
    if not any(commanding & set(each.written) for each in users):
        return users
    params = command_check.CheckParams(platform, limits)
    memory = command_check.nothing_checked(bus.commands)
    return [*users, command_check.function(params, memory, tick, warns=True)]


def _in_order(shipped: list[Function], flown: list[Function]) -> list[Function]:
    """Ground and navigation, the user's functions and those of a plan, then the others."""
    names = "ground", "navigation", "orbital_navigation"
    first = [each for each in shipped if each.name in names]
    return [*first, *flown, *(each for each in shipped if each not in first)]
