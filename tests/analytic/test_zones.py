"""Distances from the surfaces of safety zones, against the surfaces' own points."""

import math

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.physics.zones.cone import cone_margin
from proxops.physics.zones.ellipsoid import ellipsoid_distance


@kernel
def margin(r, axis, half_angle, apex, length):
    return cone_margin(r, axis, half_angle, apex, length)


@kernel
def from_ellipsoid(r, axes):
    return ellipsoid_distance(r, axes)


def floats(a):
    return tuple(float(x) for x in a)


AXIS = np.array([0.36, -0.48, 0.8])
HALF_ANGLE, APEX, LENGTH = math.radians(15.0), -4.0, 60.0


def margin_at(s, rho, direction=(1.0, 0.0, 0.0)):
    """Of a point s along the axis from the apex and ρ beside it."""
    across = np.cross(AXIS, direction)
    r = (APEX + s) * AXIS + rho * across / np.linalg.norm(across)
    return margin(floats(r), floats(AXIS), HALF_ANGLE, APEX, LENGTH)


def surface():
    """Points (s, ρ) of mantle and flat end, 5 mm apart."""
    rim = LENGTH * math.tan(HALF_ANGLE)
    s = np.linspace(0.0, LENGTH, 12_001)
    rho = np.linspace(0.0, rim, 3_301)
    mantle = np.column_stack([s, s * rim / LENGTH])
    return np.vstack([mantle, np.column_stack([np.full_like(rho, LENGTH), rho])])


def test_the_margin_of_a_cone_is_the_distance_from_its_nearest_point():
    """Points 5 mm apart: each is at most 2.5 mm from the nearest, (2.5 mm)²/2d at distance d."""
    points, rng = surface(), np.random.default_rng(1)
    for s, rho in zip(rng.uniform(-30.0, 90.0, 400), rng.uniform(0.0, 30.0, 400), strict=True):
        nearest = np.hypot(points[:, 0] - s, points[:, 1] - rho).min()
        inside = 0.0 < s < LENGTH and rho < s * math.tan(HALF_ANGLE)
        found = margin_at(s, rho, rng.normal(size=3))
        assert abs(found) == pytest.approx(nearest, abs=2.5e-3)
        assert (found > 0.0) == inside


def test_a_cone_is_measured_across_its_mantle_and_from_its_apex():
    # In the middle of the axis: s sin α; behind the apex: the way to it; beyond the end: likewise
    assert margin_at(20.0, 1e-12) == pytest.approx(20.0 * math.sin(HALF_ANGLE), rel=1e-9)
    assert margin_at(-7.0, 1e-12) == pytest.approx(-7.0, rel=1e-9)
    assert margin_at(LENGTH + 3.0, 2.0) == pytest.approx(-3.0, rel=1e-9)
    assert margin_at(LENGTH - 1.0, 1e-12) == pytest.approx(1.0, rel=1e-9)
    s, rho = 30.0, 30.0 * math.tan(HALF_ANGLE) + 2.0
    assert margin_at(s, rho) == pytest.approx(-2.0 * math.cos(HALF_ANGLE), rel=1e-9)


@pytest.mark.parametrize(
    "axes", [(100.0, 200.0, 100.0), (100.0, 200.0, 50.0), (70.0, 70.0, 70.0), (9.0, 400.0, 1000.0)]
)
def test_a_point_along_the_normal_of_an_ellipsoid_has_that_distance(axes):
    """Outside any way along the normal; inside less than the least radius of curvature,
    min a²/max a."""
    rng, a = np.random.default_rng(3), np.array(axes)
    least = a.min() ** 2 / a.max()
    for _ in range(200):
        direction = rng.normal(size=3)
        x = a * direction / np.linalg.norm(direction)
        normal = x / a**2 / np.linalg.norm(x / a**2)
        for way in (rng.uniform(0.0, 500.0), -0.9 * least * rng.uniform()):
            found = from_ellipsoid(floats(x + way * normal), axes)
            # Rounding of coordinates of some 1e3 m
            assert found == pytest.approx(way, abs=1e-9)


def test_planes_of_symmetry_and_the_centre_have_their_nearest_points():
    """Between the centre and the ends of curvature of a long axis the nearest point is off it: for
    x along a = 200 with b = 100 it is at x' = x a²/(a² - b²); good to 1e-9 of the half axis."""
    axes = (100.0, 200.0, 150.0)
    assert from_ellipsoid((0.0, 0.0, 0.0), axes) == pytest.approx(-100.0, abs=2e-7)
    foot = 30.0 * 200.0**2 / (200.0**2 - 100.0**2)
    off = 100.0 * math.sqrt(1.0 - (foot / 200.0) ** 2)
    wanted = -math.hypot(foot - 30.0, off)
    assert from_ellipsoid((0.0, 30.0, 0.0), axes) == pytest.approx(wanted, abs=2e-7)
    assert from_ellipsoid((0.0, -250.0, 0.0), axes) == pytest.approx(50.0, abs=2e-7)
