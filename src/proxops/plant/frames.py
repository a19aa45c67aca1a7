"""The spacecraft as seen from the Hill frame: what scenarios give and what recordings hold."""

from proxops.core.jit import kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.core.spatial.vector import get3, mul_t, put3
from proxops.physics.orbit.frames import hill_frame, hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.reference import MU, R0, V0, reference
from proxops.plant import layout


@part
def to_hill(orbit, t, p_O, v_O):
    """Position and velocity in H of what has p_O, v_O in O; H = O without an orbit."""
    if orbit[MU] == 0.0:
        return p_O, v_O
    R, V = reference(orbit, t)
    return hill_from_inertial(R, V, p_O, v_O)


@part
def to_frozen_hill(orbit, since, p_O, v_O):
    """The same where H is taken for inertial and has not turned `since` [s]."""
    R_NH, _ = hill_frame(*reference(orbit, since))
    return mul_t(R_NH, p_O), mul_t(R_NH, v_O)


@part
def _craft_from_hill(orbit, y):
    """Turns a start with p and v in H into a state with both in O."""
    p = get3(y, layout.P)
    v = get3(y, layout.V)
    if orbit[MU] > 0.0:
        p, v = inertial_from_hill(get3(orbit, R0), get3(orbit, V0), p, v)
    put3(y, layout.P, p)
    put3(y, layout.V, v)
    put4(y, layout.Q, quat_normalised(get4(y, layout.Q)))


@kernel
def enter_from_hill(plant, y):
    """Turns a start given in the Hill frame into a state, in place."""
    _craft_from_hill(plant.orbit, y[: layout.target_start(plant)])
    _craft_from_hill(plant.orbit, y[layout.target_start(plant) :])


@kernel
def rows_from_hill(orbit, t, rows):
    """Turns p and v of states (n, 13), given in H at the times t (n,) [s], into O, in place."""
    if orbit[MU] == 0.0:
        return
    for i in range(t.shape[0]):
        R, V = reference(orbit, t[i])
        p, v = inertial_from_hill(R, V, get3(rows[i], layout.P), get3(rows[i], layout.V))
        put3(rows[i], layout.P, p)
        put3(rows[i], layout.V, v)
