"""A force/torque sensor at the wrist: filtered, biased, noisy.

    Ḟ_f = Ω (F - F_f)        analogue filter, if it has one; at rest at the first call
    sample = F_f + b + σ ∘ draw + spike

Between calls F is taken to go straight, and the filter answers that exactly.  F is the wrench on
the end effector, at E in E.  A spike is scripted: it is added to samples exposed in its window,
behind the filter.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.bus.measurements import FORCE
from proxops.bus.truth import WRENCH
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.sensors import draws as draw_of
from proxops.sensors.model import BEFORE, FILTERED, LAST, SPIKE, WRIST
from proxops.sensors.sampling import gets_through, is_due, take, window_at
from proxops.sensors.timing import Timing, Window

# Entries of Sensors.wrist
CORNER = 0  # Ω [rad/s], zero without a filter
NOISE = 1  # σ (6) [N, N m]

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


def numbers(given: Wrist) -> np.ndarray:
    """Sensors.wrist."""
    return np.array([given.corner, *given.noise], dtype=float)


@helper
def filter_weights(x):
    """Of F_f, F before and F now in the filter's answer after x = Ω Δt > 0, F going straight:

    e⁻ˣ,   g - e⁻ˣ,   1 - g        with g = (1 - e⁻ˣ)/x
    """
    kept = math.exp(-x)
    mean = -math.expm1(-x) / x
    return kept, mean - kept, 1.0 - mean


@part
def filter_wrench(model, state, now, wrench):
    """Brings the filter to now [ns]."""
    memory, last = state.memory, state.marks[WRIST, LAST]
    x = model.wrist[CORNER] * (now - last) / NS_PER_S
    if model.wrist[CORNER] == 0.0 or last < 0:
        for i in range(WRENCH):
            memory[FILTERED + i] = wrench[i]
    elif x > 0.0:
        kept, before, after = filter_weights(x)
        for i in range(WRENCH):
            answer = kept * memory[FILTERED + i] + before * memory[BEFORE + i] + after * wrench[i]
            memory[FILTERED + i] = answer
    for i in range(WRENCH):
        memory[BEFORE + i] = wrench[i]
    state.marks[WRIST, LAST] = now


@part
def feel_wrench(model, state, truth, draws):
    """Filters the wrench, samples it where it is due."""
    now = truth.now
    filter_wrench(model, state, now, truth.wrench)
    if is_due(model, WRIST, now) and gets_through(model, state, WRIST, now, draws):
        row, spike = take(state, WRIST, now), window_at(model.windows, SPIKE, now)
        for i in range(WRENCH):
            at = draw_of.WRIST + i
            error = state.bias[at] + model.wrist[NOISE + i] * draws[at]
            if spike >= 0:
                error += model.spikes[spike, i]
            state.samples[row, FORCE + i] = state.memory[FILTERED + i] + error
