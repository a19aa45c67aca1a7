"""From a scenario to the stages of the loop."""

import math
from typing import NamedTuple

import numpy as np

from proxops import actuators, plant
from proxops.actuators import Faults, Motors, Thrusters
from proxops.assembly.describe import (
    describe,
    describe_interface,
    describe_thrusters,
)
from proxops.assembly.onboard import Onboard, build_onboard
from proxops.assembly.sensors import sensors_of
from proxops.bus.truth import IS_SHOWN, RADIUS, SKY_SIZE, SUN
from proxops.core.clock import NS_PER_S
from proxops.core.description import (
    ContactDescription,
    CraftDescription,
    HoldDescription,
    MountedArm,
    ThrusterDescription,
)
from proxops.core.errors import InputError
from proxops.core.frame import quaternion_of
from proxops.onboard.functions.boost.boost import Boost, BoostDescription, ContactBelief
from proxops.onboard.functions.boost.boost import build as build_boost
from proxops.onboard.functions.joint_control import ArmTask, JointControl
from proxops.onboard.functions.joint_control import build as build_control
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.physics.orbit.drift import samples_an_orbit
from proxops.plant.build import start_state
from proxops.plant.history import Histories, history, no_history
from proxops.plant.model import Plant
from proxops.plant.observe import EFFECTOR, GRAPPLE, POSES_SIZE, Ports
from proxops.plant.outline import outline
from proxops.plant.safety import CORRIDOR_WIDTH, Zones, no_zones
from proxops.scenario.fault_injection import describe_faults
from proxops.scenario.history import parse_history
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission, Wrench
from proxops.sensors.shipped import NEAR_SIGHTED


class Built(NamedTuple):
    """The stages in loop order, and the start."""

    plant: Plant
    ports: Ports
    control: JointControl
    boost: Boost
    onboard: Onboard
    motors: Motors
    thrusters: Thrusters
    faults: Faults
    histories: Histories
    sky: np.ndarray  # attractor and Sun as sensors are shown them, see bus.truth
    zones: Zones
    y: np.ndarray
    chaser: CraftDescription
    target: CraftDescription
    contacts: tuple[ContactDescription, ...]
    holds: tuple[HoldDescription, ...]


def build(scenario: Scenario) -> Built:
    """The stages of a scenario."""
    chaser, target, orbit = describe(scenario)
    contacts, holds = describe_interface(scenario)
    thrusters = describe_thrusters(scenario.mission)
    _reject_joint_commands(scenario, chaser)
    model = plant.build(chaser, target, orbit, contacts, holds)
    control = build_control([_task(scenario.mission, mounted) for mounted in chaser.jointed])
    boost = _boost(scenario.believed.mission, describe_thrusters(scenario.believed.mission))
    return Built(
        model,
        _ports(scenario.mission, chaser, target, model),
        control,
        boost,
        build_onboard(scenario, chaser, control, boost),
        actuators.build(chaser.arms, chaser.wheels),
        actuators.build_thrusters(thrusters),
        actuators.build_faults(
            describe_faults(scenario.mission, chaser), scenario.mission.time.arm_ns / NS_PER_S
        ),
        Histories(
            _history(scenario, scenario.mission.chaser.wrench),
            _history(scenario, scenario.mission.target.wrench),
        ),
        _sky(scenario),
        _zones(scenario.mission),
        start_state(model, chaser, target),
        chaser,
        target,
        contacts,
        holds,
    )


def _sky(scenario: Scenario) -> np.ndarray:
    """Attractor and Sun as far as they stay the same."""
    sky, orbit = np.zeros(SKY_SIZE), scenario.mission.orbit
    if orbit is not None:
        sky[RADIUS] = ATTRACTORS[orbit.attractor].radius
        sky[SUN:RADIUS] = orbit.sun_direction_N or (0.0, 0.0, 0.0)
    sky[IS_SHOWN] = any(each not in NEAR_SIGHTED for each in sensors_of(scenario))
    return sky


def _reject_joint_commands(scenario: Scenario, chaser: CraftDescription) -> None:
    """Refuses functions of the user's own that command joints where all brakes are on."""
    if not chaser.stowed or any(each.arm.joints for each in chaser.arms):
        return
    for name in scenario.mission.obsw.functions:
        given = scenario.extensions.functions.get(name)
        if "joints" in getattr(given, "writes", ()):
            raise InputError(
                f'obsw.functions.{name}: commands joints, but all arms have brakes = "on"; leave '
                "one of the two out"
            )


