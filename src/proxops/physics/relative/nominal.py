"""The nominal motion M: free motion of a rigid body, motion at a constant rate, or data.

Any smooth motion will do.  Free motion of the target keeps the laboratory's motion smallest: until
something touches the target, it stands still there.  In orbit the tide acts on it too, so that it
stays the target's own motion.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_normalised, quat_to_rotation
from proxops.core.spatial.vector import get3, mul, mul_t, put3
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multibody.forward import solve_base
from proxops.physics.multibody.kinematics import place_base
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.motion import (
    SPIN,
    STATE_WIDTH,
    VELOCITY,
    P,
    Q,
    motion_of_state,
    put_pose_rate,
    twist_rate,
)
from proxops.physics.relative.samples import sampled


class Nominal(NamedTuple):
    """A nominal motion."""

    body: Tree  # that moves freely, without joints
    orbit: np.ndarray  # as in physics.orbit.reference; its tide acts on body and bodies shown
    samples: np.ndarray  # as in `samples`; where there are any, they are the motion


@helper
def put_free_rate(nominal, y, t, rate, scratch):
    """Writes the rate of the free body's state: ṗ = v, v̇ = R a, ẇ = α."""
    pose = get4(y, Q), get3(y, P)
    v_O, w = get3(y, VELOCITY), get3(y, SPIN)
    R_OB = quat_to_rotation(pose[0])
    v = mul_t(R_OB, v_O)
    mu, R_NO = sky_at(nominal.orbit, t)
    place_base(nominal.body, v, w, scratch)
    pull_of_tide(nominal.body, (mu, mul_t(R_OB, R_NO), mul_t(R_OB, pose[1])), scratch)
    a, alpha = solve_base(scratch)
    put_pose_rate(rate, pose, (v, w))
    put3(rate, VELOCITY, mul(R_OB, a))
    put3(rate, SPIN, alpha)


@part
def nominal_motion(nominal, y, t, rate, scratch):
    """(X_OM, V_OM, V̇_OM) at the time t [s]; writes the rate of M's state y, which only free motion
    has.  `scratch` has one row, as for a tree of one body."""
    if nominal.samples.shape[0] == 0:
        put_free_rate(nominal, y, t, rate, scratch)
        return motion_of_state(y, rate)
    for i in range(STATE_WIDTH):
        rate[i] = 0.0
    (p, v_O, a_O), (q, w, w_rate) = sampled(nominal.samples, t)
    R_OM = quat_to_rotation(q)
    V = mul_t(R_OM, v_O), w
    return (q, p), V, twist_rate(V, mul_t(R_OM, a_O), w_rate)


class Course(NamedTuple):
    """What integrating a nominal motion alone takes."""

    nominal: Nominal
    scratch: np.ndarray


@part
def course_rates(course, y, t, rate):
    """Writes dy/dt of the nominal motion's state."""
    nominal_motion(course.nominal, y, t, rate, course.scratch)


course_step = rk4_of(course_rates)


@part
def advance_course(course, y, workspace, t, h):
    """Brings M's state y from t to t + h [s]; where it is given by samples, to what they say."""
    if course.nominal.samples.shape[0] == 0:
        course_step(course, y, workspace, t, h)
        put4(y, Q, quat_normalised(get4(y, Q)))
        return
    (p, v_O, _), (q, w, _) = sampled(course.nominal.samples, t + h)
    put3(y, P, p)
    put4(y, Q, q)
    put3(y, VELOCITY, v_O)
    put3(y, SPIN, w)
