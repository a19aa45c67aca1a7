"""From a scenario to the stages of the loop."""

from typing import NamedTuple

import numpy as np

from proxops import actuators, obsw, plant
from proxops.actuators import Motors
from proxops.core.description import CraftDescription, MountedArm
from proxops.obsw.joint_control import ArmTask, JointControl
from proxops.plant.build import start_state
from proxops.plant.history import Histories, history, no_history
from proxops.plant.model import Plant
from proxops.plant.observe import EFFECTOR, GRAPPLE, POSES_SIZE, Ports
from proxops.scenario.describe import describe, quaternion_of
from proxops.scenario.history import parse_history
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Mission, Wrench


class Built(NamedTuple):
    """The stages in loop order, and the start."""

    plant: Plant
    ports: Ports
    control: JointControl
    motors: Motors
    histories: Histories
    y: np.ndarray
    chaser: CraftDescription
    target: CraftDescription


def build(scenario: Scenario) -> Built:
    """The stages of a scenario."""
    chaser, target, orbit = describe(scenario)
    model = plant.build(chaser, target, orbit)
    return Built(
        model,
        _ports(scenario.mission, chaser),
        obsw.build([_task(scenario.mission, mounted) for mounted in chaser.arms]),
        actuators.build(chaser.arms),
        Histories(
            _history(scenario, scenario.mission.chaser.wrench),
            _history(scenario, scenario.mission.target.wrench),
        ),
        start_state(model, chaser, target),
        chaser,
        target,
    )


def _history(scenario: Scenario, wrench: Wrench | None) -> np.ndarray:
    if wrench is None:
        return no_history()
    return history(parse_history(scenario.files[wrench.file], wrench.file))


def _ports(mission: Mission, chaser: CraftDescription) -> Ports:
    """End effector of the first arm, and the grapple point."""
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
    return Ports(np.array([body], dtype=np.int64), poses)


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