def _boost(mission: Mission, thrusters: tuple[ThrusterDescription, ...]) -> Boost:
    given = mission.obsw.boost
    period = mission.time.control_ns / NS_PER_S
    if given is None:
        return build_boost(None, thrusters, period)
    belief = None
    if given.separation_rule and given.contact:
        belief = ContactBelief(
            given.contact.chaser_mass_kg,
            given.contact.target_mass_kg,
            given.contact.stiffness_N_m,
            given.contact.damping_N_s_m,
            given.contact.margin_N,
        )
    return build_boost(
        BoostDescription(
            engines=given.engines,
            begin=given.from_s,
            duration=given.duration_s,
            cycle=given.cycle_s,
            modulation=given.modulation,
            com=np.array(given.p_CS_m),
            kp=np.array(given.kp_N_m_rad),
            kd=np.array(given.kd_N_m_s_rad),
            torque=np.array(given.torque_N_m),
            contact=belief,
        ),
        thrusters,
        period,
    )


def _zones(mission: Mission) -> Zones:
    """Zones as kernels read them."""
    given, orbit = mission.zones, mission.orbit
    if given is None or orbit is None:
        return no_zones()
    corridors = [
        (*each.axis_H, math.radians(each.half_angle_deg), each.apex_m, each.length_m)
        for each in given.corridors.values()
    ]
    return Zones(
        np.array([given.keep_out_m]),
        np.array(given.approach_ellipsoid_m or (), dtype=float),
        np.array(corridors, dtype=float).reshape(-1, CORRIDOR_WIDTH),
        np.array([samples_an_orbit(orbit.eccentricity)], dtype=np.int64),
        np.array([given.speed_limit_m_s, given.speed_limit_per_m_1_s])
        if given.speed_limit_m_s is not None
        else np.zeros(0),
        np.array([given.plume_distance_m, math.cos(math.radians(given.plume_half_angle_deg))])
        if given.plume_distance_m is not None
        else np.zeros(0),
    )


def _history(scenario: Scenario, wrench: Wrench | None) -> np.ndarray:
    if wrench is None:
        return no_history()
    return history(parse_history(scenario.files[wrench.file], wrench.file))


def _ports(
    mission: Mission, chaser: CraftDescription, target: CraftDescription, model: Plant
) -> Ports:
    """End effector of the first arm, the grapple point, and the shapes that stay clear."""
    poses = np.zeros(POSES_SIZE)
    poses[EFFECTOR] = 1.0
    body = -1
    if chaser.arms:
        first = chaser.arms[0].arm
        R, p, body = first.R_JE, first.p_JE, len(first.joints)
        if not first.joints:  # a fixed mast: the effector stands on the hub
            R, p = chaser.arms[0].R_CA @ R, chaser.arms[0].p_CA + chaser.arms[0].R_CA @ p
        poses[EFFECTOR : EFFECTOR + 4] = quaternion_of(R)
        poses[EFFECTOR + 4 : EFFECTOR + 7] = p
    grapple = mission.target.grapple
    poses[GRAPPLE : GRAPPLE + 4] = grapple.q_TG
    poses[GRAPPLE + 4 : GRAPPLE + 7] = grapple.p_TG_m
    measured = -1
    boost = mission.obsw.boost
    if boost and boost.separation_rule and boost.contact:
        measured = list(mission.contacts).index(boost.contact.name)
    numbers = np.array([[body], [measured], [len(chaser.wheels)]], dtype=np.int64)
    effector_body, contact, wheels = numbers
    return Ports(effector_body, contact, poses, wheels, np.ones(1), outline(chaser, target, model))


def _task(mission: Mission, mounted: MountedArm) -> ArmTask:
    control = mission.obsw.joints.get(mounted.name)
    if control is None:
        return ArmTask(mounted.q, np.zeros_like(mounted.q), np.zeros_like(mounted.q), [])
    return ArmTask(
        mounted.q,
        np.broadcast_to(np.asarray(control.kp, dtype=float), mounted.q.shape),
        np.broadcast_to(np.asarray(control.kd, dtype=float), mounted.q.shape),
        [(waypoint.t_s, waypoint.pose_si()) for waypoint in control.waypoints],
    )
