"""Friction against Coulomb: a part between two pads holds what it can, slips where it must."""

import math

import numpy as np
import pytest
from tests.laws.touching import Pair, body, contact

from proxops.plant import layout
from proxops.plant.contact_array import SLIDING, STRETCH, STUCK

PART, REST = 10.0, 100.0  # [kg]
M = PART * REST / (PART + REST)
SQUEEZE = 100.0  # N of each pad [N]
STIFFNESS, GRIP, GRIP_DAMPING = 1e6, 1e6, 2e3
MU = 0.5
HEAVY = np.full(3, 1e6)  # [kg m2]: nothing turns


def pinched(mu_static=MU, mu_kinetic=MU, v=0.0):
    """A part with a pad on either side between two jaws of the target, at right angles to y."""
    in_jaws = SQUEEZE / STIFFNESS
    jaws = tuple(
        contact(
            [0.0, side * 0.05, 0.0],
            centre=np.array([0.0, side * (0.05 - in_jaws), 0.0]),
            normal=np.array([0.0, -side, 0.0]),
            along=np.array([1.0, 0.0, 0.0]),
            name=f"jaw{side:+.0f}",
            stiffness=STIFFNESS,
            damping=2e3,
            mu_static=mu_static,
            mu_kinetic=mu_kinetic,
            grip_stiffness=GRIP,
            grip_damping=GRIP_DAMPING,
        )
        for side in (1.0, -1.0)
    )
    return Pair(body(PART, [0.1, 0.1, 0.1], v_H=np.array([v, 0, 0])), body(REST, HEAVY), jaws)


def load(pair, along, across=0.0):
    """Pulls the part out of the jaws and pushes it against one of them."""
    force = np.array([along, across, 0.0])
    pair.push(force)
    pair.push(-force, on_target=True)


def ramp(t):
    return min(1.0, t / 0.5)


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_a_pinched_part_does_not_creep(share):
    pair = pinched()
    while pair.t < 1.0:
        load(pair, share * 2.0 * MU * SQUEEZE * ramp(pair.t))
        pair.step(2e-3)
    before = pair.p_TC()[0]
    pair.go(60.0, 1.0)
    assert before == pytest.approx(share * MU * SQUEEZE / GRIP, rel=1e-6)
    # far below the 60 µm that are allowed: what is left is rounding
    assert abs(pair.p_TC()[0] - before) < 1e-12
    assert pair.mode(0) == pair.mode(1) == STUCK


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_nor_does_it_while_it_is_shaken(share):
    """At 5 Hz with a tenth of the load L, along it and across it, so that a pad carries
    0.55 L while it can carry μ (N - 0.05 L) at worst."""
    pair = pinched()
    L = share * MU * SQUEEZE / (0.55 + 0.05 * share * MU)
    h = 4e-3

    def shake(duration):
        for _ in range(round(duration / h)):
            swing = 0.1 * math.sin(2.0 * math.pi * 5.0 * pair.t)
            load(pair, L * ramp(pair.t) * (1.0 + swing), L * swing)
            pair.step(h)
            assert pair.mode(0) == pair.mode(1) == STUCK

    shake(1.0)
    before = pair.p_TC()[0]
    shake(60.0)
    assert abs(pair.p_TC()[0] - before) < 1e-9


def test_slip_starts_at_mu_N():
    """The load grows by 1e-4 of itself a step."""
    mu_static = 0.55
    pair = pinched(mu_static=mu_static)
    limit = 2.0 * mu_static * SQUEEZE
    pull = 0.9 * limit
    while pair.t < 1.0:
        load(pair, pull * ramp(pair.t))
        pair.step(2e-3)
    while pair.mode(0) == STUCK:
        pull += 1e-4 * limit
        load(pair, pull)
        pair.step(2e-3)
    assert pull == pytest.approx(limit, rel=1e-3)
    # and away it goes, against the smaller kinetic friction
    pair.go(0.1, 0.01)
    before = pair.v_TC()[0]
    pair.go(0.1, 0.01)
    assert pair.v_TC()[0] - before == pytest.approx(0.1 * (pull - 2.0 * MU * SQUEEZE) / M, rel=1e-6)


