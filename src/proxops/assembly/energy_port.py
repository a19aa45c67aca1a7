"""From a facility's file to the port of a rehearsal: how energy at the contact is seen and kept."""

import math
from collections.abc import Sequence

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.cell_signals import chain_of
from proxops.assembly.touching_body import touched_body
from proxops.core.description import CraftDescription, MountedArm, RigidInertia
from proxops.core.frame import Frame
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.passivity.chain import loop_delay
from proxops.facility.common.passivity.controller import Limits, control_of, new_controlled
from proxops.facility.common.passivity.energy_port import POSE_Q, RECORDED, STRAYED, Port, PortState
from proxops.facility.common.passivity.observer import new_observer
from proxops.facility.common.rows import PAIR
from proxops.facility.robot_cell.arms import arm_frames, links_of
from proxops.physics.flexible.linear import spatial_inertia
from proxops.plant.build import whole_hub
from proxops.scenario.schema.facility import Facility
from proxops.scenario.schema.passivity import Passivity


def build_port(touching: Built, facility: Facility, step: float) -> Port:
    """The port of a scenario, as it has its contacts, on a facility with steps of that length
    [s]."""
    given = facility.passivity
    smoothed = given.smooth_s if given.twist else 0.0
    body = touched_body(touching)
    control = control_of(
        mobilities(touching, body),
        scales=given.wrench,
        yields=given.twist,
        lateness=loop_delay(chain_of(facility, step)).total + smoothed,
        limits=_limits(given),
    )
    return Port(control, body, 2.0 / smoothed if smoothed > 0.0 else 0.0)


def start_port() -> PortState:
    """A port through which nothing has passed yet."""
    strayed = np.zeros((PAIR, STRAYED))
    strayed[:, POSE_Q] = 1.0
    change, hurry, wrenches, twists = np.zeros((4, PAIR, WRENCH))
    now, largest = np.zeros((2, RECORDED))
    return PortState(
        new_observer(twists),
        new_controlled(PAIR),
        np.zeros(1),
        strayed,
        change,
        hurry,
        now,
        largest,
        wrenches,
        twists,
    )


def mobilities(built: Built, body: int) -> np.ndarray:
    """M⁻¹ of the target about To, in T, and of the chaser about the origin of one of its bodies B,
    in B (2, 6, 6), everything rigid and the arms stiff as they are at the start.

    That is what a fed wrench does to the models: joints are measured, and answer to the true
    wrench alone.
    """
    X_BC = body_frame(built.chaser, body).inverse()
    chaser = stiff_chaser(built.chaser, built.chaser.arms).seen_from(X_BC.R, X_BC.p)
    bodies = (whole_hub(built.target), chaser)
    return np.array([np.linalg.inv(spatial_inertia(each)) for each in bodies])


def stiff_chaser(craft: CraftDescription, arms: Sequence[MountedArm]) -> RigidInertia:
    """The chaser as one body about Co, with its arms as they are given and its wheels locked."""
    whole = RigidInertia(craft.mass, np.zeros(3), craft.inertia)
    for link in links_of((*arms, *(wheel.mounted() for wheel in craft.wheels))):
        whole = whole.joined(link)
    return whole


def body_frame(craft: CraftDescription, body: int) -> Frame:
    """X_CB of the hub or of a link at the start."""
    last = 0
    for mounted in craft.arms:
        first, last = last, last + len(mounted.arm.joints)
        if first < body <= last:
            return arm_frames(craft.arms)[mounted.name][body - first]
    return Frame(np.eye(3), np.zeros(3))


def _limits(given: Passivity) -> Limits:
    return Limits(
        math.inf if given.force_N is None else given.force_N,
        math.inf if given.torque_N_m is None else given.torque_N_m,
        given.speed_m_s,
        math.radians(given.turn_rate_deg_s),
        given.quiet_force_N,
        given.quiet_torque_N_m,
    )
