"""Rotation vectors in time: body rate and its rate are derivatives of the rotation itself."""

import mpmath
import numpy as np
import pytest

from proxops.core.spatial.quaternion import quat_exp, quat_to_rotation
from proxops.core.spatial.rotation_vector import (
    body_acceleration,
    body_rate,
    jacobian_slopes,
    right_jacobian,
    vector_rate,
)
from tests.cross.chains import rate_at_zero

# below, at and above every switch from series to closed form
ANGLES = [0.0, 1e-9, 1e-4, 0.999e-3, 1.001e-3, 0.0999, 0.1001, 0.4999, 0.5001, 1.5, 3.1]
# Eighth order with 10 ms, r growing by up to 2 rad/s: truncation (0.02)⁸, rounding 1e-16 / 0.01
STEP, DIFFERENCE = 0.01, 1e-12


def triple(a: np.ndarray) -> tuple[float, ...]:
    return tuple(float(x) for x in a)


def course(angle: float) -> np.ndarray:
    """Coefficients (3, 3) of r = r₀ + r₁ s + r₂ s², r₀ of that angle."""
    r = np.random.default_rng(int(1e3 * angle)).uniform(-1.0, 1.0, (3, 3))
    r[0] *= angle / np.linalg.norm(r[0])
    return r


def rotation_at(r: np.ndarray) -> np.ndarray:
    return np.reshape(quat_to_rotation(quat_exp(triple(r))), (3, 3))


@pytest.mark.parametrize("angle", ANGLES)
def test_body_rate_is_the_derivative_of_the_rotation(angle: float) -> None:
    """Rᵀ Ṙ = [w]×"""
    r = course(angle)
    turn = rotation_at(r[0]).T @ rate_at_zero(
        lambda s: rotation_at(r[0] + s * r[1] + s * s * r[2]), STEP
    )
    w = np.array(body_rate(triple(r[0]), triple(r[1])))
    np.testing.assert_allclose(turn, np.cross(np.eye(3), w), rtol=0.0, atol=DIFFERENCE)


@pytest.mark.parametrize("angle", ANGLES)
def test_body_rate_is_the_jacobian_times_the_rate_of_the_vector(angle: float) -> None:
    r = course(angle)
    J = np.reshape(right_jacobian(triple(r[0])), (3, 3))
    w = body_rate(triple(r[0]), triple(r[1]))
    np.testing.assert_allclose(J @ r[1], w, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_body_acceleration_is_the_derivative_of_the_body_rate(angle: float) -> None:
    r = course(angle)

    def rate(s: float) -> np.ndarray:
        at = triple(r[0] + s * r[1] + s * s * r[2])
        return np.array(body_rate(at, triple(r[1] + 2.0 * s * r[2])))

    found = body_acceleration(triple(r[0]), triple(r[1]), triple(2.0 * r[2]))
    np.testing.assert_allclose(found, rate_at_zero(rate, STEP), rtol=0.0, atol=DIFFERENCE)


@pytest.mark.parametrize("angle", ANGLES)
def test_vector_rate_undoes_body_rate(angle: float) -> None:
    r = course(angle)
    back = vector_rate(triple(r[0]), body_rate(triple(r[0]), triple(r[1])))
    np.testing.assert_allclose(back, r[1], rtol=0.0, atol=2e-15)


@pytest.mark.parametrize("angle", ANGLES[1:])
def test_slopes_keep_their_digits_on_both_sides_of_the_switch(angle: float) -> None:
    """(a', b')/x against fifty digits; the closed forms cancel by 1/x⁴ at most 2⁴ x² rounding."""
    with mpmath.workdps(50):
        x = mpmath.mpf(angle)
        a = (x * mpmath.sin(x) - 2 * (1 - mpmath.cos(x))) / x**4
        b = (x * (1 - mpmath.cos(x)) - 3 * (x - mpmath.sin(x))) / x**5
    np.testing.assert_allclose(jacobian_slopes(angle), [float(a), float(b)], rtol=2e-13)
