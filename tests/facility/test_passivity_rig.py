"""A rendered mass against a wall: when late contact gives energy, how much, and without any."""

import math

import numpy as np
import pytest

from proxops.facility.common.passivity.chain import loop_delay
from proxops.facility.common.passivity.controller import control_of
from proxops.facility.common.passivity.critical_delay import critical_delay, critical_delay_behind
from proxops.facility.rendered import rig
from proxops.facility.rendered.build import RobotDescription, SensorDescription, build, chain_of
from proxops.facility.rendered.mock_up import bolted
from proxops.facility.rendered.rig import Contact, Start, mobility_of, record, swings
from tests.facility.late import late_rebound

SPEED = 0.1  # of a mass that comes flying [m/s]
GRID = [
    (mass, stiffness, zeta)
    for mass, stiffness in ((2.0, 5000.0), (40.0, 1000.0), (4000.0, 2e5))
    for zeta in (0.03, 0.15, 0.5)
]


def chain(robot, contact, step):
    return chain_of(build(bolted(()), rig.wall_of(contact), robot, step), step)


def mean_swing(contact, robot, step):
    """Growth of the logarithm of energy in a swing, after other motion has died away."""
    frequency = critical_delay(contact.mass, contact.stiffness, contact.damping).frequency
    kick = -0.02 * contact.press / contact.stiffness * frequency
    begin = Start(0.0, kick, 13.0 * 2.0 * math.pi / frequency, step)
    given = swings(record(contact, robot, begin), contact)
    return float(np.mean(np.log1p(given[5:11])))


def onset(contact, robot_with, steps, step):
    """Command delay at which swings neither grow nor die, from one shorter and one longer run; the
    logarithm goes nearly along a line."""
    low, high = round(0.93 * steps), round(1.07 * steps)
    below, above = (mean_swing(contact, robot_with(n * step), step) for n in (low, high))
    assert below < 0.0 < above
    return (low + (high - low) * below / (below - above)) * step


@pytest.mark.parametrize(("mass", "stiffness", "zeta"), GRID)
def test_energy_is_given_from_the_critical_delay_on(mass, stiffness, zeta):
    """Five percent are asked for; what is left comes from the curve between the two runs."""
    damping = 2.0 * zeta * math.sqrt(stiffness * mass)
    contact = Contact(mass, stiffness, damping, press=1.0)
    predicted = critical_delay(mass, stiffness, damping).delay
    step = predicted / 60.5  # half a step is the hold
    found = onset(contact, lambda delay: RobotDescription(delay=delay), 60, step) + 0.5 * step
    assert found == pytest.approx(predicted, rel=5e-3)


@pytest.mark.parametrize(("mass", "stiffness", "zeta"), GRID[::2])
def test_every_part_of_the_loop_counts_with_its_lags_as_they_are(mass, stiffness, zeta):
    """Half of the critical delay is made of filter, sensor, control period and servo.  The
    whole equation tells the rest, and lags so short hardly differ from delays: five percent are
    asked for."""
    damping = 2.0 * zeta * math.sqrt(stiffness * mass)
    contact = Contact(mass, stiffness, damping, press=1.0)
    whole = critical_delay(mass, stiffness, damping).delay
    step = whole / 120.0

    def robot_with(delay):
        sensor = SensorDescription(10.0 / whole, 6 * step, 9 * step)
        return RobotDescription(2, 16.0 / whole, 0.8, delay, 12 * step, sensor)

    fixed = chain(robot_with(0.0), contact, step)
    exact = critical_delay_behind(fixed.loop.lags, mass, stiffness, damping).delay
    found = onset(contact, robot_with, round((exact - fixed.loop.delay) / step), step)
    assert found + fixed.loop.delay == pytest.approx(exact, rel=5e-3)
    assert found + loop_delay(fixed).total == pytest.approx(whole, rel=0.01)


def test_a_loop_that_is_mostly_lag_bears_more_than_its_delay_tells():
    """A servo alone that is as late as the critical delay, well damped: taken as a delay it would
    stand on the verge, but as it takes amplitude too it bears a fifth of that in addition."""
    mass, stiffness, damping = 10.0, 1000.0, 100.0
    contact = Contact(mass, stiffness, damping, press=1.0)
    whole = critical_delay(mass, stiffness, damping).delay
    step = whole / 240.0

    def robot_with(delay):
        return RobotDescription(1, 1.0 / whole, delay=delay)

    fixed = chain(robot_with(0.0), contact, step).loop
    exact = critical_delay_behind(fixed.lags, mass, stiffness, damping).delay
    assert exact > 0.2 * whole
    found = onset(contact, robot_with, round((exact - fixed.delay) / step), step)
    assert found + fixed.delay == pytest.approx(exact, abs=0.005 * whole)


def test_the_method_of_steps_tends_to_the_rebound_without_delay():
    """e = exp(-2ζ acos ζ/√(1 - ζ²)) of a damper that does not pull; a short delay adds what the
    force gives while it is late, to first order."""
    zeta = 0.1
    contact = Contact(10.0, 1000.0, 2.0 * zeta * math.sqrt(1e4))
    ideal = math.exp(-2.0 * zeta * math.acos(zeta) / math.sqrt(1.0 - zeta**2))
    errors = [late_rebound(contact[:3], tau) - ideal for tau in (0.008, 0.004)]
    assert 0.0 < errors[1] < 0.06
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.1)


