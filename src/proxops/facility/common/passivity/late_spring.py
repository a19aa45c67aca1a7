"""Contact through a robot: a spring that is measured late gives energy instead of storing it.

A mass m that the robot renders, pressed by a spring k and a damper c, moves as exp(st) with

    m s² + G(s) (k + c s) = 0

G(s) being the robot's lags and delays.  On the verge s = iω the phase of G (k + iωc) is zero and
the mass therefore |G (k + iωc)|/ω²; any heavier one is slower, and the damper's lead still exceeds
the lag.  Slow motion needs c > k T for that, T being the delay and all time constants together.
"""

import math

import numpy as np

from proxops.core.description import RigidInertia
from proxops.physics.flexible.linear import Loop, response, spatial_inertia

SLOWEST = 1e-3  # phase in radians at which the search for the verge begins
GROWTH = 1.02
FASTEST = 1e7  # [rad/s], where the search ends: no delay at all
FOUND = 1e-9  # relative width at which the search ends


def lateness(loop: Loop) -> float:
    """T of slow motion [s]: -d arg G/dω at ω = 0."""
    of_lags = (1.0 if lag.order == 1 else 2.0 * lag.damping for lag in loop.lags)
    return loop.delay + sum(
        share / lag.frequency for share, lag in zip(of_lags, loop.lags, strict=True)
    )


def lead(loop: Loop, stiffness: float, damping: float, w: float) -> float:
    """Phase of G (k + iωc) [rad], followed from zero at ω = 0."""
    phase = math.atan2(w * damping, stiffness) - w * loop.delay
    for lag in loop.lags:
        x = w / lag.frequency
        phase -= math.atan(x) if lag.order == 1 else math.atan2(2.0 * lag.damping * x, 1.0 - x * x)
    return phase


def lightest_pressed(loop: Loop, stiffness: float, damping: float) -> float:
    """Smallest mass [kg] that is stable through the robot against a spring [N/m] and a damper
    [N s/m]; infinite if none is, zero if any."""
    late = lateness(loop)
    if late == 0.0:
        return 0.0
    if damping <= stiffness * late:
        return math.inf
    low = SLOWEST / late
    while lead(loop, stiffness, damping, GROWTH * low) > 0.0:
        low *= GROWTH
        if low > FASTEST:
            return 0.0
    high = GROWTH * low
    while high / low > 1.0 + FOUND:
        middle = math.sqrt(low * high)
        if lead(loop, stiffness, damping, middle) > 0.0:
            low = middle
        else:
            high = middle
    pull = abs(response(loop, 1j * low)) * abs(stiffness + 1j * low * damping)
    return pull / low**2


def touch_problem(mass: float, loop: Loop, stiffness: float, damping: float) -> str | None:
    """A warning if a mass pressed in this way rebounds faster than it came; else None."""
    limit = lightest_pressed(loop, stiffness, damping)
    if mass > limit:
        return None
    if math.isinf(limit):
        least = stiffness * lateness(loop)
        return (
            f"the robot measures a contact of {stiffness:.4g} N/m late by {lateness(loop):.3g} s: "
            f"any mass rebounds faster than it came, unless damped by more than {least:.4g} "
            f"N s/m, here {damping:.4g}"
        )
    return (
        f"the rendered target has an effective mass of {mass:.4g} kg where it is pushed, too light "
        f"for this robot: the smallest that is stable against {stiffness:.4g} N/m and "
        f"{damping:.4g} N s/m is {limit:.4g} kg"
    )


def mass_at(body: RigidInertia, point: np.ndarray, along: np.ndarray) -> float:
    """Effective mass of a free body at a point along a unit vector [kg].

    1/m = Jᵀ M⁻¹ J,   J = [n; r × n]
    """
    J = np.concatenate([along, np.cross(point, along)])
    return 1.0 / float(J @ np.linalg.solve(spatial_inertia(body), J))
