"""A recorded motion between its samples, smooth enough to be differenced three times.

What is sent to robots is judged by differences: an acceleration that jumps at a sample would be
taken for a jerk.  So poses, twists and their rates go on from sample to sample.
"""

from proxops.core.jit import helper, kernel
from proxops.core.spatial.pose import ad, compose, exp, inverse, log
from proxops.core.spatial.quaternion import put4
from proxops.core.spatial.vector import add, put3, scale
from proxops.physics.relative.motion import TWIST, P, Q, get_pose, get_twist, put_twist


@helper
def _sum(a, A, b, B):
    """a A + b B of two twists."""
    return add(scale(a, A[0]), scale(b, B[0])), add(scale(a, A[1]), scale(b, B[1]))


@helper
def _rates_of_log(xi, V, V_rate):
    """(ξ̇, ξ̈) of a motion exp(ξ) with the twist V, to the third order of ξ.

    ξ̇ = V + ½ ad_ξ V + ad_ξ² V/12
    """
    once = ad(xi, V)
    first = _sum(1.0, V, 1.0, _sum(0.5, once, 1.0 / 12.0, ad(xi, once)))
    turned = _sum(1.0, ad(first, V), 1.0, ad(xi, V_rate))
    twice = _sum(1.0, ad(first, once), 1.0, ad(xi, turned))
    return first, _sum(1.0, V_rate, 1.0, _sum(0.5, turned, 1.0 / 12.0, twice))


@helper
def _quintic(s):
    """Polynomials of the fifth degree at the share s, zero at 0, that are 1 in one and 0 in all
    others of: slope and curvature at 0; value, slope and curvature at 1."""
    s2, s3, s4 = s * s, s * s * s, s * s * s * s
    s5 = s4 * s
    return (
        s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5,
        0.5 * (s2 - 3.0 * s3 + 3.0 * s4 - s5),
        10.0 * s3 - 15.0 * s4 + 6.0 * s5,
        -4.0 * s3 + 7.0 * s4 - 3.0 * s5,
        0.5 * (s3 - 2.0 * s4 + s5),
    )


@kernel
def resample(t, hub, rates, times, hub_at, rates_at):
    """Writes pose, twist (m, 13) and the twist's rate (m, 6) at `times` [s], increasing and within
    the samples (n, 13), (n, 6) taken at t [s].

        X = X₀ exp(ξ(s)),   ξ of the fifth degree through ξ, ξ̇ and ξ̈ of both samples

    Twists are cubics through values and rates of both, rates are linear.
    """
    i = 1
    for row in range(times.shape[0]):
        while i + 1 < t.shape[0] and times[row] > t[i]:
            i += 1
        h = t[i] - t[i - 1]
        s = (times[row] - t[i - 1]) / h
        X_0, X_1 = get_pose(hub[i - 1]), get_pose(hub[i])
        V_0, V_1 = get_twist(hub[i - 1], TWIST), get_twist(hub[i], TWIST)
        rate_0, rate_1 = get_twist(rates[i - 1], 0), get_twist(rates[i], 0)
        xi = log(compose(inverse(X_0), X_1))
        first, second = _rates_of_log(xi, V_1, rate_1)
        leave, bend, there, arrive, curve = _quintic(s)
        moved = _sum(h * leave, V_0, h * h * bend, rate_0)
        moved = _sum(1.0, moved, there, xi)
        moved = _sum(1.0, moved, 1.0, _sum(h * arrive, first, h * h * curve, second))
        q, p = compose(X_0, exp(moved))
        put3(hub_at[row], P, p)
        put4(hub_at[row], Q, q)
        share = s * s * (3.0 - 2.0 * s)
        along = _sum(h * s * (1.0 - s) ** 2, rate_0, -h * s * s * (1.0 - s), rate_1)
        V = _sum(1.0, _sum(1.0 - share, V_0, share, V_1), 1.0, along)
        put_twist(hub_at[row], TWIST, V)
        put_twist(rates_at[row], 0, _sum(1.0 - s, rate_0, s, rate_1))
