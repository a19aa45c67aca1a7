"""Two-body motion to 50 digits, from the geometry of the conic: a referee for the orbit tests.

Perifocal axes and the anomaly of each kind of conic, so nothing is shared with the universal
anomaly of proxops.physics.orbit.kepler.
"""

from mpmath import mp, mpf

DIGITS = 80  # 1 - e of a nearly parabolic orbit eats up to 25 of them


def vector(a):
    return [mpf(x) for x in a]


def plus(a, b):
    return [x + y for x, y in zip(a, b, strict=True)]


def times(s, a):
    return [s * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _root(function, slope, x):
    """Root of a function on whose far side Newton's steps cannot leave the basin."""
    for _ in range(500):
        step = function(x) / slope(x)
        x -= step
        if abs(step) <= mpf(10) ** (8 - DIGITS) * (1 + abs(x)):
            return x
    raise ArithmeticError("no convergence")


def _elliptic(mu, a, e, x, y, dt):
    b = a * mp.sqrt(1 - e * e)
    n = mp.sqrt(mu / a**3)
    E = mp.atan2(y / b, x / a + e)
    M = E - e * mp.sin(E) + n * dt
    M -= 2 * mp.pi * mp.nint(M / (2 * mp.pi))
    start = mp.pi if M > 0 else -mp.pi
    E = _root(lambda E: E - e * mp.sin(E) - M, lambda E: 1 - e * mp.cos(E), start)
    c, s = mp.cos(E), mp.sin(E)
    rate = n / (1 - e * c)
    return (a * (c - e), b * s), (-a * s * rate, b * c * rate)


def _hyperbolic(mu, a, e, x, y, dt):
    b = -a * mp.sqrt(e * e - 1)
    n = mp.sqrt(mu / -(a**3))
    F = mp.asinh(y / b)
    M = e * mp.sinh(F) - F + n * dt
    F = _root(lambda F: e * mp.sinh(F) - F - M, lambda F: e * mp.cosh(F) - 1, mp.asinh(M / e))
    c, s = mp.cosh(F), mp.sinh(F)
    rate = n / (e * c - 1)
    return (a * (c - e), b * s), (a * s * rate, b * c * rate)


def _parabolic(mu, p, y, dt):
    D = y / p  # tan ν/2
    k = mp.sqrt(mu / p**3)
    M = D + D**3 / 3 + 2 * k * dt
    D = _root(lambda D: D + D**3 / 3 - M, lambda D: 1 + D * D, M)
    rate = 2 * k / (1 + D * D)
    return (p / 2 * (1 - D * D), p * D), (-p * D * rate, p * rate)


def exact_kepler(mu, R0, V0, dt):
    """Position and velocity after dt, each a list of three mpf."""
    with mp.workdps(DIGITS):
        mu, dt, R0, V0 = mpf(mu), mpf(dt), vector(R0), vector(V0)
        r = mp.sqrt(dot(R0, R0))
        h = cross(R0, V0)
        p = dot(h, h) / mu
        e_vector = plus(times(1 / mu, cross(V0, h)), times(-1 / r, R0))
        e = mp.sqrt(dot(e_vector, e_vector))
        P = times(1 / e, e_vector) if e > 0 else times(1 / r, R0)
        Q = times(1 / mp.sqrt(dot(h, h)), cross(h, P))
        x, y = dot(R0, P), dot(R0, Q)
        energy = dot(V0, V0) / 2 - mu / r
        if abs(energy) * r < mu * mpf(10) ** (20 - DIGITS):
            at, moving = _parabolic(mu, p, y, dt)
        else:
            solve = _elliptic if energy < 0 else _hyperbolic
            at, moving = solve(mu, -mu / (2 * energy), e, x, y, dt)
        R = plus(times(at[0], P), times(at[1], Q))
        V = plus(times(moving[0], P), times(moving[1], Q))
        return R, V


def exact_relative(mu, R0, V0, p0, v0, dt):
    """Position and velocity in O of a body that starts at p0, v0 from R0, V0; floats."""
    with mp.workdps(DIGITS):
        R, V = exact_kepler(mu, R0, V0, dt)
        other = plus(vector(R0), vector(p0)), plus(vector(V0), vector(v0))
        D, W = exact_kepler(mu, *other, dt)
        position = [float(a - b) for a, b in zip(D, R, strict=True)]
        velocity = [float(a - b) for a, b in zip(W, V, strict=True)]
        return position, velocity
