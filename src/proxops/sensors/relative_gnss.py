"""Relative satellite navigation: motion of the chaser's centre of mass against the target's.

    p seen = p_OCcm - p_OTcm + b + σ_p ∘ draw        N axes
    v seen = v_OCcm - v_OTcm + σ_v ∘ draw'

Both spacecraft receive the same satellites and are linked; antennas are taken back to the centres
of mass.  b is constant over a run: unresolved ambiguities, multipath.  It measures within its
range, ends included.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import part
from proxops.core.spatial.vector import get3, norm, put3, sub
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of

# Entries of its numbers
NOISE = 0  # σ_p [m], then σ_v [m/s]
NEAREST = 6  # [m]
FARTHEST = 7  # [m]

SIZE = 6
_NONE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class RelativeGnss:
    """As it stands; N axes."""

    timing: Timing = field(default_factory=Timing)
    noise: tuple[float, ...] = _NONE  # σ_p [m]
    speed_noise: tuple[float, ...] = _NONE  # σ_v [m/s]
    bias_sigma: tuple[float, ...] = _NONE  # standard deviation of b between runs [m]
    nearest: float = 0.0  # [m]
    farthest: float = math.inf  # [m]


def describe(section: Any, grapple: Any) -> RelativeGnss:
    """As a scenario has it."""
    return RelativeGnss(
        timing=timing_of(section),
        noise=section.noise_m,
        speed_noise=section.noise_m_s,
        bias_sigma=section.bias_sigma_m,
        nearest=section.nearest_m,
        farthest=math.inf if section.farthest_m is None else section.farthest_m,
    )


def law(given: RelativeGnss, chaser: Chaser) -> Law:
    """What is particular to it."""
    numbers = (*given.noise, *given.speed_noise, given.nearest, given.farthest)
    return Law(numbers, bias_sigma=given.bias_sigma)


@part
def measure(params, memory, truth, draws, values):
    """Position and velocity, where the target is in range."""
    gnss = params.numbers
    p = sub(get3(truth.p_OCcm, 0), get3(truth.p_OTcm, 0))
    put3(values, 0, p)
    put3(values, 3, sub(get3(truth.v_OCcm, 0), get3(truth.v_OTcm, 0)))
    for i in range(SIZE):
        values[i] += memory.bias[i] + gnss[NOISE + i] * draws[i]
    far = norm(p)
    return gnss[NEAREST] <= far and far <= gnss[FARTHEST]


SENSOR = SensorKind(
    name="relative_gnss",
    block="gnss",
    fields=lambda chaser: (
        Field("p", "m", "N", (3,), "From Tcm to Ccm", signal="sensors.gnss.p"),
        Field("v", "m/s", "N", (3,), "Its rate", signal="sensors.gnss.v"),
    ),
    draws=lambda chaser: SIZE,
    describe=describe,
    law=law,
    sample=sampler(measure),
    constant_errors=True,
)
