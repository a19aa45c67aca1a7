"""Steady deflections and small oscillations of a ring of pads against hand calculations."""

import math

import numpy as np
import pytest
from tests.laws.touching import Pair, body, contact, rubbing

from proxops.plant import layout

M_S, M_T = 1200.0, 8200.0
M = M_S * M_T / (M_S + M_T)
I_S, I_T = np.array([650.0, 950.0, 950.0]), np.array([1e4, 226e3, 228e3])
R, C, N = 0.8, 2e5, 6  # radius [m], stiffness of a pad [N/m], pads
ANGLES = np.arange(N) * 2.0 * math.pi / N + 0.2
REACH = 1.2  # of the chaser's pads ahead of its centre [m]
PADS = np.stack([np.full(N, REACH), R * np.cos(ANGLES), R * np.sin(ANGLES)], 1)
FACE = np.array([-5.0, 0.0, 0.0])
TILT = C * N * R * R / 2.0  # Σ c z² [N m/rad]


def ring(overlap=0.0, w=(0.0, 0.0, 0.0), v=0.0, **law):
    given = contact(PADS, centre=FACE, **({"stiffness": C} | law))
    return Pair(
        body(
            M_S,
            I_S,
            p_H=FACE - [REACH - overlap, 0.0, 0.0],
            w=np.array(w),
            v_H=np.array([v, 0.0, 0.0]),
        ),
        body(M_T, I_T),
        (given,),
    )


def overlaps(pair):
    """Of all pads, small turns [m]."""
    gaps = []
    for craft, points in ((pair.chaser, PADS), (pair.target, None)):
        q = craft[layout.Q :][:4]
        turn = 2.0 * q[1:] / q[0]
        x = craft[layout.P]
        if points is None:
            gaps.append((x + FACE[0], turn))
        else:
            gaps.append((x + points[:, 0] + np.cross(turn, points)[:, 0], turn))
    (x_pads, _), (x_face, turn) = gaps
    return x_pads - x_face - (turn[1] * PADS[:, 2] - turn[2] * PADS[:, 1])


def test_thrust_presses_the_pads_in_by_the_share_that_the_target_needs():
    """δ = F m_t/((m_s + m_t) n c): the target is all that the pads accelerate."""
    thrust = 1500.0
    pair = ring(damping=4e3)
    pair.push([thrust, 0.0, 0.0])
    pair.go(10.0, 0.1)
    meant = thrust * M_T / (M_S + M_T) / (N * C)
    assert overlaps(pair) == pytest.approx(np.full(N, meant), rel=1e-9)


def test_a_couple_loads_the_pads_in_proportion_to_their_distance():
    """c δ_i = F/n + M z_i/Σz²: squeezed by F and bent by M about y, at rest."""
    F, couple = 900.0, 60.0
    pair = ring(damping=4e3)
    for sign, on_target in ((1.0, False), (-1.0, True)):
        pair.push([sign * F, 0.0, 0.0], [0.0, sign * couple, 0.0], on_target=on_target)
    pair.go(1.0, 0.1)
    meant = F / N + couple * PADS[:, 2] / (N * R * R / 2.0)
    # the squeeze, no longer in line by the tilt of 1.6e-4 rad over 6 m, bends by 0.9 N m more
    assert C * overlaps(pair) == pytest.approx(meant, rel=2e-2)
    assert C * overlaps(pair).sum() == pytest.approx(F, rel=1e-4)
    assert overlaps(pair).min() > 0.0


def test_along_the_axis_it_oscillates_at_the_root_of_c_over_m():
    """δ = (v/ω) sin ωt with ω² = n c/m, pads glued on."""
    omega, v = math.sqrt(N * C / M), 1e-3
    pair = ring(v=v, bilateral=True)
    for _ in range(100):
        pair.step(0.05 / omega)
        assert overlaps(pair).mean() == pytest.approx(
            v / omega * math.sin(omega * pair.t), abs=1e-6 * v / omega
        )


@pytest.mark.parametrize("axis", [1, 2])
def test_it_tilts_at_the_root_of_stiffness_over_both_inertias(axis):
    """ω² = Σ c r² (1/I_s + 1/I_t), pads glued on and without friction."""
    omega = math.sqrt(TILT * (1.0 / I_S[axis] + 1.0 / I_T[axis]))
    w0 = 1e-6  # [rad/s]
    w = np.zeros(3)
    w[axis] = w0
    pair = ring(w=w, bilateral=True)
    for _ in range(100):
        pair.step(0.05 / omega)
        turns = [2.0 * craft[layout.Q + 1 + axis] for craft in (pair.chaser, pair.target)]
        meant = w0 / omega * math.sin(omega * pair.t)
        assert turns[0] - turns[1] == pytest.approx(meant, abs=1e-5 * w0 / omega)


def test_a_stuck_ring_twists_at_the_root_of_its_tangential_stiffness():
    """ω² = n k r² (1/I_s + 1/I_t) about its axis."""
    k = 3e4
    omega = math.sqrt(N * k * R * R * (1.0 / I_S[0] + 1.0 / I_T[0]))
    squeeze, w0 = 1200.0, 1e-4
    given = rubbing(contact(PADS, centre=FACE, stiffness=C), 0.5, k, 0.0)
    pair = Pair(
        body(M_S, I_S, p_H=FACE - [REACH - squeeze / (N * C), 0, 0], w=np.array([w0, 0.0, 0.0])),
        body(M_T, I_T),
        (given,),
    )
    for sign, on_target in ((1.0, False), (-1.0, True)):
        pair.push([sign * squeeze, 0.0, 0.0], on_target=on_target)
    for _ in range(200):
        pair.step(0.05 / omega)
        turns = [2.0 * craft[layout.Q + 1] for craft in (pair.chaser, pair.target)]
        meant = w0 / omega * math.sin(omega * pair.t)
        assert turns[0] - turns[1] == pytest.approx(meant, abs=1e-5 * w0 / omega)
