"""What acts on one spacecraft: the tide on its modes, applied wrenches, the joints' own torques.

Each function adds to the spacecraft's tables and returns what the ledger must know: the power and,
for wrenches, the total force and the total torque about the hub's origin (both in hub axes).
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import ZERO, add, cross, dot, mul
from proxops.physics.flexible.modes import BEAM, KIND, E, arm_of_mode, coupling, mode_count
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import push
from proxops.physics.multibody.gears import driver_of, mesh
from proxops.physics.multibody.joints import friction_torque, stop_torque
from proxops.physics.multibody.tree import is_driven, load3, load_mat
from proxops.physics.orbit.tidal import (
    pull_at,
    tidal_acceleration,
    tidal_gradient,
)
from proxops.plant.model import DRIVE_BRAKE, DRIVE_FORCE, DRIVE_MOTOR, DRIVE_TORQUE


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
    d, at_hub = add(R, p), tidal_acceleration(mu, R, p)
    pull_there = pull_at(mu, d)
    for mode in range(mode_count(modes)):
        S, _ = coupling(modes, mode + 1, eta)
        pull = dot(S, at_hub)
        if modes[mode + 1, KIND] == BEAM:
            e = load3(modes, mode + 1, E)
            pull += dot(e, tidal_gradient(pull_there, d, arm_of_mode(modes, mode + 1, eta)))
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
    """Writes each joint's torque; returns the power of motors, friction and stops, and of the
    springs and losses of gears [W].  What a brake holds does not move: it takes no power."""
    by_motors, by_friction, by_stops = 0.0, 0.0, 0.0
    by_gears, by_gear_losses = 0.0, 0.0
    for joint in range(tree.topology.shape[0]):
        body = joint + 1
        rate = qd[joint]
        motor = drive[body, DRIVE_MOTOR]
        friction = friction_torque(tree.bodies, body, rate)
        stop = stop_torque(tree.bodies, body, q[joint], rate)
        scratch[body, at.TAU] = motor + friction + stop
        scratch[body, at.BRAKED] = drive[body, DRIVE_BRAKE]
        by_motors += motor * rate
        by_friction += friction * rate
        by_stops += stop * rate
    for joint in range(tree.topology.shape[0]):
        body = joint + 1
        if not is_driven(tree.bodies, body):
            continue
        driver = driver_of(tree.bodies, body)
        motor = (q[driver - 1], qd[driver - 1])
        did = mesh(tree.bodies, body, motor, (q[joint], qd[joint]))
        scratch[driver, at.TAU] += did.motor
        scratch[body, at.TAU] += did.driven
        by_gears += did.elastic
        by_gear_losses += did.lost
    return by_motors, by_friction, by_stops, by_gears, by_gear_losses
