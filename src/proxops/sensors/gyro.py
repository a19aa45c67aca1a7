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

from dataclasses import dataclass, field

import numpy as np

from proxops.bus import truth as of
from proxops.bus.measurements import GYRO_W
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_inverse, quat_log, quat_mul
from proxops.core.spatial.vector import add, add3, get3, put3, scale
from proxops.sensors import draws as draw_of
from proxops.sensors.model import FROZEN, GYRO, GYRO_OUT, GYRO_Q, LAST, PERIOD
from proxops.sensors.sampling import gets_through, is_due, take, window_at
from proxops.sensors.timing import Timing, Window

# Entries of Sensors.gyro
NOISE = 0  # N/√T [rad/s]
WALK = 1  # K √T [rad/s]


@dataclass(frozen=True)
class Gyro:
    """As it stands, ideal; C axes."""

    timing: Timing = field(default_factory=Timing)
    noise: float = 0.0  # N [rad/√s]
    walk: float = 0.0  # K [rad/s/√s]
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)  # mean of b(0) [rad/s]
    bias_sigma: tuple[float, ...] = (0.0, 0.0, 0.0)  # standard deviation of b(0) [rad/s]
    frozen: tuple[Window, ...] = ()


def numbers(given: Gyro) -> np.ndarray:
    """Sensors.gyro."""
    period = given.timing.period
    if period == 0.0 and (given.noise != 0.0 or given.walk != 0.0):
        raise InputError("sensors.gyro: noise and walk are per root of time: it needs a rate")
    noise = given.noise / period**0.5 if period else 0.0
    return np.array([noise, given.walk * period**0.5])


@helper
def mean_rate(q_NA, q_NB, period):
    """Mean angular velocity [rad/s] that turns A into B within a period [s], the same in both axes;
    of less than half a turn."""
    return scale(1.0 / period, quat_log(quat_mul(quat_inverse(q_NA), q_NB)))


@part
def feel_rate(model, state, truth, draws):
    """Samples the angular velocity where it is due, and walks the bias."""
    now, memory, period = truth.now, state.memory, model.schedule[GYRO, PERIOD]
    if not is_due(model, GYRO, now):
        return
    hub = truth.hubs[of.CHASER]
    q_NC, w = get4(hub, of.Q), get3(hub, of.W)
    if period > 0 and state.marks[GYRO, LAST] >= 0:
        w = mean_rate(get4(memory, GYRO_Q), q_NC, period / NS_PER_S)
    put4(memory, GYRO_Q, q_NC)
    state.marks[GYRO, LAST] = now
    noise = scale(model.gyro[NOISE], get3(draws, draw_of.GYRO))
    if window_at(model.windows, FROZEN, now) < 0:
        put3(memory, GYRO_OUT, add(add(w, get3(state.bias, draw_of.GYRO)), noise))
    add3(state.bias, draw_of.GYRO, scale(model.gyro[WALK], get3(draws, draw_of.GYRO_WALK)))
    if gets_through(model, state, GYRO, now, draws):
        put3(state.samples[take(state, GYRO, now)], GYRO_W, get3(memory, GYRO_OUT))
