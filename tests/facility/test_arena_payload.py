"""Mock-ups on a vehicle: masses and moments of the whole, and rotors that carry them aside."""

import numpy as np
import pytest

from proxops.assembly.arena import arena_of, load_arena
from proxops.assembly.arena_payload import whole_of
from proxops.core.errors import InputError
from proxops.facility.arena.guard import NOTHING, REASON
from tests.facility.arena_cases import circle, errors, fly, shipped, stored

ARM = {"mass_kg": 0.3, "inertia_kg_m2": (0.002, 0.001, 0.002), "p_V_m": (0.0, 0.0, -0.12)}
ASIDE = {"mass_kg": 0.1, "inertia_kg_m2": (0.0, 0.0, 0.0), "p_V_m": (0.0, 0.15, 0.0)}
WING = {"mass_kg": 0.05, "inertia_kg_m2": (0.001, 0.0, 0.001), "p_V_m": (0.0, 0.4, 0.0)}


def carrying(**payloads):
    return {"payloads": {"target": {}, "chaser": payloads}}


def test_the_whole_turns_about_its_own_centre_of_mass():
    """Two bodies d apart: c between them, the reduced mass times d² beside their own moments."""
    given = shipped(**carrying(arm=ARM))
    mass, c, J = whole_of(given.vehicle, given.payloads.chaser)
    reduced = 2.3 * 0.3 / 2.6
    assert mass == pytest.approx(2.6)
    assert c == pytest.approx([0.0, 0.0, -0.12 * 0.3 / 2.6])
    beside = reduced * 0.12**2
    # 1e-12: roundings of numbers below one
    expected = np.diag([0.042 + beside, 0.041 + beside, 0.077])
    np.testing.assert_allclose(J, expected, atol=1e-12)


def test_thrusts_turn_a_loaded_body_about_its_centre_of_mass():
    loads = arena_of(shipped(**carrying(load=ASIDE))).loads
    bare, mine = loads.mixer
    c = np.array([0.0, 0.15 * 0.1 / 2.4, 0.0])
    T = np.array([4.0, 5.0, 3.0, 4.5, 3.5, 6.0])
    f, t = (bare @ T)[:3], (bare @ T)[3:]
    np.testing.assert_allclose(mine @ T, [*f, *(t - np.cross(c, f))], atol=1e-12)
    # a hover without torque about c: rotors on the side of the load push more
    hover = loads.allocation[1, :, 2]
    np.testing.assert_allclose(mine @ hover, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], atol=1e-12)
    assert hover[1:3].min() > hover[4:6].max()


def test_a_loaded_vehicle_flies_the_circle_with_the_thrusts_of_its_load():
    given = shipped(**carrying(load=ASIDE))
    t, targets = circle(30.0, 1.0)
    states, lab = fly(given, targets)
    assert lab.ended[REASON] == NOTHING
    late = t >= 0.0  # rate integrators have taken up the torque
    assert errors(states, targets)[late].max() < 0.06
    expected = lab.arena.loads.allocation[1, :, 2] * 2.4 * 9.80665
    # over a whole turn drag, acceleration and vibration are averaged out, but for their squares
    assert states[late, 1, 13:].mean(axis=0) == pytest.approx(expected, abs=0.1)
    assert np.ptp(expected) > 0.3


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (ARM | {"mass_kg": 4.0}, "payloads.chaser: a hover takes"),
        (WING | {"mass_kg": 0.5, "p_V_m": (0.3, 0.3, 0.0)}, "products of inertia"),
        (ARM | {"p_V_m": (0.0, 0.0, 5.0)}, "within 2 m"),
        (ARM | {"inertia_kg_m2": (-0.1, 0.1, 0.1)}, "below zero"),
    ],
)
def test_a_payload_that_cannot_be_carried_is_refused(payload, words):
    with pytest.raises(InputError, match=words):
        load_arena(stored(**carrying(one=payload)))
