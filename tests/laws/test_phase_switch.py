"""Orbital terms dropped near the target: what H shows goes on, and the ledger explains the jump."""

from dataclasses import replace

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import get3
from proxops.physics.multibody.tree import MASS
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import INSIDE, reference
from proxops.plant import layout, phase_switch
from proxops.plant.observe import impulses
from proxops.plant.phase_switch import phase_after_step, phase_at_start, shown_in_hill
from tests.laws.plants import Bench, eccentric_orbit, tallies, wheel
from tests.laws.test_plant_ledger import KEPT, STEP, changes

EPS = np.finfo(float).eps
NEAR, FAR = 100.0, 10.0  # radii [m] between which the spacecraft of a bench are, 37 m apart
INTO, LATER = 100.0, 500.0  # [s]: H turns by 28 deg


@kernel
def switch_at(plant, work, y, t):
    return phase_after_step(plant, work, y, t)


@kernel
def begin_at(plant, work, y):
    return phase_at_start(plant, work, y)


@kernel
def hub_in_hill(plant, y, t, start):
    """p_H and v_H of the hub that starts at an index, as recordings show them."""
    p, v = get3(y, start + layout.P), get3(y, start + layout.V)
    return shown_in_hill(plant, y, t, p, v)


@kernel
def recorded_impulses(plant, y):
    return impulses(plant, y)


@kernel
def hill_at(orbit, t):
    return hill_frame(*reference(orbit, t))


def bench_with(drop, exchange="all", **kinds):
    orbit = replace(eccentric_orbit(), inside=NEAR, drop=drop, exchange=exchange)
    return Bench(21, orbit=orbit, **kinds)


KINDS = [{}, {"zeta": 0.01}, {"wheels": (wheel(np.array([1.0, 2.0, -1.0]), speed=300.0),)}]


def memory(bench):
    return bench.y[layout.slices(bench.plant).switch]


def hubs(bench):
    parts = layout.slices(bench.plant)
    return parts.chaser.start, parts.target.start


def shown(bench, t, frozen_since=None):
    """Positions, velocities, attitudes and rates of both hubs against H."""
    R_NH, w = hill_at(bench.plant.orbit, t if frozen_since is None else frozen_since)
    R_NH = np.array(R_NH).reshape(3, 3)
    w_N = R_NH @ w if frozen_since is None else np.zeros(3)
    found = []
    for start in hubs(bench):
        q = tuple(bench.y[start + layout.Q : start + layout.Q + 4])
        R_NB = np.array(quat_to_rotation.py_func(q)).reshape(3, 3)
        rate = R_NH.T @ (R_NB @ bench.y[start + layout.W : start + layout.W + 3] - w_N)
        found += [*hub_in_hill(bench.plant, bench.y, t, start), (R_NH.T @ R_NB).ravel(), rate]
    return np.concatenate(found)


def switched(bench, t, radius):
    """Goes to another phase by another radius; whether it did."""
    bench.plant.orbit[INSIDE] = radius
    return switch_at(bench.plant, bench.work, bench.y, t)


def booked(bench):
    """Impulse, angular impulse and work as recordings have them; nothing but the switch acts."""
    given = recorded_impulses(bench.plant, bench.y)
    return *map(np.array, given), memory(bench)[phase_switch.WORK]


def explained(bench, before, given_before=(0.0, 0.0, 0.0)):
    """What the booked change leaves of that of momentum, angular momentum and energy, each over the
    scale of what moves, and the change of energy over it."""
    after = bench.carried()
    impulse, angular, work = (
        now - then for now, then in zip(booked(bench), given_before, strict=True)
    )
    left = (
        np.linalg.norm(after.momentum - before.momentum - impulse) / before.sum_momentum,
        np.linalg.norm(after.angular - before.angular - angular) / before.sum_angular,
        abs(after.energy - before.energy - work) / before.energy,
    )
    return max(left), np.linalg.norm(impulse) / before.sum_momentum, abs(work) / before.energy


@pytest.mark.parametrize("exchange", ["all", "velocity-attitude"])
@pytest.mark.parametrize("kinds", KINDS, ids=["arms", "flexible", "wheels"])
def test_the_ledger_explains_the_jump_inwards_and_outwards(kinds, exchange):
    bench = bench_with("frame", exchange, **kinds)
    before = bench.carried()
    assert switched(bench, 0.0, NEAR) == 1
    left, impulse, work = explained(bench, before)
    # Sums over some twenty bodies and modes, each rounded at its size
    assert left < 100.0 * EPS
    assert impulse > 1e-6
    assert work > 1e-6
    before, given = bench.carried(), tuple(np.copy(each) for each in booked(bench))
    assert switched(bench, LATER, FAR) == 1
    left, impulse, _ = explained(bench, before, given)
    assert left < 100.0 * EPS
    assert impulse > 1e-2  # everything has turned with H


def test_what_the_hill_frame_shows_goes_on_through_the_switch_both_ways():
    bench = bench_with("frame")
    before = shown(bench, INTO)
    switched(bench, INTO, NEAR)
    # Positions of 40 m and velocities of 0.05 m/s, some ten roundings
    np.testing.assert_allclose(shown(bench, INTO, INTO), before, rtol=0.0, atol=10.0 * EPS * 40.0)
    before = shown(bench, LATER, INTO)  # H as it was when they went inside
    switched(bench, LATER, FAR)
    np.testing.assert_allclose(shown(bench, LATER), before, rtol=0.0, atol=10.0 * EPS * 40.0)


