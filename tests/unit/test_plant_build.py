"""From descriptions to tables and a start state."""

import numpy as np
import pytest
from tests.laws.plants import Bench, eccentric_orbit

from proxops.core.description import (
    ArmDescription,
    CraftDescription,
    MountedArm,
    RigidInertia,
)
from proxops.physics.multibody import tree as columns
from proxops.plant import layout
from proxops.plant.build import build, start_state

QUARTER_ABOUT_X = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def hub(**changes):
    made = {
        "mass": 10.0,
        "inertia": np.diag([4.0, 5.0, 6.0]),
        "p_H": np.array([3.0, 0.0, 0.0]),
        "v_H": np.array([0.0, 2.0, 0.0]),
        "q_N": np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]),
        "w": np.array([0.1, 0.2, 0.3]),
    }
    return CraftDescription(**(made | changes))


def test_root_links_are_bolted_to_the_hub():
    """A rod along its own y, mass 2, turned a quarter about x: it then lies along the hub's z."""
    rod = RigidInertia(
        2.0,
        np.array([0.0, 1.0, 0.0]),
        np.array([[3.0, 0.2, 0.0], [0.2, 0.5, 0.0], [0.0, 0.0, 3.0]]),
    )
    arm = ArmDescription("mast", rod, (), np.eye(3), np.zeros(3))
    mounted = MountedArm(
        "mast", arm, QUARTER_ABOUT_X, np.array([1.0, 0.0, 0.0]), np.zeros(0), np.zeros(0)
    )
    plant = build(hub(arms=(mounted,)), hub(), None)
    row = plant.chaser[0]
    assert row[columns.MASS] == 12.0
    # the rod's centre of mass stands at (1, 0, 1)
    assert row[columns.COM : columns.COM + 3] == pytest.approx(np.array([1.0, 0.0, 1.0]) / 6.0)
    # about its own centre of mass the rod has (1, 0.5, 1), turned: (1, 1, 0.5); parallel axes add
    # 2 (1, 2, 1) on the diagonal and -2 on xz, where the rod's own product of 0.2 goes too
    xx, yy, zz, xy, xz, yz = row[columns.INERTIA : columns.INERTIA + 6]
    assert (xx, yy, zz) == pytest.approx((4.0 + 1.0 + 2.0, 5.0 + 1.0 + 4.0, 6.0 + 0.5 + 2.0))
    assert (xy, xz, yz) == pytest.approx((0.0, -1.8, 0.0))


def test_the_start_is_where_the_scenario_puts_it():
    """Without an orbit H = O = N; with one the velocity gains the turn of H."""
    plant = build(hub(), hub(), None)
    y = start_state(plant, hub(), hub())[layout.slices(plant)[0]]
    assert y[layout.P :][:3] == pytest.approx([3.0, 0.0, 0.0])
    assert y[layout.V :][:3] == pytest.approx([0.0, 2.0, 0.0])
    assert y[layout.W :][:3].tolist() == [0.1, 0.2, 0.3]
    orbit = eccentric_orbit()
    plant = build(hub(), hub(), orbit)
    y = start_state(plant, hub(), hub())[layout.slices(plant)[0]]
    # at periapsis x of H is x of N, and H turns about h/r², here in the plane of y and z
    turn = np.cross(orbit.R, orbit.V) / (orbit.R @ orbit.R)
    along = orbit.V / np.linalg.norm(orbit.V)
    assert y[layout.P :][:3] == pytest.approx([3.0, 0.0, 0.0])
    assert y[layout.V :][:3] == pytest.approx(2.0 * along + np.cross(turn, [3.0, 0.0, 0.0]))


def test_the_target_starts_at_the_origin_and_falls_with_it():
    bench = Bench(1, orbit=eccentric_orbit())
    target = layout.slices(bench.plant)[1]
    bench.go(10.0, 0.05)
    assert np.abs(bench.y[target][layout.P :][:3]).max() < 1e-12
