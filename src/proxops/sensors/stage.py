"""All sensors of the chaser as a stage of the loop: truth in, measurements out.

Called once a step, from the start on, with the truth at that instant and a row of standard normal
numbers that no other call gets.
"""

from typing import NamedTuple

import numpy as np

from proxops.bus.measurements import T
from proxops.bus.truth import Truth
from proxops.core.clock import NS_PER_S
from proxops.core.jit import kernel, part, pluggable
from proxops.sensors.camera import look_at_grapple
from proxops.sensors.encoders import feel_joints
from proxops.sensors.gyro import feel_rate
from proxops.sensors.model import SENSORS, State
from proxops.sensors.sampling import hand_over
from proxops.sensors.star_tracker import track_stars
from proxops.sensors.telemetry import report
from proxops.sensors.wrist import feel_wrench


@part
def advance(model, state, truth, draws, measurements):
    """Writes what the sensors say now, see bus.measurements."""
    measurements[T] = truth.now / NS_PER_S
    track_stars(model, state, truth, draws)
    feel_rate(model, state, truth, draws)
    look_at_grapple(model, state, truth, draws)
    feel_wrench(model, state, truth, draws)
    feel_joints(model, state, truth, draws)
    report(model, state, truth, draws)
    for sensor in range(SENSORS):
        hand_over(model, state, sensor, truth.now, measurements)


class SensorMemory(NamedTuple):
    """Everything of the sensors that changes."""

    state: State
    draws: np.ndarray  # standard normal numbers (n, width), see sensors.draws
    drawn: np.ndarray  # how many rows are used, one entry
    last: np.ndarray  # when they were last asked [ns], one entry, -1 before


class Shown(NamedTuple):
    """What sensors are shown, see bus.truth, and where they write."""

    clock: np.ndarray  # [ns], its first entry
    hubs: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    wrench: np.ndarray
    lateness: np.ndarray  # one entry
    thrust: np.ndarray
    measurements: np.ndarray


@pluggable
def sample(model, memory, shown):
    """Asks all sensors, once an instant."""
    now = shown.clock[0]
    if memory.last[0] == now:
        return 0
    memory.last[0] = now
    draws = memory.draws[memory.drawn[0]]
    memory.drawn[0] += 1
    truth = Truth(now, shown.hubs, shown.q, shown.qd, shown.wrench, shown.lateness[0], shown.thrust)
    advance(model, memory.state, truth, draws, shown.measurements)
    return 0


@kernel
def sense(model, state, truth, draws, measurements):
    """`advance`, callable from Python."""
    advance(model, state, truth, draws, measurements)
