"""Shapes of the hubs: what the file says, and the box of a hub that says nothing."""

import math

import numpy as np
import pytest

from proxops.assembly.geometry import appendage_solids, homogeneous_box, shapes_of
from proxops.core.description import ShapeDescription
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.scenario.load import load


def rotation(q: tuple[float, ...]) -> np.ndarray:
    return np.array(quat_to_rotation.py_func(q)).reshape(3, 3)


def inertia_of(box: ShapeDescription, mass: float) -> np.ndarray:
    """Of an even box, by its integral: m/12 (|e|² 1 - diag e²), turned into the hub's axes."""
    squares = np.square(box.size)
    R = rotation(box.q)
    return R @ np.diag(mass / 12.0 * (squares.sum() - squares)) @ R.T


def random_body(rng: np.random.Generator) -> tuple[float, np.ndarray]:
    """Mass and inertia of eight points: a body that can be, for any numbers."""
    masses, points = rng.uniform(1.0, 100.0, 8), rng.normal(size=(8, 3)) * rng.uniform(0.3, 3.0, 3)
    points -= masses @ points / masses.sum()
    spread = np.einsum("i,ij,ik->jk", masses, points, points)
    return float(masses.sum()), np.trace(spread) * np.eye(3) - spread


@pytest.mark.parametrize("seed", range(20))
def test_the_box_has_the_mass_and_inertia_of_its_hub(seed: int) -> None:
    mass, inertia = random_body(np.random.default_rng(seed))
    box = homogeneous_box(mass, inertia)
    # eigenvectors, a root and its square: some tens of rounding errors of the largest entry
    assert inertia_of(box, mass) == pytest.approx(inertia, abs=1e-12 * np.abs(inertia).max())
    R = rotation(box.q)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    assert box.p == (0.0, 0.0, 0.0)


def test_a_thin_hub_is_drawn_with_a_hundredth_of_its_length() -> None:
    """A rod of 6 m, and a plate of 3 m by 2 m: all of I₁ + I₂ = I₃."""
    rod = homogeneous_box(12.0, np.diag([1e-9, 36.0, 36.0]))
    assert rod.size == pytest.approx((6.0, 0.06, 0.06), rel=1e-6)
    plate = homogeneous_box(12.0, np.diag([4.0, 9.0, 13.0]))
    assert plate.size == pytest.approx((3.0, 2.0, 0.03), rel=1e-12)


@pytest.mark.parametrize(
    ("mass", "moment", "edge"),
    [(5e-324, 1e308, 1e4), (1e308, 5e-324, 1e-3), (1e300, 1e300, math.sqrt(6.0))],
)
def test_a_hub_of_absurd_numbers_still_has_a_box(mass: float, moment: float, edge: float) -> None:
    assert homogeneous_box(mass, moment * np.eye(3)).size == pytest.approx((edge,) * 3)


def test_a_hub_without_shapes_is_that_box() -> None:
    """The cube of 1 m that the file speaks of."""
    shapes = shapes_of(load("flexible-symmetric").replace({"target.shapes": {}}).mission.target)
    assert list(shapes) == ["hub"]
    assert shapes["hub"].kind == "box"
    assert shapes["hub"].size == pytest.approx((1.0, 1.0, 1.0), abs=1e-15)


TURN = [0.5, 0.5, -0.5, 0.5]


@pytest.mark.parametrize(
    ("shape", "size", "colour"),
    [
        ({"kind": "box", "size_m": [1, 2.0, 3.0]}, (1.0, 2.0, 3.0), (0xB9, 0xBE, 0xC7)),
        ({"kind": "cylinder", "radius_m": 0.5, "length_m": 3.0}, (0.5, 0.5, 3.0), None),
        ({"kind": "panel", "size_m": [4.0, 2.0]}, (4.0, 2.0, 0.02), (0x2B, 0x4A, 0x8B)),
        ({"kind": "sphere", "radius_m": 0.5}, (0.5, 0.5, 0.5), None),
        ({"kind": "sphere", "radius_m": 0.5, "colour": "#0aFF10"}, (0.5,) * 3, (10, 255, 16)),
    ],
)
def test_a_shape_is_drawn_as_the_file_says(
    shape: dict[str, object], size: tuple[float, ...], colour: tuple[int, ...] | None
) -> None:
    scenario = load("free-tumble").replace(
        {
            "chaser.shapes": {"one": shape | {"p_CB_m": [1.0, 2.0, 3.0], "q_CB": TURN}},
            "target.shapes": {"one": shape | {"p_TB_m": [3.0, 2.0, 1.0]}},
        }
    )
    one = shapes_of(scenario.mission.chaser)["one"]
    other = shapes_of(scenario.mission.target)["one"]
    assert one.size == other.size == pytest.approx(size)
    assert (one.p, one.q) == ((1.0, 2.0, 3.0), tuple(TURN))
    assert (other.p, other.q) == ((3.0, 2.0, 1.0), (1.0, 0.0, 0.0, 0.0))
    assert (one.kind, one.mesh) == (shape["kind"], "")
    assert colour is None or one.colour == colour


@pytest.mark.parametrize("axes", ["y", "z", "yz"])
def test_the_stretches_of_a_beam_make_up_what_is_drawn(axes: str) -> None:
    """Six boxes from root to tip, as wide and thick as the strip; the last moves by nearly the
    tip's 2 q_f, the first hardly."""
    beam = {
        "kind": "beam", "mass_kg": 1.0, "length_m": 6.0, "EI_N_m2": 1.0, "damping_ratio": 0.0,
        "shapes": 1, "axes": axes, "p_TB_m": [1.0, 2.0, 3.0], "q_TB": [0.5, 0.5, 0.5, 0.5],
    }  # fmt: skip
    scenario = load("free-tumble").replace({"target.appendages": {"mast": beam}})
    solids = appendage_solids("target", scenario.mission.target.appendages)
    assert {each.part for each in solids} == {"target.appendages.mast"}
    # B's x axis is T's y
    expected = [(1.0, 2.0 + s, 3.0) for s in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5)]
    np.testing.assert_allclose([each.shape.p for each in solids], expected, atol=1e-12)
    across = {"y": (0.072, 0.96), "z": (0.96, 0.072), "yz": (0.48, 0.48)}[axes]
    np.testing.assert_allclose([each.shape.size for each in solids], [(1.0, *across)] * 6)
    moves = np.array([each.bends for each in solids])
    assert moves.shape == (6, len(axes), 3)
    size = np.linalg.norm(moves, axis=2)
    assert (np.diff(size, axis=0) > 0.0).all()
    assert (size[0] < 0.05).all()
    assert ((size[-1] > 1.7) & (size[-1] < 2.0)).all()
    way = {"y": "z", "z": "x"}[axes[0]]  # T's axis that B's is
    np.testing.assert_allclose(np.abs(moves[-1, 0])["xyz".index(way)], size[-1, 0], rtol=1e-12)
