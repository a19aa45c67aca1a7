"""Unit quaternions are a group and stand for rotations, everywhere including 0 and π."""

import math

import numpy as np
import pytest

from proxops.core.spatial.quaternion import (
    IDENTITY,
    quat_exp,
    quat_from_rotation,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_normalised,
    quat_positive,
    quat_rate,
    quat_to_rotation,
)

ROUNDING = 4e-15  # some ten operations on numbers of size one
ANGLES = [0.0, 1e-12, 1e-6, 0.999e-3, 1.001e-3, 2.001e-3, 0.1, 1.0, 3.0, math.pi - 1e-9, math.pi]


def random_quaternions(count: int) -> list[tuple[float, ...]]:
    """Unit quaternions of both signs."""
    q = np.random.default_rng(1).normal(size=(count, 4))
    return [tuple(row) for row in (q / np.linalg.norm(q, axis=1, keepdims=True)).tolist()]


def matrix(q: tuple[float, ...]) -> np.ndarray:
    return np.array(quat_to_rotation(q)).reshape(3, 3)


def rodrigues(axis: np.ndarray, angle: float) -> np.ndarray:
    """R = 1 + sin θ [a]× + (1 - cos θ) [a]×²"""
    A = np.cross(np.eye(3), axis)
    return np.array(np.eye(3) + math.sin(angle) * A + 2 * math.sin(angle / 2) ** 2 * A @ A)


def axes(count: int) -> np.ndarray:
    a = np.random.default_rng(2).normal(size=(count, 3))
    return np.array(a / np.linalg.norm(a, axis=1, keepdims=True))


def test_quaternions_are_a_group() -> None:
    for a, b, c in zip(*[iter(random_quaternions(60))] * 3, strict=True):
        assert quat_mul(quat_mul(a, b), c) == pytest.approx(
            quat_mul(a, quat_mul(b, c)), abs=ROUNDING
        )
        assert quat_mul(a, IDENTITY) == a
        assert quat_mul(IDENTITY, a) == a
        assert quat_mul(a, quat_inverse(a)) == pytest.approx(IDENTITY, abs=ROUNDING)
        assert math.hypot(*quat_mul(a, b)) == pytest.approx(1.0, abs=ROUNDING)


def test_rotations_compose_as_their_quaternions_do() -> None:
    for a, b in zip(*[iter(random_quaternions(40))] * 2, strict=True):
        R = matrix(a)
        np.testing.assert_allclose(R @ R.T, np.eye(3), rtol=0.0, atol=ROUNDING)
        assert np.linalg.det(R) == pytest.approx(1.0, abs=ROUNDING)
        np.testing.assert_allclose(matrix(quat_mul(a, b)), R @ matrix(b), rtol=0.0, atol=ROUNDING)


def test_the_two_signs_are_one_rotation() -> None:
    for q in random_quaternions(10):
        opposite = tuple(-x for x in q)
        np.testing.assert_array_equal(matrix(q), matrix(opposite))
        assert quat_positive(q) == quat_positive(opposite)
        assert quat_positive(q)[0] >= 0.0


def test_every_rotation_matrix_gives_back_its_quaternion() -> None:
    # half turns about the axes and near them take each of the four branches
    half_turns = [quat_exp(tuple(row)) for row in (math.pi * np.eye(3)).tolist()]
    near = [quat_exp(tuple((3.1 * a).tolist())) for a in axes(20)]
    for q in random_quaternions(50) + half_turns + near + [IDENTITY]:
        np.testing.assert_allclose(
            matrix(quat_from_rotation(quat_to_rotation(q))), matrix(q), rtol=0.0, atol=ROUNDING
        )
        assert quat_from_rotation(quat_to_rotation(q))[0] >= 0.0


def test_normalising_keeps_the_direction() -> None:
    for q in random_quaternions(10):
        assert quat_normalised(tuple(3.0 * x for x in q)) == pytest.approx(q, abs=ROUNDING)


@pytest.mark.parametrize("angle", ANGLES)
def test_exp_and_log_are_inverse(angle: float) -> None:
    for axis in axes(10):
        r = angle * axis
        q = quat_exp(tuple(r.tolist()))
        assert q[0] == pytest.approx(math.cos(angle / 2), abs=ROUNDING)
        np.testing.assert_allclose(
            q[1:], math.sin(angle / 2) * axis, rtol=0.0, atol=ROUNDING * angle
        )
        np.testing.assert_allclose(matrix(q), rodrigues(axis, angle), rtol=0.0, atol=ROUNDING)
        back = np.array(quat_log(q))
        # both signs of a half turn are the same; relative accuracy holds down to the smallest turn
        if angle == math.pi and back @ r < 0.0:
            back = -back
        np.testing.assert_allclose(back, r, rtol=0.0, atol=ROUNDING * angle)


def test_log_takes_the_shorter_way() -> None:
    for axis in axes(10):
        long_way = quat_exp(tuple((5.0 * axis).tolist()))
        np.testing.assert_allclose(
            quat_log(long_way), (5.0 - 2 * math.pi) * axis, rtol=0.0, atol=ROUNDING
        )


def test_turns_about_one_axis_add() -> None:
    for axis in axes(10):
        a, b = (quat_exp(tuple((s * axis).tolist())) for s in (0.7, 1.9))
        assert quat_mul(a, b) == pytest.approx(quat_exp(tuple((2.6 * axis).tolist())), abs=ROUNDING)


def test_rate_is_the_derivative_along_a_body_rate() -> None:
    """q̇ of q exp(w t): central difference; truncation h²|w|³/48 < 1e-9, rounding 1e-16/h."""
    h = 1e-5
    rng = np.random.default_rng(3)
    for q in random_quaternions(10):
        w = rng.uniform(-1.0, 1.0, 3)
        ahead = quat_mul(q, quat_exp(tuple((h * w).tolist())))
        behind = quat_mul(q, quat_exp(tuple((-h * w).tolist())))
        difference = (np.array(ahead) - np.array(behind)) / (2 * h)
        np.testing.assert_allclose(quat_rate(q, tuple(w.tolist())), difference, rtol=0.0, atol=1e-9)
