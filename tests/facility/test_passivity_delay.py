"""How late a contact may be felt: the closed form, the lags as they are, the mass it feels."""

import cmath
import math

import numpy as np
import pytest

from proxops.core.description import RigidInertia
from proxops.core.errors import InputError
from proxops.facility.common.passivity.chain import Chain, loop_delay
from proxops.facility.common.passivity.critical_delay import (
    contact_mass,
    critical_delay,
    critical_delay_behind,
    margins,
)
from proxops.facility.common.passivity.late_spring import lateness
from proxops.facility.rendered.build import (
    RobotDescription,
    SensorDescription,
    build,
    chain_of,
    loop_of,
)
from proxops.facility.rendered.mock_up import bolted
from proxops.facility.rendered.probe import no_probe
from proxops.physics.flexible.linear import Lag, Loop, response, spatial_inertia

HZ = 2.0 * math.pi
LAGS = (Lag(10.0 * HZ, 2, 1.0), Lag(100.0 * HZ, 1))
CONTACTS = [
    (mass, stiffness, 2.0 * zeta * math.sqrt(stiffness * mass))
    for mass in (1.0, 60.0, 4000.0)
    for stiffness in (200.0, 1e5)
    for zeta in (0.01, 0.2, 1.5)
]


def rightmost_near(left, s):
    """A root of an analytic function from a starting value, by Newton's method."""
    for _ in range(30):
        h = 1e-6 * abs(s)
        s -= left(s) * 2.0 * h / (left(s + h) - left(s - h))
    return s


@pytest.mark.parametrize(("mass", "stiffness", "damping"), CONTACTS)
def test_at_the_critical_delay_the_contact_swings_for_ever_and_beyond_it_grows(
    mass, stiffness, damping
):
    verge = critical_delay(mass, stiffness, damping)

    def left(s, tau):
        return mass * s * s + (damping * s + stiffness) * cmath.exp(-s * tau)

    s = 1j * verge.frequency
    # rounding of three terms that cancel, each as large as m ω²
    assert abs(left(s, verge.delay)) < 1e-14 * mass * verge.frequency**2
    for share in (0.98, 1.02):
        root = rightmost_near(lambda s, tau=share * verge.delay: left(s, tau), s)
        assert abs(root.imag / verge.frequency - 1.0) < 0.1
        assert math.copysign(1.0, root.real) == math.copysign(1.0, share - 1.0)


def test_without_damper_any_delay_is_too_long_and_without_spring_a_quarter_turn():
    """ω → √(k/m) and τ → b/k for little damping, to (ω b/k)²/3 = (2ζ)²/3; without a spring ω = b/m
    and τ = π/(2ω)."""
    assert critical_delay(3.0, 500.0, 0.0) == (0.0, pytest.approx(math.sqrt(500.0 / 3.0)))
    little = 2.0 * 1e-4 * math.sqrt(3.0 * 500.0)
    assert critical_delay(3.0, 500.0, little).delay == pytest.approx(little / 500.0, rel=2e-8)
    assert critical_delay(3.0, 0.0, 40.0).delay == pytest.approx(0.5 * math.pi * 3.0 / 40.0)
    assert critical_delay(3.0, 0.0, 0.0).delay == math.inf


@pytest.mark.parametrize(("mass", "stiffness", "damping"), CONTACTS)
def test_behind_lags_the_whole_equation_has_its_root_on_the_axis(mass, stiffness, damping):
    verge = critical_delay_behind(LAGS, mass, stiffness, damping)
    loop = Loop(LAGS, verge.delay)  # a negative delay is a lead that would be needed
    s = 1j * verge.frequency
    left = mass * s * s + (damping * s + stiffness) * response(loop, s)
    # the search halves a hundredth of a decade sixty times: to rounding of ω
    assert abs(left) < 1e-12 * mass * verge.frequency**2


def test_lags_count_as_delays_while_the_contact_is_slow():
    """A lag T turns the phase by ωT - (ωT)³/3, and lowers |L| by (ωT)²/2: both vanish with ωT."""
    differences = []
    for corner in (100.0, 200.0):
        lag = Lag(corner, 1)
        exact = critical_delay_behind((lag,), 40.0, 1000.0, 40.0).delay
        whole = critical_delay(40.0, 1000.0, 40.0).delay
        differences.append(abs(exact + 1.0 / corner - whole))
    assert differences[0] < 0.01 * 0.04
    assert differences[1] < 0.3 * differences[0]


