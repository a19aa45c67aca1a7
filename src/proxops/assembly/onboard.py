"""A chaser's sensors and software from a scenario; the software believes the undispersed one."""

import numpy as np

from proxops import actuators, sensors
from proxops.assembly.capture import brain_of, no_brain
from proxops.assembly.platform import platform_of
from proxops.assembly.sensors import describe_sensors
from proxops.bus.commands import size as asked_size
from proxops.core.clock import NS_PER_S
from proxops.core.description import CraftDescription
from proxops.core.random_rows import SENSORS, TELEMETRY, RandomRows, generator
from proxops.onboard import shipped
from proxops.onboard.command_check import FINDINGS, TALLY_WIDTH
from proxops.onboard.functions import navigation
from proxops.onboard.functions.allocation import allocate
from proxops.onboard.functions.capture import cycle, modes
from proxops.onboard.functions.capture.control import Room
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.model import TAKEN, TURNS, Onboard, OnboardModel, OnboardState
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import scratch_for
from proxops.scenario.load import Scenario
from proxops.sensors import draws

MOST_TURNS = 4002  # that one call of the loop may take: rows of random numbers in store


def build_onboard(scenario: Scenario, chaser: CraftDescription) -> Onboard:
    """Sensors and software of a scenario's chaser, and their start."""
    mission = scenario.mission
    capture, own = mission.obsw.capture, mission.obsw.controller
    tick = mission.time.control_ns
    joints = sum(len(mounted.arm.joints) for mounted in chaser.jointed)
    thrusters = len(mission.chaser.thrusters)
    described = describe_sensors(mission.sensors, mission.target.grapple)
    eyes = sensors.build(described, joints, thrusters, tick)
    platform = platform_of(scenario.believed.mission)
    brain = no_brain() if capture is None else brain_of(scenario.believed, capture)
    rng = generator(mission.seed, SENSORS)
    start = rng.standard_normal(draws.width(joints))
    store = RandomRows(
        MOST_TURNS,
        (rng, (draws.width(joints),)),
        (generator(mission.seed, SENSORS, TELEMETRY), (draws.telemetry_width(thrusters),)),
    )
    commands = np.zeros(asked_size(joints, thrusters))
    turns = np.full(TURNS, -1, dtype=np.int64)
    turns[TAKEN] = 0
    state = OnboardState(
        sensors.start(eyes, start),
        sensors.blank(joints, thrusters),
        _mind(brain, joints, tick / NS_PER_S, own is not None),
        allocate.start(platform),
        np.zeros(0),
        np.zeros_like(commands),
        np.zeros((FINDINGS, TALLY_WIDTH)),
        store.rows,
        store.used,
        turns,
    )
    think = shipped.nothing
    if capture is not None:
        think = shipped.capture
    elif own is not None:
        think = shipped.ask_python
    model = OnboardModel(
        eyes,
        brain,
        platform,
        actuators.build(chaser.arms).limit,
        np.zeros(0),
        tick if own is None else own.period_ns(tick),
        int(think is not shipped.nothing),
    )
    return Onboard(model, state, think, store, commands)


def _mind(brain: cycle.Brain, joints: int, period: float, empty: bool) -> cycle.Mind:
    return cycle.Mind(
        navigation.start(period),
        np.zeros(nav.TOLD_SIZE),
        np.zeros(nav.ESTIMATE_SIZE),
        np.zeros(0 if empty else modes.KEPT + joints),
        Room(
            scratch_for(brain.belief.chaser),
            np.zeros(BASE_DOF + joints),
            np.zeros(joints),
            np.zeros(joints),
        ),
    )
