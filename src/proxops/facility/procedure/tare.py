"""What the force sensors read with nothing touching, to be taken off all that they read later."""

import math
from typing import NamedTuple

import numpy as np

from proxops.facility.force_sensor import WRENCH, ForceSensor, take_sample


class Tare(NamedTuple):
    """Mean readings while both robots stand [N, N m]."""

    flange: np.ndarray  # (6,)
    wrist: np.ndarray


def mean_reading(
    sensor: ForceSensor, lasts: float, step: float, rng: np.random.Generator
) -> np.ndarray:
    """The mean of what a sensor reads in a time `lasts` [s] without any wrench on it (6,), at
    least of one sample; `step` [s] is that of the cell."""
    count = max(1, math.floor(lasts / (sensor.every * step)))
    samples = np.empty((count, WRENCH))
    draws, nothing = rng.standard_normal((count, WRENCH)), np.zeros(WRENCH)
    for number in range(count):
        take_sample.py_func(sensor, samples, number * sensor.every, nothing, draws[number])
    return np.asarray(samples.mean(axis=0))


def tared(sensor: ForceSensor, tare: np.ndarray) -> ForceSensor:
    """The sensor with a tare set: it is taken off every sample, as the bias is added to it."""
    return sensor._replace(bias=sensor.bias - tare)