def test_below_the_static_limit_but_above_the_kinetic_one_it_sticks_or_slides_as_it_did():
    between = 2.0 * 0.5 * SQUEEZE  # of 0.4 and 0.6
    at_rest, moving = (pinched(0.6, 0.4, v) for v in (0.0, 0.2))
    for pair in (at_rest, moving):
        while pair.t < 1.0:
            load(pair, between * (ramp(pair.t) if pair is at_rest else 1.0))
            pair.step(2e-3)
    assert at_rest.mode(0) == STUCK
    assert abs(at_rest.v_TC()[0]) < 1e-9
    assert moving.mode(0) == SLIDING
    assert moving.v_TC()[0] > 0.2


@pytest.mark.parametrize("direction", [0.0, 0.7, 2.5])
def test_a_sliding_part_decelerates_evenly_and_its_friction_does_the_work(direction):
    v0 = 0.5
    pair = pinched(v=v0)
    pair.chaser[layout.V :][:3] = v0 * np.array([math.cos(direction), 0.0, math.sin(direction)])
    deceleration = 2.0 * MU * SQUEEZE / M
    pair.go(0.01, 1e-3)
    before = pair.v_TC()
    work = pair.ledger[layout.CONTACT_FRICTION_WORK]
    pair.go(0.02, 1e-3)
    after = pair.v_TC()
    assert np.linalg.norm(before) - np.linalg.norm(after) == pytest.approx(
        0.02 * deceleration, rel=1e-6
    )
    assert after @ before == pytest.approx(np.linalg.norm(after) * np.linalg.norm(before))
    done = pair.ledger[layout.CONTACT_FRICTION_WORK] - work
    assert done == pytest.approx(0.5 * M * (after @ after - before @ before), rel=1e-6)
    for jaw in (0, 1):  # the spring is stretched by as much as friction can hold
        stretch = pair.contact_memory(jaw)[STRETCH:][:3]
        assert GRIP * np.linalg.norm(stretch) == pytest.approx(MU * SQUEEZE, rel=1e-9)
    # it comes to rest, and is then held
    pair.go(0.5, 1e-3)
    assert np.linalg.norm(pair.v_TC()) < 1e-12
    assert pair.mode(0) == pair.mode(1) == STUCK


def test_what_slides_fast_does_not_stick_again_because_it_is_pressed_harder():
    """N grows tenfold in 0.1 s; static friction, five times the kinetic one, must not set in."""
    mu, press, v0 = 0.2, 100.0, 4.0
    face = contact(
        [[x, -0.05, z] for x in (-0.1, 0.1) for z in (-0.1, 0.1)],
        normal=np.array([0.0, 1.0, 0.0]),
        along=np.array([1.0, 0.0, 0.0]),
        stiffness=STIFFNESS / 4.0,
        damping=2.0 * math.sqrt(M * STIFFNESS) / 4.0,
        mu_static=5.0 * mu,
        mu_kinetic=mu,
        grip_stiffness=GRIP / 4.0,
        grip_damping=GRIP_DAMPING / 4.0,
    )
    pair = Pair(
        body(PART, HEAVY, p_H=np.array([0, 0.05 - press / STIFFNESS, 0]),
             v_H=np.array([v0, 0.0, 0.0])),
        body(REST, HEAVY),
        (face,),
    )  # fmt: skip
    h, lost = 1e-3, 0.0
    for number in range(200):
        pushed = press * (1.0 + 9.0 * min(1.0, max(0.0, number * h - 0.05) / 0.1))
        load(pair, 0.0, -pushed)
        pair.step(h)
        lost += mu * pushed * h / M
        assert [pair.mode(pad) for pad in range(4)] == [SLIDING] * 4
    # The pads carry what pushes but for their settling, a few 1/ω = 3 ms of one tenfold rise, and
    # at the start the spring has to be drawn first.
    assert v0 - pair.v_TC()[0] == pytest.approx(lost, rel=1e-3)
