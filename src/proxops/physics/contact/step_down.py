"""Two bodies pushed together: what is left of the force between them after thrust changes.

A chaser of mass m_s pushes a target of mass m_t through a spring and damper, thrust F on the
chaser.  With the compression x, the normal force f = c x + d ẋ and the reduced mass m:

    m ẍ + d ẋ + c x = s F        s = m_t/(m_s + m_t),   m = m_s m_t/(m_s + m_t)

After a change of thrust the force swings about its new settled value s F.  The difference
g = f - s F = -m ẍ obeys the same equation without a load, from

    g(0) = c x + d ẋ - s F,      ġ(0) = c ẋ - (d/m) g(0)

so its extremes are known in closed form for any state and any damping.
"""

import math

from proxops.core.jit import helper, kernel


@helper
def load_share(m_chaser, m_target):
    """Share s of the thrust that the contact carries once settled [-]."""
    return m_target / (m_chaser + m_target)


@helper
def reduced_mass(m_chaser, m_target):
    """Mass m with which the compression swings [kg]."""
    return m_chaser * m_target / (m_chaser + m_target)


@helper
def least_swing(g, g_rate, omega, zeta):
    """Infimum over t ≥ 0 of a free damped oscillation, from its value and its rate now.

        g̈ + 2ζω ġ + ω² g = 0,   g → 0   (g stays, for ζ = 0, between its extremes)

    Extremes are where tan(ω_d t)/ω_d = ġ/(ζω ġ + ω² g), tanh where ζ > 1.  Below critical damping
    they alternate and shrink: the first two decide.  Above it there is one at most.
    """
    decay = zeta * omega
    across = decay * g_rate + omega * omega * g
    least = min(g, 0.0)
    if zeta < 1.0:
        fast = omega * math.sqrt(1.0 - zeta * zeta)
        angle = math.atan2(g_rate * fast, across)
        if angle <= 0.0:
            angle += math.pi
        swing = g * math.cos(angle) + (g_rate + decay * g) / fast * math.sin(angle)
        first = math.exp(-decay / fast * angle) * swing
        second = -math.exp(-decay / fast * math.pi) * first
        return min(least, first, second)
    slow = omega * math.sqrt(zeta * zeta - 1.0)
    # g_rate/across in (0, 1/slow): else the extreme lies in the past or at infinity
    if g_rate * across <= 0.0 or slow * abs(g_rate) >= abs(across):
        return least
    t = g_rate / across
    reach = t
    if slow > 0.0:
        t = math.atanh(slow * t) / slow
        reach = math.sinh(slow * t) / slow
    return min(
        least,
        math.exp(-decay * t) * (g * math.cosh(slow * t) + (g_rate + decay * g) * reach),
    )


@helper
def least_force(load, x, x_rate, m, c, d):
    """Least normal force from now on, if the thrust stays as it is [N].

    `load` is the settled force s F [N], x the compression [m], ẋ positive while it grows.  The
    damper may pull here: as long as the result is positive the bodies stay together, and it is
    exact; where it is not, they part.  It never falls when the load rises, since the response to
    a rise of thrust, 1 - e^(-ζωt)(cos ω_d t - ζω/ω_d sin ω_d t), is nowhere negative.
    """
    omega = math.sqrt(c / m)
    g = c * x + d * x_rate - load
    return load + least_swing(g, c * x_rate - d / m * g, omega, 0.5 * d / (m * omega))


@kernel
def least_force_after(load, x, x_rate, m, c, d):
    """`least_force`, callable from Python."""
    return least_force(load, x, x_rate, m, c, d)


def separates(n1: float, n2: float, zeta: float) -> bool:
    """Whether the force reaches zero when, settled, n1 equal engines become n2.

    Undamped where n1 ≥ 2 n2; equality only touches zero and is no case to decide.
    """
    return bool(least_force_after(float(n2), float(n1), 0.0, 1.0, 1.0, 2.0 * zeta) <= 0.0)
