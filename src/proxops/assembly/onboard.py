"""A chaser's sensors and software from a scenario; the software believes the undispersed one."""

from dataclasses import dataclass, field

import numpy as np

from proxops import actuators
from proxops.assembly.capture import capture_of, navigation_of
from proxops.assembly.platform import platform_of
from proxops.assembly.sensors import build_sensors, sensors_of
from proxops.bus.bus import Bus, bus_of, command_fields, ideal_fields
from proxops.bus.fields import Field
from proxops.core.description import CraftDescription
from proxops.onboard.function import Function
from proxops.onboard.functions import joint_control
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.boost import boost
from proxops.onboard.functions.boost.boost import Boost
from proxops.onboard.functions.capture import cycle
from proxops.onboard.functions.joint_control import JointControl
from proxops.onboard.functions.navigation import function as navigation
from proxops.onboard.schedule import ScheduledSensor
from proxops.scenario.load import Scenario
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sensor import Chaser, block_fields

CONTROLLER_FIELDS = (
    Field("controller.mode", title="Mode of the controller", signal="obsw.mode"),
    Field("controller.reason", shape=(3,), title="Not used by it"),
)
MOST_TURNS = 4002  # that one call of the loop may take: rows of random numbers in store


@dataclass
class Onboard:
    """A chaser's sensors and software, ready for the loop."""

    bus: Bus
    functions: list[Function]  # in their order
    sensors: list[ScheduledSensor]  # none: its software has ideal sensors only
    draws: SensorDraws = field(repr=False)
    platform: Platform = field(repr=False)
    limits: np.ndarray = field(repr=False)  # of the arms' motors [N m or N]
    period: int  # of a user's function, else of all [ns]


def build_onboard(
    scenario: Scenario, chaser: CraftDescription, control: JointControl, burn: Boost
) -> Onboard:
    """Sensors and software of a scenario's chaser, and their start."""
    mission = scenario.mission
    own, tick = mission.obsw.controller, mission.time.control_ns
    joints = tuple(f"{arm.name}.{joint.name}" for arm in chaser.arms for joint in arm.arm.joints)
    wheels = tuple(each.name for each in chaser.wheels)
    count = Chaser(len(joints) + len(wheels), len(mission.chaser.thrusters))
    platform = platform_of(scenario.believed.mission)
    functions = _functions(scenario, control, burn, platform)
    senses = mission.obsw.capture is not None or own is not None
    bus = bus_of(
        measured=[f for each in sensors_of(scenario) for f in block_fields(each, count)],
        ideal=ideal_fields(count.joints),
        estimated=[
            *(CONTROLLER_FIELDS if own is not None else ()),
            *(f for each in functions for f in each.fields),
        ],
        commanded=command_fields(
            joints, wheels, tuple(mission.chaser.thrusters), tuple(mission.holds)
        ),
    )
    sensors, draws = build_sensors(scenario, count, bus.measurements, MOST_TURNS)
    return Onboard(
        bus,
        functions,
        sensors if senses else [],
        draws,
        platform,
        actuators.build(chaser.arms).limit,
        tick if own is None else own.period_ns(tick),
    )


def _functions(
    scenario: Scenario, control: JointControl, burn: Boost, platform: Platform
) -> list[Function]:
    """The shipped functions of a scenario, in their order."""
    tick, known = scenario.mission.time.control_ns, scenario.believed
    if scenario.mission.obsw.controller is not None:
        return [allocate.function(platform, tick)]
    capture = known.mission.obsw.capture
    if capture is not None:
        params = capture_of(known, capture)
        return [
            navigation.function(navigation_of(known), params.belief.chaser, tick),
            cycle.function(params, tick),
            allocate.function(platform, tick),
        ]
    functions = [joint_control.function(control, tick)]
    return functions + ([boost.function(burn, tick)] if burn.number.size else [])
