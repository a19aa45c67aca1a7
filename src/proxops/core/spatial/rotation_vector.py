"""Rotation vectors r [rad] that change with time: R = exp([r]×), body rate w, and back.

    w = J ṙ,   J = 1 - a [r]× + b [r]×²,   J⁻¹ = 1 + ½ [r]× + c [r]×²      (|r| = x)

    a = (1 - cos x)/x²,   b = (x - sin x)/x³,   c = (1 - (x/2) cot(x/2))/x²

J is the right Jacobian of the exponential; in the left one the odd terms have the opposite sign.
Each coefficient comes from its series where the closed form cancels.  J⁻¹ exists for x < 2π.
"""

import math

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import SMALL_ANGLE
from proxops.core.spatial.vector import add, cross, dot, norm, scale, sub


@helper
def jacobian_terms(x):
    """a and b."""
    s = x * x
    # Left out are x¹⁰/12! and x⁸/11!, which a pose feels with x and x²: less than 3e-18 at 0.1,
    # where the closed forms, for their part, lose 5e-16.
    if x < 0.1:
        a = 0.5 - s * (1 / 24 - s * (1 / 720 - s * (1 / 40320 - s / 3628800)))
        b = 1 / 6 - s * (1 / 120 - s * (1 / 5040 - s * (1 / 362880)))
        return a, b
    return (1.0 - math.cos(x)) / s, (x - math.sin(x)) / (s * x)


@helper
def jacobian_slopes(x):
    """a'/x and b'/x, so that ȧ = (a'/x) r · ṙ."""
    s = x * x
    # Left out are 14 x¹²/16! and 14 x¹²/17!: less than 2e-16 at 0.5, where the closed forms
    # lose 1e-15.
    if x < 0.5:
        a = s / 7264857600
        a = -1 / 12 + s * (1 / 180 - s * (1 / 6720 - s * (1 / 453600 - s * (1 / 47900160 - a))))
        b = s / 108972864000
        b = -1 / 60 + s * (1 / 1260 - s * (1 / 60480 - s * (1 / 4989600 - s * (1 / 622702080 - b))))
        return a, b
    cosine, sine = math.cos(x), math.sin(x)
    a = (x * sine - 2.0 * (1.0 - cosine)) / (s * s)
    b = (x * (1.0 - cosine) - 3.0 * (x - sine)) / (s * s * x)
    return a, b


@helper
def inverse_jacobian_term(x):
    """c."""
    if x < SMALL_ANGLE:
        return 1 / 12 + x * x / 720
    half = 0.5 * x
    return (1.0 - half * math.cos(half) / math.sin(half)) / (x * x)


@helper
def body_rate(r, r_rate):
    """w = J ṙ [rad/s], in the axes that turn."""
    a, b = jacobian_terms(norm(r))
    u = cross(r, r_rate)
    return add(sub(r_rate, scale(a, u)), scale(b, cross(r, u)))


@helper
def right_jacobian(r):
    """J, nine numbers row by row; h J(w h) is the integral of exp(-[w s]×) over s from 0 to h."""
    x, y, z = r
    a, b = jacobian_terms(norm(r))
    return (
        1.0 - b * (y * y + z * z),
        b * x * y + a * z,
        b * x * z - a * y,
        b * x * y - a * z,
        1.0 - b * (x * x + z * z),
        b * y * z + a * x,
        b * x * z + a * y,
        b * y * z - a * x,
        1.0 - b * (x * x + y * y),
    )


@helper
def vector_rate(r, w):
    """ṙ = J⁻¹ w [rad/s] for the body rate w."""
    u = cross(r, w)
    return add(add(w, scale(0.5, u)), scale(inverse_jacobian_term(norm(r)), cross(r, u)))


@helper
def body_acceleration(r, r_rate, r_acceleration):
    """ẇ = J r̈ + J̇ ṙ [rad/s2], rates of components in the axes that turn.

    J̇ ṙ = -ȧ r × ṙ + ḃ r × (r × ṙ) + b ṙ × (r × ṙ)
    """
    x = norm(r)
    _, b = jacobian_terms(x)
    slope_a, slope_b = jacobian_slopes(x)
    u, along = cross(r, r_rate), dot(r, r_rate)
    turned = add(scale(-slope_a * along, u), scale(slope_b * along, cross(r, u)))
    turned = add(turned, scale(b, cross(r_rate, u)))
    return add(body_rate(r, r_acceleration), turned)
