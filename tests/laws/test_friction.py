"""Friction and end stops by themselves: how much they push, and where to."""

import math

import numpy as np
import pytest

from proxops.physics.contact.friction import grip, let_go
from proxops.physics.multibody import tree
from proxops.physics.multibody.joints import stop_torque
from proxops.plant import contact_array
from proxops.plant.contacts import max_friction

STIFFNESS, DAMPING = 2e4, 300.0  # [N/m, N s/m]
STRETCH, SLIP = (0.003, 0.0, -0.004), (0.1, 0.0, 0.2)  # [m, m/s]
PULL = (-60.0 - 30.0, 0.0, 80.0 - 60.0)  # -(k ξ + d v) [N]


def test_what_is_below_the_limit_is_held_and_what_is_above_slides_at_it():
    size = math.hypot(*PULL)
    force, slides = grip(STIFFNESS, DAMPING, STRETCH, SLIP, 1.001 * size)
    assert force == pytest.approx(PULL)
    assert not slides
    force, slides = grip(STIFFNESS, DAMPING, STRETCH, SLIP, 0.3 * size)
    assert force == pytest.approx(0.3 * np.array(PULL))
    assert slides


def test_a_spring_is_let_go_to_what_it_may_carry_and_loses_that_energy():
    left, lost = let_go(STIFFNESS, STRETCH, 25.0)  # it carries 100 N
    assert left == pytest.approx(0.25 * np.array(STRETCH))
    assert lost == pytest.approx(0.5 * STIFFNESS * 0.005**2 * (1.0 - 0.25**2))
    assert let_go(STIFFNESS, STRETCH, 100.1) == (STRETCH, 0.0)


def test_what_slides_has_the_kinetic_coefficient_and_what_sticks_the_static_one():
    row = np.zeros((1, contact_array.CONTACT_WIDTH))
    row[0, contact_array.MU_STATIC], row[0, contact_array.MU_KINETIC] = 0.5, 0.3
    assert max_friction(row, 0, contact_array.STUCK, 200.0) == pytest.approx(100.0)
    assert max_friction(row, 0, contact_array.SLIDING, 200.0) == pytest.approx(60.0)
    assert max_friction(row, 0, contact_array.SLIDING, -1.0) == 0.0


@pytest.mark.parametrize(("q", "inward"), [(0.52, -1.0), (-0.52, 1.0)])
def test_a_stop_pushes_more_on_the_way_in_than_on_the_way_out_and_never_pulls(q, inward):
    """τ = k δ (1 + χ δ̇), δ = 0.02 rad."""
    joint = np.zeros((1, tree.BODY_WIDTH))
    joint[0, [tree.LOWER, tree.UPPER]] = -0.5, 0.5
    joint[0, [tree.STOP_STIFFNESS, tree.STOP_DAMPING]] = 1e3, 5.0
    for deeper, torque in ((0.1, 30.0), (0.0, 20.0), (-0.1, 10.0), (-0.3, 0.0)):
        assert stop_torque(joint, 0, q, -inward * deeper) == pytest.approx(inward * torque)
    assert stop_torque(joint, 0, 0.49, 1.0) == 0.0
