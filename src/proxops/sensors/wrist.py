"""A force/torque sensor at the wrist: filtered, biased, noisy.

    Ḟ_f = Ω (F - F_f)        analogue filter, if it has one; at rest at the first call
    sample = F_f + b + σ ∘ draw + spike

Between calls F is taken to go straight, and the filter answers that exactly.  F is the wrench on
the end effector, at E in E.  A spike is scripted: it is added to samples exposed in its window,
behind the filter.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.bus.truth import WRENCH
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.core.units import HZ
from proxops.sensors.sampling import LAST, sampler, window_at
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, Window, timing_of, window_of

# Entries of its numbers
CORNER = 0  # Ω [rad/s], zero without a filter
NOISE = 1  # σ (6) [N, N m]

# Entries of what it remembers
FILTERED = 0  # wrench behind the filter (6)
BEFORE = 6  # wrench at the last call (6)
MEMORY = 12

_NONE = (0.0,) * WRENCH


@dataclass(frozen=True)
class Wrist:
    """As it stands, ideal; E axes."""

    timing: Timing = field(default_factory=Timing)
    corner: float = 0.0  # Ω [rad/s], zero without a filter
    noise: tuple[float, ...] = _NONE  # σ [N, N m]
    bias: tuple[float, ...] = _NONE  # mean of b [N, N m]
    bias_sigma: tuple[float, ...] = _NONE  # standard deviation of b between runs
    spikes: tuple[tuple[Window, tuple[float, ...]], ...] = ()  # when, and how large [N, N m]


def describe(section: Any, grapple: Any) -> Wrist:
    """As a scenario has it."""
    return Wrist(
        timing=timing_of(section),
        corner=HZ * (section.filter_hz or 0.0),
        noise=(*section.noise_N, *section.noise_N_m),
        bias=(*section.bias_N, *section.bias_N_m),
        bias_sigma=(*section.bias_sigma_N, *section.bias_sigma_N_m),
        spikes=tuple(
            (window_of(each), (*each.force_N, *each.torque_N_m)) for each in section.spikes
        ),
    )


def law(given: Wrist, chaser: Chaser) -> Law:
    """What is particular to it."""
    return Law(
        (given.corner, *given.noise),
        bias=given.bias,
        bias_sigma=given.bias_sigma,
        memory=MEMORY,
        windows=tuple(window for window, _ in given.spikes),
        disturbances=tuple(size for _, size in given.spikes),
    )


@helper
def filter_weights(x):
    """Of F_f, F before and F now in the filter's answer after x = Ω Δt > 0, F going straight:

    e⁻ˣ,   g - e⁻ˣ,   1 - g        with g = (1 - e⁻ˣ)/x
    """
    kept = math.exp(-x)
    mean = -math.expm1(-x) / x
    return kept, mean - kept, 1.0 - mean


@part
def filter_wrench(params, memory, now, wrench):
    """Brings the filter to now [ns]."""
    own, last = memory.own, memory.marks[LAST]
    corner = params.numbers[CORNER]
    x = corner * (now - last) / NS_PER_S
    if corner == 0.0 or last < 0:
        for i in range(WRENCH):
            own[FILTERED + i] = wrench[i]
    elif x > 0.0:
        kept, before, after = filter_weights(x)
        for i in range(WRENCH):
            answer = kept * own[FILTERED + i] + before * own[BEFORE + i] + after * wrench[i]
            own[FILTERED + i] = answer
    for i in range(WRENCH):
        own[BEFORE + i] = wrench[i]
    memory.marks[LAST] = now


@part
def measure(params, memory, truth, draws, values):
    """The wrench behind the filter, which goes on at every call."""
    now = truth.clock[0]
    filter_wrench(params, memory, now, truth.wrench)
    spike = window_at(params.windows, now)
    for i in range(WRENCH):
        error = memory.bias[i] + params.numbers[NOISE + i] * draws[i]
        if spike >= 0:
            error += params.disturbances[spike, i]
        values[i] = memory.own[FILTERED + i] + error
    return True


SENSOR = SensorKind(
    name="wrist",
    block="wrist",
    fields=lambda chaser: (
        Field(
            "wrench",
            "N,N,N,N m,N m,N m",
            "E",
            (WRENCH,),
            "Wrench on the end effector",
            signal="sensors.wrist",
        ),
    ),
    draws=lambda chaser: WRENCH,
    describe=describe,
    law=law,
    sample=sampler(measure),
    continuous=True,
)
