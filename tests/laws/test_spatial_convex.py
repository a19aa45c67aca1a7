"""The distance of two convex bodies: closed forms, laws, and another way to find it."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from proxops.core.frame import rotation_of
from proxops.core.spatial.convex import CLOSE, depth, distance
from tests.laws.written import written

FAR = 1e9  # nothing is farther apart
NONE = (0.0, 0.0, 0.0)
QUARTER = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # about x
EIGHTH = (math.cos(math.pi / 8), 0.0, 0.0, math.sin(math.pi / 8))  # about z
UNTURNED = (1.0, 0.0, 0.0, 0.0)


class Body(NamedTuple):
    half: tuple[float, float, float] = NONE
    disc: float = 0.0
    ball: float = 0.0


def apart(a: Body, b: Body, R_AB: np.ndarray, p_AB: np.ndarray, enough: float = FAR) -> float:
    rotation, place = tuple(R_AB.ravel().tolist()), tuple(p_AB.tolist())
    return float(written(distance)(tuple(a), tuple(b), rotation, place, enough))


def random_body(rng: np.random.Generator) -> Body:
    """A bus, a panel, a rod or tank, a ball, a capsule."""
    kind = rng.integers(5)
    x, y, z = rng.uniform(0.05, 2.0, 3)
    bodies = (
        Body((x, y, z)),
        Body((x, y, 0.005)),
        Body((0.0, 0.0, z), x),
        Body(ball=x),
        Body((0.0, 0.0, z), ball=y),
    )
    return bodies[kind]


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """Often by right angles: edges and faces are then parallel."""
    if rng.random() < 0.3:
        axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
        return np.asarray(axes * np.linalg.det(axes))
    q = rng.normal(size=4)
    return rotation_of(q / np.linalg.norm(q))


def inside(rng: np.random.Generator, body: Body) -> np.ndarray:
    """A point of a body."""
    angle, radius = rng.uniform(0.0, 2.0 * math.pi), body.disc * rng.random()
    ray = rng.normal(size=3)
    disc = radius * np.array([math.cos(angle), math.sin(angle), 0.0])
    ball = body.ball * rng.random() * ray / np.linalg.norm(ray)
    return np.asarray(rng.uniform(-1.0, 1.0, 3) * body.half + disc + ball)


BOX, CUBE, BALL = Body((1.0, 2.0, 3.0)), Body((1.0, 1.0, 1.0)), Body(ball=0.25)
ROD, CAPSULE = Body((0.0, 0.0, 2.0), disc=0.5), Body((0.0, 0.0, 1.0), ball=0.1)


@pytest.mark.parametrize(
    ("a", "b", "q_AB", "p_AB", "expected"),
    [
        (BOX, BOX, UNTURNED, (2.5, 1.0, 0.0), 0.5),
        (BOX, BOX, UNTURNED, (2.3, 4.4, 0.0), 0.5),
        (BOX, BOX, UNTURNED, (2.2, 4.3, 6.6), 0.7),
        (BOX, BALL, UNTURNED, (1.0 + 0.3, 2.0 + 0.4, 0.0), 0.25),
        (BALL, BALL, UNTURNED, (0.3, 0.4, 1.2), 0.8),
        (ROD, ROD, UNTURNED, (0.0, 1.3, 0.7), 0.3),
        (ROD, ROD, UNTURNED, (0.0, 0.2, 4.3), 0.3),
        (ROD, ROD, QUARTER, (1.6, 0.1, -0.2), 0.6),
        (ROD, BALL, UNTURNED, (0.8, 0.0, 2.4), 0.25),
        (CUBE, CUBE, EIGHTH, (3.0, 0.2, 0.1), 2.0 - math.sqrt(2.0)),
        (CAPSULE, CAPSULE, QUARTER, (0.7, 0.0, 0.0), 0.5),
    ],
    ids=[
        "faces", "edges", "corners", "box and ball", "balls", "rods side by side",
        "rods end to end", "rods crossing", "rim and ball", "edge on face", "capsules",
    ],
)  # fmt: skip
def test_simple_places_have_the_distance_that_one_sees(
    a: Body, b: Body, q_AB: tuple[float, ...], p_AB: tuple[float, ...], expected: float
) -> None:
    found = apart(a, b, rotation_of(q_AB), np.array(p_AB))
    assert found == pytest.approx(expected, abs=2.0 * CLOSE)


@pytest.mark.parametrize("seed", range(40))
def test_no_other_way_finds_another_distance_of_boxes_and_capsules(seed: int) -> None:
    """min |x - p - R y| over |x| ≤ h, |y| ≤ h' is bounded least squares; balls take their radius
    off."""
    rng = np.random.default_rng(seed)
    a, b = (random_body(rng)._replace(disc=0.0) for _ in range(2))
    R, p = random_rotation(rng), rng.normal(size=3) * rng.uniform(0.5, 4.0)
    p[rng.random(3) < 0.2] = 0.0
    most = np.maximum(np.array([*a.half, *b.half]), 1e-12)  # the solver wants room to move
    best = lsq_linear(np.hstack([np.eye(3), -R]), p, (-most, most), method="bvls", tol=1e-15)
    expected = max(0.0, math.sqrt(2.0 * best.cost) - a.ball - b.ball)
    assert apart(a, b, R, p) == pytest.approx(expected, abs=3.0 * CLOSE)


@pytest.mark.parametrize("seed", range(40))
def test_no_two_points_are_nearer_and_both_bodies_see_the_same_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_body(rng), random_body(rng)
    R, p = random_rotation(rng), rng.normal(size=3) * rng.uniform(1.0, 4.0)
    found = apart(a, b, R, p)
    assert apart(b, a, R.T, -R.T @ p) == pytest.approx(found, abs=2.0 * CLOSE)
    ones = np.array([inside(rng, a) for _ in range(100)])
    others = np.array([p + R @ inside(rng, b) for _ in range(100)])
    between = np.linalg.norm(ones[:, None] - others[None], axis=2)
    assert between.min() >= found - CLOSE


@pytest.mark.parametrize("seed", range(30))
def test_cylinders_are_as_far_apart_as_their_many_sided_prisms(seed: int) -> None:
    """A regular prism around a cylinder is a sum of segments, so again bounded least squares.  Of
    60 sides it stands out by r (1 - cos 3°)/cos 3° = 1.4e-3 r or less, and in it by nothing."""
    rng = np.random.default_rng(seed)
    a, b = (Body((0.0, 0.0, rng.uniform(0.1, 1.0)), rng.uniform(0.1, 1.0)) for _ in range(2))
    R, p = random_rotation(rng), rng.normal(size=3) * rng.uniform(1.0, 3.0)
    found = apart(a, b, R, p)
    columns, most = [], []
    for body, turn, sign in ((a, np.eye(3), 1.0), (b, R, -1.0)):
        angles = np.pi / 30.0 * np.arange(30)
        sides = np.array([np.cos(angles), np.sin(angles), np.zeros(30)])
        columns += [sign * turn @ sides, sign * turn[:, 2:]]
        most += [*np.full(30, body.disc * math.tan(np.pi / 60.0)), body.half[2]]
    best = lsq_linear(np.hstack(columns), p, (-np.array(most), most), tol=1e-13)
    room = 1.4e-3 * (a.disc + b.disc)
    assert -1e-6 <= found - math.sqrt(2.0 * best.cost) <= room + 1e-6


@pytest.mark.parametrize("seed", range(40))
def test_bodies_that_share_a_point_have_no_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, R = random_body(rng), random_body(rng), random_rotation(rng)
    assert apart(a, b, R, inside(rng, a) - R @ inside(rng, b)) == 0.0


@pytest.mark.parametrize("seed", range(10))
def test_what_is_far_enough_is_only_known_to_be(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, R = random_body(rng), random_body(rng), random_rotation(rng)
    p = rng.normal(size=3)
    p *= 8.0 / np.linalg.norm(p)
    found = apart(a, b, R, p)
    for enough in (0.1 * found, 0.99 * found):
        assert enough < apart(a, b, R, p, enough) <= found + CLOSE
    assert apart(a, b, R, p, 1.01 * found) == pytest.approx(found, abs=2.0 * CLOSE)


def deep(a: Body, b: Body, R_AB: np.ndarray, p_AB: np.ndarray) -> float:
    rotation, place = tuple(R_AB.ravel().tolist()), tuple(p_AB.tolist())
    return float(written(depth)(tuple(a), tuple(b), rotation, place))


def test_the_depth_of_boxes_is_the_way_on_which_they_part() -> None:
    """A box of half sizes 1, 2, 3 and a cube turned by a quarter of a right angle about z, whose
    half width is then 1.307 across: 0.4 m less the way between them along x, y or z."""
    half = math.cos(math.pi / 8) + math.sin(math.pi / 8)
    R_AB = rotation_of(np.array((math.cos(math.pi / 16), 0.0, 0.0, math.sin(math.pi / 16))))
    for axis, own, other in ((0, 1.0, half), (1, 2.0, half), (2, 3.0, 1.0)):
        p_AB = np.zeros(3)
        p_AB[axis] = own + other - 0.4
        assert deep(BOX, CUBE, R_AB, p_AB) == pytest.approx(0.4, abs=1e-12)
    assert deep(BALL, BALL, np.eye(3), np.array([0.24, 0.32, 0.0])) == pytest.approx(0.1, abs=1e-12)


def test_bodies_that_overlap_have_a_depth_and_others_are_as_far_apart_as_it_says() -> None:
    """Overlapping, the depth is above zero; below zero, the distance is at least as much."""
    rng = np.random.default_rng(7)
    overlapping = 0
    for _ in range(300):
        a, b, R_AB = random_body(rng), random_body(rng), random_rotation(rng)
        p_AB = rng.normal(size=3) * rng.uniform(0.1, 3.0)
        gap, overlap = apart(a, b, R_AB, p_AB), deep(a, b, R_AB, p_AB)
        overlapping += gap == 0.0
        assert overlap > 0.0 or gap >= -overlap - 1e-7
    assert 50 < overlapping < 250
