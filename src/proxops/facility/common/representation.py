"""How the lab reproduces the orbit: relative to a nominal motion M, which stands still there.

    absolute        M stays where the target was at the start
    relative        M is the target's unforced motion, or any other that is given
    target fixed    M is the target itself

The frame in which the lab sees M is fixed: X_LB = X_LM X_MB for either spacecraft B.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.core.spatial.pose import compose, inverse, minus
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul, mul_t, put3
from proxops.physics.relative.command import carried
from proxops.physics.relative.nominal import Nominal
from proxops.plant import layout

FIXED_ON_TARGET = 1
LAB_P, LAB_Q = 0, 3  # in Representation.X_LM


class Representation(NamedTuple):
    """A way to show the orbit."""

    nominal: Nominal
    target_fixed: int  # FIXED_ON_TARGET: M is the target, and `nominal` is not looked at
    X_LM: np.ndarray  # position, quaternion wxyz (7,)


class NominalState(NamedTuple):
    """Where M is."""

    y: np.ndarray  # in O (STATE_WIDTH,)
    rate: np.ndarray
    motion: np.ndarray  # pose, twist and its rate, see physics.relative.motion
    stages: np.ndarray
    scratch: np.ndarray


@helper
def lab_of(representation):
    """X_LM, where the lab sees M."""
    return get4(representation.X_LM, LAB_Q), get3(representation.X_LM, LAB_P)


@helper
def hub_in_orbit(y):
    """(X_OB, V_OB) of a hub with the state y; of one in the lab with L in the place of O."""
    X = get4(y, layout.Q), get3(y, layout.P)
    R = quat_to_rotation(X[0])
    return X, (mul_t(R, get3(y, layout.V)), get3(y, layout.W))


@helper
def put_hub(row, X, v, w):
    """Stores a hub's motion."""
    put3(row, layout.P, X[1])
    put4(row, layout.Q, X[0])
    put3(row, layout.V, v)
    put3(row, layout.W, w)


@helper
def seen_from(nominal, flight):
    """(X_MB, V_MB) of a hub's flight (X_OB, V_OB); `nominal` is M's motion."""
    X_OM, V_OM, _ = nominal
    X_OB, V_OB = flight
    X_MB = compose(inverse(X_OM), X_OB)
    return X_MB, minus(V_OB, carried(X_MB, V_OM))


@helper
def reproduced(representation, nominal, flight):
    """X_LB, the velocity in L and the angular velocity in B that show a hub's flight (X_OB, V_OB);
    `nominal` is M's motion."""
    X_MB, (v, w) = seen_from(nominal, flight)
    X_LB = compose(lab_of(representation), X_MB)
    return X_LB, mul(quat_to_rotation(X_LB[0]), v), w
