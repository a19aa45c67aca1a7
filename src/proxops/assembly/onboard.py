"""A chaser's sensors and software from a scenario; the software believes the undispersed one."""

from dataclasses import dataclass, field

import numpy as np

from proxops import actuators, sensors
from proxops.assembly.capture import capture_of, navigation_of
from proxops.assembly.platform import platform_of
from proxops.assembly.sensors import describe_sensors
from proxops.bus import estimates, ideal
from proxops.bus.commands import size as commands_size
from proxops.core.clock import NS_PER_S
from proxops.core.description import CraftDescription
from proxops.core.random_rows import SENSORS, TELEMETRY, RandomRows, generator
from proxops.onboard.function import Bus, Function
from proxops.onboard.functions import joint_control, navigation
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.allocation.allocate import AllocationParams, Platform
from proxops.onboard.functions.boost import boost
from proxops.onboard.functions.boost.boost import Boost, BoostParams
from proxops.onboard.functions.capture import cycle, modes
from proxops.onboard.functions.capture.control import Room
from proxops.onboard.functions.capture.cycle import CaptureMemory
from proxops.onboard.functions.joint_control import JointControl
from proxops.onboard.functions.navigation import function as navigating
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.function import NavigationMemory, NavigationParams
from proxops.onboard.schedule import Sampling
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import scratch_for
from proxops.scenario.load import Scenario
from proxops.sensors import draws, stage

MOST_TURNS = 4002  # that one call of the loop may take: rows of random numbers in store


@dataclass
class Onboard:
    """A chaser's sensors and software, ready for the loop."""

    bus: Bus
    functions: list[Function]  # in their order
    sampling: Sampling | None  # None: it has ideal sensors only
    draws: RandomRows = field(repr=False)  # of the sensors
    platform: Platform = field(repr=False)
    limits: np.ndarray = field(repr=False)  # of the arms' motors [N m or N]
    period: int  # of a user's function, else of all [ns]

    def memory_of(self, name: str) -> np.ndarray:
        """The memory of a function, empty without it."""
        for each in self.functions:
            if each.name == name:
                return np.asarray(each.memory.memory)
        return np.zeros(0)


def build_onboard(
    scenario: Scenario, chaser: CraftDescription, control: JointControl, burn: Boost
) -> Onboard:
    """Sensors and software of a scenario's chaser, and their start."""
    mission = scenario.mission
    capture, own = mission.obsw.capture, mission.obsw.controller
    tick = mission.time.control_ns
    joints = sum(len(mounted.arm.joints) for mounted in chaser.jointed)
    thrusters = len(mission.chaser.thrusters)
    platform = platform_of(scenario.believed.mission)
    functions: list[Function] = []
    if capture is not None:
        functions = _capture(scenario, joints)
    elif own is None:
        functions = [Function("joint_control", joint_control.step, control, period=tick)]
        functions += _boost(burn, joints, tick)
    sampling, store = _sensors(scenario, joints, thrusters)
    senses = capture is not None or own is not None
    if senses:
        params = AllocationParams(platform, joints)
        memory = allocate.start(platform)
        functions.append(Function("allocation", allocate.step, params, memory, tick))
    return Onboard(
        Bus(
            sensors.blank(joints, thrusters),
            np.zeros(ideal.size(joints)),
            np.zeros(estimates.SIZE),
            np.zeros(commands_size(joints, thrusters)),
        ),
        functions,
        sampling if senses else None,
        store,
        platform,
        actuators.build(chaser.arms).limit,
        tick if own is None else own.period_ns(tick),
    )


def _sensors(scenario: Scenario, joints: int, thrusters: int) -> tuple[Sampling, RandomRows]:
    mission = scenario.mission
    described = describe_sensors(mission.sensors, mission.target.grapple)
    params = sensors.build(described, joints, thrusters, mission.time.control_ns)
    rng = generator(mission.seed, SENSORS)
    start = rng.standard_normal(draws.width(joints))
    store = RandomRows(
        MOST_TURNS,
        (rng, (draws.width(joints),)),
        (generator(mission.seed, SENSORS, TELEMETRY), (draws.telemetry_width(thrusters),)),
    )
    memory = stage.SensorMemory(
        sensors.start(params, start), store.rows, store.used, np.full(1, -1, dtype=np.int64)
    )
    return Sampling(stage.sample, params, memory), store


def _capture(scenario: Scenario, joints: int) -> list[Function]:
    given, tick = scenario.believed.mission.obsw.capture, scenario.mission.time.control_ns
    assert given is not None
    params = capture_of(scenario.believed, given)
    chaser = params.belief.chaser
    memory = NavigationMemory(
        navigation.start(tick / NS_PER_S), np.zeros(nav.TOLD_SIZE), scratch_for(chaser)
    )
    room = Room(
        scratch_for(chaser), np.zeros(BASE_DOF + joints), np.zeros(joints), np.zeros(joints)
    )
    return [
        Function(
            "navigation",
            navigating.step,
            NavigationParams(navigation_of(scenario.believed), chaser),
            memory,
            tick,
        ),
        Function(
            "capture",
            cycle.step,
            params,
            CaptureMemory(np.zeros(modes.KEPT + joints), room),
            tick,
        ),
    ]


def _boost(burn: Boost, joints: int, tick: int) -> list[Function]:
    if not burn.number.size:
        return []
    failures = {boost.NO_THRUST: boost.NO_THRUST_TEXT}
    params = BoostParams(burn, joints)
    return [Function("boost", boost.step, params, boost.start(burn), tick, failures)]
