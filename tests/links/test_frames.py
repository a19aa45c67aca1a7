"""Lab and body frames to NED and FRD, and back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.links.properties import calmly

from proxops.links.mavlink.frames import (
    flip_attitude,
    flip_vector,
    flip_yaw,
    inverse,
    is_unit,
    rotate,
)

NUMBERS = st.floats(-100.0, 100.0)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
QUATERNIONS = (
    st.tuples(*(st.floats(-1.0, 1.0),) * 4)
    .filter(lambda q: math.hypot(*q) > 0.1)
    .map(lambda q: tuple(each / math.hypot(*q) for each in q))
)


def product(a, b):
    """q_AC = q_AB q_BC, written by scalar and vector parts."""
    (aw, *u), (bw, *v) = a, b
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    dot = sum(i * j for i, j in zip(u, v, strict=True))
    vector = (aw * j + bw * i + c for i, j, c in zip(u, v, cross, strict=True))
    return (aw * bw - dot, *vector)


@calmly
@given(VECTORS, QUATERNIONS, NUMBERS)
def test_each_change_of_axes_is_its_own_inverse(v, q, yaw):
    assert flip_vector(flip_vector(v)) == v
    assert flip_attitude(flip_attitude(q)) == q
    assert flip_yaw(flip_yaw(yaw)) == yaw


@calmly
@given(QUATERNIONS, QUATERNIONS)
def test_attitudes_are_changed_as_a_group(a, b):
    # X ab X⁻¹ = (X a X⁻¹)(X b X⁻¹); products of numbers below 1 round by some 1e-16
    assert flip_attitude(product(a, b)) == pytest.approx(
        product(flip_attitude(a), flip_attitude(b)), abs=1e-14
    )
    assert flip_attitude((1.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
    assert flip_attitude(inverse(a)) == inverse(flip_attitude(a))


@calmly
@given(QUATERNIONS, VECTORS)
def test_a_vector_of_the_body_is_the_same_one_seen_through_either_frame(q, v):
    # R_NED,FRD X v_V = X R_LV v_V; 100 m and twenty roundings
    assert rotate(flip_attitude(q), flip_vector(v)) == pytest.approx(
        flip_vector(rotate(q, v)), abs=1e-12
    )
    assert rotate(inverse(q), rotate(q, v)) == pytest.approx(v, abs=1e-12)
    assert math.hypot(*rotate(q, v)) == pytest.approx(math.hypot(*v), abs=1e-12)


@calmly
@given(QUATERNIONS, QUATERNIONS, VECTORS)
def test_rotations_compose(a, b, v):
    assert rotate(product(a, b), v) == pytest.approx(rotate(a, rotate(b, v)), abs=1e-12)


def test_up_is_minus_down_and_left_is_minus_right():
    assert flip_vector((1.0, 2.0, 3.0)) == (1.0, -2.0, -3.0)


def turned(axis, angle_deg):
    half = math.radians(angle_deg) / 2.0
    return (math.cos(half), *(math.sin(half) * each for each in axis))


@pytest.mark.parametrize(
    ("axis_V", "axis_FRD"),
    [
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # right side down is roll to the right in both
        ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)),  # nose down is negative pitch in FRD
        ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)),  # to the left is a negative heading
    ],
)
def test_known_attitudes(axis_V, axis_FRD):
    assert flip_attitude(turned(axis_V, 30.0)) == pytest.approx(turned(axis_FRD, 30.0), abs=1e-15)


def test_a_quarter_turn_to_the_left_is_a_heading_of_minus_90_deg():
    q = turned((0.0, 0.0, 1.0), 90.0)
    assert rotate(q, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))
    w, _, _, z = flip_attitude(q)
    heading = 2.0 * math.atan2(z, w)
    assert heading == pytest.approx(-math.pi / 2.0)
    assert flip_yaw(math.pi / 2.0) == pytest.approx(heading)


@pytest.mark.parametrize(
    ("axis", "start", "end"),
    [
        ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
        ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    ],
)
def test_a_quarter_turn_about_each_axis(axis, start, end):
    assert rotate(turned(axis, 90.0), start) == pytest.approx(end, abs=1e-15)


def test_gravity_is_down():
    assert flip_vector((0.0, 0.0, -9.81))[2] == 9.81


def test_unit_quaternions_are_known_from_others():
    assert is_unit((0.6, 0.0, 0.8, 0.0))
    assert not is_unit((0.0, 0.0, 0.0, 0.0))
    assert not is_unit((1.0, 0.1, 0.0, 0.0))
    assert not is_unit((math.nan, 0.0, 0.0, 0.0))
