"""A camera on the chaser: the pose of the target's grapple frame G in the camera's K.

    X_KG = (X_OC X_CK)⁻¹ X_OT X_TG
    p seen = p_KG + b_p + (σ + κ |p_KG|) draw
    q seen = q_KG ∘ exp(b_q + σ_q draw)

The camera looks along z of K.  b_p and its noise are in K, the small rotation vector in G.  It sees
G while this is within its range, ends included, and no farther than the half angle from its line of
sight; what G is on and what stands before it does not matter.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from proxops.bus import truth as of
from proxops.bus.measurements import CAMERA_P, CAMERA_Q
from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_mul,
    quat_normalised,
    quat_positive,
)
from proxops.core.spatial.vector import add, get3, norm, put3, scale
from proxops.sensors import draws as draw_of
from proxops.sensors.model import CAMERA
from proxops.sensors.sampling import gets_through, is_due, take
from proxops.sensors.timing import Timing

# Entries of Sensors.camera
P_CK = 0
Q_CK = 3
P_TG = 7
Q_TG = 10
NOISE = 14  # σ [m]
PER_RANGE = 15  # κ [-]
TURN_NOISE = 16  # σ_q [rad]
EDGE = 17  # cosine of the half angle of view
NEAREST = 18  # [m]
FARTHEST = 19  # [m]

NO_EDGE = -2.0  # every direction is above it

_NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_AT_THE_ORIGIN = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Camera:
    """As it stands, ideal.  A pose is a position and a quaternion."""

    timing: Timing = field(default_factory=Timing)
    X_CK: tuple[float, ...] = _AT_THE_ORIGIN
    X_TG: tuple[float, ...] = _AT_THE_ORIGIN
    noise: float = 0.0  # σ [m]
    noise_per_range: float = 0.0  # κ [-]
    turn_noise: float = 0.0  # σ_q [rad]
    bias: tuple[float, ...] = _NONE  # mean of b_p, b_q [m, rad]
    bias_sigma: tuple[float, ...] = _NONE  # their standard deviation between runs
    half_view: float | None = None  # [rad]; None: all around
    nearest: float = 0.0  # [m]
    farthest: float = math.inf  # [m]


def numbers(given: Camera) -> np.ndarray:
    """Sensors.camera."""
    edge = NO_EDGE if given.half_view is None else math.cos(given.half_view)
    spreads = given.noise, given.noise_per_range, given.turn_noise
    return np.array([*given.X_CK, *given.X_TG, *spreads, edge, given.nearest, given.farthest])


@helper
def grapple_in_camera(camera, hubs):
    """X_KG."""
    chaser, target = hubs[of.CHASER], hubs[of.TARGET]
    X_OC = get4(chaser, of.Q), get3(chaser, of.P)
    X_OT = get4(target, of.Q), get3(target, of.P)
    X_OK = compose(X_OC, (get4(camera, Q_CK), get3(camera, P_CK)))
    X_OG = compose(X_OT, (get4(camera, Q_TG), get3(camera, P_TG)))
    return compose(inverse(X_OK), X_OG)


@helper
def is_in_view(camera, p_KG):
    """Whether the camera sees that point [m]."""
    far = norm(p_KG)
    in_range = camera[NEAREST] <= far and far <= camera[FARTHEST]
    return in_range and p_KG[2] >= camera[EDGE] * far


@helper
def pose_seen(camera, X_KG, bias, draws):
    """X_KG as the camera has it."""
    q_KG, p_KG = X_KG
    spread = camera[NOISE] + camera[PER_RANGE] * norm(p_KG)
    shift = add(get3(bias, draw_of.CAMERA), scale(spread, get3(draws, draw_of.CAMERA)))
    noise = scale(camera[TURN_NOISE], get3(draws, draw_of.CAMERA_TURN))
    turn = add(get3(bias, draw_of.CAMERA_TURN), noise)
    return quat_positive(quat_normalised(quat_mul(q_KG, quat_exp(turn)))), add(p_KG, shift)


@part
def look_at_grapple(model, state, truth, draws):
    """Takes a picture where one is due."""
    if not is_due(model, CAMERA, truth.now):
        return
    X_KG = grapple_in_camera(model.camera, truth.hubs)
    through = gets_through(model, state, CAMERA, truth.now, draws)
    if through and is_in_view(model.camera, X_KG[1]):
        q, p = pose_seen(model.camera, X_KG, state.bias, draws)
        row = take(state, CAMERA, truth.now)
        put3(state.samples[row], CAMERA_P, p)
        put4(state.samples[row], CAMERA_Q, q)
