"""Sound runs close their ledger, however their forces cancel: scenes along one line, with exact
answers."""

import numpy as np
import pytest

import proxops
from proxops.plant import layout
from proxops.results.ledger import ENERGY_CLOSED, MOMENTUM_CLOSED
from tests.laws.scenes import Line, flown, last, random_line
from tests.laws.touching import Pair, body, contact

# The residuals of sound runs stay well below what closes a ledger.  Those of momentum are rounding,
# that of energy is also the step's own error while pads come to rest: 5e-8 at |s| h = PACE.
ROOM, ENERGY_ROOM = 0.01, 0.1
NONE = np.zeros(3)


def assert_sound(run: proxops.Run) -> None:
    ledger = run.ledger
    assert run.outcome == "passed"
    assert ledger.momentum_residual < ROOM * MOMENTUM_CLOSED
    assert ledger.angular_momentum_residual < ROOM * MOMENTUM_CLOSED
    assert ledger.energy_residual < ENERGY_ROOM * ENERGY_CLOSED


@pytest.mark.parametrize("seed", range(8))
def test_thrust_through_the_centre_of_mass_accelerates_evenly(seed):
    """v = v₀ + F/m t, along a line through the origin or beside it; the target stays."""
    rng = np.random.default_rng(seed)
    line = random_line(rng)
    beside = NONE if seed % 2 else rng.uniform(-100.0, 100.0, 3)
    start, v = beside - 5.0 * line.n, rng.uniform(-1.0, 1.0) * line.n
    run = flown(line.mission(start, v), line.thrust())
    assert_sound(run)
    a, t = line.force / line.chaser * line.n, line.duration
    np.testing.assert_allclose(last(run, "chaser.v_HC"), v + a * t, rtol=1e-9, atol=1e-12)
    way = v * t + 0.5 * a * t * t
    moved = last(run, "chaser.p_HC") - start
    np.testing.assert_allclose(moved, way, rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(last(run, "chaser.w_NC_C")) < 1e-9
    assert not last(run, "target.v_HT").any()


@pytest.mark.parametrize("seed", range(8, 14))
def test_without_forces_bodies_fly_on_through_the_origin(seed):
    rng = np.random.default_rng(seed)
    line = random_line(rng, step=0.002)
    v = 10.0 ** rng.uniform(-3.0, 1.0) * line.n
    start = -0.5 * line.duration * v
    run = flown(line.mission(start, v))
    assert_sound(run)
    np.testing.assert_allclose(last(run, "chaser.p_HC"), -start, rtol=1e-9)


@pytest.mark.parametrize("seed", range(14, 28))
def test_a_pinch_presses_with_its_force_and_moves_nothing(seed):
    """A clamp between two bodies of any masses, stiff or soft: F at the pads, none in all.  In
    every second one it presses from the start, so that nothing ever moves.  It keeps them from
    sliding: its pull moves with the chaser, the pads' force with the target's face, and where one
    leans against the other a slide without friction would grow."""
    rng = np.random.default_rng(seed)
    line = random_line(rng, step=0.01, stiffness=10.0 ** rng.uniform(4.0, 6.0))
    depth = line.force / 3.0 / line.stiffness
    start = (seed % 2 * depth - 3.0) * line.n
    run = flown(line.mission(start, NONE), line.pads(), line.clamp(line.force, 1e4))
    assert_sound(run)
    np.testing.assert_allclose(last(run, "contacts.pads.f_n"), line.force / 3.0, rtol=1e-9)
    np.testing.assert_allclose(last(run, "contacts.pads.gap"), -depth, rtol=1e-6, atol=1e-13)
    assert np.linalg.norm(last(run, "chaser.v_HC")) < 1e-9 * line.force / line.chaser
    centre = line.chaser * last(run, "chaser.p_HC") + line.target * last(run, "target.p_HT")
    np.testing.assert_allclose(centre, line.chaser * start, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(28, 40))
def test_a_stack_that_is_pushed_shares_the_force_by_its_masses(seed):
    """f = F m_t/(m_c + m_t) at the pads, v = F t/(m_c + m_t) of both; a clamp keeps the stack from
    sliding, and in every second one presses it together besides."""
    rng = np.random.default_rng(seed)
    line = random_line(rng, step=0.01)
    pull = 0.0 if seed % 2 else 10.0 ** rng.uniform(0.0, 4.0)
    run = flown(
        line.mission(-3.0 * line.n, NONE), line.thrust(), line.pads(), line.clamp(pull, 1e4)
    )
    assert_sound(run)
    both = line.chaser + line.target
    pressed = pull + line.force * line.target / both
    np.testing.assert_allclose(last(run, "contacts.pads.f_n"), pressed / 3.0, rtol=1e-6)
    # the centre of mass gains F t/m; chaser and target move with it once the pads are pressed
    for signal in ("chaser.v_HC", "target.v_HT"):
        gained = line.force / both * line.duration * line.n
        np.testing.assert_allclose(last(run, signal), gained, rtol=1e-6, atol=1e-9)


def test_a_shorter_step_leaves_a_flight_through_the_origin_as_sound():
    """1500 N for two minutes, and the same at a quarter of the step: what is left is rounding,
    which more steps make worse."""
    n = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    for step in (2e-3, 5e-4):
        line = Line(n, 1000.0, 8000.0, 1500.0, 120.0, step)
        assert_sound(flown(line.mission(-3.0 * n, NONE), line.thrust()))


def test_what_acts_is_counted_by_its_size_however_it_cancels():
    """A squeeze of 7 N on both sides of a contact that presses with 100 N, 5 m from the origin."""
    at, depth, press, squeeze = np.array([0.0, 4.0, 3.0]), 1e-3, 100.0, 7.0
    pair = Pair(
        body(30.0, [9.0] * 3, p_H=at + np.array([depth, 0.0, 0.0])),
        body(90.0, [9.0] * 3, p_H=at),
        (contact([0.0, 0.0, 0.0], stiffness=press / depth),),
    )
    pair.push([squeeze, 0.0, 0.0])
    pair.push([-squeeze, 0.0, 0.0], on_target=True)
    ledger = pair.rates()[pair.parts.ledger]
    assert not ledger[layout.APPLIED_IMPULSE :][:3].any()
    assert ledger[layout.SUM_IMPULSE] == pytest.approx(2.0 * (squeeze + press), rel=1e-9)
    # the contact's point is 1 mm from the target's origin, whose distance is counted in full
    levers = 2.0 * (5.0 * squeeze + (5.0 + depth) * press)
    assert ledger[layout.SUM_ANGULAR] == pytest.approx(levers, rel=1e-6)
