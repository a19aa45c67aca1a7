"""Locked bodies pushed off their centre of mass: the plant against two bodies written by hand."""

import numpy as np
import pytest
from tests.cross.two_body_referee import Case, simulate

import proxops
from proxops.validation.deorbit import first_below_zero

STEP = 0.01  # [s], both RK4
LONG = 46.0  # [s]: the first pad lets go after 44.9


@pytest.fixture(scope="module")
def plant():
    time = {
        "duration_s": LONG,
        "control_rate_hz": 1.0 / STEP,
        "record_rate_hz": 1.0 / STEP,
        "phases": {"push": {"until_s": LONG, "step_s": STEP}},
    }
    changes = {"time": time, "obsw.boost.duration_s": LONG, "requirements": {}}
    run = proxops.simulate(proxops.load("deorbit-locked").replace(changes))
    assert run.ledger.closed
    return run


@pytest.fixture(scope="module")
def referee():
    lock = {"lock": (1e5, 1e5, 1e5), "lock_damping": (1e4, 1e4, 1e4)}
    return simulate(Case(**lock), LONG, STEP)


@pytest.mark.slow
def test_every_pad_carries_what_the_referee_says_at_every_instant(plant, referee):
    """The plant's lock has a torque across its axis too, the roll torque (5 N m) times the tilt
    (up to 10 mrad): 0.05 N m spread over pads with Σy² = 1.9 m² at 0.8 m makes 0.02 N."""
    t, forces = plant["contacts.ring.f_n"]
    np.testing.assert_allclose(t, referee.t, atol=1e-9)
    assert forces.max() > 270.0
    np.testing.assert_allclose(forces, referee.pads, rtol=0.0, atol=0.02)


@pytest.mark.slow
def test_the_lock_carries_what_the_referee_says(plant, referee):
    """T was yawed by 90 deg: y of the contact is x of T, and x is -y.  The fastest motion, the
    lock's own with d/m̃ = 10/s, loses (0.1)⁵/120 of 59 N a step and 10 steps, 5e-5 N; at the
    end it rolls, and steps of 20 ms miss 0.21 N, those of 10 ms a sixteenth."""
    f, t = plant["holds.lock.f"][1], plant["holds.lock.t"][1]
    lateral = np.column_stack([f[:, 0], f[:, 2]])
    assert np.abs(lateral).max() > 100.0
    np.testing.assert_allclose(lateral, referee.lock[:, :2], rtol=0.0, atol=0.02)
    until = referee.t <= 38.0
    np.testing.assert_allclose(-t[until, 1], referee.lock[until, 2], rtol=0.0, atol=1e-3)


@pytest.mark.slow
def test_the_first_pad_lets_go_when_the_referee_says(plant, referee):
    """0.02 N at a slope of some 8 N/s there."""
    t, forces = plant["contacts.ring.f_n"]
    here = first_below_zero(t, forces.min(axis=1))
    there = first_below_zero(referee.t, referee.pads.min(axis=1))
    assert here == pytest.approx(there, abs=2.5e-3)
    assert here == pytest.approx(44.9, abs=0.05)  # the digits given