def rebound(contact, robot, step, control=None):
    duration = 0.02 / SPEED + 6.0 * math.pi * math.sqrt(contact.mass / contact.stiffness)
    rows = record(contact, robot, Start(0.02, -SPEED, duration, step), control)
    return rows[-1, rig.V] / SPEED, rows


STEP = 2.5e-4
SENSOR = SensorDescription(bandwidth=1000.0, period=1e-3, delay=2e-3)
ROBOTS = [
    RobotDescription(delay=0.01),
    RobotDescription(delay=0.04),
    RobotDescription(control_period=4e-3, sensor=SensorDescription(delay=0.02)),
    RobotDescription(delay=0.02, control_period=2e-3, sensor=SENSOR),
    RobotDescription(1, 300.0, delay=0.02, control_period=2e-3, sensor=SENSOR),
    RobotDescription(2, 400.0, 1.0, delay=0.02, control_period=1e-3, sensor=SENSOR),
]


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("contact", [Contact(10.0, 1000.0, 20.0), Contact(60.0, 4000.0, 50.0)])
def test_the_rebound_is_that_of_the_delay_differential_equation(robot, contact):
    """Two percent are asked for, with hold, filter and servo counted as delays."""
    seen, _ = rebound(contact, robot, STEP)
    expected = late_rebound(contact[:3], loop_delay(chain(robot, contact, STEP)).total)
    assert seen == pytest.approx(expected, rel=0.02)


def test_what_the_contact_gives_is_what_the_mass_gets():
    """Booked from force and velocity at every step, against the change of kinetic energy: to
    rounding, since held force and linear velocity make the booking exact."""
    contact = Contact(10.0, 1000.0, 20.0)
    _, rows = rebound(contact, ROBOTS[4], STEP)
    kinetic = 0.5 * contact.mass * (rows[:, rig.V] ** 2 - SPEED**2)
    assert np.abs(rows[:, rig.CONTACT] - kinetic).max() < 1e-13


def test_the_energy_that_a_facility_adds_goes_to_zero_with_its_step():
    """An ideal robot's only fault is the hold, half a step late, and it is of first order; a late
    one adds nearly what the delay makes of the rebound."""
    contact = Contact(10.0, 1000.0, 20.0)
    added = [
        rebound(contact, RobotDescription(), h, None)[1][-1, rig.FACILITY] for h in (5e-4, 2.5e-4)
    ]
    assert 0.0 < added[1] < 2e-4
    assert added[1] == pytest.approx(0.5 * added[0], rel=0.05)
    _, late = rebound(contact, RobotDescription(delay=0.03), 2.5e-4)
    assert late[-1, rig.FACILITY] > 100.0 * added[1]


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("yields", [False, True])
def test_with_control_the_contact_never_gives_energy(robot, yields):
    """At every sample, to the rounding of a sum of some 1000 terms of at most 0.05 J; without
    control most of these robots do give some."""
    contact = Contact(10.0, 1000.0, 5.0)
    free, rows = rebound(contact, robot, STEP)
    assert (rows[:, rig.CONTACT].max() > 1e-3) == (free > 1.01)
    late = loop_delay(chain(robot, contact, STEP)).total
    mobility = mobility_of(contact.mass)
    control = control_of(mobility, scales=True, yields=yields, lateness=late)
    kept, rows = rebound(contact, robot, STEP, control)
    assert rows[:, rig.CONTACT].max() < 1e-15
    assert kept < 1.0 + 1e-12
    drift = rows[-1, rig.DRIFT]
    assert (0.0 < drift < 0.03) if yields else drift == 0.0


def test_giving_way_restores_the_rebound_that_the_delay_has_spoilt():
    """20 ms late, an oscillation of 10 rad/s comes back with 1.03 instead of 0.75 of its speed; the
    control brings it back to within 0.03, for a drift of below 10 mm."""
    contact = Contact(10.0, 1000.0, 20.0)
    robot = RobotDescription(delay=0.02)
    ideal, _ = rebound(contact, RobotDescription(), STEP)
    late, _ = rebound(contact, robot, STEP)
    control = control_of(mobility_of(contact.mass), yields=True, lateness=0.02)
    restored, rows = rebound(contact, robot, STEP, control)
    assert late - ideal > 0.25
    assert abs(restored - ideal) < 0.03
    assert 1e-3 < rows[-1, rig.DRIFT] < 0.01
    # apart from its delay, with which it did not begin, the mock-up stands off its model by that
    delayed = rows[-1, rig.X] - 0.02 * (rows[-1, rig.V] + SPEED)
    assert rows[-1, rig.X_REAL] - delayed == pytest.approx(rows[-1, rig.DRIFT])


def test_a_pressed_contact_gives_no_more_than_it_had_stored():
    """At twice the critical delay swings grow without bound, until the mass leaves the wall; with
    control the contact gives at most the energy that the press has put into its spring."""
    contact = Contact(10.0, 1000.0, 20.0, press=1.0)
    stored = 0.5 * contact.press**2 / contact.stiffness
    robot = RobotDescription(delay=0.04)
    begin = Start(0.0, -0.001, 12.0, STEP)
    free = record(contact, robot, begin)
    assert free[:, rig.CONTACT].max() > 10.0 * stored
    control = control_of(mobility_of(contact.mass), scales=True, stored=stored)
    kept = record(contact, robot, begin, control)
    assert kept[:, rig.CONTACT].max() < stored * (1.0 + 1e-12)