@pytest.mark.parametrize(("mass", "stiffness", "damping"), CONTACTS)
def test_no_spare_delay_is_left_exactly_where_no_gain_is(mass, stiffness, damping):
    """Two ways to the verge: from the absolute value at the given mass, and from the phase."""
    spare = critical_delay_behind((LAGS[1],), mass, stiffness, damping).delay
    if spare <= 0.0:
        return
    at_verge = margins(mass, stiffness, damping, Loop((LAGS[1],), spare))
    assert at_verge.spare == pytest.approx(0.0, abs=1e-12)
    # the gain is found to 1e-9 in frequency, and goes with its square
    assert at_verge.gain == pytest.approx(1.0, rel=1e-6)
    better = margins(mass, stiffness, damping, Loop((LAGS[1],), 0.9 * spare))
    assert better.spare == pytest.approx(0.1 * spare, rel=1e-9)
    assert better.gain > 1.0


def test_the_whole_loop_is_the_sum_of_its_parts():
    """The facility of two robots: force 2 ms, filter 100 Hz, period 4 ms, command 20 ms, servo
    10 Hz critically damped."""
    delay = loop_delay(Chain(0.002, Lag(100.0 * HZ, 1), 0.004, 0.02, Lag(10.0 * HZ, 2, 1.0)))
    assert delay == pytest.approx((0.002, 1.0 / (100.0 * HZ), 0.002, 0.02, 2.0 / (10.0 * HZ)))
    assert delay.total == pytest.approx(0.0574225, abs=1e-7)


def test_the_chain_of_a_robot_has_the_lateness_of_its_loop():
    """A sample every 3 ms, read 7 ms late at multiples of 4 ms: ages (0, 4, 8) - 7 mod 3 = 2, 0, 1
    on average 1 ms."""
    sensor = SensorDescription(bandwidth=60.0, period=0.003, delay=0.007)
    robot = RobotDescription(2, 50.0, 0.7, 0.01, 0.004, sensor)
    model = build(bolted(()), no_probe(), robot, 1e-3)
    parts = loop_delay(chain_of(model, 1e-3))
    assert parts == pytest.approx((0.008, 1.0 / 60.0, 0.002, 0.01, 1.4 / 50.0))
    assert parts.total == pytest.approx(lateness(loop_of(model, 1e-3)), rel=1e-14)


def random_body(rng):
    """A body with a centre of mass off its origin, and with a real inertia."""
    corner = rng.normal(size=(8, 3))
    masses = rng.uniform(1.0, 5.0, 8)
    com = masses @ corner / masses.sum()
    inertia = sum(
        m * (c @ c * np.eye(3) - np.outer(c, c)) for m, c in zip(masses, corner, strict=True)
    )
    return RigidInertia(float(masses.sum()), com, inertia)


def test_an_impulse_between_two_bodies_parts_them_as_their_common_mass_says():
    """Both bodies in one set of axes, wrenches opposite at one point: the rate at which the points
    part, over the impulse, is 1/m."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        first, second = random_body(rng), random_body(rng)
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        points = rng.normal(size=(2, 3))
        parting = 0.0
        for body, point, sign in ((first, points[0], 1.0), (second, points[1], -1.0)):
            wrench = sign * np.concatenate([normal, np.cross(point, normal)])
            v, w = np.split(np.linalg.solve(spatial_inertia(body), wrench), 2)
            parting += sign * normal @ (v + np.cross(w, point))
        mass = contact_mass([(first, points[0], normal), (second, points[1], -normal)])
        assert mass == pytest.approx(1.0 / parting, rel=1e-12)
        assert mass < contact_mass([(first, points[0], normal)])


def test_what_cannot_be_a_contact_is_refused_with_what_was_found():
    with pytest.raises(InputError, match="mass at a contact: found -1"):
        critical_delay(-1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="stiffness of a contact: found -2"):
        critical_delay(1.0, -2.0, 1.0)
    with pytest.raises(InputError, match="damping of a contact: found nan"):
        critical_delay(1.0, 1.0, math.nan)
    with pytest.raises(InputError, match="found no free body"):
        contact_mass([])
