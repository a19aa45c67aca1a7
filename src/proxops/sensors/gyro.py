"""A gyro that integrates: the chaser's mean angular velocity since its last sample.

    w seen(k) = log(q_NC(k-1)⁻¹ ∘ q_NC(k)) / T + b(k) + (N/√T) draw
    b(k+1)    = b(k) + K √T draw'

N is the angle random walk [rad/√s], K the walk of the rate [rad/s/√s], b(0) is drawn once a run.
The mean is that of the rotation vector, so the samples of a gyro without errors put together
exp(w₁T) ∘ exp(w₂T) ... to the true turn: no coning is left to correct.  It belongs to the middle of
the interval, half a T before the time of the sample, and holds for less than half a turn a sample.
The first sample, and all of a gyro without a rate of its own, are w_NC_C at the instant.

While frozen it repeats its last value, with new times and counts; what it does not see is not made
up for.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_inverse, quat_log, quat_mul
from proxops.core.spatial.vector import add, add3, get3, put3, scale
from proxops.core.units import DEG, HOUR
from proxops.sensors.sampling import LAST, PERIOD, sampler, window_at
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, Window, times, timing_of, window_of

# Entries of its numbers
NOISE = 0  # N/√T [rad/s]
WALK = 1  # K √T [rad/s]

# Entries of what it remembers
LAST_Q = 0  # attitude at its last sample
LAST_W = 4  # its last value [rad/s]
MEMORY = 7

# Entries of its draws
NOISE_DRAW = 0
WALK_DRAW = 3
DRAWS = 6


@dataclass(frozen=True)
class Gyro:
    """As it stands, ideal; C axes."""

    timing: Timing = field(default_factory=Timing)
    noise: float = 0.0  # N [rad/√s]
    walk: float = 0.0  # K [rad/s/√s]
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)  # mean of b(0) [rad/s]
    bias_sigma: tuple[float, ...] = (0.0, 0.0, 0.0)  # standard deviation of b(0) [rad/s]
    frozen: tuple[Window, ...] = ()


def describe(section: Any, grapple: Any) -> Gyro:
    """As a scenario has it."""
    per_hour = DEG / HOUR
    return Gyro(
        timing=timing_of(section),
        noise=section.noise_deg_rt_h * DEG / math.sqrt(HOUR),
        walk=section.bias_walk_deg_h_rt_h * per_hour / math.sqrt(HOUR),
        bias=times(per_hour, section.bias_deg_h),
        bias_sigma=times(per_hour, section.bias_sigma_deg_h),
        frozen=tuple(window_of(each) for each in section.frozen),
    )


def law(given: Gyro, chaser: Chaser) -> Law:
    """What is particular to it."""
    period = given.timing.period
    if period == 0.0 and (given.noise != 0.0 or given.walk != 0.0):
        raise InputError("sensors.gyro: noise and walk are per root of time: it needs a rate")
    noise = given.noise / period**0.5 if period else 0.0
    return Law(
        (noise, given.walk * period**0.5),
        bias=given.bias,
        bias_sigma=given.bias_sigma,
        memory=MEMORY,
        windows=given.frozen,
    )


@helper
def mean_rate(q_NA, q_NB, period):
    """Mean angular velocity [rad/s] that turns A into B within a period [s], the same in both axes;
    of less than half a turn."""
    return scale(1.0 / period, quat_log(quat_mul(quat_inverse(q_NA), q_NB)))


@part
def measure(params, memory, truth, draws, values):
    """The angular velocity; walks the bias."""
    now, own, period = truth.clock[0], memory.own, params.timing[PERIOD]
    q_NC, w = get4(truth.q_NC, 0), get3(truth.w_NC_C, 0)
    if period > 0 and memory.marks[LAST] >= 0:
        w = mean_rate(get4(own, LAST_Q), q_NC, period / NS_PER_S)
    put4(own, LAST_Q, q_NC)
    memory.marks[LAST] = now
    noise = scale(params.numbers[NOISE], get3(draws, NOISE_DRAW))
    if window_at(params.windows, now) < 0:
        put3(own, LAST_W, add(add(w, get3(memory.bias, NOISE_DRAW)), noise))
    add3(memory.bias, NOISE_DRAW, scale(params.numbers[WALK], get3(draws, WALK_DRAW)))
    put3(values, 0, get3(own, LAST_W))
    return True


SENSOR = SensorKind(
    name="gyro",
    block="gyro",
    fields=lambda chaser: (Field("w", "rad/s", "C", (3,), "Angular velocity"),),
    draws=lambda chaser: DRAWS,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
