"""A force/torque sensor at the flange: filtered, sampled, late, biased, noisy.

    Ḟ_f = Ω (F - F_f)        analogue filter, if it has one
    sample i = F_f(i T_s) + bias + σ · draw
    reading at t = the latest sample taken until t - delay; zero before the first arrives

The draws are standard normal numbers that the caller hands in.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper

WRENCH = 6  # force [N], torque about the flange's origin [N m], flange axes
FORCE, TORQUE = 0, 3  # where they begin in it


class ForceSensor(NamedTuple):
    """What stands between a wrench and its reading."""

    corner: float  # Ω of the filter [rad/s]; zero without one
    every: int  # T_s [steps]
    delay: int  # [steps]
    bias: np.ndarray  # (6,)
    noise: np.ndarray  # standard deviations σ (6,)


@helper
def filter_rate(sensor, filtered, true_wrench):
    """Rate of one component of the filtered wrench."""
    return sensor.corner * (true_wrench - filtered)


@helper
def take_sample(sensor, samples, step, wrench, draw):
    """Stores a sample at a step that is a multiple of the sensor's period."""
    row = (step // sensor.every) % samples.shape[0]
    for i in range(WRENCH):
        samples[row, i] = wrench[i] + sensor.bias[i] + sensor.noise[i] * draw[i]


@helper
def read(sensor, samples, step, reading):
    """Writes the reading at a step."""
    latest = (step - sensor.delay) // sensor.every
    row = latest % samples.shape[0]
    for i in range(WRENCH):
        reading[i] = samples[row, i] if latest >= 0 else 0.0
