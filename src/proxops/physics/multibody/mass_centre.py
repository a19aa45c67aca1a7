"""Where the chaser's centre of mass stands with its joints as they are."""

from proxops.core.jit import part
from proxops.core.spatial.vector import ZERO, add, cross, scale, sub
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.tree import load3


@part
def mass_centre(tree, q, qd, scratch):
    """(p_CCcm, its rate) [m, m/s], in C: p = Σ m c / Σ m.  Where the links are
    against the base stays in the scratch."""
    move(tree, (ZERO, ZERO), q, qd, scratch)
    return centre_of_moved(tree, ZERO, scratch)


@part
def centre_of_moved(tree, w, scratch):
    """The same of a tree that was moved with the base's twist (0, w): seen from the base, what
    turns with it stands still.

        ṗ = Σ m v/Σ m - w × p
    """
    mass, moment, flow = 0.0, ZERO, ZERO
    for body in range(tree.bodies.shape[0]):
        m, c = tree.bodies[body, at.MASS], load3(scratch, body, at.C)
        mass += m
        moment = add(moment, scale(m, add(load3(scratch, body, at.P), c)))
        swing = cross(load3(scratch, body, at.W), c)
        flow = add(flow, scale(m, add(load3(scratch, body, at.V), swing)))
    p, v = scale(1.0 / mass, moment), scale(1.0 / mass, flow)
    return p, sub(v, cross(w, p))
