"""A cell of two robots: what it is made of, what changes in it, what a step overwrites.

command ─► guard ─► robots: delay, lag ─► mock-ups, arm, contact ─► sensors ─► readings
                               └─► what is known of their motion ────────┘

`command` has the first two, `carry` the robots, `measure` the rest.
"""

from typing import NamedTuple

import numpy as np

from proxops.facility.common.force_sensor import ForceSensor
from proxops.facility.common.guard.table import Given, Guard, Memory
from proxops.facility.robot_cell.guarded import Rules
from proxops.facility.robot_cell.industrial.robot import Robot
from proxops.facility.robot_cell.sensing import Sensed, Sensing
from proxops.facility.robot_cell.servo import Axes, Servo
from proxops.plant.model import Plant, Workspace


class Cell(NamedTuple):
    """Everything of a cell that stays the same."""

    plant: Plant  # the mock-ups as a pair of spacecraft, see `mock_ups`
    ideal: int  # 1: the carriers are where they are commanded to be
    servo: Servo
    target_robot: Robot
    chaser_robot: Robot
    flange: ForceSensor
    wrist: ForceSensor
    feedback_sensor: int  # row of the reading that acts on the models
    guard: Guard
    rules: Rules
    sensing: Sensing


class CellState(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # steps done, one entry
    y: np.ndarray  # of the lab's bodies
    motions: np.ndarray  # of the mock-ups' hubs (2, 13): p, q wxyz, v in L, w in hub axes
    axes: Axes
    memory: Memory  # of the guard
    given: Given  # to the guard
    filtered: np.ndarray  # in the sensors' axes, compensated, see `sensing` (2, 6)
    samples: np.ndarray  # of both sensors (2, n, 6), written in turn
    readings: np.ndarray  # wrench on the target about To, in T, as each sensor has it (2, 6)
    wrench: np.ndarray  # as it is (6,)
    sensed: Sensed


class CellWorkspace(NamedTuple):
    """What a step overwrites."""

    work: Workspace
    drive: np.ndarray  # of the lab's bodies; its motor column is an input
    arriving: np.ndarray  # motions at the end of the step (2, 13)
    links: np.ndarray  # of the arm, on the chaser's mock-up (n, 7) [m, wxyz]
    loads: np.ndarray  # of the arm's weight on base and joints (6 + n,)
    still: np.ndarray  # joint speeds of an arm at rest (n,)
