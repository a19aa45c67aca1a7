"""A camera on the chaser that sees a far target as a point: two angles of its line of sight.

    p_KT = R_CKᵀ (R_NCᵀ (p_OTcm - p_OC) - p_CK)
    azimuth   = atan2(x, z) + b_a + σ draw
    elevation = atan2(y, √(x² + z²)) + b_e + σ draw

The camera looks along z of K; azimuth turns towards x, elevation towards y.  The point is the
target's centre of mass: how a lit hull shifts what a camera takes for it is part of the constant
errors b.  It sees the target within its range and half angle of view, ends included, while this is
lit (sensors.light); what stands between does not matter.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from proxops.bus.fields import Field
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3, matmul, mul, mul_t, norm, scale, sub
from proxops.core.units import DEG
from proxops.sensors.light import is_lit
from proxops.sensors.sampling import sampler
from proxops.sensors.sensor import Chaser, Law, SensorKind
from proxops.sensors.timing import Timing, timing_of

# Entries of its numbers
P_CK = 0
Q_CK = 3
NOISE = 7  # σ [rad]
EDGE = 8  # cosine of the half angle of view
NEAREST = 9  # [m]
FARTHEST = 10  # [m]
EXCLUSION = 11  # cosine of the least angle between target and Sun
PHASE = 12  # cosine of the greatest phase angle

NO_EDGE = -2.0  # every direction is above it
NO_END = 2.0  # and below this
ANGLES = 2


@dataclass(frozen=True)
class BearingCamera:
    """As it stands; a pose is a position and a quaternion."""

    timing: Timing = field(default_factory=Timing)
    X_CK: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    noise: float = 0.0  # σ [rad]
    bias_sigma: float = 0.0  # standard deviation of b_a and b_e between runs [rad]
    half_view: float | None = None  # [rad]; None: all around
    nearest: float = 0.0  # [m]
    farthest: float = math.inf  # [m]
    sun_exclusion: float = 0.0  # [rad]
    max_phase: float = math.pi  # [rad]


def describe(section: Any, grapple: Any) -> BearingCamera:
    """As a scenario has it."""
    half = section.half_view_deg
    return BearingCamera(
        timing=timing_of(section),
        X_CK=(*section.p_CK_m, *section.q_CK),
        noise=DEG * section.noise_deg,
        bias_sigma=DEG * section.bias_sigma_deg,
        half_view=None if half is None else DEG * half,
        nearest=section.nearest_m,
        farthest=math.inf if section.farthest_m is None else section.farthest_m,
        sun_exclusion=DEG * section.sun_exclusion_deg,
        max_phase=DEG * section.max_phase_deg,
    )


def law(given: BearingCamera, chaser: Chaser) -> Law:
    """What is particular to it."""
    edge = NO_EDGE if given.half_view is None else math.cos(given.half_view)
    # Rounded cosines of 0 and π would shut out the very ends
    exclusion = NO_END if given.sun_exclusion == 0.0 else math.cos(given.sun_exclusion)
    phase = NO_EDGE if given.max_phase >= math.pi else math.cos(given.max_phase)
    numbers = (*given.X_CK, given.noise, edge, given.nearest, given.farthest, exclusion, phase)
    return Law(numbers, bias_sigma=(given.bias_sigma,) * ANGLES)


@helper
def angles_of(p_K):
    """Azimuth and elevation [rad] of a point in K."""
    x, y, z = p_K
    return math.atan2(x, z), math.atan2(y, math.sqrt(x * x + z * z))


@helper
def target_in_camera(camera, truth):
    """p_KT [m] of the target's centre of mass, and R_NK."""
    R_NC = quat_to_rotation(get4(truth.q_NC, 0))
    p_CT = mul_t(R_NC, sub(get3(truth.p_OTcm, 0), get3(truth.p_OC, 0)))
    R_CK = quat_to_rotation(get4(camera, Q_CK))
    return mul_t(R_CK, sub(p_CT, get3(camera, P_CK))), matmul(R_NC, R_CK)


@part
def measure(params, memory, truth, draws, values):
    """Both angles, where the target is in view and lit."""
    camera = params.numbers
    p_KT, R_NK = target_in_camera(camera, truth)
    azimuth, elevation = angles_of(p_KT)
    values[0] = azimuth + memory.bias[0] + camera[NOISE] * draws[0]
    values[1] = elevation + memory.bias[1] + camera[NOISE] * draws[1]
    far = norm(p_KT)
    if not (far > 0.0 and camera[NEAREST] <= far and far <= camera[FARTHEST]):
        return False
    u = mul(R_NK, scale(1.0 / far, p_KT))
    in_view = p_KT[2] >= camera[EDGE] * far
    return in_view and is_lit(truth, u, camera[EXCLUSION], camera[PHASE])


SENSOR = SensorKind(
    name="bearing_camera",
    block="bearing",
    fields=lambda chaser: (
        Field(
            "angles",
            "rad",
            "K",
            (ANGLES,),
            "Azimuth and elevation of the target",
            signal="sensors.bearing.angles",
        ),
    ),
    draws=lambda chaser: ANGLES,
    describe=describe,
    law=law,
    sample=sampler(measure),
    constant_errors=True,
)
