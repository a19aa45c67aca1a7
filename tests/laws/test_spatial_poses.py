"""Poses are a group; Ad carries twists and wrenches along, ad is its derivative."""

import math
from collections.abc import Sequence

import mpmath
import numpy as np
import pytest

from proxops.core.spatial.pose import (
    IDENTITY_POSE,
    Ad,
    Ad_inverse,
    Ad_transposed,
    act,
    ad,
    ad_transposed,
    compose,
    exp,
    inverse,
    log,
)
from proxops.core.spatial.quaternion import quat_exp, quat_to_rotation

Vector = tuple[float, float, float]
Pair = tuple[Vector, Vector]

ROUNDING = 2e-14  # some tens of operations on numbers of size one to ten
# below, at and above both switches from series to closed form, and towards half a turn
ANGLES = [0.0, 1e-12, 1e-6, 0.999e-3, 1.001e-3, 0.0999, 0.1001, 1.0, 3.0, math.pi - 1e-9, math.pi]
SEEDS = range(10)


def vector(array: np.ndarray) -> Vector:
    x, y, z = array.tolist()
    return x, y, z


def pair(six: np.ndarray) -> Pair:
    return vector(six[:3]), vector(six[3:])


def flat(X: Sequence[Sequence[float]]) -> np.ndarray:
    """All numbers of a pose, twist or wrench."""
    return np.concatenate(X)


def random_pose(rng: np.random.Generator) -> tuple[tuple[float, ...], Vector]:
    # below half a turn, so that q and log have one sign only
    r = rng.normal(size=3)
    r *= rng.uniform(0.0, 3.0) / np.linalg.norm(r)
    return quat_exp(vector(r)), vector(rng.uniform(-2.0, 2.0, 3))


def random_pair(rng: np.random.Generator) -> Pair:
    return pair(rng.uniform(-1.0, 1.0, 6))


def homogeneous(X: tuple[tuple[float, ...], Vector]) -> np.ndarray:
    H = np.eye(4)
    H[:3, :3] = np.reshape(quat_to_rotation(X[0]), (3, 3))
    H[:3, 3] = X[1]
    return H


def hat(V: Pair) -> np.ndarray:
    """[[[w]×, v], [0, 0]]"""
    H = np.zeros((4, 4))
    H[:3, :3] = np.cross(np.eye(3), V[1])
    H[:3, 3] = V[0]
    return H


def matrix_exponential(H: np.ndarray) -> np.ndarray:
    """exp of a matrix, in thirty digits."""
    with mpmath.workdps(30):
        return np.array(mpmath.expm(mpmath.matrix(H.tolist())).tolist(), dtype=float)


def close(found: Sequence[Sequence[float]], expected: Sequence[Sequence[float]]) -> None:
    np.testing.assert_allclose(flat(found), flat(expected), rtol=0.0, atol=ROUNDING)


def power(F: Pair, V: Pair) -> float:
    return float(flat(F) @ flat(V))


