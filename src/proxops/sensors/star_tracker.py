"""A star tracker: the chaser's attitude against the stars.

    q_NC seen = q_NC ∘ exp(R_CS ε),   ε = b + σ ∘ draw

ε is a small rotation vector in the tracker's axes S, whose z axis is the line of sight: errors
about it (roll) are larger than across it.  Turning faster than it can follow it says nothing.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_mul,
    quat_normalised,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import get3, mul, norm
from proxops.core.units import ARCSEC, DEG
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, times, timing_of

# Entries of its numbers
Q_CS = 0
NOISE = 4  # σ about the axes of S [rad]
FASTEST = 7  # [rad/s]


@dataclass(frozen=True)
class StarTracker:
    """As it stands, ideal; S axes."""

    timing: Timing = field(default_factory=Timing)
    q_CS: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    noise: tuple[float, ...] = (0.0, 0.0, 0.0)  # σ [rad]
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)  # mean of b [rad]
    bias_sigma: tuple[float, ...] = (0.0, 0.0, 0.0)  # standard deviation of b between runs [rad]
    fastest: float = math.inf  # rate up to which it finds its stars [rad/s]


def describe(section: Any, grapple: Any) -> StarTracker:
    """As a scenario has it."""
    cross, roll = section.noise_cross_arcsec, section.noise_roll_arcsec
    fastest = section.max_rate_deg_s
    return StarTracker(
        timing=timing_of(section),
        q_CS=section.q_CS,
        noise=times(ARCSEC, (cross, cross, roll)),
        bias=times(ARCSEC, section.bias_arcsec),
        bias_sigma=times(ARCSEC, section.bias_sigma_arcsec),
        fastest=math.inf if fastest is None else DEG * fastest,
    )


def law(given: StarTracker, chaser: Chaser) -> Law:
    """What is particular to it."""
    numbers = (*given.q_CS, *given.noise, given.fastest)
    return Law(numbers, bias=given.bias, bias_sigma=given.bias_sigma)


@helper
def attitude_seen(tracker, q_NC, bias, draw):
    """q_NC as the tracker has it."""
    rotation_S = (
        bias[0] + tracker[NOISE] * draw[0],
        bias[1] + tracker[NOISE + 1] * draw[1],
        bias[2] + tracker[NOISE + 2] * draw[2],
    )
    rotation_C = mul(quat_to_rotation(get4(tracker, Q_CS)), rotation_S)
    return quat_positive(quat_normalised(quat_mul(q_NC, quat_exp(rotation_C))))


@part
def measure(params, memory, truth, draws, values):
    """The attitude, unless the chaser turns too fast."""
    tracker = params.numbers
    attitude = attitude_seen(tracker, get4(truth.q_NC, 0), get3(memory.bias, 0), get3(draws, 0))
    put4(values, 0, attitude)
    return norm(get3(truth.w_NC_C, 0)) <= tracker[FASTEST]


SENSOR = SensorKind(
    name="star_tracker",
    block="star",
    fields=lambda chaser: (
        Field("q", "1", "C to N, wxyz", (4,), "Attitude", start=(1.0, 0.0, 0.0, 0.0)),
    ),
    draws=lambda chaser: 3,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
