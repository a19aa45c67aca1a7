"""How well force sensors are tared: they scatter while their readings are averaged."""

import math

import numpy as np

from proxops.facility.common.force_sensor import WRENCH, ForceSensor


def mean_noise(
    sensor: ForceSensor, lasts: float, step: float, rng: np.random.Generator
) -> np.ndarray:
    """The mean of a sensor's noise over its samples in a time `lasts` [s], at least one (6,):
    σ/√n of it are left; `step` [s] is that of the cell."""
    count = max(1, math.floor(lasts / (sensor.every * step)))
    return np.asarray(sensor.noise * rng.standard_normal((count, WRENCH)).mean(axis=0))
