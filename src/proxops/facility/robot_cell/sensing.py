"""What the force sensors read where they sit, and the wrench on the target that is made of it.

    flange   on the flange K1 of the target's robot; beyond it the target's mock-up
    wrist    on the arm's last joint, axes of that joint's frame J; beyond it all of the last link,
             and what stands on it: fingers, as a load taken to be where they are at the start

What is beyond a sensor S belongs to a body B, T or the link.  Contact acts on it with F, and as a
load (m, c, I) it has weight and inertia (`industrial.load`), so that S reads in its own axes

    s = Ad_{X_BS}ᵀ (F + W),     W = (m (g - a_c), c × m (g - a_c) - I α - w × I w)

What is known of load, pose and motion predicts s⁰ = Ad_{X⁰_BS}ᵀ W⁰.  Filter, samples and delay are
linear and the same for both, therefore they are let act on s - s⁰: what is known perfectly is
compensated exactly.  Bias and noise of a sample are S's own.  The compensated reading r, less what
it was tared with, is taken to To with what is known of the poses:

    felt = Ad_{X⁰_ST}ᵀ r       the wrist's with the opposite sign: on the target as well

Accelerations are means over the last step, of speeds that the carriers' and the arm's encoders
give; the arm's joints are measured without error.  An arm without joints has nothing beyond its
wrist.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import Ad_transposed, inverse
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, matmul, mul, mul_t, put3, scale, sub
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.rows import CHASER, FLANGE, PAIR, TARGET
from proxops.facility.robot_cell.carried import GRAVITY
from proxops.facility.robot_cell.industrial.load import load_wrench
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_mat
from proxops.physics.relative.motion import get_pose
from proxops.plant import layout

# Of what is twice there: as it is, and as it is known
TRUE, KNOWN = 0, 1
KINDS = 2

FORCE, TORQUE = 0, 3  # in a wrench
LINEAR, ANGULAR = 0, 3  # in a twist


class Sensing(NamedTuple):
    """What is known of the cell, and what is true of it."""

    body: int  # link of the arm that the wrist's sensor carries
    frames: np.ndarray  # X_BS of both sensors, true and known (2, 2, 7) [m, wxyz]
    tools: np.ndarray  # loads beyond them, in B, true and known (2, 2, LOAD_WIDTH)
    misplaced: np.ndarray  # of both carriers, see `calibration` (2, 2, 7)
    tares: int  # 1: readings are zeroed as a rehearsal begins
    scatter: np.ndarray  # mean noise of both sensors' readings while they are (2, 6)
    measured: int  # 1: the mapping takes the carriers where they are measured, see `mapping`
    noise: float  # standard deviation of their measured positions [m]


class Sensed(NamedTuple):
    """What is known now."""

    known: np.ndarray  # motions of both hubs in L (2, 13)
    twists: np.ndarray  # v, w of both B in L, true and known (2, 2, 6) [m/s, rad/s]
    weights: np.ndarray  # Ad_{X_BS}ᵀ W of both sensors, true and known (2, 2, 6)
    tare: np.ndarray  # of both sensors (2, 6)
    mismatch: np.ndarray  # what the flange reads more than the wrist, about To, in T (6,)
    seen: np.ndarray  # motions of both hubs in O that the lab stands for (2, 13), see `mapping`


@helper
def get_wrench(row):
    """(f, t) from six numbers."""
    return get3(row, FORCE), get3(row, TORQUE)


@helper
def put_wrench(row, F):
    """Stores (f, t)."""
    put3(row, FORCE, F[0])
    put3(row, TORQUE, F[1])


@helper
def moved_to(A, B, F):
    """The wrench F about Ao, in A, as one about Bo, in B; each frame is (R_LX, p_LX)."""
    f, t = mul(A[0], F[0]), mul(A[0], F[1])
    return mul_t(B[0], f), mul_t(B[0], sub(t, cross(sub(B[1], A[1]), f)))


@helper
def place_of(motions, body, scratch, which):
    """(R_LB, p_LB) of the body B that belongs to a sensor, the hubs standing as `motions` (2, 13)
    has them; the arm's kinematics must be in `scratch`, on any base."""
    hub = motions[TARGET] if which == FLANGE else motions[CHASER]
    R, p = quat_to_rotation(get4(hub, layout.Q)), get3(hub, layout.P)
    if which == FLANGE:
        return R, p
    R_LB = matmul(R, load_mat(scratch, body, at.R))
    return R_LB, add(p, mul(R, load3(scratch, body, at.P)))


