"""A facility's robots as a mission loads them, and as its guard lets them move."""

import numpy as np

from proxops.assembly.facility import Lab, Robots, fit_out
from proxops.facility.robot_cell.industrial.robot import (
    ACCELERATION,
    COM,
    FLANGE_ON_MOCK_UP,
    LARGEST,
    SPEED,
    Robot,
)
from proxops.scenario.load import Scenario

STILL = 0.01  # how far the arm may move and still load its robot as it did at the start [rad or m]
ARM_SAMPLES = 32  # poses of a moving arm that are tried as the robot's load


def loaded(lab: Lab, scenario: Scenario, q: np.ndarray) -> Robots:
    """The robots, the chaser's with its arms held out as far as they ever are, joints being q
    (n, joints)."""
    robots = fit_out(lab.facility, scenario)
    if np.ptp(q, axis=0).max(initial=0.0) < STILL:
        return robots
    rows = np.unique(np.linspace(0, len(q) - 1, ARM_SAMPLES).astype(int))
    tried = [fit_out(lab.facility, scenario, q[row]).chaser for row in rows]
    load = max(tried, key=_lever).load.copy()
    load[LARGEST] = max(robot.load[LARGEST] for robot in tried)
    return robots._replace(chaser=robots.chaser._replace(load=load))


def lowered(robots: Robots, lab: Lab) -> Robots:
    """The robots, no faster than the facility's guard lets them be."""
    guard = lab.facility.guard

    def slower(robot: Robot) -> Robot:
        joints = robot.joints.copy()
        joints[:, SPEED] *= guard.speed_override
        joints[:, ACCELERATION] *= guard.acceleration_override
        return robot._replace(joints=joints)

    return Robots(*map(slower, robots))


def _lever(robot: Robot) -> float:
    """Of the load about the flange [m]."""
    away = robot.load[COM : COM + 3] - robot.poses[FLANGE_ON_MOCK_UP, :3]
    return float(np.linalg.norm(away))
