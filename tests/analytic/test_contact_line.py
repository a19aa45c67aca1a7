"""Contact along a line against closed forms: a chaser that pushes a target through one pad.

m δ̈ + d δ̇ + c δ = (m/m_s) F,   m = m_s m_t/(m_s + m_t),   ω² = c/m,   ζ = d/(2 m ω)
"""

import itertools
import math

import numpy as np
import pytest
from tests.laws.touching import Pair, body, closings, contact, openings

from proxops.plant import contact_array, layout

M_S, M_T = 1200.0, 8200.0
M = M_S * M_T / (M_S + M_T)
C = 1e8  # [N/m]
OMEGA = math.sqrt(C / M)
ENGINE = 375.0  # [N]
PER_ENGINE = M / M_S * ENGINE / C  # settled overlap [m]
INERTIAS = ([650.0, 950.0, 950.0], [1e4, 226e3, 228e3])


def line(zeta, overlap=0.0, closing=0.0, step=None, **law):
    """The pair with its pad in the face by `overlap` and moving in at `closing`."""
    damping = 2.0 * zeta * M * OMEGA
    pair = Pair(
        body(M_S, INERTIAS[0], p_H=np.array([overlap - 0.5, 0, 0]), v_H=np.array([closing, 0, 0])),
        body(M_T, INERTIAS[1]),
        (contact([0.5, 0.0, 0.0], **({"stiffness": C, "damping": damping} | law)),),
    )
    if step is not None:
        pair.plant.contacts[:, contact_array.LONGEST_STEP] = step
    return pair


def overlap_of(pair):
    return pair.p_TC()[0] + 0.5


def restitution(zeta):
    """Speed after over speed before, if the damper never pulls: exp(-2ζ acos ζ/√(1 - ζ²))."""
    if zeta > 1.0:
        return math.exp(-2.0 * zeta * math.acosh(zeta) / math.sqrt(zeta * zeta - 1.0))
    return math.exp(-2.0 * zeta * math.acos(zeta) / math.sqrt(1.0 - zeta * zeta))


def step_response(zeta, tau):
    """δ/δ_settled after a thrust that sets in at rest."""
    root = np.sqrt(complex(zeta * zeta - 1.0))
    fast, slow = -zeta - root, -zeta + root
    return 1.0 - ((slow * np.exp(fast * tau) - fast * np.exp(slow * tau)) / (slow - fast)).real


@pytest.mark.parametrize("zeta", [0.02, 0.5, 1.1])
def test_a_thrust_that_sets_in_compresses_as_the_closed_form_says(zeta):
    """Runge-Kutta is late by (ω h)⁴/120 a radian: 7e-9 of the amplitude a radian at ω h = 0.03, so
    1e-6 is kept for a hundred and more."""
    pair = line(zeta)
    pair.push([ENGINE, 0.0, 0.0])
    h = 0.03 / OMEGA
    for number in range(1, 1001):
        pair.step(h)
        exact = PER_ENGINE * step_response(zeta, 0.03 * number)
        assert overlap_of(pair) == pytest.approx(exact, abs=1e-6 * PER_ENGINE)
    assert openings(pair) == []


def separates(before, after, zeta):
    """The normal force falls to after - (before - after) e, e the restitution."""
    return after < (before - after) * restitution(zeta)


@pytest.mark.parametrize("zeta", [0.0, 0.02, 0.1, 0.2, 0.25, 0.28, 0.4, 0.43, 0.46, 0.7, 1.1])
def test_bodies_separate_exactly_where_the_closed_form_says(zeta):
    for before, after in itertools.product(range(1, 5), range(5)):
        margin = after - (before - after) * restitution(zeta)
        if abs(margin) < 1e-6:
            continue
        pair = line(zeta, overlap=before * PER_ENGINE)
        pair.push([after * ENGINE, 0.0, 0.0])
        pair.go(8.0 * np.pi / OMEGA, np.pi / OMEGA)
        assert (openings(pair) != []) == separates(before, after, zeta), (before, after)