@helper
def footing(motions, body, scratch, which):
    """(R_LB, v, w) in L of the body B that belongs to a sensor, likewise."""
    hub = motions[TARGET] if which == FLANGE else motions[CHASER]
    R = quat_to_rotation(get4(hub, layout.Q))
    if which == FLANGE:
        return R, get3(hub, layout.V), mul(R, get3(hub, layout.W))
    p_CB = load3(scratch, body, at.P)
    v_more = sub(mul_t(R, get3(hub, layout.V)), load3(scratch, 0, at.V))
    w_more = sub(get3(hub, layout.W), load3(scratch, 0, at.W))
    v = add(load3(scratch, body, at.V), add(v_more, cross(w_more, p_CB)))
    w = add(load3(scratch, body, at.W), w_more)
    return matmul(R, load_mat(scratch, body, at.R)), mul(R, v), mul(R, w)


@part
def weigh_tools(sensing, sensed, motions, scratch, per_step):
    """Writes what the loads do to both sensors, truly and as known; `per_step` is one over the
    time since this was last done [1/s], zero if it never was."""
    for which in range(PAIR):
        for kind in range(KINDS):
            rows = motions if kind == TRUE else sensed.known
            R, v, w = footing(rows, sensing.body, scratch, which)
            before = sensed.twists[kind, which]
            a = scale(per_step, sub(v, get3(before, LINEAR)))
            alpha = scale(per_step, sub(w, get3(before, ANGULAR)))
            rate = mul_t(R, a), mul_t(R, alpha)
            g = mul_t(R, GRAVITY)
            W = load_wrench(sensing.tools[kind, which], g, (ZERO, mul_t(R, w)), rate)
            X_BS = get_pose(sensing.frames[kind, which])
            put_wrench(sensed.weights[kind, which], Ad_transposed(X_BS, W))
            put3(before, LINEAR, v)
            put3(before, ANGULAR, w)


@part
def surplus(sensing, sensed, motions, scratch, which, F):
    """(f, t) = s - s⁰: what a sensor reads beyond its prediction while contact acts on the target
    with F about To, in T."""
    on_body = F
    if which != FLANGE:
        T = place_of(motions, sensing.body, scratch, FLANGE)
        B = place_of(motions, sensing.body, scratch, which)
        on_body = moved_to(T, B, (scale(-1.0, F[0]), scale(-1.0, F[1])))
    f, t = Ad_transposed(get_pose(sensing.frames[TRUE, which]), on_body)
    true, known = sensed.weights[TRUE, which], sensed.weights[KNOWN, which]
    more = sub(get3(true, FORCE), get3(known, FORCE)), sub(get3(true, TORQUE), get3(known, TORQUE))
    return add(f, more[0]), add(t, more[1])


@helper
def take_tare(sensing, sensor, sensed, which):
    """Keeps what a sensor reads on average without contact."""
    for i in range(WRENCH):
        left = sensed.weights[TRUE, which, i] - sensed.weights[KNOWN, which, i]
        sensed.tare[which, i] = left + sensor.bias[i] + sensing.scatter[which, i]


@part
def measured_on_target(sensing, sensed, scratch, which, reading):
    """Turns a sensor's compensated reading, in place, into a wrench on the target about To."""
    r = get_wrench(reading)
    tare = get_wrench(sensed.tare[which])
    X_BS = get_pose(sensing.frames[KNOWN, which])
    F = Ad_transposed(inverse(X_BS), (sub(r[0], tare[0]), sub(r[1], tare[1])))
    if which != FLANGE:
        T = place_of(sensed.known, sensing.body, scratch, FLANGE)
        B = place_of(sensed.known, sensing.body, scratch, which)
        f, t = moved_to(B, T, F)
        F = scale(-1.0, f), scale(-1.0, t)
    put_wrench(reading, F)