def centres(bench):
    """From the target's centre of mass to the chaser's in O [m], and what both carry."""
    chaser, target = tallies(bench.plant, bench.work, bench.y)
    return np.subtract(chaser.com, target.com), (chaser, target)


def relative_velocity(bench):
    """Of the centres of mass in O [m/s]."""
    _, (chaser, target) = centres(bench)
    masses = [table[:, MASS].sum() for table in (bench.plant.chaser, bench.plant.target)]
    return np.divide(chaser.momentum, masses[0]) - np.divide(target.momentum, masses[1])


def test_the_jump_that_is_told_is_that_of_the_relative_velocity_and_closes_nothing():
    bench = bench_with("frame")
    apart, _ = centres(bench)
    before = relative_velocity(bench)
    switched(bench, 0.0, NEAR)
    jump = relative_velocity(bench) - before
    own = memory(bench)
    assert np.linalg.norm(jump) == pytest.approx(own[phase_switch.JUMP], rel=1e-12)
    R_NH, w = hill_at(bench.plant.orbit, 0.0)
    expected = -np.cross(np.array(R_NH).reshape(3, 3) @ w, apart)
    np.testing.assert_allclose(jump, expected, rtol=0.0, atol=1e-12 * np.linalg.norm(expected))
    assert abs(jump @ apart) < 1e-12 * np.linalg.norm(jump) * np.linalg.norm(apart)
    assert own[phase_switch.DISTANCE] == pytest.approx(np.linalg.norm(apart), rel=1e-14)
    assert own[phase_switch.TURNED] == 0.0
    switched(bench, LATER, FAR)
    R_later, _ = hill_at(bench.plant.orbit, LATER)
    between = np.array(R_later).reshape(3, 3) @ np.array(R_NH).reshape(3, 3).T
    angle = np.arccos((np.trace(between) - 1.0) / 2.0)
    assert own[phase_switch.TURNED] == pytest.approx(angle, rel=1e-9)


@pytest.mark.parametrize("drop", ["tide", "frame"])
def test_where_velocity_and_attitude_alone_are_exchanged_nothing_turns_in_the_hill_frame(drop):
    """Velocities of the centres of mass are those of a whole exchange."""
    bench, other = bench_with(drop, "velocity-attitude"), bench_with(drop)
    for t, radius, frozen in ((INTO, NEAR, INTO), (LATER, FAR, None)):
        switched(bench, t, radius)
        switched(other, t, radius)
        inside = shown(bench, t, frozen if drop == "frame" else None).reshape(2, -1)
        np.testing.assert_allclose(inside[:, -3:], 0.0, atol=10.0 * EPS)
        np.testing.assert_allclose(
            relative_velocity(bench), relative_velocity(other), rtol=0.0, atol=100.0 * EPS
        )


def test_without_the_tide_alone_nothing_jumps():
    bench = bench_with("tide")
    parts = layout.slices(bench.plant)
    before = bench.y[: parts.ledger.stop].copy()
    assert switched(bench, 0.0, NEAR) == 1
    assert switched(bench, 0.0, NEAR) == 0
    np.testing.assert_array_equal(bench.y[: parts.ledger.stop], before)
    assert memory(bench)[phase_switch.JUMP] == 0.0
    assert not any(np.any(each) for each in booked(bench))


@pytest.mark.parametrize("drop", ["tide", "frame"])
def test_inside_there_is_no_tide_and_momentum_stays(drop):
    bench = bench_with(drop, zeta=0.0)
    begin_at(bench.plant, bench.work, bench.y)
    assert not any(np.any(each) for each in booked(bench))  # part of the start
    before = bench.carried()
    bench.go(0.1, STEP)
    ledger = bench.ledger()
    assert not ledger[layout.TIDE_IMPULSE : layout.TIDE_ANGULAR + 3].any()
    assert ledger[layout.TIDE_WORK] == 0.0
    after = bench.carried()
    # As without an orbit: flexible appendages are integrated to 1e-10 of what moves; the tide would
    # change 1e-4 of it, 3n² × 37 m × 0.1 s of 0.04 m/s
    scale = 1e-10 * before.sum_momentum
    np.testing.assert_allclose(after.momentum, before.momentum, rtol=0.0, atol=scale)


def test_outside_the_tide_acts_as_ever():
    bench, plain = bench_with("frame"), Bench(21, orbit=eccentric_orbit())
    bench.plant.orbit[INSIDE] = FAR
    begin_at(bench.plant, bench.work, bench.y)
    assert max(changes(bench, 0.2)) < KEPT
    plain.go(0.2, STEP)
    parts = layout.slices(plain.plant)
    np.testing.assert_array_equal(bench.y[: parts.size], plain.y)


@pytest.mark.parametrize(("exchange", "said"), [("all", False), ("velocity-attitude", True)])
def test_the_event_says_where_rotations_are_not_handed_over(exchange, said):
    text = phase_switch.text_of(bench_with("tide", exchange).plant.orbit, 1.0, np.zeros(3))
    assert text.endswith("the rotation of both spacecraft is not handed over") == said
