"""Passivity control in six degrees of freedom, for whatever is read."""

import math

import numpy as np
import pytest

from proxops.core.errors import InputError
from proxops.facility.common.passivity.controller import (
    Limits,
    control_of,
    drift_of,
    keep_passive,
    new_controlled,
    share,
)
from proxops.facility.common.passivity.observer import (
    energy_of,
    new_observer,
    observe_model,
    observe_real,
)

H = 4e-3  # control period [s]
DT = 1e-3


def mobilities(rng, bodies):
    """Of bodies of some kg and kg m², coupled through a centre of mass off the wrench's point."""
    roots = rng.normal(size=(bodies, 6, 6)) + 3.0 * np.eye(6)
    return np.linalg.inv(roots @ roots.transpose(0, 2, 1))


def hostile(rng, bodies, instants):
    """Readings that nobody would expect: spikes, silence, repeats, reversals."""
    readings = rng.normal(size=(instants, bodies, 6)) * 10.0 ** rng.uniform(-3, 3, (instants, 1, 1))
    readings[rng.random(instants) < 0.1] = 0.0
    again = np.flatnonzero(rng.random(instants) < 0.2)
    readings[again] = -readings[again - 1]
    return readings


def play(control, readings, twist):
    """Bodies of constant mobility under what the control feeds them; energy after every step,
    the wrenches fed, what the control has done and what the observer has seen."""
    bodies = len(twist)
    observer, state = new_observer(twist), new_controlled(bodies)
    energies, fed = [], []
    for reading in readings:
        keep_passive(control, state, observer, reading, H)
        fed.append(state.fed.copy())
        for _ in range(round(H / DT)):
            twist = twist + DT * np.einsum("bij,bj->bi", control.mobility, state.fed)
            for body in range(bodies):
                observe_model(observer, body, state.fed[body], twist[body], DT)
            energies.append(energy_of(observer).contact)
    return np.array(energies), np.array(fed), state, twist


@pytest.mark.parametrize("bodies", [1, 2])
def test_no_reading_whatever_makes_the_contact_give_energy(bodies):
    """To the rounding of what has been moved to and fro: some 1e4 J, of which each step keeps
    1e-16, over 2000 steps."""
    rng = np.random.default_rng(3 + bodies)
    control = control_of(mobilities(rng, bodies), scales=True)
    for _ in range(4):
        twist = rng.normal(size=(bodies, 6))
        inertia = np.linalg.inv(control.mobility)
        kinetic = 0.5 * np.einsum("bi,bij,bj->", twist, inertia, twist)
        energies, _, _, _ = play(control, hostile(rng, bodies, 500), twist)
        assert energies.max() < 1e-11 * kinetic
    off = control_of(control.mobility)
    energies, _, _, _ = play(off, hostile(rng, bodies, 500), rng.normal(size=(bodies, 6)))
    assert energies.max() > 1.0


def test_a_natural_contact_is_left_alone():
    """While bodies are slowed, and while they get back less than they gave, s = 1 to the bit."""
    rng = np.random.default_rng(11)
    control = control_of(mobilities(rng, 2), scales=True)
    twist = rng.normal(size=(2, 6))
    brake = -0.05 * np.einsum("bij,bj->bi", np.linalg.inv(control.mobility), twist)
    readings = np.array([brake] * 20 + [-0.5 * brake] * 10)
    _, fed, state, _ = play(control, readings, twist)
    np.testing.assert_array_equal(fed, readings)
    assert state.rejected[0] == 0.0
    assert drift_of(state) == (0.0, 0.0, 0.0, 0.0)


def test_opposite_wrenches_stay_opposite():
    """Momentum of the two bodies together is then kept, whatever the control refuses."""
    rng = np.random.default_rng(5)
    control = control_of(mobilities(rng, 2), scales=True)
    one = hostile(rng, 1, 200)
    _, fed, state, _ = play(
        control, np.concatenate([one, -one], axis=1), 0.1 * rng.normal(size=(2, 6))
    )
    np.testing.assert_array_equal(fed[:, 0], -fed[:, 1])
    assert state.rejected[0] > 0.0


