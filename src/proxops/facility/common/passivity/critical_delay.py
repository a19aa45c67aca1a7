"""How late a facility may measure a contact before the contact gives energy.

A mass m, rendered late by τ in all, on a spring k with a damper b, moves as exp(st) with

    m s² + (b s + k) exp(-sτ) = 0

On the verge s = iω.  Absolute values give ω, phases give τ:

    m² ω⁴ = b² ω² + k²   ⇒   ω² = (b² + √(b⁴ + 4 m² k²)) / (2 m²)
    ω τ = atan(b ω / k)

The loop is stable below that τ and unstable above; without damper τ = 0: any lateness gives energy.
A lag with time constant T is late by T for slow motion only.  With lags as they are,

    m s² + (b s + k) L(s) exp(-sτ) = 0

has its verge where |L (k + iωb)| = m ω², and τ is the phase left there over ω.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import RigidInertia
from proxops.core.errors import InputError
from proxops.facility.common.passivity.late_spring import lateness, lead, lightest_pressed, mass_at
from proxops.physics.flexible.linear import Lag, Loop, response

SEARCHED = 1e3  # how far from the frequency without lags the verge is looked for, both ways
SEARCH_POINTS = 2001
BISECTIONS = 60


class Verge(NamedTuple):
    """Where a contact begins to give energy."""

    delay: float  # τ [s]; negative if the lags alone are too much
    frequency: float  # ω of the motion that then goes on for ever [rad/s]


class Margins(NamedTuple):
    """A contact through a facility, and how far it is from giving energy."""

    mass: float  # effective mass at the contact [kg]
    lateness: float  # of the whole loop, lags as delays [s]
    critical: float  # delay at which a loop of pure delay would give energy [s]
    spare: float  # delay that this loop, lags as they are, can still tolerate [s]; negative if none
    gain: float  # by which spring and damper may grow together, or the mass shrink [-]


def critical_delay(mass: float, stiffness: float, damping: float) -> Verge:
    """Smallest delay of the whole loop at which a contact gives energy; infinite without contact.

    `mass` [kg] is the effective mass of both bodies, `stiffness` [N/m], `damping` [N s/m].
    """
    _check(mass, stiffness, damping)
    if stiffness == 0.0 and damping == 0.0:
        return Verge(math.inf, 0.0)
    a, c = (damping / mass) ** 2, stiffness / mass
    frequency = math.sqrt(0.5 * (a + math.hypot(a, 2.0 * c)))
    return Verge(math.atan2(damping * frequency, stiffness) / frequency, frequency)


def critical_delay_behind(
    lags: Sequence[Lag], mass: float, stiffness: float, damping: float
) -> Verge:
    """Smallest delay at which a contact gives energy, in addition to lags taken as they are."""
    start = critical_delay(mass, stiffness, damping)
    if not lags or math.isinf(start.delay):
        return start
    loop = Loop(tuple(lags), 0.0)

    def excess(w: float) -> float:
        pull = abs(response(loop, 1j * w)) * math.hypot(stiffness, w * damping)
        return math.log(mass * w * w / pull)

    tried = start.frequency * np.geomspace(1.0 / SEARCHED, SEARCHED, SEARCH_POINTS)
    above = [excess(w) > 0.0 for w in tried]
    # a lag that resonates can cross more than once
    crossed = [i for i in range(1, len(tried)) if above[i] != above[i - 1]]
    verges = []
    for i in crossed:
        low, high = float(tried[i - 1]), float(tried[i])
        for _ in range(BISECTIONS):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if (excess(middle) > 0.0) == above[i] else (middle, high)
        verges.append(Verge(lead(loop, stiffness, damping, low) / low, low))
    return min(verges)


def margins(mass: float, stiffness: float, damping: float, loop: Loop) -> Margins:
    """How far a contact of that mass [kg], spring [N/m] and damper [N s/m] is from giving energy
    through the loop.  The mass is `contact_mass` of the bodies that this loop renders."""
    lightest = lightest_pressed(loop, stiffness, damping)
    behind = critical_delay_behind(loop.lags, mass, stiffness, damping)
    return Margins(
        mass,
        lateness(loop),
        critical_delay(mass, stiffness, damping).delay,
        behind.delay - loop.delay,
        math.inf if lightest == 0.0 else mass / lightest,
    )


def contact_mass(bodies: Sequence[tuple[RigidInertia, np.ndarray, np.ndarray]]) -> float:
    """Effective mass of the free bodies that meet at a contact [kg].

        1/m = Σ Jᵀ M⁻¹ J,   J = [n; r × n]

    A body comes with the point r [m] and the unit normal n, both in its own axes; one that is held
    fast is left out.
    """
    if not bodies:
        raise InputError("mass at a contact: found no free body; needs one or two")
    return 1.0 / sum(1.0 / mass_at(body, point, normal) for body, point, normal in bodies)


def _check(mass: float, stiffness: float, damping: float) -> None:
    if not (mass > 0.0 and math.isfinite(mass)):
        raise InputError(f"mass at a contact: found {mass:g} kg; must be positive and finite")
    for what, value in (("stiffness", stiffness), ("damping", damping)):
        if not (value >= 0.0 and math.isfinite(value)):
            raise InputError(f"{what} of a contact: found {value:g}; must be zero or more, finite")