def test_the_published_limits_of_damping_are_those_of_the_closed_form():
    """3 -> 1 keeps pushing above ζ = 0.26, 4 -> 1 above 0.445."""
    for before, limit in ((3, 0.26), (4, 0.445)):
        assert separates(before, 1, limit - 0.01)
        assert not separates(before, 1, limit + 0.01)


@pytest.mark.parametrize("zeta", [0.0, 0.02, 0.3, 0.9])
def test_touch_down_and_lift_off_come_when_they_are_due(zeta):
    """Lift-off is where the force, not the overlap, reaches zero: ω_d t = 2 acos ζ."""
    gap, speed = 1.234e-3, 0.01
    pair = line(zeta, overlap=-gap, closing=speed)
    pair.go(0.2, 0.01)
    (down,), (up,) = closings(pair), openings(pair)
    touching = 2.0 * math.acos(zeta) / math.sqrt(1.0 - zeta**2) / OMEGA
    assert down == pytest.approx(gap / speed, abs=2e-9)
    # steps of ω h = 0.1 err by (ω h)⁴/120 = 8e-7 a radian, and contact lasts π of them at most
    assert up - down == pytest.approx(touching, abs=2e-8)
    assert -pair.v_TC()[0] == pytest.approx(restitution(zeta) * speed, abs=3e-6 * speed)


def test_thrust_brings_separated_bodies_back_again_and_again():
    """Undamped: sinusoids that last (2π - 2 atan(v/(ω δ₀)))/ω between parabolas of 2 v m_s/F."""
    speed, thrust = 0.004, 4.0 * ENGINE
    pair = line(0.0, closing=speed)
    pair.push([thrust, 0.0, 0.0])
    pair.go(0.1, 0.005)
    touching = (2.0 * math.pi - 2.0 * math.atan(speed / (OMEGA * 4.0 * PER_ENGINE))) / OMEGA
    flying = 2.0 * speed * M_S / thrust
    assert len(openings(pair)) >= 4
    for number, (down, up) in enumerate(zip(closings(pair), openings(pair), strict=False)):
        assert down == pytest.approx(number * (touching + flying), abs=1e-6)
        assert up == pytest.approx(down + touching, abs=1e-6)


@pytest.mark.parametrize("zeta", [0.0, 0.02])
def test_bounces_keep_momentum_to_rounding(zeta):
    pair = line(zeta, overlap=-1e-4, closing=0.01)
    pair.push([ENGINE, 0.0, 0.0])
    pair.go(0.5, 0.005)
    assert len(closings(pair)) > 3
    momentum = M_S * pair.chaser[layout.V] + M_T * pair.target[layout.V]
    meant = M_S * 0.01 + ENGINE * 0.5
    # 1e4 additions of doubles
    assert momentum == pytest.approx(meant, rel=1e-13)


@pytest.mark.parametrize("zeta", [0.0, 0.5])
def test_across_an_impact_steps_keep_their_fourth_order(zeta):
    """Three halvings of the step: the error falls by 16³ = 4096.  If touch-down and lift-off were
    taken at the ends of steps it would be by 8 to 64.  The finest step is not so fine that the
    nanosecond within which instants are located shows."""
    speed, gap, until = 0.1, 1.37e-3, 0.032
    touching = 2.0 * math.acos(zeta) / math.sqrt(1.0 - zeta**2) / OMEGA
    # at lift-off the overlap left is δ = -2ζ δ̇/ω, and the pad leaves at e v
    out = restitution(zeta) * speed
    exact = 2.0 * zeta / OMEGA * out - out * (until - gap / speed - touching)
    errors = []
    for steps in (16, 32, 64, 128):
        pair = line(zeta, overlap=-gap, closing=speed, step=np.inf)
        pair.go(until, until / steps)
        assert len(pair.events) == 2
        errors.append(math.hypot(OMEGA * (overlap_of(pair) - exact), -pair.v_TC()[0] - out) / speed)
    assert math.log2(errors[0] / errors[-1]) / 3.0 > 3.6
    assert errors[-1] < 2e-6
