"""What a contact or a hold does to one spacecraft it does, reversed, to the other; and the force is
the one that the laws, written again here, give for the same poses."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.plant import layout
from proxops.plant.contact_array import STUCK
from tests.laws.plants import rotation
from tests.laws.touching import Pair, body, contact, hold

STIFFNESS, DAMPING, GRIP, GRIP_DAMPING = 3e4, 200.0, 2e4, 150.0
LOOSE = {"mu_static": 0.4, "mu_kinetic": 0.4, "grip_stiffness": GRIP, "grip_damping": GRIP_DAMPING}
SPRING = {"stiffness": STIFFNESS, "damping": DAMPING}
HUNT = {"law": HUNT_CROSSLEY, "stiffness": 4e5, "damping": 0.7, "exponent": 1.5, "depth": 1e-2}
CASES = {
    f"{kind}-{law}": (kind, laws)
    for kind in ("pad-on-target", "pad-on-chaser", "balls", "balls-swapped")
    for law, laws in (("spring", SPRING), ("hunt", HUNT))
}


def matrix(craft):
    return np.array(quat_to_rotation.py_func(tuple(craft[layout.Q :][:4]))).reshape(3, 3)


def quaternion(rng, turn=None):
    """Any attitude, or one turned by about `turn` [rad]."""
    q = rng.normal(size=4) if turn is None else np.array([2.0 / turn, *rng.normal(size=3)])
    return q / np.linalg.norm(q)


def touching(rng, kind, law):
    """A pair in any attitude and motion whose two shapes overlap by 5 mm."""
    chaser_at, target_at = rng.uniform(-5, 5, 3), rng.uniform(-5, 5, 3)
    craft = [
        body(
            mass,
            R @ np.diag(inertia) @ R.T,
            q_N=quaternion(rng),
            v_H=rng.uniform(-0.1, 0.1, 3),
            w=rng.uniform(-0.1, 0.1, 3),
        )
        for mass, inertia, R in (
            (300.0, [80.0, 90.0, 110.0], rotation(rng)),
            (700.0, [300.0, 250.0, 400.0], rotation(rng)),
        )
    ]
    R_OC, R_OT = (
        np.array(quat_to_rotation.py_func(tuple(each.q_N))).reshape(3, 3) for each in craft
    )
    here = rng.uniform(-1, 1, 3)  # where they meet, inertial axes
    n_O = rotation(rng)[0]  # from what carries the face to what carries the pad
    pads_on_chaser = kind in ("pad-on-target", "balls")
    R_pad, R_face = (R_OC, R_OT) if pads_on_chaser else (R_OT, R_OC)
    p_pad, p_face = (chaser_at, target_at) if pads_on_chaser else (target_at, chaser_at)
    radius, other, depth = 0.04, 0.3, 5e-3
    ball = kind.startswith("balls")
    centre_O = here + (radius - depth) * n_O
    face_O = here - other * n_O if ball else here
    normal = R_face.T @ n_O
    made = contact(
        R_pad.T @ (centre_O - p_pad),
        pads_on_chaser=pads_on_chaser,
        radius=radius,
        centre=R_face.T @ (face_O - p_face),
        normal=normal,
        along=np.cross(normal, [0.6, 0.0, 0.8]) / np.linalg.norm(np.cross(normal, [0.6, 0, 0.8])),
        ball_radius=other if ball else 0.0,
        **(law | LOOSE),
    )
    chaser, target = replace(craft[0], p_H=chaser_at), replace(craft[1], p_H=target_at)
    return Pair(chaser, target, (made,)), made, (chaser, target)


def shake(rng, pair, size=1e-3):
    """Moves both a little, so that a stuck contact is stretched."""
    for craft in (pair.chaser, pair.target):
        craft[layout.P :][:3] += size * rng.uniform(-1, 1, 3)
        craft[layout.Q :][:4] += size * rng.uniform(-1, 1, 4)
        craft[layout.Q :][:4] /= np.linalg.norm(craft[layout.Q :][:4])


def reactions(pair, bodies):
    """Force and moment about the inertial origin that each rigid spacecraft feels."""
    rate = pair.rates()
    felt = []
    for part, given in zip((pair.parts.chaser, pair.parts.target), bodies, strict=True):
        y, yd = pair.y[part], rate[part]
        R, w = matrix(y), y[layout.W :][:3]
        f = given.mass * yd[layout.V :][:3]
        spin = given.inertia @ yd[layout.W :][:3] + np.cross(w, given.inertia @ w)
        felt.append((f, R @ spin + np.cross(y[layout.P :][:3], f)))
    return felt


def material(y, r):
    """Velocity of a body's matter at an inertial point."""
    return y[layout.V :][:3] + np.cross(matrix(y) @ y[layout.W :][:3], r - y[layout.P :][:3])


