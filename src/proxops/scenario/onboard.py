"""A chaser's sensors and software from a scenario; the software believes the undispersed one."""

import numpy as np

from proxops import actuators, sensors
from proxops.core.asked import size as asked_size
from proxops.core.clock import NS_PER_S
from proxops.core.description import CraftDescription, ThrusterDescription
from proxops.obsw import navigation
from proxops.obsw.capture import modes, turn
from proxops.obsw.capture.commander import Room
from proxops.obsw.navigation import layout as nav
from proxops.obsw.platform import jets, service
from proxops.onboard import functions
from proxops.onboard.inspection import FINDINGS, TALLY_WIDTH
from proxops.onboard.model import TAKEN, TURNS, Onboard, OnboardModel, OnboardState
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import scratch_for
from proxops.scenario.capture import brain_of, no_brain
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission
from proxops.scenario.sensors import describe_sensors
from proxops.sensors import draws

SENSORS = 2  # key of their random numbers among those of the scenario's seed
MOST_TURNS = 4002  # that one call of the loop may take: rows of random numbers in store


def build_onboard(
    scenario: Scenario, chaser: CraftDescription, thrusters: tuple[ThrusterDescription, ...]
) -> Onboard:
    """Sensors and software of a scenario's chaser, and their start."""
    mission = scenario.mission
    capture, own = mission.obsw.capture, mission.obsw.controller
    tick = mission.time.control_ns
    joints = sum(len(mounted.arm.joints) for mounted in chaser.arms)
    seen = describe_sensors(mission.sensors, mission.target.grapple)
    eyes = sensors.build(seen, joints, tick)
    platform = _platform(mission, thrusters)
    brain = no_brain() if capture is None else brain_of(scenario, capture, seen)
    rng = np.random.default_rng(np.random.SeedSequence(mission.seed, spawn_key=(SENSORS,)))
    asked = np.zeros(asked_size(joints, len(thrusters)))
    turn = np.full(TURNS, -1, dtype=np.int64)
    turn[TAKEN] = 0
    state = OnboardState(
        sensors.start(eyes, rng.standard_normal(draws.width(joints))),
        sensors.blank(joints),
        _mind(brain, joints, tick / NS_PER_S, own is not None),
        service.start(platform),
        np.zeros(0),
        np.zeros_like(asked),
        np.zeros((FINDINGS, TALLY_WIDTH)),
        rng.standard_normal((MOST_TURNS, draws.width(joints))),
        np.zeros(1, dtype=np.int64),
        turn,
    )
    think = functions.nothing
    if capture is not None:
        think = functions.capture
    elif own is not None:
        think = functions.ask_python
    limits, period = (
        actuators.build(chaser.arms).limit,
        tick if own is None else own.period_ns(tick),
    )
    acts = int(think is not functions.nothing)
    model = OnboardModel(eyes, brain, platform, limits, np.zeros(0), period, acts)
    return Onboard(model, state, think, rng, asked)


def _platform(mission: Mission, thrusters: tuple[ThrusterDescription, ...]) -> service.Platform:
    pulses = period = mission.time.control_ns / NS_PER_S
    if mission.obsw.capture is not None:
        pulses = mission.obsw.capture.base.pulse_period_s
    elif mission.obsw.controller is not None:
        pulses = mission.obsw.controller.pulse_period_s
    return service.Platform(jets.build(thrusters, pulses), period)


def _mind(brain: turn.Brain, joints: int, period: float, empty: bool) -> turn.Mind:
    return turn.Mind(
        navigation.start(period),
        np.zeros(nav.TOLD_SIZE),
        np.zeros(nav.ESTIMATE_SIZE),
        np.zeros(0 if empty else modes.KEPT + joints),
        np.zeros(turn.NOTES),
        Room(
            scratch_for(brain.belief.chaser),
            np.zeros(BASE_DOF + joints),
            np.zeros(joints),
            np.zeros(joints),
        ),
    )
