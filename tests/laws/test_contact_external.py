"""A contact law of the user's own is one law among others: ledger, sub-steps and runs show it."""

from typing import Any

import numba
import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError
from proxops.core.extensions import Extensions
from proxops.physics.contact.external import ContactLaw, build_law
from proxops.physics.contact.normal import EXTERNAL, HUNT_CROSSLEY
from proxops.plant import contact_array, layout
from proxops.plant.contacts import deepest_for, step_for
from tests.laws.touching import NONE, Pair, body, contact

STIFFNESS, EXPONENT, DAMPING, DEPTH = 4e5, 1.5, 0.7, 1e-3  # [N/m^1.5], [-], [s/m], [m]
VALUES = {"stiffness_N_m15": STIFFNESS, "damping_s_m": DAMPING}


def hertz(parameters, depth, depth_rate):
    """f = k δ^1.5 (1 + χ δ̇)."""
    k, chi = parameters[0], parameters[1]
    force = k * depth**1.5 * (1.0 + chi * depth_rate)
    return force, 0.4 * k * depth**2.5, 1.5 * k * depth**0.5


HERTZ = ContactLaw("hertz", hertz, tuple(VALUES))


def falling(**law: Any) -> Pair:
    """Two bodies that meet with 0.1 m/s, deeper than DEPTH, and rub."""
    given = contact(
        [0.0, 0.1, 0.05],
        **law,
        depth=DEPTH,
        mu_static=0.3,
        mu_kinetic=0.2,
        grip_stiffness=1e5,
        grip_damping=50.0,
    )
    chaser = body(80.0, [20.0, 30.0, 25.0], p_H=[-1e-4, 0.0, 0.0], v_H=[0.1, 0.01, 0.0])
    return Pair(chaser, body(120.0, [40.0, 35.0, 30.0]), (given,))


def external(law: ContactLaw = HERTZ) -> dict[str, Any]:
    """The law as a contact has it."""
    built = build_law(law, VALUES, DEPTH)
    return {
        "law": EXTERNAL,
        "entry": built.entry,
        "parameters": built.parameters,
        "stiffness": built.stiffness,
        "damping": built.damping,
    }


def test_a_law_that_repeats_hunt_crossley_moves_bodies_as_hunt_crossley_does():
    ours = falling(law=HUNT_CROSSLEY, stiffness=STIFFNESS, exponent=EXPONENT, damping=DAMPING)
    users = falling(**external())
    for pair in (ours, users):
        pair.go(0.3, 1e-3)
    assert [each[1:] for each in users.events] == [each[1:] for each in ours.events]
    assert len(ours.events) == 2  # touch-down, lift-off
    np.testing.assert_allclose(
        [each[0] for each in users.events], [each[0] for each in ours.events], atol=2e-9
    )
    # Runge-Kutta with sub-steps of other lengths beyond DEPTH: 1e-6 of what moves, see PACE
    np.testing.assert_allclose(users.chaser, ours.chaser, atol=1e-7)
    np.testing.assert_allclose(users.target, ours.target, atol=1e-7)


def test_the_ledger_closes_with_a_law_of_the_users_own():
    pair = falling(**external())
    before = pair.carried().energy
    pair.go(0.3, 1e-3)
    work = (
        layout.CONTACT_SPRING_WORK,
        layout.CONTACT_DAMPER_WORK,
        layout.CONTACT_FRICTION_WORK,
    )
    given = sum(pair.ledger[each] for each in work)
    assert pair.carried().energy - before == pytest.approx(given, abs=1e-6 * before)
    # What the elastic part took, it has given back once nothing touches
    assert abs(pair.ledger[layout.CONTACT_SPRING_WORK]) < 1e-6 * before
    assert pair.ledger[layout.CONTACT_DAMPER_WORK] < -1e-3 * before


def test_sub_steps_follow_the_stiffness_that_the_law_gives():
    def stiffer(parameters, depth, depth_rate):
        k, chi = parameters[0], parameters[1]
        force = k * depth**1.5 * (1.0 + chi * depth_rate)
        return force, 0.4 * k * depth**2.5, 150.0 * k * depth**0.5

    soft, stiff = (
        Pair(body(80.0, [20.0] * 3), body(120.0, [40.0] * 3), (contact(NONE, depth=DEPTH, **law),))
        for law in (external(), external(ContactLaw("stiffer", stiffer, tuple(VALUES))))
    )
    longest = [pair.plant.contacts[0, contact_array.LONGEST_STEP] for pair in (soft, stiff)]
    assert longest[0] == pytest.approx(10.0 * longest[1], rel=0.05)  # the damper hardly counts


def test_steps_shorten_where_a_blow_goes_deeper():
    row = falling(**external()).plant.contacts
    reached = deepest_for(row, 0, 0.4 * STIFFNESS * (4.0 * DEPTH) ** 2.5)
    assert 4.0 * DEPTH <= reached <= 5.0 * DEPTH
    longest = row[0, contact_array.LONGEST_STEP]
    # Stiffness is as √δ, a motion as its root
    shorter = step_for(row, 0, 16.0 * DEPTH)
    assert shorter == pytest.approx(0.5 * longest, rel=1e-12)


def changed(which: int, factor: float, add: float = 0.0) -> ContactLaw:
    """Hertz with one of its three numbers wrong."""

    def law(parameters, depth, depth_rate):
        said = list(hertz(parameters, depth, depth_rate))
        said[which] = factor * said[which] + add
        return tuple(said)

    return ContactLaw("wrong", law, tuple(VALUES))


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (changed(1, -1.0), "not the integral of its force"),
        (changed(1, 1.1), "not the integral of its force"),
        (changed(1, 1.0, 0.1), "where nothing overlaps"),
        (changed(0, -1.0), "pulls"),
        (changed(2, 0.5), "no less than"),
        (changed(2, 0.0), "must be positive"),
        (changed(0, float("nan")), "returns"),
        (ContactLaw("short", lambda p, d, v: (1.0, 2.0), tuple(VALUES)), "does not return"),
        (ContactLaw("none", hertz, ("stiffness_N_m15",)), "parameters.damping_s_m is unknown"),
        (ContactLaw("more", hertz, (*VALUES, "x")), "parameters.x is missing"),
    ],
)
def test_a_law_that_is_none_is_rejected_in_words(law: ContactLaw, words: str):
    with pytest.raises(InputError, match=words):
        build_law(law, VALUES, DEPTH)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_law_that_does_not_compile_is_rejected_in_words():
    law = ContactLaw("python", lambda *said: tuple(x for x in hertz(*said)), tuple(VALUES))
    with pytest.raises(InputError, match="does not compile"):
        build_law(law, VALUES, DEPTH)


def test_a_scenario_flies_with_a_law_of_the_users_own():
    scenario = proxops.load("contact-bounce")
    (name,) = scenario.mission.contacts
    own = {
        "kind": "external",
        "name": "hertz",
        "depth_m": DEPTH,
        "parameters": VALUES,
    }
    scenario = scenario.replace({f"contacts.{name}.normal": own})
    with pytest.raises(InputError, match="no contact law 'hertz'"):
        proxops.simulate(scenario)
    run = proxops.simulate(scenario.extended(Extensions(contact_laws={"hertz": HERTZ})))
    assert run.ledger.closed
    assert np.abs(run[f"contacts.{name}.f"][1]).max() > 0.0
