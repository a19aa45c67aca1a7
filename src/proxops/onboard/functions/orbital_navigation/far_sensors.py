"""What bearing, range and relative GNSS say of the estimate.

    bearing    angles of p_KT = R_CKᵀ (p_CCcm - p_CK - R_NCᵀ p),  plus their constant errors
    range      |p + R_NC (p_CL - p_CCcm)|,  plus its constant error
    GNSS       p + its constant errors, v

All at the time of exposure, with the attitude as it was estimated then.

**Angles.**  A line of sight is straight: g(u)ᵀ p_K = 0 holds for all points along u.  Taken along
the direction that was expected, an estimate that is 50 m wrong at 1 km would be 0.05 rad off, and
the next angles, along another direction, would seem to tell the distance: standard deviations along
the line of sight fell from 50 to 34 m where nothing was known of it.  So u is where the update will
put it, the first step of an iterated filter (Jazwinski 1970).  Where that changes less than a tenth
of the noise, u is the direction that was expected: to follow every innovation, however small, would
draw the estimate nearer little by little, since the innovation and the way it is taken go together.

**Ranges** are curved: where the place across is poor, what the second order adds counts as noise
and its mean is taken off.  With Π = 1 - r rᵀ across the unit vector r of p:

    mean tr(ΠP)/(2ρ),   variance tr(ΠPΠP)/(2ρ²)
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add, dot, get3, matmul, mul, mul_t, norm, scale, sub
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.model import INNOVATION, NOISE
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.onboard.functions.orbital_navigation.measurement import (
    is_in_reach,
    is_new,
    motion_then,
    put_row,
    put_speed_row,
    spread_of,
    take,
)

_HALF_TURN = math.pi
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_MATTERS = 0.1  # of the noise, that turning the direction may change
_TOO_BENT = 0.1  # of the distance, that its mean over the spread exceeds it by


@part
def take_measurements(params, memory, inputs):
    """Takes what has arrived since the last time; angles before the range, which is straight only
    where the direction is known."""
    bearings = is_new(memory, at.BEARINGS, inputs.bearing_count[0])
    ranges = is_new(memory, at.RANGES, inputs.range_finder_count[0])
    fixes = is_new(memory, at.FIXES, inputs.gnss_count[0])
    if fixes and is_in_reach(memory, inputs.gnss_t[0]):
        take_fix(params, memory, inputs)
    # These are turned by the attitude of then
    known = memory.marks[at.ATTITUDE_FROM]
    if bearings and inputs.bearing_t[0] >= known and is_in_reach(memory, inputs.bearing_t[0]):
        take_bearing(params, memory, inputs)
    seen = inputs.range_finder_t[0]
    if ranges and seen >= known and is_in_reach(memory, seen):
        take_range(params, memory, inputs)


@part
def take_bearing(params, memory, inputs):
    """Corrects the estimate by the angles of a line of sight.

    y = z - b - α(u) - g(u)ᵀ p_K,   u: where both angles will be believed to be,   g(u)ᵀ u = 0
    """
    belief, x, rows, H = params.belief, memory.x, memory.rows, memory.bearing_H
    p, _, by_k, _ = motion_then(params, memory)
    R_NC = quat_to_rotation(get4(memory.past, nav.PAST_Q))
    R_CK = quat_to_rotation(get4(belief, at.CAMERA_Q))
    R_NK = matmul(R_NC, R_CK)
    arm = sub(get3(memory.past, nav.PAST_COM), get3(belief, at.CAMERA_P))
    p_K = mul_t(R_CK, sub(arm, mul_t(R_NC, p)))
    own = belief[at.BEARING_SIGMA] * belief[at.BEARING_SIGMA]
    turned = inputs.navigation_sigma_C[0] * inputs.navigation_sigma_C[0]
    noise = own + belief[at.ATTITUDE_FACTOR] * turned
    far, azimuth, elevation = norm(p_K), math.atan2(p_K[0], p_K[2]), 0.0
    if not far > 0.0:
        return
    elevation = math.asin(p_K[1] / far)
    right, up = gradients(azimuth, elevation, far)
    a = _within_half_turn(inputs.bearing_angles[0] - x[at.BEARING] - azimuth)
    b = inputs.bearing_angles[1] - x[at.BEARING + 1] - elevation
    toward_a = a * _share_of(memory.P, scale(-1.0, mul(R_NK, right)), at.BEARING, noise)
    toward_b = b * _share_of(memory.P, scale(-1.0, mul(R_NK, up)), at.BEARING + 1, noise)
    away = mul(R_NK, scale(1.0 / far, p_K))
    matters = _MATTERS * far * math.sqrt(noise / spread_of(memory.P, away, away))
    toward_a = toward_a if abs(toward_a) > matters else 0.0
    toward_b = toward_b if abs(toward_b) > matters else 0.0
    right, up = gradients(azimuth + toward_a, elevation + toward_b, far)
    rows[INNOVATION, 0] = a - toward_a - dot(right, p_K)
    rows[INNOVATION, 1] = b - toward_b - dot(up, p_K)
    put_row(params, memory, H, 0, scale(-1.0, mul(R_NK, right)), by_k)
    put_row(params, memory, H, 1, scale(-1.0, mul(R_NK, up)), by_k)
    for i in range(2):
        rows[NOISE, i] = noise
        H[i, at.BEARING + i] = 1.0
    take(params, memory, at.OF_BEARING, belief[at.BEARING_GATE], H, memory.bearing_S)


@part
def gradients(azimuth, elevation, far):
    """Of both angles by the place of a point [rad/m], in K, at that distance along them."""
    ca, sa = math.cos(azimuth), math.sin(azimuth)
    ce, se = math.cos(elevation), math.sin(elevation)
    right = scale(1.0 / (far * ce), (ca, 0.0, -sa))
    return right, scale(1.0 / far, (-se * sa, ce, -se * ca))


@part
def _share_of(P, g, bias, noise):
    """How much of an innovation the place takes on, of an angle with that gradient in N; the rest
    goes to its constant error and to noise.

    (gᵀP g + gᵀP b)/(gᵀP g + 2 gᵀP b + bᵀP b + σ²)
    """
    spread, both = spread_of(P, g, g), 0.0
    for i in range(3):
        both += g[i] * P[at.POSITION + i, bias]
    return (spread + both) / (spread + 2.0 * both + P[bias, bias] + noise)


@helper
def _within_half_turn(angle):
    """The same angle [rad] between -π and π."""
    return angle - 2.0 * _HALF_TURN * math.floor((angle + _HALF_TURN) / (2.0 * _HALF_TURN))


@part
def take_range(params, memory, inputs):
    """Corrects the estimate by a distance."""
    belief, rows, P = params.belief, memory.rows, memory.P
    p, _, by_k, _ = motion_then(params, memory)
    R_NC = quat_to_rotation(get4(memory.past, nav.PAST_Q))
    arm = sub(get3(belief, at.FINDER_P), get3(memory.past, nav.PAST_COM))
    p_L = add(p, mul(R_NC, arm))
    far = norm(p_L)
    if not far > 0.0:
        return
    away = scale(1.0 / far, p_L)
    # Πᵀ P Π: what of the spread is across
    trace, squared = 0.0, 0.0
    for i in range(3):
        trace += P[at.POSITION + i, at.POSITION + i]
        for j in range(3):
            squared += P[at.POSITION + i, at.POSITION + j] * P[at.POSITION + i, at.POSITION + j]
    spread = (_row(P, 0, away), _row(P, 1, away), _row(P, 2, away))
    along = dot(away, spread)
    bent = 0.5 * (trace - along) / far
    if bent > _TOO_BENT * far:
        return  # seen from so near, a range tells nothing of a place that is so poor
    curved = 0.5 * (squared - 2.0 * dot(spread, spread) + along * along) / (far * far)
    sigma = belief[at.RANGE_SIGMA] + belief[at.RANGE_SHARE] * far
    rows[INNOVATION, 0] = inputs.range_finder_range[0] - far - memory.x[at.RANGE] - bent
    rows[NOISE, 0] = sigma * sigma + max(0.0, curved)
    put_row(params, memory, memory.range_H, 0, away, by_k)
    memory.range_H[0, at.RANGE] = 1.0
    take(params, memory, at.OF_RANGE, belief[at.RANGE_GATE], memory.range_H, memory.range_S)


@helper
def _row(P, i, a):
    """A row of P a, of the position."""
    row = at.POSITION + i
    return P[row, 0] * a[0] + P[row, 1] * a[1] + P[row, 2] * a[2]


@part
def take_fix(params, memory, inputs):
    """Corrects the estimate by position and velocity of relative GNSS."""
    belief, rows, H = params.belief, memory.rows, memory.gnss_H
    p, v, by_k, v_by_k = motion_then(params, memory)
    put_row(params, memory, H, 0, _X, by_k)
    put_row(params, memory, H, 1, _Y, by_k)
    put_row(params, memory, H, 2, _Z, by_k)
    put_speed_row(params, memory, H, 3, _X, v_by_k)
    put_speed_row(params, memory, H, 4, _Y, v_by_k)
    put_speed_row(params, memory, H, 5, _Z, v_by_k)
    for i in range(3):
        rows[INNOVATION, i] = inputs.gnss_p[i] - p[i] - memory.x[at.GNSS + i]
        rows[INNOVATION, 3 + i] = inputs.gnss_v[i] - v[i]
        H[i, at.GNSS + i] = 1.0
    for i in range(at.MOTION):
        rows[NOISE, i] = belief[at.GNSS_SIGMA + i] * belief[at.GNSS_SIGMA + i]
    take(params, memory, at.OF_GNSS, belief[at.GNSS_GATE], H, memory.gnss_S)
