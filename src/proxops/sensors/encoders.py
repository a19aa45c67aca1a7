"""Joint encoders: positions in whole steps, and rates made of them.

    q seen  = r ⌊(q + b + σ draw)/r + ½⌋        q + b + σ draw where the resolution r is zero
    qd seen = e⁻ˣ (qd seen before) + (1 - e⁻ˣ) Δ(q seen)/Δt,   x = Ω Δt

The rate is the difference of two samples behind a low-pass filter: s Ω/(s + Ω) of positions that go
straight between samples.  It begins with the true rate; without a filter it is the true rate.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.bus import measurements as seen_at
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.sensors import draws as draw_of
from proxops.sensors.model import ENCODERS, JOINTS, LAST
from proxops.sensors.sampling import gets_through, is_due, take
from proxops.sensors.timing import Timing

# Entries of Sensors.encoders
RESOLUTION = 0  # r [rad or m]
NOISE = 1  # σ [rad or m]
CORNER = 2  # Ω [rad/s], zero for the true rate


@dataclass(frozen=True)
class Encoders:
    """As they stand, ideal; the same for all joints [rad or m]."""

    timing: Timing = field(default_factory=Timing)
    resolution: float = 0.0
    noise: float = 0.0  # σ
    bias_sigma: float = 0.0  # standard deviation of each joint's b
    corner: float = 0.0  # Ω [rad/s], zero for the true rate


def numbers(given: Encoders) -> np.ndarray:
    """Sensors.encoders."""
    return np.array([given.resolution, given.noise, given.corner], dtype=float)


@helper
def in_steps(position, resolution):
    """The nearest whole number of steps."""
    if resolution == 0.0:
        return position
    return resolution * math.floor(position / resolution + 0.5)


@part
def read_joints(model, state, truth, draws):
    """Brings what is remembered of the joints to now."""
    encoders, read, last = model.encoders, state.memory[JOINTS:], state.marks[ENCODERS, LAST]
    joints = truth.q.shape[0]
    elapsed = (truth.now - last) / NS_PER_S
    share = -math.expm1(-encoders[CORNER] * elapsed)
    for i in range(joints):
        error = state.bias[draw_of.ENCODERS + i] + encoders[NOISE] * draws[draw_of.ENCODERS + i]
        position = in_steps(truth.q[i] + error, encoders[RESOLUTION])
        if encoders[CORNER] == 0.0 or last < 0:
            read[joints + i] = truth.qd[i]
        elif elapsed > 0.0:
            read[joints + i] += share * ((position - read[i]) / elapsed - read[joints + i])
        read[i] = position
    state.marks[ENCODERS, LAST] = truth.now


@part
def feel_joints(model, state, truth, draws):
    """Samples the joints where it is due."""
    if not is_due(model, ENCODERS, truth.now):
        return
    read_joints(model, state, truth, draws)
    if gets_through(model, state, ENCODERS, truth.now, draws):
        row = take(state, ENCODERS, truth.now)
        for i in range(2 * truth.q.shape[0]):
            state.samples[row, seen_at.ENCODERS + i] = state.memory[JOINTS + i]
