"""A star tracker: the chaser's attitude against the stars.

    q_NC seen = q_NC ∘ exp(R_CS ε),   ε = b + σ ∘ draw

ε is a small rotation vector in the tracker's axes S, whose z axis is the line of sight: errors
about it (roll) are larger than across it.  Turning faster than it can follow it says nothing.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.bus import truth as of
from proxops.bus.measurements import STAR_Q
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
from proxops.sensors import draws as draw_of
from proxops.sensors.model import STAR
from proxops.sensors.sampling import gets_through, is_due, take
from proxops.sensors.timing import Timing

# Entries of Sensors.star_tracker
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


def numbers(given: StarTracker) -> np.ndarray:
    """Sensors.star_tracker."""
    return np.array([*given.q_CS, *given.noise, given.fastest], dtype=float)


@helper
def attitude_seen(tracker, q_NC, bias, draw):
    """q_NC as the tracker has it."""
    turn_S = (
        bias[0] + tracker[NOISE] * draw[0],
        bias[1] + tracker[NOISE + 1] * draw[1],
        bias[2] + tracker[NOISE + 2] * draw[2],
    )
    turn_C = mul(quat_to_rotation(get4(tracker, Q_CS)), turn_S)
    return quat_positive(quat_normalised(quat_mul(q_NC, quat_exp(turn_C))))


@part
def track_stars(model, state, truth, draws):
    """Samples the attitude where it is due."""
    if not is_due(model, STAR, truth.now):
        return
    hub = truth.hubs[of.CHASER]
    through = gets_through(model, state, STAR, truth.now, draws)
    if through and norm(get3(hub, of.W)) <= model.star_tracker[FASTEST]:
        bias, draw = get3(state.bias, draw_of.STAR), get3(draws, draw_of.STAR)
        attitude = attitude_seen(model.star_tracker, get4(hub, of.Q), bias, draw)
        put4(state.samples[take(state, STAR, truth.now)], STAR_Q, attitude)
