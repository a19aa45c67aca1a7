"""The two spacecraft in a rehearsal: the arm is a real one, only its motion is known.

The state z (see measured_state) keeps the momentum of the whole chaser, which needs no joint
accelerations:

    h = (p, L) = M_b V_b + M_bq q̇,     ḣ = ad_Vᵀ h + F        about the hub's origin, in hub axes

During a step the joints go on with a constant acceleration, which is a guess; at its end they are
put where they were measured, and h stays.  Momentum is exact, then, however wrong the guess.  Their
motion is thus known as a function of time: the arm is posed once for every instant of a step, its
begin, middle and end, and the hub alone is integrated under it.  The tide pulls at the chaser as
at one body, see `multibody.composite`.
The ledger counts the momentum of both spacecraft, but the energy of the target alone: what motors
of a real arm give is not known.

Wheels, the last joints, are not real: each takes what its motor and its friction give about its
axis a, for which a balanced rotor is as good as at rest in its hub:

    J d(Ω + a·w)/dt = τ
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import get4, put4, quat_rate, quat_to_rotation
from proxops.core.spatial.vector import add, dot, get3, mul, mul_t, put3
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.composite import get_composite, tide_on_composite
from proxops.physics.multibody.joints import friction_torque
from proxops.physics.multibody.prescribed import momentum_rate
from proxops.physics.multibody.tree import Tree, load3
from proxops.physics.orbit.reference import sky_kept
from proxops.plant import layout
from proxops.plant.forces import push_of_drive
from proxops.plant.measured_state import (
    ANGULAR,
    MOMENTUM,
    PosedArm,
    begin_step,
    chaser_tree,
    hub_twist,
    joints_of,
    place_arm,
    pose_at,
    speed_up_wheel,
)
from proxops.plant.model import DRIVE_MOTOR, Craft, Plant
from proxops.plant.rates import enter, load_craft, solve_craft
from proxops.plant.step import NOT_FINITE, OK, settle

ZZ = 2  # about the joint's axis, among the six of an inertia


class MeasuredSystem(NamedTuple):
    """All that the derivative needs besides state and time."""

    plant: Plant
    drive: np.ndarray
    qdd: np.ndarray  # joint accelerations that are guessed for the step [rad/s2 or m/s2]
    arm: PosedArm
    scratch: np.ndarray
    kept: np.ndarray  # the sky of the latest instant, see physics.orbit.reference


@helper
def carry_base(system, sky, z, rate, ledger):
    """Writes the rates of the chaser, and enters what acts on it in the ledger."""
    plant, drive, qdd, arm, _, _ = system
    mu, R_NO = sky
    R_OC, p = quat_to_rotation(get4(z, layout.Q)), get3(z, layout.P)
    v, w = hub_twist(z, arm)
    sky_C = (mu, mul_t(R_OC, R_NO), mul_t(R_OC, p))
    tide = tide_on_composite(get_composite(arm.composite), sky_C)
    applied = push_of_drive(chaser_tree(plant), drive, arm.links)
    enter(ledger, layout.TIDE_IMPULSE, layout.TIDE_ANGULAR, p, R_OC, tide)
    enter(ledger, layout.APPLIED_IMPULSE, layout.APPLIED_ANGULAR, p, R_OC, applied)

    h = (get3(z, MOMENTUM), get3(z, ANGULAR))
    F = (add(tide[0], applied[0]), add(tide[1], applied[1]))
    h_rate = momentum_rate((v, w), h, F)
    put3(rate, layout.P, mul(R_OC, v))
    put4(rate, layout.Q, quat_rate(get4(z, layout.Q), w))
    put3(rate, MOMENTUM, h_rate[0])
    put3(rate, ANGULAR, h_rate[1])
    first, rates, _ = joints_of(plant, z)
    for joint in range(qdd.shape[0]):
        rate[first + joint] = z[rates + joint]
        rate[rates + joint] = qdd[joint]


@helper
def measured_rates(system, z, t, rate):
    """Writes dz/dt of both spacecraft and of the ledger."""
    plant, drive, qdd, arm, scratch, kept = system
    pose_at(plant, z, qdd, arm, t)
    sky = sky_kept(plant.orbit, t, kept)
    target, start = layout.target_start(plant), layout.ledger_start(plant)
    bodies = plant.chaser.shape[0]
    ledger = rate[start:]
    for i in range(layout.LEDGER_SIZE):
        ledger[i] = 0.0
    carry_base(system, sky, z[:target], rate[:target], ledger)
    other = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    own, rates = z[target:start], rate[target:start]
    R_OT = load_craft(other, drive[bodies:], sky, own, rates, (scratch[bodies:], ledger))
    solve_craft(other, R_OT, own, rates, scratch[bodies:])


measured_step = rk4_of(measured_rates)


@part
def advance_measured(system, stages, z, t, h):
    """Advances z in place from t to t + h [s] by one Runge-Kutta step; returns a status.  The arm
    must be posed as z has it, and is posed as z ends."""
    plant = system.plant
    begin_step(plant, z, system.arm, t)
    moving, target = layout.contacts_start(plant), layout.target_start(plant)
    measured_step(system, z[:moving], stages, t, h)
    chaser_is_finite, target_is_finite = settle(z[:target]), settle(z[target:])
    return OK if chaser_is_finite and target_is_finite else NOT_FINITE


@part
def spin_wheels(system, z, spins, h):
    """Puts the wheels where their motors have brought them in the step of h [s] that ends now, all
    other joints being where they were measured and the arm posed so.

    `spins` are Ω + a·w [rad/s].  w is that of the hub with the wheels as they were guessed: where
    they were not, by δΩ, they are off by J/I of that, which the next step takes back.
    """
    plant, drive, qdd, arm, _, _ = system
    if spins.shape[0] == 0:
        return
    _, w = hub_twist(z, arm)
    rates = joints_of(plant, z)[1]
    first = qdd.shape[0] - spins.shape[0]
    for wheel in range(spins.shape[0]):
        joint, body = first + wheel, first + wheel + 1
        guessed = z[rates + joint]
        half_way = guessed - 0.5 * h * qdd[joint]
        torque = drive[body, DRIVE_MOTOR] + friction_torque(plant.chaser, body, half_way)
        spins[wheel] += h * torque / plant.chaser[body, at.INERTIA + ZZ]
        z[rates + joint] = spins[wheel] - dot(load3(arm.links, body, at.AXIS), w)
        qdd[joint] += (z[rates + joint] - guessed) / h
        speed_up_wheel(plant, arm, joint, z[rates + joint] - guessed)


@kernel
def step_measured(system, stages, z, t, h):
    """`advance_measured`, callable from Python; poses the arm."""
    place_arm(system.plant, z, system.arm)
    return advance_measured(system, stages, z, t, h)


@kernel
def spin_measured(system, z, spins, h):
    """`spin_wheels`, callable from Python; poses the arm."""
    place_arm(system.plant, z, system.arm)
    spin_wheels(system, z, spins, h)
