"""Small exact facts of the spatial algebra, and what its conventions mean."""

import math

import numpy as np
import pytest

from proxops.core.spatial import vector as vec
from proxops.core.spatial.pose import Ad, Ad_transposed, act, compose
from proxops.core.spatial.quaternion import get4, put4, quat_exp, quat_to_rotation
from proxops.core.spatial.vector import mul, mul_t

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
QUARTER = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # about z, scalar first
EXACT = 1e-15


def matrix_of(S: tuple[float, ...]) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = S
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def six_of(M: np.ndarray) -> np.ndarray:
    return M[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def random_symmetric(seed: int) -> np.ndarray:
    A = np.random.default_rng(seed).uniform(-1.0, 1.0, (3, 3))
    return A @ A.T + np.eye(3)


def tuple_of(array: np.ndarray) -> tuple[float, ...]:
    return tuple(array.ravel().tolist())


def test_axes_are_right_handed() -> None:
    assert vec.cross(X, Y) == Z
    assert vec.cross(Y, Z) == X
    assert vec.cross(Z, X) == Y


def test_vector_arithmetic() -> None:
    assert vec.add((1.0, 2.0, 3.0), (4.0, 6.0, 8.0)) == (5.0, 8.0, 11.0)
    assert vec.sub((1.0, 2.0, 3.0), (4.0, 6.0, 8.0)) == (-3.0, -4.0, -5.0)
    assert vec.scale(2.0, (1.0, 2.0, 3.0)) == (2.0, 4.0, 6.0)
    assert vec.dot((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == 32.0
    assert vec.norm((2.0, 3.0, 6.0)) == 7.0


def test_vectors_and_quaternions_pass_through_arrays() -> None:
    array = np.zeros(8)
    vec.put3(array, 1, (1.0, 2.0, 3.0))
    vec.add3(array, 1, (0.5, 0.5, 0.5))
    assert vec.get3(array, 1) == (1.5, 2.5, 3.5)
    put4(array, 4, (1.0, 2.0, 3.0, 4.0))
    assert get4(array, 4) == (1.0, 2.0, 3.0, 4.0)
    assert array.tolist() == [0.0, 1.5, 2.5, 3.5, 1.0, 2.0, 3.0, 4.0]


def test_matrices_are_stored_row_by_row() -> None:
    rng = np.random.default_rng(0)
    A, B = rng.uniform(-1.0, 1.0, (2, 3, 3))
    a = rng.uniform(-1.0, 1.0, 3)
    assert mul(tuple_of(A), tuple_of(a)) == pytest.approx(A @ a, abs=EXACT)
    assert mul_t(tuple_of(A), tuple_of(a)) == pytest.approx(A.T @ a, abs=EXACT)
    assert vec.matmul(tuple_of(A), tuple_of(B)) == pytest.approx((A @ B).ravel(), abs=EXACT)
    assert vec.transpose(tuple_of(A)) == tuple_of(A.T)


def test_symmetric_matrices_are_xx_yy_zz_xy_xz_yz() -> None:
    S, T = random_symmetric(1), random_symmetric(2)
    s, t = tuple_of(six_of(S)), tuple_of(six_of(T))
    a = np.random.default_rng(3).uniform(-1.0, 1.0, 3)
    R = np.array(quat_to_rotation(quat_exp((0.3, -0.5, 0.8)))).reshape(3, 3)
    tolerance = 1e-14
    assert vec.sym_mul(s, tuple_of(a)) == pytest.approx(S @ a, abs=tolerance)
    assert vec.sym_add(s, t) == pytest.approx(six_of(S + T), abs=tolerance)
    assert vec.sym_sub(s, t) == pytest.approx(six_of(S - T), abs=tolerance)
    assert vec.sym_inverse(s) == pytest.approx(six_of(np.linalg.inv(S)), abs=tolerance)
    assert vec.rotate_sym(tuple_of(R), s) == pytest.approx(six_of(R @ S @ R.T), abs=tolerance)
    outer = six_of(S - 0.7 * np.outer(a, a))
    assert vec.sym_minus_outer(s, 0.7, tuple_of(a)) == pytest.approx(outer, abs=tolerance)


def test_point_inertia_is_mass_times_distance_squared_about_each_axis() -> None:
    inertia = matrix_of(vec.point_inertia(2.0, (1.0, 2.0, 3.0)))
    assert np.diag(inertia).tolist() == [26.0, 20.0, 10.0]
    for a in np.eye(3):
        w_cross_c = np.cross(a, [1.0, 2.0, 3.0])
        assert a @ inertia @ a == pytest.approx(2.0 * w_cross_c @ w_cross_c, abs=EXACT)
    # turning about the line to the point moves nothing
    assert inertia @ [1.0, 2.0, 3.0] == pytest.approx(np.zeros(3), abs=1e-14)


def test_q_AB_turns_components_in_B_into_components_in_A() -> None:
    """B is turned by a quarter about z from A: its x axis lies along A's y."""
    R_AB = quat_to_rotation(QUARTER)
    assert mul(R_AB, X) == pytest.approx(Y, abs=EXACT)
    assert mul_t(R_AB, Y) == pytest.approx(X, abs=EXACT)
    assert quat_exp((0.0, 0.0, math.pi / 2)) == pytest.approx(QUARTER, abs=EXACT)


def test_X_AB_places_points_of_B_in_A() -> None:
    X_AB = (QUARTER, (10.0, 0.0, 0.0))
    X_BC = ((1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert act(X_AB, (1.0, 0.0, 0.0)) == pytest.approx((10.0, 1.0, 0.0), abs=EXACT)
    assert compose(X_AB, X_BC)[1] == pytest.approx((10.0, 1.0, 0.0), abs=EXACT)


def test_a_spin_seen_from_a_distant_origin_has_a_velocity() -> None:
    """B stands 2 m along x from A and spins about z: A's origin, moving along, goes along -y."""
    X_AB = ((1.0, 0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    v, w = Ad(X_AB, ((0.0, 0.0, 0.0), (0.0, 0.0, 3.0)))
    assert v == (0.0, -6.0, 0.0)
    assert w == (0.0, 0.0, 3.0)


def test_a_force_has_a_torque_about_a_distant_origin() -> None:
    """5 N along y act at A's origin; from B, 2 m along x, their lever is -2 m along x."""
    X_AB = ((1.0, 0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    f, t = Ad_transposed(X_AB, ((0.0, 5.0, 0.0), (0.0, 0.0, 0.0)))
    assert f == (0.0, 5.0, 0.0)
    assert t == (0.0, 0.0, -10.0)
