"""The guard of a cell: its limits, and the shapes that it keeps apart."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from proxops import plant
from proxops.assembly.build import Built
from proxops.assembly.facility import Robots
from proxops.core.description import ContactDescription, CraftDescription
from proxops.core.frame import Frame
from proxops.facility.common.guard.build import GuardDescription, Shape
from proxops.facility.robot_cell.compliance import light_damping
from proxops.facility.robot_cell.fence import Fence, Radii, Tool, fence
from proxops.facility.robot_cell.guarded import Rules
from proxops.facility.robot_cell.industrial.robot import POSE_WIDTH
from proxops.facility.robot_cell.rods import rods_of
from proxops.physics.multibody.tree import OFFSET, ROTATION
from proxops.scenario.schema.facility import Facility

Hardware = tuple[CraftDescription, Sequence[ContactDescription]]  # the chaser, and what touches


def guard_of(
    facility: Facility, robots: Robots, hardware: Hardware, period: float
) -> GuardDescription:
    chaser, contacts = hardware
    given = facility.guard
    if facility.robots is None:  # nothing to stop, whatever the period
        return GuardDescription((), period, given.oldest_s, longest_stop=period)
    corners = None
    if given.p_min_m is not None and given.p_max_m is not None:
        corners = np.array(given.p_min_m), np.array(given.p_max_m)
    limits = Fence(
        given.measured_force_N,
        given.measured_torque_N_m,
        given.clearance_m,
        given.oldest_s,
        corners,
        given.acceleration_override,
        given.arm_clearance_m,
    )
    carried = facility.robots.target, facility.robots.chaser
    one, other = (
        Tool(np.array(each.p_KM_m), each.mock_up.radius_m, radii=_radii(facility, each.model))
        for each in carried
    )
    other = replace(other, rods=rods_of(contacts, robots.chaser))
    return fence((robots.target, robots.chaser), (one, other), chaser, limits, period)


def _radii(facility: Facility, model: str) -> Radii:
    """How thick a robot is; a shipped one is of the class that the radii are assumed for."""
    own = facility.robot_models.get(model)
    if own is None:
        return Radii()
    return Radii(**{key.removesuffix("_m"): value for key, value in own.radii.model_dump().items()})


def guarded_shapes(facility: Facility, robots: Robots, hardware: Hardware) -> tuple[Shape, ...]:
    """The capsules that the guard of a facility keeps apart."""
    return guard_of(facility, robots, hardware, 1.0).shapes  # whatever the period is


def rules_of(facility: Facility, touching: Built, bodies: plant.Plant) -> Rules:
    given = facility.guard
    links = bodies.chaser[1:]
    mounts = [
        Frame(row[ROTATION:OFFSET].reshape(3, 3), row[OFFSET : OFFSET + 3]).row() for row in links
    ]
    emergency = given.emergency_stop_at_s
    return Rules(
        np.array(mounts).reshape(-1, POSE_WIDTH),
        light_damping(touching.chaser.arms, given.arm_settles_s),
        given.speed_override,
        math.inf if emergency is None else emergency,
    )
