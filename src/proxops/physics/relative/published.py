"""The command as the paper integrates it, instead of taking it from the plant.

    target    M_t V̇_c + C_t(V_t) V_t = F_c - M_t d/dt δV                                    (11)
    chaser    M_b V̇_s + M_bq q̈ + C_b V_b + C_bq q̇ = J_bᵀ F_e + F_b - M_b d/dt δV            (18)

The state is the command (X_MB, V_MB) beside the nominal motion.  (11) is (18) without an arm, so
both are one function here.  Wrenches are those felt; q, q̇ and q̈ of the arm are measured.

Source: De Stefano et al., RA-L 2021.  The tide, which it leaves out, acts if there is an orbit.
Rigid bodies only; unlike the command taken from the plant, this one drifts with every disturbance
that plant and measurement do not share.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, minus, plus
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import mul_t
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multibody.entry import push_all
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.prescribed import base_acceleration
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.command import carried, carried_rate
from proxops.physics.relative.motion import (
    STATE_WIDTH,
    TWIST,
    get_pose,
    get_twist,
    put_pose_rate,
    put_twist,
    twist_rate,
)
from proxops.physics.relative.nominal import Nominal, nominal_motion

# The state: M's, then the body's X_MB and V_MB as in `motion`
SHOWN = STATE_WIDTH
JOINTS = STATE_WIDTH  # within the body's part: joint positions, then rates, where they are states

# Rows of Measured.arm
POSITION = 0  # q at the beginning of the step [rad]
SPEED = 1  # q̇
ACCELERATION = 2  # q̈ during the step
ARM_ROWS = 3


class Measured(NamedTuple):
    """A body, or a base with an arm whose motion is measured, shown relative to M."""

    nominal: Nominal
    tree: Tree
    wrenches: np.ndarray  # felt by each body, at its origin, in its axes (n + 1, 6) [N, N m]
    arm: np.ndarray  # (ARM_ROWS, n)
    since: float  # when the step begins [s]
    joints: np.ndarray  # workspace for q and q̇ (2, n)
    loads: np.ndarray  # workspace (6 + n)
    scratch: np.ndarray  # workspace as for the tree, with one row before it for M


@helper
def shown_in_orbit(nominal, y, t, rate, scratch):
    """(X_MB, V_MB), (X_OB, V_OB) and d/dt δV of the body in the state y; writes M's rate."""
    X_OM, V_OM, V_OM_rate = nominal_motion(nominal, y, t, rate, scratch)
    X_MB, V_MB = get_pose(y[SHOWN:]), get_twist(y[SHOWN:], TWIST)
    apart = carried_rate(X_MB, V_MB, V_OM, V_OM_rate)
    return (X_MB, V_MB), (compose(X_OM, X_MB), plus(V_MB, carried(X_MB, V_OM))), apart


@helper
def sky_in_base(orbit, t, X_OB):
    """(μ, R of O in N, p of the base in O), base axes."""
    mu, R_NO = sky_at(orbit, t)
    R_OB = quat_to_rotation(X_OB[0])
    return mu, mul_t(R_OB, R_NO), mul_t(R_OB, X_OB[1])


@part
def measured_rates(system, y, t, rate):
    """Writes dy/dt of (11) and (18)."""
    nominal, tree, wrenches, arm, since, joints, loads, scratch = system
    (X_MB, V_MB), (X_OB, V_OB), apart = shown_in_orbit(nominal, y, t, rate, scratch)
    dt = t - since
    for joint in range(arm.shape[1]):
        speed, gain = arm[SPEED, joint], dt * arm[ACCELERATION, joint]
        joints[POSITION, joint] = arm[POSITION, joint] + dt * (speed + 0.5 * gain)
        joints[SPEED, joint] = speed + gain
    place(tree, V_OB, joints[POSITION], joints[SPEED], scratch[1:])
    push_all(wrenches, scratch[1:])
    pull_of_tide(tree, sky_in_base(nominal.orbit, t, X_OB), scratch[1:])
    a, alpha = base_acceleration(tree, arm[ACCELERATION], loads, scratch[1:])
    put_pose_rate(rate[SHOWN:], X_MB, V_MB)
    put_twist(rate[SHOWN:], TWIST, minus(twist_rate(V_OB, a, alpha), apart))


measured_step = rk4_of(measured_rates)
