"""Where the chaser's centre of mass stands with its joints as they are."""

from proxops.core.jit import part
from proxops.core.spatial.vector import ZERO, add, cross, scale
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.tree import load3


@part
def mass_centre(tree, q, qd, scratch):
    """(p_CCcm, its rate) [m, m/s], in C: p = Σ m c / Σ m.  Where the links are
    against the base stays in the scratch."""
    move(tree, (ZERO, ZERO), q, qd, scratch)
    mass, moment, flow = 0.0, ZERO, ZERO
    for body in range(tree.bodies.shape[0]):
        m, c = tree.bodies[body, at.MASS], load3(scratch, body, at.C)
        mass += m
        moment = add(moment, scale(m, add(load3(scratch, body, at.P), c)))
        swing = cross(load3(scratch, body, at.W), c)
        flow = add(flow, scale(m, add(load3(scratch, body, at.V), swing)))
    return scale(1.0 / mass, moment), scale(1.0 / mass, flow)
