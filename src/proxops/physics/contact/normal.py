"""Forces that push two overlapping bodies apart, in physical units.

Each law returns its elastic and its damping part [N]; the elastic one is what stores energy.  The
overlap δ [m] grows with δ̇ [m/s] while the bodies approach.  Contacts do not pull: whoever calls
drops the contact where the two parts together are negative.
"""

from proxops.core.jit import helper

# Laws, as tables of contacts have them
SPRING = 0
HUNT_CROSSLEY = 1
EXTERNAL = 2  # the user's own, see physics.contact.external


@helper
def spring(stiffness, damping, overlap, rate):
    """f = c δ + d δ̇, with c [N/m] and d [N s/m].

    At touch-down the damping part sets in at once.
    """
    return stiffness * overlap, damping * rate


@helper
def hunt_crossley(stiffness, exponent, damping, overlap, rate):
    """f = k δⁿ (1 + χ δ̇), with k [N/mⁿ], n (3/2 for two spheres) and χ [s/m].

    Damping carries δⁿ, so that f is continuous at touch-down (Hunt & Crossley 1975).
    """
    elastic = stiffness * max(overlap, 0.0) ** exponent
    return elastic, elastic * damping * rate


@helper
def normal_force(law, stiffness, exponent, damping, motion):
    """Elastic and damping part [N] of a law of ours; `motion` is (δ, δ̇)."""
    overlap, rate = motion
    if law == HUNT_CROSSLEY:
        return hunt_crossley(stiffness, exponent, damping, overlap, rate)
    return spring(stiffness, damping, overlap, rate)


@helper
def elastic_energy(law, stiffness, exponent, overlap):
    """Energy stored by the elastic part [J]: k δⁿ⁺¹/(n + 1), for a spring c δ²/2."""
    if law == HUNT_CROSSLEY:
        return stiffness * max(overlap, 0.0) ** (exponent + 1.0) / (exponent + 1.0)
    return 0.5 * stiffness * overlap * overlap
