"""Appendages bend as their modal coordinates say."""

import numpy as np
import pytest

from proxops.assembly.bend import STATIONS, strip_of
from proxops.scenario.schema.appendage import TargetBeam, TargetModal

CORNERS = 4


def beam(axes="y", shapes=2):
    return TargetBeam.model_validate(
        {
            "kind": "beam",
            "mass_kg": 0.83,
            "length_m": 0.6,
            "EI_N_m2": 0.46,
            "damping_ratio": 0.0,
            "shapes": shapes,
            "axes": axes,
            "p_TB_m": (0.1, 0.2, 0.3),
        }
    )


def displacement(strip, q_f, factor=1.0):
    """Of the middle of each station (n, 3) [m]."""
    moved = strip.vertices(np.array(q_f), factor) - strip.rest
    return moved.reshape(STATIONS, CORNERS, 3).mean(axis=1)


def test_the_tip_of_a_beam_moves_by_twice_its_coordinate_and_its_root_stays():
    moved = displacement(strip_of(beam()), [0.01, 0.0])
    # a clamped beam in the classic normalisation: |φ(L)| = 2, to the root finder's 1e-12
    np.testing.assert_allclose(moved[-1], [0.0, 0.02, 0.0], atol=1e-12)
    np.testing.assert_allclose(moved[0], 0.0, atol=1e-15)


def test_the_second_shape_ends_on_the_other_side():
    moved = displacement(strip_of(beam()), [0.0, 0.01])
    np.testing.assert_allclose(moved[-1], [0.0, -0.02, 0.0], atol=1e-12)
    assert moved[:, 1].max() > 0.0


def test_coordinates_go_shape_by_shape_and_axis_by_axis():
    moved = displacement(strip_of(beam("yz")), [0.0, 0.01, 0.0, 0.0])
    np.testing.assert_allclose(moved[-1], [0.0, 0.0, 0.02], atol=1e-12)


@pytest.mark.parametrize("factor", [0.0, 1.0, 250.0])
def test_exaggeration_multiplies_the_bending_and_nothing_else(factor):
    strip, q_f = strip_of(beam()), [0.003, -0.001]
    once = displacement(strip, q_f)
    np.testing.assert_allclose(displacement(strip, q_f, factor), factor * once, atol=1e-12)


def test_the_strip_starts_at_the_root_and_is_as_long_as_the_beam():
    strip = strip_of(beam())
    assert strip.p == (0.1, 0.2, 0.3)
    assert strip.rest[:, 0].min() == 0.0
    assert strip.rest[:, 0].max() == pytest.approx(0.6)
    assert strip.faces.max() + 1 == len(strip.rest)


def test_the_largest_sway_is_that_of_the_tip_over_all_rows():
    rows = np.array([[0.01, 0.0], [-0.03, 0.0], [0.02, 0.0]])
    assert strip_of(beam()).largest(rows) == pytest.approx(0.06)


def plate():
    """A plate of 4 m along y and 1 m along x, from 0.5 m off its root on."""
    m, a, b = 30.0, 1.0, 4.0
    inertia = np.diag([m * b**2 / 12, m * a**2 / 12, m * (a**2 + b**2) / 12])
    return TargetModal.model_validate(
        {
            "kind": "modal",
            "mass_kg": m,
            "com_m": (0.0, 2.5, 0.0),
            "inertia_kg_m2": tuple(map(tuple, inertia.tolist())),
            "modes": [
                {
                    "frequency_hz": 1.0,
                    "damping_ratio": 0.0,
                    "translation": (0.0, 0.0, 2.0),
                    "rotation": (5.0, 0.0, 0.0),
                },
                {
                    "frequency_hz": 2.0,
                    "damping_ratio": 0.0,
                    "translation": (0.0, 0.0, 0.0),
                    "rotation": (0.0, 0.5, 0.0),
                },
            ],
        }
    )


def test_modal_data_become_a_plate_of_their_mass_and_inertia():
    strip = strip_of(plate())
    np.testing.assert_allclose(np.ptp(strip.rest[:, :2], axis=0), [1.0, 4.0], rtol=1e-12)
    np.testing.assert_allclose(strip.rest.mean(axis=0), [0.0, 2.5, 0.0], atol=1e-12)


def test_the_drawn_shape_of_modal_data_pushes_its_root_as_the_mode_does():
    strip, m = strip_of(plate()), 30.0
    bent, twisted = strip.shapes.reshape(2, STATIONS, CORNERS, 3)
    # ∫ φ dm along the plate, by the trapezoid rule: its error for a parabola is (1/24)²/2, 9e-4
    weights = np.full(STATIONS, m / (STATIONS - 1))
    weights[[0, -1]] *= 0.5
    S = np.einsum("n,nx->x", weights, bent.mean(axis=1))
    np.testing.assert_allclose(S, [0.0, 0.0, 2.0], rtol=1e-3, atol=1e-9)
    # twice the twist at the middle is that at the tip, and none at the root
    np.testing.assert_allclose(twisted[0], 0.0, atol=1e-15)
    middle = (STATIONS - 1) // 2
    np.testing.assert_allclose(twisted[-1], 2.0 * twisted[middle], rtol=1e-12, atol=1e-15)
    # about y: h = ∫ (r × φ)·y dm, with x from -a/2 to a/2: corners at x = ±0.5 move by ξ 2h/J x
    edge = strip.rest.reshape(STATIONS, CORNERS, 3)[-1, :, 0]
    J = m * 1.0**2 / 12
    np.testing.assert_allclose(twisted[-1][:, 2], -2.0 * 0.5 / J * edge, rtol=1e-9)
