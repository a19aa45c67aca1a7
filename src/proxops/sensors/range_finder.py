"""A range finder on the chaser: the distance from a point L on it to the target's centre of mass.

    d = |R_NC p_CL + p_OC - p_OTcm|
    d seen = d + b + (σ + κ d) draw        and σ_o draw' more with the chance p of an outlier

The hull is not modelled: where a pulse comes back from is part of the constant error b.  It needs
no light and looks everywhere, within its range, ends included.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add, get3, mul, norm, sub
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, threshold, timing_of

# Entries of its numbers
P_CL = 0
NOISE = 3  # σ [m]
PER_RANGE = 4  # κ [-]
OUTLIER = 5  # a sample is an outlier if its normal number is below this
OUTLIER_SIGMA = 6  # σ_o [m]
NEAREST = 7  # [m]
FARTHEST = 8  # [m]

# Entries of its draws
NOISE_DRAW = 0
CHANCE_DRAW = 1
OUTLIER_DRAW = 2
DRAWS = 3


@dataclass(frozen=True)
class RangeFinder:
    """As it stands."""

    timing: Timing = field(default_factory=Timing)
    p_CL: tuple[float, ...] = (0.0, 0.0, 0.0)
    noise: float = 0.0  # σ [m]
    noise_per_range: float = 0.0  # κ [-]
    bias_sigma: float = 0.0  # standard deviation of b between runs [m]
    outlier_probability: float = 0.0
    outlier_sigma: float = 0.0  # σ_o [m]
    nearest: float = 0.0  # [m]
    farthest: float = math.inf  # [m]


def describe(section: Any, grapple: Any) -> RangeFinder:
    """As a scenario has it."""
    return RangeFinder(
        timing=timing_of(section),
        p_CL=section.p_CL_m,
        noise=section.noise_m,
        noise_per_range=section.noise_per_range,
        bias_sigma=section.bias_sigma_m,
        outlier_probability=section.outlier_probability,
        outlier_sigma=section.outlier_sigma_m,
        nearest=section.nearest_m,
        farthest=math.inf if section.farthest_m is None else section.farthest_m,
    )


def law(given: RangeFinder, chaser: Chaser) -> Law:
    """What is particular to it."""
    outlier = threshold(given.outlier_probability), given.outlier_sigma
    spreads = given.noise, given.noise_per_range
    numbers = (*given.p_CL, *spreads, *outlier, given.nearest, given.farthest)
    return Law(numbers, bias_sigma=(given.bias_sigma,))


@helper
def distance_of(finder, truth):
    """d [m]."""
    arm = mul(quat_to_rotation(get4(truth.q_NC, 0)), get3(finder, P_CL))
    return norm(sub(get3(truth.p_OTcm, 0), add(get3(truth.p_OC, 0), arm)))


@part
def measure(params, memory, truth, draws, values):
    """The distance, where the target is in range."""
    finder = params.numbers
    d = distance_of(finder, truth)
    spread = finder[NOISE] + finder[PER_RANGE] * d
    values[0] = d + memory.bias[NOISE_DRAW] + spread * draws[NOISE_DRAW]
    if draws[CHANCE_DRAW] < finder[OUTLIER]:
        values[0] += finder[OUTLIER_SIGMA] * draws[OUTLIER_DRAW]
    return finder[NEAREST] <= d and d <= finder[FARTHEST]


SENSOR = SensorKind(
    name="range_finder",
    block="range_finder",
    fields=lambda chaser: (
        Field("range", "m", title="Distance of the target", signal="sensors.range_finder.range"),
    ),
    draws=lambda chaser: DRAWS,
    describe=describe,
    law=law,
    sample=sampler(measure),
    constant_errors=True,
)
