"""Two-body motion: propagation for every kind of conic, and classical elements."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.core.jit import helper, kernel
from proxops.core.select import any_of, select
from proxops.core.spatial.vector import add, dot, norm, scale

# Below |β s²| = 1 the closed forms of G₂, G₃ would lose digits to cancellation.
_SERIES_BELOW = 1.0
_SERIES_TERMS = 8
# Laguerre's method converges cubically: after a step this small [of s] the next is below rounding.
_LAST_STEP = 1e-6
# Reached only by states that are no orbit (r → 0, not finite); others take 2 or 3, rarely 20.
_MAX_STEPS = 60
# Eccentricity and sine of the inclination below which periapsis and node are rounding errors.
_NO_ANGLE = 1e-12


@helper
def _universal_functions(beta, s):
    """G₀, G₁, G₂, G₃ of the universal anomaly s.

        G_k = sᵏ Σⱼ (-β s²)ʲ / (2j + k)!     dG_{k+1}/ds = G_k,   G_k = sᵏ/k! - β G_{k+2}

    Circular functions of √β s for an ellipse (β > 0), hyperbolic ones for β < 0, powers for β = 0.
    """
    z = beta * s * s
    if abs(z) < _SERIES_BELOW:
        # Horner's scheme; at |z| = 1 the first term left out is 2/20! ≈ 1e-18 of the sum
        c2 = 1.0
        c3 = 1.0
        for j in range(_SERIES_TERMS, 0, -1):
            c2 = 1.0 - z * c2 * (1.0 / ((2 * j + 1) * (2 * j + 2)))
            c3 = 1.0 - z * c3 * (1.0 / ((2 * j + 2) * (2 * j + 3)))
        G2 = 0.5 * s * s * c2
        G3 = s * s * s / 6.0 * c3
        return 1.0 - beta * G2, s - beta * G3, G2, G3
    # Half the argument: 1 - cos x = 2 sin²(x/2) keeps every digit
    root = math.sqrt(abs(beta))
    half = 0.5 * root * s
    if beta > 0.0:
        sine, cosine = math.sin(half), math.cos(half)
    else:
        sine, cosine = math.sinh(half), math.cosh(half)
    G1 = 2.0 * sine * cosine / root
    G2 = 2.0 * sine * sine / abs(beta)
    return 1.0 - beta * G2, G1, G2, (s - G1) / beta


@helper
def _first_guess(mu, beta, r0, eta, dt):
    """Universal anomaly [s/m] to start from, for dt ≥ 0.

    Mean motion on an ellipse; on a hyperbola F ≈ asinh(M/e), right for large e and too small near
    e = 1, from where Laguerre's method climbs well; else a parabola's bounds while it rises.
    """
    if beta > 0.0:
        return beta / mu * dt
    if beta < 0.0:
        root = math.sqrt(-beta)
        e_cosh = 1.0 - beta * r0 / mu
        e_sinh = root * eta / mu
        e = math.sqrt(e_cosh * e_cosh - e_sinh * e_sinh)
        F0 = math.asinh(e_sinh / e)
        F = math.asinh((e_sinh - F0 + root * root * root * dt / mu) / e)
        if F > F0:
            return (F - F0) / root
    return min(dt / r0, (6.0 * dt / mu) ** (1.0 / 3.0))


@kernel
def propagate(mu, R0, V0, dt):
    """Position [m] and velocity [m/s] a time dt [s] later (or earlier), in the axes of R0, V0.

    The universal anomaly s, ds = dt/r, solves Kepler's equation of any conic,

        r₀ G₁(s) + η₀ G₂(s) + μ G₃(s) = dt,    η₀ = R₀·V₀,   β = 2μ/r₀ - |V₀|²

    and with it  R = f R₀ + g V₀,  V = ḟ R₀ + ġ V₀.  Whole revolutions are taken out first.  The
    left side grows with s (its slope is r), so Laguerre's method is kept inside a bracket.

    Source: Battin 1999, universal functions; Conway 1986, Laguerre's method.  Point mass, no
    perturbation; r must stay above zero.
    """
    r0 = norm(R0)
    beta = 2.0 * mu / r0 - dot(V0, V0)
    if beta > 0.0:
        period = 2.0 * math.pi * mu / (beta * math.sqrt(beta))
        dt -= period * math.floor(dt / period + 0.5)
    # Backwards is forwards with the velocity turned round
    sign = -1.0 if dt < 0.0 else 1.0
    dt = abs(dt)
    eta = sign * dot(R0, V0)
    zeta = mu - beta * r0
    s = _first_guess(mu, beta, r0, eta, dt)
    low, high, searching = 0.0, math.inf, True
    for _ in range(_MAX_STEPS):
        G0, G1, G2, G3 = _universal_functions(beta, s)
        excess = r0 * G1 + eta * G2 + mu * G3 - dt
        r = r0 + eta * G1 + zeta * G2
        slope = eta * G0 + zeta * G1
        low, high = select(excess < 0.0, s, low), select(excess < 0.0, high, s)
        step = -5.0 * excess / (r + math.sqrt(abs(16.0 * r * r - 20.0 * excess * slope)))
        new = s + step
        inside = (low <= new) & (new <= high)
        if any_of(not inside):
            farther = select(high < math.inf, 0.5 * (low + high), 2.0 * s)
            new = select(inside, new, farther)
        new = select(searching, new, s)  # where it was found it stays, until all have found theirs
        searching = searching & (not abs(new - s) <= _LAST_STEP * s)
        s = new
        if not any_of(searching):
            break
    G0, G1, G2, G3 = _universal_functions(beta, s)
    r = r0 + eta * G1 + zeta * G2
    f = 1.0 - mu * G2 / r0
    g = sign * (r0 * G1 + eta * G2)
    f_dot = -sign * mu * G1 / (r * r0)
    g_dot = 1.0 - mu * G2 / r
    return add(scale(f, R0), scale(g, V0)), add(scale(f_dot, R0), scale(g_dot, V0))


class Elements(NamedTuple):
    """Classical elements of a conic that is no parabola."""

    a: float  # semi-major axis [m], negative for a hyperbola
    e: float  # eccentricity [-]
    i: float  # inclination [rad]
    raan: float  # right ascension of the ascending node [rad]
    argp: float  # argument of periapsis [rad]
    nu: float  # true anomaly [rad]


def state_from_elements(
    mu: float, a: float, e: float, i: float, raan: float, argp: float, nu: float
) -> tuple[np.ndarray, np.ndarray]:
    """Position [m] and velocity [m/s] in N of the orbit with these elements.

        R = p/(1 + e cos ν) [cos ν, sin ν, 0],  V = √(μ/p) [-sin ν, e + cos ν, 0],  p = a(1 - e²)

    in perifocal axes, turned by R_z(Ω) R_x(i) R_z(ω).  Angles in rad; e ≠ 1.
    """
    p = a * (1.0 - e * e)
    if not p > 0.0:
        raise InputError(
            f"no orbit has a = {a} m and e = {e}: a > 0 goes with 0 <= e < 1, a < 0 with e > 1"
        )
    if not 1.0 + e * math.cos(nu) > 0.0:
        raise InputError(f"true anomaly {nu} rad lies beyond the asymptote of e = {e}")
    cO, sO, ci, si = math.cos(raan), math.sin(raan), math.cos(i), math.sin(i)
    cw, sw = math.cos(argp), math.sin(argp)
    P = np.array([cO * cw - sO * sw * ci, sO * cw + cO * sw * ci, sw * si])
    Q = np.array([-cO * sw - sO * cw * ci, -sO * sw + cO * cw * ci, cw * si])
    cn, sn = math.cos(nu), math.sin(nu)
    return (
        p / (1.0 + e * cn) * (cn * P + sn * Q),
        math.sqrt(mu / p) * (-sn * P + (e + cn) * Q),
    )


def elements_from_state(mu: float, R0: Sequence[float], V0: Sequence[float]) -> Elements:
    """Classical elements of the orbit through R0 [m], V0 [m/s] in N; angles in [0, 2π).

    An equatorial orbit has its node on x (Ω = 0), a circular one its periapsis at the node (ω = 0).
    """
    R, V = np.asarray(R0, dtype=float), np.asarray(V0, dtype=float)
    h, r = np.cross(R, V), float(np.linalg.norm(R))
    p = float(h @ h) / mu
    alpha = 2.0 / r - float(V @ V) / mu
    if not p > 0.0 or alpha == 0.0:
        raise InputError("a straight or parabolic path has no classical elements")
    across, along = float(R @ V) * math.sqrt(p / mu) / r, p / r - 1.0  # e sin ν, e cos ν
    e = math.hypot(across, along)
    node = np.array([-h[1], h[0], 0.0])
    if np.linalg.norm(node) <= _NO_ANGLE * np.linalg.norm(h):
        node = np.array([1.0, 0.0, 0.0])
    ahead = np.cross(h, node) / np.linalg.norm(h)
    u = math.atan2(float(R @ ahead), float(R @ node))  # from the node to R
    nu = math.atan2(across, along) if e > _NO_ANGLE else u
    return Elements(
        a=1.0 / alpha,
        e=e,
        i=math.atan2(math.hypot(h[0], h[1]), h[2]),
        raan=math.atan2(node[1], node[0]) % math.tau,
        argp=(u - nu) % math.tau,
        nu=nu % math.tau,
    )
