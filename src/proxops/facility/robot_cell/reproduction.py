"""A whole flight as a lab would show it, and what the arm would need there."""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import kernel
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import put4, quat_to_rotation
from proxops.core.spatial.vector import mul_t, put3
from proxops.facility.common.representation import hub_in_orbit, seen_from
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.facility.robot_cell.carried import GRAVITY
from proxops.physics.multibody.composite import place_composite
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.command import carried_rate
from proxops.physics.relative.ground_arm import fill_difference
from proxops.physics.relative.motion import (
    TWIST,
    P,
    Q,
    get_motion,
    get_pose,
    get_twist,
    motion_of_state,
    put_motion,
    put_twist,
)
from proxops.physics.relative.nominal import Course, advance_course, nominal_motion

LONGEST_STEP = 0.02  # of the nominal motion between two samples [s]
REPRODUCED_WIDTH = 13  # X_MB, V_MB with the columns of a motion


class Flight(NamedTuple):
    """Both spacecraft in samples."""

    t: np.ndarray  # [s] (n,)
    states: np.ndarray  # of target and chaser (2, n, 13): p, q, v in O, w in hub axes
    rates: np.ndarray  # of the target's (n, 13)
    q: np.ndarray  # joints of all arms (n, joints) [rad or m]
    qd: np.ndarray


class Ground(NamedTuple):
    """What the ground torques of an arm depend on, besides its motion."""

    tree: Tree  # the chaser
    orbit: np.ndarray
    X_LM: np.ndarray  # (7,) [m, wxyz]
    loads: np.ndarray  # workspace, see physics.relative.ground_arm
    scratch: np.ndarray  # workspace, one row a body


@kernel
def reproduce_flight(representation, nominal, flight, course, reproduced):
    """Writes M's motion at every sample (n, MOTION_WIDTH) and the motions of both hubs relative to
    M (2, n, REPRODUCED_WIDTH).  `nominal` is M at the first sample, and is advanced to the last."""
    count, drawn = flight.t.shape[0], Course(representation.nominal, nominal.scratch)
    for i in range(count):
        t = flight.t[i]
        M = nominal_motion(representation.nominal, nominal.y, t, nominal.rate, nominal.scratch)
        if representation.target_fixed == 1:
            M = motion_of_state(flight.states[TARGET, i], flight.rates[i])
        put_motion(course[i], M)
        for which in range(PAIR):
            X, V = seen_from(M, hub_in_orbit(flight.states[which, i]))
            put4(reproduced[which, i], Q, X[0])
            put3(reproduced[which, i], P, X[1])
            put_twist(reproduced[which, i], TWIST, V)
        if i + 1 < count:
            steps = math.ceil((flight.t[i + 1] - t) / LONGEST_STEP)
            h = (flight.t[i + 1] - t) / steps
            for step in range(steps):
                advance_course(drawn, nominal.y, nominal.stages, t + step * h, h)


@kernel
def place_reproduction(X_LM, reproduced, poses):
    """Writes X_LB (n, 7) [m, wxyz] of a hub that is `reproduced` (n, REPRODUCED_WIDTH) relative
    to M."""
    for i in range(reproduced.shape[0]):
        q, p = compose(get_pose(X_LM), get_pose(reproduced[i]))
        put3(poses[i], P, p)
        put4(poses[i], Q, q)


@kernel
def ground_torques(ground, flight, course, reproduced, more):
    """Writes τ_q - τ (22) (n, joints) [N m or N]: what the arm needs on the ground beyond what it
    is given in orbit; `course` and `reproduced` as `reproduce_flight` writes them."""
    for i in range(flight.t.shape[0]):
        X_OC, V_b = hub_in_orbit(flight.states[CHASER, i])
        X_MC, V_s = get_pose(reproduced[CHASER, i]), get_twist(reproduced[CHASER, i], TWIST)
        _, V_M, V_M_rate = get_motion(course[i])
        apart = carried_rate(X_MC, V_s, V_M, V_M_rate)
        q_LC, _ = compose(get_pose(ground.X_LM), X_MC)
        g = mul_t(quat_to_rotation(q_LC), GRAVITY)
        mu, R_NO = sky_at(ground.orbit, flight.t[i])
        R_OC = quat_to_rotation(X_OC[0])
        sky = (mu, mul_t(R_OC, R_NO), mul_t(R_OC, X_OC[1]))
        place_composite(ground.tree, flight.q[i], flight.qd[i], ground.scratch)
        base = (V_b, V_s, apart, g)
        fill_difference(ground.tree, base, sky, ground.loads, ground.scratch)
        for joint in range(more.shape[1]):
            more[i, joint] = ground.loads[BASE_DOF + joint]