@pytest.mark.parametrize("seed", SEEDS)
def test_poses_are_a_group_acting_on_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, Y, Z = (random_pose(rng) for _ in range(3))
    point = vector(rng.uniform(-1.0, 1.0, 3))
    close(compose(compose(X, Y), Z), compose(X, compose(Y, Z)))
    close(compose(X, IDENTITY_POSE), X)
    close(compose(IDENTITY_POSE, X), X)
    close(compose(X, inverse(X)), IDENTITY_POSE)
    close(compose(inverse(X), X), IDENTITY_POSE)
    close((act(compose(X, Y), point),), (act(X, act(Y, point)),))
    np.testing.assert_allclose(
        homogeneous(compose(X, Y)), homogeneous(X) @ homogeneous(Y), rtol=0.0, atol=ROUNDING
    )
    np.testing.assert_allclose(
        act(X, point), (homogeneous(X) @ [*point, 1.0])[:3], rtol=0.0, atol=ROUNDING
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_Ad_composes_as_poses_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, Y = random_pose(rng), random_pose(rng)
    V, F = random_pair(rng), random_pair(rng)
    close(Ad(compose(X, Y), V), Ad(X, Ad(Y, V)))
    close(Ad(inverse(X), Ad(X, V)), V)
    close(Ad_inverse(X, V), Ad(inverse(X), V))
    close(Ad_transposed(compose(X, Y), F), Ad_transposed(Y, Ad_transposed(X, F)))


@pytest.mark.parametrize("seed", SEEDS)
def test_Ad_is_conjugation(seed: int) -> None:
    """hat(Ad_X V) = X hat(V) X⁻¹"""
    rng = np.random.default_rng(seed)
    X, V = random_pose(rng), random_pair(rng)
    H = homogeneous(X)
    np.testing.assert_allclose(
        hat(Ad(X, V)), H @ hat(V) @ np.linalg.inv(H), rtol=0.0, atol=ROUNDING
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_power_is_the_same_in_every_frame(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, V, F = random_pose(rng), random_pair(rng), random_pair(rng)
    assert power(Ad_transposed(X, F), V) == pytest.approx(power(F, Ad(X, V)), abs=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_ad_is_the_derivative_of_Ad(seed: int) -> None:
    """d/ds Ad(exp(s V)) U = ad_V U at s = 0; truncation h²/6 |V|³ < 1e-9, rounding 1e-15/h."""
    rng = np.random.default_rng(seed)
    V, U = random_pair(rng), random_pair(rng)
    h = 1e-5
    ahead, behind = (flat(Ad(exp(pair(s * flat(V))), U)) for s in (h, -h))
    np.testing.assert_allclose(flat(ad(V, U)), (ahead - behind) / (2 * h), rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_ad_is_the_commutator(seed: int) -> None:
    rng = np.random.default_rng(seed)
    U, V, W = (random_pair(rng) for _ in range(3))
    np.testing.assert_allclose(
        hat(ad(U, V)), hat(U) @ hat(V) - hat(V) @ hat(U), rtol=0.0, atol=ROUNDING
    )
    jacobi = flat(ad(U, ad(V, W))) + flat(ad(V, ad(W, U))) + flat(ad(W, ad(U, V)))
    np.testing.assert_allclose(jacobi, np.zeros(6), rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_ad_transposed_is_dual_to_ad(seed: int) -> None:
    rng = np.random.default_rng(seed)
    V, U, F = (random_pair(rng) for _ in range(3))
    assert power(ad_transposed(V, F), U) == pytest.approx(power(F, ad(V, U)), abs=ROUNDING)


@pytest.mark.parametrize("angle", ANGLES)
def test_exp_is_the_matrix_exponential_and_log_its_inverse(angle: float) -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        V = (vector(rng.uniform(-1.0, 1.0, 3)), vector(angle * axis))
        X = exp(V)
        np.testing.assert_allclose(
            homogeneous(X), matrix_exponential(hat(V)), rtol=0.0, atol=ROUNDING
        )
        v, w = log(X)
        if angle == math.pi and np.dot(w, V[1]) < 0.0:
            # rounding chose the other of two equal half turns: it must still lead to X
            np.testing.assert_allclose(
                homogeneous(exp((v, w))), homogeneous(X), rtol=0.0, atol=ROUNDING
            )
        else:
            np.testing.assert_allclose(w, V[1], rtol=0.0, atol=ROUNDING * angle)
            np.testing.assert_allclose(v, V[0], rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_log_then_exp_returns_the_pose(seed: int) -> None:
    X = random_pose(np.random.default_rng(seed))
    close(exp(log(X)), X)


@pytest.mark.parametrize("seed", SEEDS)
def test_motions_along_one_twist_add(seed: int) -> None:
    V = random_pair(np.random.default_rng(seed))
    first, second = exp(pair(0.4 * flat(V))), exp(pair(0.9 * flat(V)))
    close(compose(first, second), exp(pair(1.3 * flat(V))))


@pytest.mark.parametrize("seed", SEEDS)
def test_Ad_carries_exp_along(seed: int) -> None:
    """exp(Ad_X V) = X exp(V) X⁻¹"""
    rng = np.random.default_rng(seed)
    X, V = random_pose(rng), random_pair(rng)
    np.testing.assert_allclose(
        homogeneous(exp(Ad(X, V))),
        homogeneous(compose(compose(X, exp(V)), inverse(X))),
        rtol=0.0,
        atol=ROUNDING,
    )
