"""Joint encoders: positions in whole steps, and rates made of them.

    q seen  = r ⌊(q + b + σ draw)/r + ½⌋        q + b + σ draw where the resolution r is zero
    qd seen = e⁻ˣ (qd seen before) + (1 - e⁻ˣ) Δ(q seen)/Δt,   x = Ω Δt

The rate is the difference of two samples behind a low-pass filter: s Ω/(s + Ω) of positions that go
straight between samples.  It begins with the true rate; without a filter it is the true rate.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.core.units import HZ
from proxops.sensors.sampling import LAST, sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of

# Entries of their numbers
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


def describe(section: Any, grapple: Any) -> Encoders:
    """As a scenario has them."""
    return Encoders(
        timing=timing_of(section),
        resolution=section.resolution,
        noise=section.noise,
        bias_sigma=section.bias_sigma,
        corner=HZ * (section.rate_filter_hz or 0.0),
    )


def law(given: Encoders, chaser: Chaser) -> Law:
    """What is particular to them; they remember positions and rates as last read."""
    return Law(
        (given.resolution, given.noise, given.corner),
        bias_sigma=(given.bias_sigma,) * chaser.joints,
        memory=2 * chaser.joints,
    )


@helper
def in_steps(position, resolution):
    """The nearest whole number of steps."""
    if resolution == 0.0:
        return position
    return resolution * math.floor(position / resolution + 0.5)


@part
def measure(params, memory, truth, draws, values):
    """Positions, then rates."""
    encoders, read, last = params.numbers, memory.own, memory.marks[LAST]
    now, joints = truth.clock[0], truth.q.shape[0]
    elapsed = (now - last) / NS_PER_S
    share = -math.expm1(-encoders[CORNER] * elapsed)
    for i in range(joints):
        error = memory.bias[i] + encoders[NOISE] * draws[i]
        position = in_steps(truth.q[i] + error, encoders[RESOLUTION])
        if encoders[CORNER] == 0.0 or last < 0:
            read[joints + i] = truth.qd[i]
        elif elapsed > 0.0:
            read[joints + i] += share * ((position - read[i]) / elapsed - read[joints + i])
        read[i] = position
    memory.marks[LAST] = now
    for i in range(2 * joints):
        values[i] = read[i]
    return True


SENSOR = SensorKind(
    name="encoders",
    block="encoders",
    fields=lambda chaser: (
        Field("q", "rad or m", "", (chaser.joints,), "Positions of joints, then wheels"),
        Field("qd", "rad/s or m/s", "", (chaser.joints,), "Rates of joints, then wheels"),
    ),
    draws=lambda chaser: chaser.joints,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
