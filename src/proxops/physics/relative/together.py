"""A base with its arm in a laboratory that follows exactly: (18), (20) and (22) at once.

In a laboratory (18) takes q̈ from the arm and the arm (20) takes V̇_s from the carrier.  If both
follow exactly, they are the equations of a craft that floats in the laboratory, under its weight
and the loads X of `ground_arm`, on base and joints alike:

    M [V̇_s; q̈] + C ν at V_s = [0; τ] + X + gravity + Jᵀ F

which therefore must move as the craft in orbit does.  It is the reference for facilities that do
not follow exactly.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import ZERO, get3, mul_t, scale
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.composite import place_composite
from proxops.physics.multibody.entry import push_all
from proxops.physics.multibody.forward import accelerate_free, push
from proxops.physics.multibody.inverse import charge_base
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, joint_count
from proxops.physics.relative.ground_arm import fill_difference
from proxops.physics.relative.motion import TWIST, put_pose_rate, put_twist, twist_rate
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.published import JOINTS, SHOWN, shown_in_orbit, sky_in_base


class Together(NamedTuple):
    """A base with an arm in the laboratory."""

    nominal: Nominal
    tree: Tree
    wrenches: np.ndarray  # on each body, at its origin, in its axes (n + 1, 6) [N, N m]
    tau: np.ndarray  # asked of the joints in orbit (n,) [N m]
    gravity: np.ndarray  # of the laboratory, in M's axes (3,) [m/s2]
    loads: np.ndarray  # workspace (6 + n,)
    scratch: np.ndarray  # workspace as for the tree, with one row before it for M


@part
def together_rates(system, y, t, rate):
    """Writes dy/dt of nominal motion, base and arm in the laboratory."""
    nominal, tree, wrenches, tau, gravity, loads, workspace = system
    scratch = workspace[1:]
    (X_MB, V_MB), (X_OB, V_OB), apart = shown_in_orbit(nominal, y, t, rate, workspace)
    first_rate = SHOWN + JOINTS + joint_count(tree)
    q, qd = y[SHOWN + JOINTS : first_rate], y[first_rate:]
    g = mul_t(quat_to_rotation(X_MB[0]), get3(gravity, 0))
    sky = sky_in_base(nominal.orbit, t, X_OB)
    place_composite(tree, q, qd, scratch)
    fill_difference(tree, (V_OB, V_MB, apart, g), sky, loads, scratch)

    place(tree, V_MB, q, qd, scratch)
    push_all(wrenches, scratch)
    charge_base(tree, (scale(-1.0, g), ZERO), scratch)
    push(scratch, 0, get3(loads, 0), get3(loads, 3))
    for joint in range(joint_count(tree)):
        scratch[joint + 1, at.TAU] = tau[joint] + loads[BASE_DOF + joint]
        rate[SHOWN + JOINTS + joint] = qd[joint]
    a, alpha = accelerate_free(tree, scratch[1:, at.TAU], rate[first_rate:], scratch)
    put_pose_rate(rate[SHOWN:], X_MB, V_MB)
    put_twist(rate[SHOWN:], TWIST, twist_rate(V_MB, a, alpha))


together_step = rk4_of(together_rates)
