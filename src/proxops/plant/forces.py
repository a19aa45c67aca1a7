"""What acts on one spacecraft: tide, applied wrenches, and the joints' own torques.

Each function adds to the spacecraft's scratch table and returns what the ledger must know: the
total force, the total torque about the hub's origin (both in hub axes) and the power.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import ZERO, add, cross, dot, mul, point_inertia, sym_sub
from proxops.core.spatial.vector import scale as times
from proxops.physics.flexible.modes import BEAM, KIND, E, arm_of_mode, coupling, mode_count
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import push
from proxops.physics.multibody.joints import friction_torque, stop_torque
from proxops.physics.multibody.tree import load3, load_mat, load_sym
from proxops.physics.orbit.tidal import (
    gravity_gradient_torque,
    tidal_acceleration,
    tidal_gradient,
)
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR, DRIVE_TORQUE


@helper
def pull_of_tide(tree, sky, scratch):
    """Tidal force and gravity-gradient torque on every body; `sky` is (μ, R of O in N, p of the
    hub in O), in hub axes."""
    mu, R, p = sky
    force, torque, power = ZERO, ZERO, 0.0
    if mu == 0.0:
        return force, torque, power
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        com = add(load3(scratch, body, at.P), c)
        r = add(p, com)
        f = times(m, tidal_acceleration(mu, R, r))
        about_com = sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c))
        twist = gravity_gradient_torque(mu, add(R, r), about_com)
        push(scratch, body, f, add(twist, cross(c, f)))
        force = add(force, f)
        torque = add(torque, add(twist, cross(com, f)))
        power += dot(f, add(load3(scratch, body, at.V), cross(w, c))) + dot(twist, w)
    return force, torque, power


@helper
def pull_of_tide_on_modes(modes, sky, eta, eta_rate, g):
    """Adds the tide's pull on the deflection of each mode to its g; returns the power [W].

        ∫ φ · g dm = S · g(Co) + e · T c      T the gradient of the tide, c = ∫ φ u dm

    `sky` is (μ, R of O, p of the hub), in hub axes.
    """
    mu, R, p = sky
    power = 0.0
    if mu == 0.0:
        return power
    at_hub = tidal_acceleration(mu, R, p)
    for mode in range(mode_count(modes)):
        S, _ = coupling(modes, mode + 1, eta)
        pull = dot(S, at_hub)
        if modes[mode + 1, KIND] == BEAM:
            e = load3(modes, mode + 1, E)
            pull += dot(e, tidal_gradient(mu, add(R, p), arm_of_mode(modes, mode + 1, eta)))
        g[mode] += pull
        power += pull * eta_rate[mode]
    return power


@helper
def push_of_drive(tree, drive, scratch):
    """Applied wrenches, given in the axes of each body at its origin."""
    force, torque, power = ZERO, ZERO, 0.0
    for body in range(tree.bodies.shape[0]):
        f = load3(drive, body, DRIVE_FORCE)
        t = load3(drive, body, DRIVE_TORQUE)
        if f == ZERO and t == ZERO:
            continue
        R_body = load_mat(scratch, body, at.R)
        f = mul(R_body, f)
        t = mul(R_body, t)
        push(scratch, body, f, t)
        force = add(force, f)
        torque = add(torque, add(t, cross(load3(scratch, body, at.P), f)))
        power += dot(f, load3(scratch, body, at.V)) + dot(t, load3(scratch, body, at.W))
    return force, torque, power


@helper
def pull_of_joints(tree, drive, q, qd, scratch):
    """Writes each joint's torque; returns the power of motors, friction and stops [W]."""
    by_motors, by_friction, by_stops = 0.0, 0.0, 0.0
    for joint in range(tree.topology.shape[0]):
        body = joint + 1
        rate = qd[joint]
        motor = drive[body, DRIVE_MOTOR]
        friction = friction_torque(tree.bodies, body, rate)
        stop = stop_torque(tree.bodies, body, q[joint], rate)
        scratch[body, at.TAU] = motor + friction + stop
        by_motors += motor * rate
        by_friction += friction * rate
        by_stops += stop * rate
    return by_motors, by_friction, by_stops