def test_the_displacement_by_refused_wrenches_is_what_is_reported():
    """Against the same bodies under the same readings without control."""
    rng = np.random.default_rng(6)
    control = control_of(mobilities(rng, 1), scales=True)
    readings = rng.normal(size=(100, 1, 6))
    twist = rng.normal(size=(1, 6))
    _, _, state, controlled = play(control, readings, twist)
    _, _, _, free = play(control_of(control.mobility), readings, twist)
    assert state.rejected[0] > 0.0
    np.testing.assert_allclose(state.slip, controlled - free, atol=1e-12)
    assert drift_of(state).model == pytest.approx(np.linalg.norm(state.shift[0, :3]))


def test_no_change_goes_beyond_its_limits():
    rng = np.random.default_rng(8)
    limits = Limits(2.0, 0.5, 0.01, 0.02)
    control = control_of(mobilities(rng, 2), scales=True, yields=True, lateness=0.02, limits=limits)
    observer, state = new_observer(rng.normal(size=(2, 6))), new_controlled(2)
    changed = 0
    for reading in hostile(rng, 2, 300):
        observer.model[0, 0] = rng.normal()
        keep_passive(control, state, observer, reading, H)
        change = np.concatenate([(state.fed - reading), state.change])
        lengths = [
            *np.linalg.norm(change[:2, :3], axis=1) / limits[0],
            *np.linalg.norm(change[:2, 3:], axis=1) / limits[1],
            *np.linalg.norm(change[2:, :3], axis=1) / limits[2],
            *np.linalg.norm(change[2:, 3:], axis=1) / limits[3],
        ]
        # s F - F is exact to the rounding of F, here up to some kN
        assert max(lengths) < 1.0 + 1e-9
        changed += max(lengths) > 0.99
    assert changed > 50


def test_giving_way_takes_exactly_the_excess_along_the_wrench():
    """F·ΔV h = what the facility has added, once; asked again at once it takes what has been
    forgotten of it, 1 - exp(-h/T)."""
    rng = np.random.default_rng(9)
    control = control_of(mobilities(rng, 2), yields=True, lateness=0.02)
    observer, state = new_observer(np.zeros((2, 6))), new_controlled(2)
    observer.model[1, 4] = 3e-6
    observe_real(observer, 0, np.full(6, 2.0), np.full(6, 0.5), 1e-6 / 6.0)  # 6 × ½ × 1 W
    reading = rng.normal(size=(2, 6))
    keep_passive(control, state, observer, reading, H)
    assert H * np.sum(reading * state.change) == pytest.approx(2.5e-6, rel=1e-12)
    np.testing.assert_array_equal(state.fed, reading)
    first = state.change.copy()
    keep_passive(control, state, observer, reading, H)
    assert H * np.sum(reading * state.change) == pytest.approx(0.0, abs=1e-20)
    keep_passive(control, state, observer, reading, H)
    assert H * np.sum(reading * state.change) == pytest.approx(
        2.5e-6 * (1.0 - math.exp(-H / 0.02)), rel=1e-12
    )
    np.testing.assert_allclose(state.drift, H * (first + state.change), rtol=1e-12)


def test_noise_without_contact_is_not_given_way_to():
    """However much energy is owed, and however faint the reading."""
    control = control_of(mobilities(np.random.default_rng(2), 1), yields=True)
    observer, state = new_observer(np.zeros((1, 6))), new_controlled(1)
    observer.model[0, 0] = 1.0
    for size in (0.0, 1e-300, 1e-160, 1e-3):
        keep_passive(control, state, observer, np.full((1, 6), size), H)
        np.testing.assert_array_equal(state.drift, 0.0)


def test_the_share_is_the_nearest_to_one_that_gives_nothing():
    """Against a search over many shares."""
    rng = np.random.default_rng(10)
    tried = np.linspace(-50.0, 50.0, 200001)
    for _ in range(100):
        E, a, c = -rng.random(), rng.normal(), rng.random()
        s = share(E, a, c)
        fine = tried[E + a * tried + c * tried**2 <= 0.0]
        assert abs(s - fine[np.argmin(np.abs(fine - 1.0))]) < 1e-3
        assert E + a * s + c * s * s < 1e-14
    # with something to take back: more of a wrench that brakes, none that could is least
    assert share(1.0, -0.5, 0.0) == 2.0
    assert share(1.0, 0.5, 0.0) == -2.0
    assert share(1.0, 0.0, 1.0) == 0.0


def test_limits_and_lateness_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="torque: found 0"):
        control_of(np.eye(6)[None], limits=Limits(torque=0.0))
    with pytest.raises(InputError, match="lateness: found -1"):
        control_of(np.eye(6)[None], lateness=-1.0)