def expected_force(before, after, given):
    """Force on the chaser, inertial axes, after a shake since the contact stuck."""

    def meet(y_C, y_T):
        pad, face = (y_C, y_T) if given.pads_on_chaser else (y_T, y_C)
        s = pad[layout.P :][:3] + matrix(pad) @ given.pads[0]
        o = face[layout.P :][:3] + matrix(face) @ given.centre
        if given.ball_radius > 0.0:
            n = (s - o) / np.linalg.norm(s - o)
            depth = given.radius + given.ball_radius - np.linalg.norm(s - o)
            point = o + n * (given.ball_radius - 0.5 * depth)
        else:
            n = matrix(face) @ given.normal
            depth = given.radius - n @ (s - o)
            point = s - given.radius * n
        return depth, n if given.pads_on_chaser else -n, point

    _, _, stuck = meet(*before)
    depth, n, point = meet(*after)
    v = material(after[0], point) - material(after[1], point)
    rate = -n @ v
    if given.law == HUNT_CROSSLEY:
        normal = given.stiffness * depth**given.exponent * (1.0 + given.damping * rate)
    else:
        normal = given.stiffness * depth + given.damping * rate
    ends = [
        y[layout.P :][:3] + matrix(y) @ matrix(y0).T @ (stuck - y0[layout.P :][:3])
        for y0, y in zip(before, after, strict=True)
    ]
    stretch = ends[0] - ends[1]
    stretch -= n * (n @ stretch)
    pull = -given.grip_stiffness * stretch - given.grip_damping * (v + rate * n)
    most = given.mu_static * max(normal, 0.0)
    size = np.linalg.norm(pull)
    return normal * n + pull * min(1.0, most / size), point, size > most


@pytest.mark.parametrize("case", CASES)
def test_force_and_moment_cancel_and_are_those_of_the_law(case):
    rng = np.random.default_rng(list(CASES).index(case))
    slid = []
    for trial in range(20):
        pair, given, bodies = touching(rng, *CASES[case])
        if pair.mode() != STUCK:  # its damper pulls more than its spring pushes
            continue
        before = pair.chaser.copy(), pair.target.copy()
        shake(rng, pair, 2e-4 if trial % 2 else 2e-5)  # levers are 5 m
        (f_C, m_C), (f_T, m_T) = reactions(pair, bodies)
        force, point, slides = expected_force(before, (pair.chaser, pair.target), given)
        scale = np.linalg.norm(f_C)
        # accelerations come out of solved inertias: a few hundred roundings of 10 m × force
        assert np.abs(f_C + f_T).max() < 1e-13 * scale
        assert np.abs(m_C + m_T).max() < 1e-11 * scale
        # the overlap is a difference of metres: 1e-15 m × stiffness
        assert f_C == pytest.approx(force, abs=1e-9 * scale)
        assert m_C == pytest.approx(np.cross(point, force), abs=1e-8 * scale)
        slid.append(slides)
    assert 2 <= sum(slid) <= len(slid) - 2  # both ways of friction were seen


def test_a_hold_pulls_both_alike_with_the_force_and_torque_of_its_law():
    rng = np.random.default_rng(7)
    for _ in range(20):
        bodies = tuple(
            body(
                mass,
                np.diag(inertia),
                p_H=rng.uniform(-3, 3, 3),
                q_N=quaternion(rng),
                v_H=rng.uniform(-0.1, 0.1, 3),
                w=rng.uniform(-0.1, 0.1, 3),
            )
            for mass, inertia in ((300.0, [80.0, 90.0, 110.0]), (700.0, [300.0, 250.0, 400.0]))
        )
        given = hold(
            p_TB=rng.uniform(-1, 1, 3),
            R_TB=rotation(rng),
            stiffness=rng.uniform(1e3, 1e4, 3),
            rotational_stiffness=rng.uniform(1e3, 1e4, 3),
            damping=rng.uniform(10, 100, 3),
            rotational_damping=rng.uniform(10, 100, 3),
            pull=rng.uniform(-5, 5, 3),
        )
        pair = Pair(*bodies, holds=(given,))
        before = pair.chaser.copy(), pair.target.copy()
        shake(rng, pair, 1e-2)
        (f_C, m_C), (f_T, m_T) = reactions(pair, bodies)
        scale = np.linalg.norm(f_C)
        assert np.abs(f_C + f_T).max() < 1e-13 * scale
        assert np.abs(m_C + m_T).max() < 1e-11 * scale
        y_C, y_T = pair.chaser, pair.target
        R_OB = matrix(before[1]) @ given.R_TB  # when it closed
        R_OA = matrix(y_C) @ matrix(before[0]).T @ R_OB
        joined = before[1][layout.P :][:3] + matrix(before[1]) @ given.p_TB
        held = y_C[layout.P :][:3] + matrix(y_C) @ matrix(before[0]).T @ (
            joined - before[0][layout.P :][:3]
        )
        grasp = y_T[layout.P :][:3] + matrix(y_T) @ given.p_TB
        v = R_OA.T @ (material(y_C, grasp) - material(y_T, grasp))
        apart = R_OA.T @ (held - grasp)
        force = R_OA @ (given.pull - given.stiffness * apart - given.damping * v)
        assert f_C == pytest.approx(force, abs=1e-9 * scale)
        # the turn is small: its torque is -κ θ but for θ³
        turned = (
            given.R_TB.T
            @ (matrix(y_T).T @ matrix(y_C) @ matrix(before[0]).T @ matrix(before[1]))
            @ given.R_TB
        )
        theta = 0.5 * np.array(
            [turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]
        )
        w = R_OA.T @ (matrix(y_C) @ y_C[layout.W :][:3] - matrix(y_T) @ y_T[layout.W :][:3])
        small = np.linalg.norm(theta) ** 2 * given.rotational_stiffness.max()
        torque = R_OA @ (-given.rotational_stiffness * theta - given.rotational_damping * w)
        assert m_C == pytest.approx(np.cross(grasp, force) + torque, abs=small)
