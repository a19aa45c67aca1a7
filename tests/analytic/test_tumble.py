"""The torque-free body: closed forms, invariants, and how small differences grow."""

import numpy as np
import pytest

from proxops.physics.multibody.tumble import fill_tumble_transition, tumble

I = (17023.3, 129112.2, 124825.7, -2171.4, -397.1, -344.2)
TENSOR = np.array([[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]])
TURN = (0.8, 0.36, -0.48, 0.0)


def flown(inertia, q, w, h, steps):
    for _ in range(steps):
        q, w = tumble(inertia, q, w, h)
    return np.array(q), np.array(w)


def rotation(q):
    w, x, y, z = q
    S = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 * w * S + 2.0 * S @ S


def test_momentum_in_space_and_energy_stay():
    # 100 s at 3 rad/s or so in steps of 1 ms: local errors (3e-3)⁵/100 add up to 1e-10.
    w = np.array([0.9, -2.5, 1.4])
    q, after = flown(I, TURN, tuple(w), 1e-3, 20000)
    before = rotation(TURN) @ TENSOR @ w
    np.testing.assert_allclose(rotation(q) @ TENSOR @ after, before, rtol=0.0, atol=1e-9 * 4e5)
    assert after @ TENSOR @ after == pytest.approx(w @ TENSOR @ w, rel=1e-9)


def test_the_rate_of_a_body_of_revolution_goes_round_at_its_own_pace():
    # w₁ + i w₂ turns with Ω = (I₃ - I₁)/I₁ w₃ (Euler)
    inertia, w, t = (2.0, 2.0, 5.0, 0.0, 0.0, 0.0), (0.1, 0.0, 0.4), 10.0
    _, after = flown(inertia, TURN, w, 0.01, 1000)
    pace = (5.0 - 2.0) / 2.0 * 0.4
    expected = [0.1 * np.cos(pace * t), 0.1 * np.sin(pace * t), 0.4]
    np.testing.assert_allclose(after, expected, atol=1e-9)  # (0.6·0.01)⁴·pace t/120


def test_tumbling_back_leads_to_where_it_began():
    w = (0.01, -0.0436, 0.005)
    q, there = tumble(I, TURN, w, 0.1)
    q, back = tumble(I, q, there, -0.1)
    np.testing.assert_allclose(q, TURN, atol=1e-13)  # 2 (|w| h)⁵/100
    np.testing.assert_allclose(back, w, atol=1e-14)


def error_state(q, w, q_ref, w_ref):
    """θ and δw between two motions."""
    R = rotation(q_ref).T @ rotation(q)
    turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return np.array([*turn, *(np.array(w) - w_ref)])


def disturbed(q, w, error):
    half = 0.5 * error[:3]
    a, b = np.array(q), np.array([1.0, *half])
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    q = np.array([scalar, *vector])
    return tuple(q / np.linalg.norm(q)), tuple(np.array(w) + error[3:])


@pytest.mark.parametrize("h", [0.01, -0.1])
def test_small_differences_grow_as_the_transition_says(h):
    # Left out is the third order: |w|² h³/6 of a rate, with |w| = 0.06 1/s; rounding adds 1e-16
    # over the disturbance.
    w = (0.02, -0.05, 0.03)
    F = np.zeros((6, 6))
    fill_tumble_transition(I, w, h, F)
    for error in 1e-5 * np.eye(6):
        plus = tumble(I, *disturbed(TURN, w, error), h)
        minus = tumble(I, *disturbed(TURN, w, -error), h)
        grown = error_state(*plus, *minus) / 2e-5
        np.testing.assert_allclose(F @ error / 1e-5, grown, atol=6e-4 * abs(h) ** 3 + 1e-10)
