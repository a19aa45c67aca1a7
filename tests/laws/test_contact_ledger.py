"""Touching spacecraft: momentum stays, energy is explained, whoever carries pad and face."""

import numpy as np
import pytest

from proxops.plant import contact_array, layout
from tests.laws.plants import eccentric_orbit
from tests.laws.slots import DAMPED, HUNT, KINDS, RUBBING, SPRING, rattling
from tests.laws.touching import Balance, closings, openings

DURATION, STEP = 2.0, 0.005
# Forces between the two cancel to rounding; but the momentum of a moving arm, and any angular
# momentum, are products of what is integrated, and so kept to the integrator's error.
MOMENTUM_KEPT = {"arm": 1e-9} | dict.fromkeys(("pads-on-chaser", "pads-on-target", "balls"), 1e-13)
ANGULAR_KEPT = 1e-9
# |s| h = 0.1 in the contacts takes (|s| h)⁵/144 = 7e-8 of what is stored, at each of ten steps a
# quarter period or so, and less where bodies are heavier than they were taken for.
ENERGY_KEPT = 1e-6
WORKS = (
    layout.CONTACT_SPRING_WORK,
    layout.CONTACT_DAMPER_WORK,
    layout.CONTACT_FRICTION_WORK,
)


def rattled(pair):
    """Residuals after a while with several bounces."""
    balance = Balance(pair)
    pair.go(DURATION, STEP)
    assert len(closings(pair)) >= 2
    assert len(openings(pair)) >= 2
    return balance


@pytest.mark.parametrize("law", [SPRING, HUNT], ids=["spring", "hunt"])
@pytest.mark.parametrize("kind", KINDS)
def test_undamped_and_free_momentum_and_energy_stay(kind, law):
    pair = rattling(kind, law)
    balance = rattled(pair)
    momentum, angular, energy = balance.residuals()
    assert momentum < MOMENTUM_KEPT[kind]
    assert angular < ANGULAR_KEPT
    assert energy < ENERGY_KEPT
    works = pair.ledger[layout.TIDE_WORK :].copy()
    assert works[layout.CONTACT_SPRING_WORK - layout.TIDE_WORK] != 0.0
    works[layout.CONTACT_SPRING_WORK - layout.TIDE_WORK] = 0.0
    # what a nanosecond's overlap stores is all that dampers are charged with
    assert np.abs(works).max() < 1e-9 * balance.before.energy
    kinetic_and_stored = pair.carried().energy - pair.ledger[layout.CONTACT_SPRING_WORK]
    assert kinetic_and_stored == pytest.approx(balance.before.energy, rel=ENERGY_KEPT)


@pytest.mark.parametrize("kind", KINDS)
def test_energy_is_all_kinetic_again_once_they_have_parted(kind):
    pair = rattling(kind, SPRING)
    before = pair.carried().energy
    while len(openings(pair)) < 2 or len(openings(pair)) < len(closings(pair)):
        pair.step(STEP)
    assert pair.carried().energy == pytest.approx(before, rel=ENERGY_KEPT)
    assert abs(pair.ledger[layout.CONTACT_SPRING_WORK]) < ENERGY_KEPT * before


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_orbit_on_the_tide_explains_the_rest(kind):
    pair = rattling(kind, SPRING, eccentric_orbit())
    momentum, angular, energy = rattled(pair).residuals()
    assert momentum < MOMENTUM_KEPT[kind]
    assert angular < ANGULAR_KEPT
    assert energy < ENERGY_KEPT
    assert pair.ledger[layout.TIDE_WORK] != 0.0


@pytest.mark.parametrize("law", [DAMPED, HUNT | {"damping": 0.4}], ids=["spring", "hunt"])
@pytest.mark.parametrize("kind", KINDS)
def test_damped_energy_falls_by_exactly_the_work_of_the_dampers(kind, law):
    pair = rattling(kind, law)
    momentum, angular, energy = rattled(pair).residuals()
    assert momentum < MOMENTUM_KEPT[kind]
    assert angular < ANGULAR_KEPT
    assert energy < ENERGY_KEPT
    assert pair.ledger[layout.CONTACT_DAMPER_WORK] < -0.1
    assert pair.ledger[layout.CONTACT_FRICTION_WORK] == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_with_friction_energy_falls_by_its_work_as_well(kind):
    pair = rattling(kind, DAMPED | RUBBING)
    balance = rattled(pair)
    momentum, angular, energy = balance.residuals()
    assert momentum < MOMENTUM_KEPT[kind]
    assert angular < ANGULAR_KEPT
    assert energy < ENERGY_KEPT
    assert pair.ledger[layout.CONTACT_DAMPER_WORK] < -0.1
    assert pair.ledger[layout.CONTACT_FRICTION_WORK] < -1e-3
    magnitudes = {layout.SUM_IMPULSE, layout.SUM_ANGULAR}
    assert set(np.flatnonzero(pair.ledger)) - magnitudes <= set(WORKS)


def stored(pair):
    """Energy of the springs of closed contacts, from poses and stretches."""
    total = 0.0
    for row, given in enumerate(pair.plant.contacts):
        if pair.mode(row) in (contact_array.STUCK, contact_array.SLIDING):
            stretch = pair.contact_memory(row)[contact_array.STRETCH :][:3]
            total += 0.5 * given[contact_array.GRIP_STIFFNESS] * stretch @ stretch
            total += 0.5 * given[contact_array.STIFFNESS] * overlap(pair, given) ** 2
    return total


def overlap(pair, given):
    """Of a ball on the chaser's hub with a face of the target [m]."""
    from tests.laws.test_contact_newton import matrix

    R_OC, R_OT = matrix(pair.chaser), matrix(pair.target)
    s = pair.p_TC() + R_OC @ given[contact_array.PAD :][:3]
    n = R_OT @ given[contact_array.NORMAL :][:3]
    return given[contact_array.RADIUS] - n @ (s - R_OT @ given[contact_array.FACE :][:3])


@pytest.mark.parametrize("law", [SPRING, DAMPED, SPRING | RUBBING], ids=["bare", "damped", "rubs"])
def test_the_springs_hold_at_any_time_what_the_ledger_says(law):
    """Also where a contact opened with its spring still compressed, or slides."""
    pair = rattling("pads-on-chaser", law)
    scale = pair.carried().energy
    seen = 0
    for _ in range(round(DURATION / 2e-3)):
        pair.step(2e-3)
        there = stored(pair)
        seen += there > 0.0
        assert -pair.ledger[layout.CONTACT_SPRING_WORK] == pytest.approx(
            there, abs=ENERGY_KEPT * scale
        )
    assert seen > 20
