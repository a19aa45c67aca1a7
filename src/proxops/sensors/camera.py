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
from typing import Any

from proxops.bus.fields import Field
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
from proxops.core.units import DEG
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, times, timing_of

# Entries of its numbers
P_CK = 0
Q_CK = 3
P_TG = 7
Q_TG = 10
NOISE = 14  # σ [m]
PER_RANGE = 15  # κ [-]
ANGLE_NOISE = 16  # σ_q [rad]
EDGE = 17  # cosine of the half angle of view
NEAREST = 18  # [m]
FARTHEST = 19  # [m]

NO_EDGE = -2.0  # every direction is above it

# Entries of its draws
SHIFT_DRAW = 0
ANGLE_DRAW = 3
DRAWS = 6

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
    angle_noise: float = 0.0  # σ_q [rad]
    bias: tuple[float, ...] = _NONE  # mean of b_p, b_q [m, rad]
    bias_sigma: tuple[float, ...] = _NONE  # their standard deviation between runs
    half_view: float | None = None  # [rad]; None: all around
    nearest: float = 0.0  # [m]
    farthest: float = math.inf  # [m]


def describe(section: Any, grapple: Any) -> Camera:
    """As a scenario has it, of a target that can be held at that grapple frame."""
    half = section.half_view_deg
    return Camera(
        timing=timing_of(section),
        X_CK=(*section.p_CK_m, *section.q_CK),
        X_TG=(*grapple.p_TG_m, *grapple.q_TG),
        noise=section.noise_m,
        noise_per_range=section.noise_per_range,
        angle_noise=DEG * section.noise_deg,
        bias=(*section.bias_m, *times(DEG, section.bias_deg)),
        bias_sigma=(*section.bias_sigma_m, *times(DEG, section.bias_sigma_deg)),
        half_view=None if half is None else DEG * half,
        nearest=section.nearest_m,
        farthest=math.inf if section.farthest_m is None else section.farthest_m,
    )


def law(given: Camera, chaser: Chaser) -> Law:
    """What is particular to it."""
    edge = NO_EDGE if given.half_view is None else math.cos(given.half_view)
    spreads = given.noise, given.noise_per_range, given.angle_noise
    numbers = (*given.X_CK, *given.X_TG, *spreads, edge, given.nearest, given.farthest)
    return Law(numbers, bias=given.bias, bias_sigma=given.bias_sigma)


@helper
def grapple_in_camera(camera, truth):
    """X_KG."""
    X_OC = get4(truth.q_NC, 0), get3(truth.p_OC, 0)
    X_OT = get4(truth.q_NT, 0), get3(truth.p_OT, 0)
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
    shift = add(get3(bias, SHIFT_DRAW), scale(spread, get3(draws, SHIFT_DRAW)))
    noise = scale(camera[ANGLE_NOISE], get3(draws, ANGLE_DRAW))
    rotation = add(get3(bias, ANGLE_DRAW), noise)
    return quat_positive(quat_normalised(quat_mul(q_KG, quat_exp(rotation)))), add(p_KG, shift)


@part
def measure(params, memory, truth, draws, values):
    """The pose of G, where it is in view."""
    X_KG = grapple_in_camera(params.numbers, truth)
    q, p = pose_seen(params.numbers, X_KG, memory.bias, draws)
    put3(values, 0, p)
    put4(values, 3, q)
    return is_in_view(params.numbers, X_KG[1])


SENSOR = SensorKind(
    name="camera",
    block="camera",
    fields=lambda chaser: (
        Field("p", "m", "K", (3,), "Position of the grapple frame"),
        Field("q", "1", "G to K, wxyz", (4,), "Its attitude", start=(1.0, 0.0, 0.0, 0.0)),
    ),
    draws=lambda chaser: DRAWS,
    describe=describe,
    law=law,
    sample=sampler(measure),
)
