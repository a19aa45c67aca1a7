"""Base and arm together: what each must exert so that the base accelerates as it shall while the
arm answers its own torques.

    τ_0   joints need this not to be moved by the base's acceleration
    F_b   base needs this for its acceleration and against the reaction of the joints that τ moves

so that the arm's motion does not push the base away.  All with the mass properties as believed.
"""

from proxops.core.jit import part
from proxops.physics.multibody.forward import accelerate_prescribed
from proxops.physics.multibody.inverse import charge_base, gather
from proxops.physics.multibody.kinematics import weigh_all


@part
def still_torques(tree, acceleration, loads, scratch):
    """Writes τ_0 [N m] into the last n of `loads` (6 + n), for the base's (a, α).  After `move`
    with the base's rate, whose scratch has where everything is."""
    weigh_all(tree, scratch)
    charge_base(tree, acceleration, scratch)
    gather(tree, loads, scratch)


@part
def base_wrench(tree, acceleration, driven, scratch):
    """F_b = (f, t) [N, N m] at Co in C for (a, α); driven = (τ net of friction, room for q̈).
    Likewise after `move`."""
    tau, qdd = driven
    weigh_all(tree, scratch)
    return accelerate_prescribed(tree, tau, acceleration, qdd, scratch)
