"""From orbit to laboratory and back, through a nominal motion M.

A body B moves as X_OB in orbit.  The laboratory shows its motion relative to M: frame L stands for
M, so that

    X_OB = X_OM X_MB,     V_OB = V_MB + δV,     δV = Ad_{X_MB}⁻¹ V_OM            (6), (15)

δV is what the nominal motion alone would give to B.  Its rate is not printed in the paper:

    d/dt δV = Ad_{X_MB}⁻¹ V̇_OM - ad_{V_MB} δV

Source: De Stefano et al., RA-L 2021; numbers in brackets are its equations.  Kinematics only: any
plant, any nominal motion.
"""

from proxops.core.jit import helper
from proxops.core.spatial.pose import Ad_inverse, ad, compose, inverse, minus, plus


@helper
def carried(X_MB, V_OM):
    """δV [m/s, rad/s]: twist of B, in its axes, if it were fixed to M."""
    return Ad_inverse(X_MB, V_OM)


@helper
def carried_rate(X_MB, V_MB, V_OM, V_OM_rate):
    """d/dt δV [m/s2, rad/s2], rate of components in B's axes."""
    return minus(Ad_inverse(X_MB, V_OM_rate), ad(V_MB, carried(X_MB, V_OM)))


@helper
def to_laboratory(nominal, flight):
    """(X_MB, V_MB, V̇_MB): what a carrier is commanded so that B moves in the laboratory as it
    does in orbit relative to M; `nominal` and `flight` are motions in O."""
    X_OM, V_OM, V_OM_rate = nominal
    X_OB, V_OB, V_OB_rate = flight
    X_MB = compose(inverse(X_OM), X_OB)
    V_MB = minus(V_OB, carried(X_MB, V_OM))
    return X_MB, V_MB, minus(V_OB_rate, carried_rate(X_MB, V_MB, V_OM, V_OM_rate))


@helper
def to_orbit(nominal, reproduced):
    """(X_OB, V_OB, V̇_OB): the motion in orbit that a carrier's motion relative to M stands for,
    commanded or measured; what sensors and on-board software see (23)."""
    X_OM, V_OM, V_OM_rate = nominal
    X_MB, V_MB, V_MB_rate = reproduced
    V_OB = plus(V_MB, carried(X_MB, V_OM))
    V_OB_rate = plus(V_MB_rate, carried_rate(X_MB, V_MB, V_OM, V_OM_rate))
    return compose(X_OM, X_MB), V_OB, V_OB_rate
