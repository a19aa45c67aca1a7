"""Contacts, holds and boosts in runs: what must be refused, told or borne."""

import math

import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError


def short(name, duration, step=None, **changes):
    scenario = proxops.load(name)
    phases = scenario.mission.time.phases.values()
    time = {
        "duration_s": duration,
        "control_rate_hz": scenario.mission.time.control_rate_hz,
        "record_rate_hz": scenario.mission.time.record_rate_hz,
        "phases": {"only": {"until_s": duration, "step_s": step or next(iter(phases)).step_s}},
    }
    return scenario.replace({"time": time, "requirements": {}} | changes)


def ring(count, depth):
    angles = 2.0 * math.pi * np.arange(count) / count
    return [[1.225 + depth, 0.8 * math.cos(a), 0.8 * math.sin(a)] for a in angles]


def held_by_arm(t, reach):
    """A tumbling chaser whose arm is to grasp the target, some metres away."""
    hold = {"arm": "main", "p_TB_m": [0.0, 0.0, 0.0], "from_s": t, "until_s": 2.0 * t}
    stiff = {"stiffness_N_m": [1e3] * 3, "damping_N_s_m": [50.0] * 3}
    return short("free-tumble", 0.2, **{"holds.grip": hold | stiff | {"reach_m": reach}})


@pytest.mark.parametrize("depth", [0.0, 1e-3])
def test_a_hundred_pads_touch_at_once(depth):
    changes = {"contacts.ring.pads.centres_m": ring(100, depth)}
    run = proxops.simulate(short("deorbit-friction", 0.2, **changes))
    assert run.outcome == "passed"
    assert sum(event.name == "touch-down" for event in run.events) >= 1
    assert run["contacts.ring.f_n"][1][-1].min() > 0.0


def test_glued_pads_beside_a_small_face_hold_and_do_not_hang():
    changes = {
        "contacts.ring.normal.bilateral": True,
        "contacts.ring.face.along": [1.0, 0.0, 0.0],
        "contacts.ring.face.half_sizes_m": [0.5, 0.5],
    }
    assert proxops.simulate(short("deorbit-friction", 0.1, **changes)).outcome == "passed"


def test_what_springs_store_at_the_start_is_their_own_and_not_the_dampers():
    """5 mm deep, 1e4 N/m, six pads: 0.75 J; dampers only take."""
    run = proxops.simulate(
        short("deorbit-friction", 1.0, **{"contacts.ring.pads.centres_m": ring(6, 5e-3)})
    )
    assert run.ledger.closed
    assert np.diff(run["ledger.work_contact_dampers"][1]).max() <= 0.0
    assert run["ledger.work_contact_springs"][1].max() <= 6 * 0.5 * 1e4 * 5e-3**2


def test_a_hold_out_of_reach_misses_and_says_so():
    missed = proxops.simulate(held_by_arm(0.1, 0.1))
    assert [event.detail for event in missed.events if event.name == "hold-misses"] == [
        "holds.grip"
    ]
    assert not missed["holds.grip.f"][1].any()
    held = proxops.simulate(held_by_arm(0.1, 100.0))
    assert {event.name for event in held.events} >= {"hold-closes"}
    assert held["holds.grip.f"][1].any()


def test_a_hold_that_switches_between_two_steps_is_refused_with_its_place():
    with pytest.raises(
        InputError, match=r"holds\.grip\.from_s: 0\.0505 s is not at the end of a step"
    ):
        proxops.simulate(held_by_arm(0.0505, 0.1))


def test_a_contact_that_would_cut_steps_into_too_many_parts_is_refused():
    with pytest.raises(
        InputError, match=r"contacts\.ring: while it is closed it needs steps of .* s"
    ):
        proxops.simulate(
            short("deorbit-friction", 0.1, **{"contacts.ring.normal.stiffness_N_m": 1e13})
        )


def test_a_contact_that_will_take_long_is_warned_about():
    changes = {"contacts.ring.normal.stiffness_N_m": 1e11, "chaser.p_HC_m": [-60.0, 0.0, 0.0]}
    run = proxops.simulate(short("deorbit-friction", 100.0, **changes))
    assert any("this may take minutes" in event.detail for event in run.events)


def test_a_sliding_pad_uses_its_whole_cone():
    """Static 0.1, kinetic 0.05: from some 24 s on all slide, at the kinetic coefficient."""
    changes = {"contacts.ring.friction.mu_static": 0.1, "contacts.ring.friction.mu_kinetic": 0.05}
    run = proxops.simulate(short("deorbit-friction", 26.0, **changes))
    t, cone = run["contacts.ring.cone"]
    np.testing.assert_allclose(cone[t > 25.0], 1.0, atol=1e-9)


def test_a_pad_that_the_boost_does_not_measure_does_not_disturb_its_rule():
    """A guard far from any face, stiffer than all pads: the rule sees the ring alone."""
    plain = short("deorbit-boost", 3.0)
    ring_ = plain.mission.contacts["ring"].model_dump(mode="json", exclude_none=True)
    guard = {
        "pads": ring_["pads"] | {"centres_m": [[-50.0, 0.0, 0.0]]},
        "face": ring_["face"],
        "normal": ring_["normal"] | {"stiffness_N_m": 1e9},
    }
    guarded = plain.replace({"contacts.guard": guard})
    thrust, same = (
        proxops.simulate(each)["chaser.thrusters.thrust"][1] for each in (plain, guarded)
    )
    np.testing.assert_array_equal(thrust, same)


def test_the_rule_needs_a_contact_that_exists():
    with pytest.raises(InputError, match=r"obsw\.boost\.contact\.name: .* no contact 'rong'.*ring"):
        proxops.load("deorbit-boost").replace({"obsw.boost.contact.name": "rong"})


def test_a_boost_that_could_only_hold_its_torque_by_not_pushing_ends_the_run():
    changes = {"obsw.boost.modulation": "aligned", "obsw.boost.p_CS_m": [5.0, 0.3, 0.3]}
    run = proxops.simulate(short("deorbit-friction", 1.0, **changes))
    assert run.outcome == "invalid"
    assert any("only with zero thrust" in event.detail for event in run.events)
