"""The boost of a captured target, as the shipped scenarios fly it."""

import numpy as np
import pytest

import proxops
from proxops.physics.boost import burn, line
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.results.boost import perigee_over_time
from tests.scenarios.flown import flown, group

pytestmark = [group("deorbit-boost"), pytest.mark.slow]

CHASER, TARGET = 1200.0, 8200.0  # [kg]
MASS = CHASER + TARGET
THRUST = 1500.0  # [N], all four engines
TICK = 0.001  # [s]
ORBIT = 7135e3  # [m]


def for_a_while(duration, **changes):
    """The boost's first seconds, recorded at every tick."""
    time = {
        "duration_s": duration,
        "control_rate_hz": 1.0 / TICK,
        "record_rate_hz": 1.0 / TICK,
        "phases": {"boost": {"until_s": duration, "step_s": TICK}},
    }
    given = {"time": time, "requirements": {}} | changes
    return proxops.load("deorbit-boost").replace(given)


def times_of(run, name):
    return [event.t_s for event in run.events if event.name == name]


def of_the_pair(run, quantity):
    """Mean of both bodies, weighted with their masses."""
    chaser, target = run[f"chaser.{quantity}_HC"][1], run[f"target.{quantity}_HT"][1]
    return (CHASER * chaser + TARGET * target) / MASS


def thrust_axis(run):
    """The chaser's x axis in N (n, 3)."""
    w, x, y, z = run["chaser.q_NC"][1].T
    return np.column_stack(
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)]
    )


@pytest.fixture(scope="module")
def boost():
    return flown("deorbit-boost")


@pytest.fixture(scope="module")
def adrift():
    """A boost of 5 s at full thrust, without an orbit, and what comes after it."""
    still = {"orbit": None, "chaser.v_HC_m_s": [0.0, 0.0, 0.0], "obsw.boost.duration_s": 5.0}
    return proxops.simulate(for_a_while(8.0, **still))


@pytest.fixture(scope="module")
def release():
    return proxops.simulate(proxops.load("deorbit-release"))


def test_with_the_rule_the_bodies_stay_together_until_the_boost_ends(boost):
    (end,) = times_of(boost, "boost-ends")
    parted = times_of(boost, "separation")
    assert parted
    assert min(parted) > end
    t, forces = boost["contacts.ring.f_n"]
    pressed = forces.sum(axis=1)[(t >= 0.02) & (t <= end)]  # half a swing after they met
    assert pressed.min() > 0.0
    assert boost.ledger.closed


def test_without_the_rule_they_part_in_every_cycle():
    """Three engines go off at the begin of each cycle: from the second on, since the first begins
    with pads that are not yet compressed."""
    run = proxops.simulate(for_a_while(20.0, **{"obsw.boost.separation_rule": False}))
    parted = np.array(times_of(run, "separation"))
    assert sorted({int(t) for t in parted}) == list(range(1, 20))
    # all within the first swing, half a period of 309 rad/s
    assert np.all(parted % 1.0 < 0.02)
    assert run.ledger.closed


def test_the_boost_lasts_longer_by_exactly_what_being_off_has_cost(adrift):
    """To half a tick of full thrust."""
    (end,) = times_of(adrift, "boost-ends")
    t, each = adrift["chaser.thrusters.thrust"]
    thrust = each[1:].sum(axis=1)  # a row shows the step that ends with it
    half_a_tick = 0.5 * THRUST * TICK
    given = thrust.sum() * TICK
    assert given == pytest.approx(5.0 * THRUST, abs=half_a_tick + 1e-6)
    assert adrift["obsw.boost.impulse"][1][-1] == pytest.approx(given, abs=1e-6)
    lost = (THRUST - thrust[t[1:] <= end + 0.5 * TICK]).sum() * TICK
    assert lost > 0.2 * given
    assert end == pytest.approx(5.0 + lost / THRUST, abs=0.5 * TICK + 1e-9)
    assert adrift.ledger.closed


def test_without_an_orbit_the_pair_gains_the_impulse_over_its_mass(adrift):
    """The thrust turns with the chaser, by less than 0.1 deg/s × 1 ms in a step: 2e-6 of it."""
    thrust = adrift["chaser.thrusters.thrust"][1][1:].sum(axis=1)
    axis = thrust_axis(adrift)
    impulse = TICK * thrust @ (0.5 * (axis[1:] + axis[:-1]))
    v = of_the_pair(adrift, "v")
    np.testing.assert_allclose(v[-1] - v[0], impulse / MASS, rtol=0.0, atol=1e-6)
    along = (v[-1] - v[0]) @ axis[0]
    # it tilts by less than 10 mrad
    assert along == pytest.approx(adrift["obsw.boost.impulse"][1][-1] / MASS, rel=1e-4)


def test_in_orbit_the_pair_gains_the_impulse_over_its_mass_less_the_tide(boost):
    """Braked at an even pace a, the pair falls back by ½at² along the track, where the tide pulls
    it forward by n² a metre: n² a t³/6 in all, 0.057 m/s.  As the field turns, (nt)² of that is
    open, 1e-3 m/s, as is the attitude, off by 0.02 rad on average: 2e-4 of 16 m/s."""
    (end,) = times_of(boost, "boost-ends")
    assert boost["obsw.boost.impulse"][1][-1] == pytest.approx(100.0 * THRUST, abs=0.75)
    delta_v = 100.0 * THRUST / MASS
    tide = EARTH.mu / ORBIT**3 * delta_v * end**2 / 6.0
    t, P = boost["ledger.momentum"]
    last = np.searchsorted(t, end)
    axis = thrust_axis(boost)[0]
    gained = (P[last] - P[0]) @ axis / MASS
    assert gained == pytest.approx(delta_v - tide, abs=1e-3 + 2.5e-4 * delta_v)
    assert tide > 0.05


def test_the_perigee_falls_as_predicted(boost):
    """Below what braking at once by Δv gives, since the thrust keeps the direction that the
    velocity has at first while that turns by Φ = nt = 0.147 rad.  To first order in Δv, at angle φ:

        Δa/a = -2 cos φ Δv/v,   e = -[1 + cos²φ, sin φ cos φ] Δv/v

    Averaged over Φ, a falls by 2 - Φ²/3 and |e| grows by 2 - 13Φ²/48, together short by
    29Φ²/192 = 0.32 %.  Open remain Φ Δv/v = 3e-4 and the attitude's (0.02 rad)², half of it 2e-4.
    """
    (end,) = times_of(boost, "boost-ends")
    R, V = np.array([ORBIT, 0.0, 0.0]), np.array([0.0, np.sqrt(EARTH.mu / ORBIT), 0.0])
    ends = [0, -1]
    t, p, v = boost.rows[ends, 0], of_the_pair(boost, "p")[ends], of_the_pair(boost, "v")[ends]
    first, last = perigee_over_time(EARTH.mu, (R, V), t, p, v)
    p_O, v_O = inertial_from_hill(tuple(R), tuple(V), tuple(p[0]), tuple(v[0]))
    at_once = burn.perigee_after(EARTH.mu, R + p_O, V + v_O, 100.0 * THRUST / MASS)
    turned = end * np.sqrt(EARTH.mu / ORBIT**3)
    assert first - at_once > 60e3
    shortfall = 1.0 - (first - last) / (first - at_once)
    assert shortfall == pytest.approx(29.0 / 192.0 * turned**2, abs=6e-4)


def test_the_released_bodies_part_by_the_closed_form_and_come_together_again(release):
    """The arm's own part in the contact force, 10 N of 1308 N, counts by its square, 6e-5, and by
    10 N that the spring holds in the end; rows every 2 ms miss the apex by 1e-6 of it."""
    contact = line.Line(CHASER, TARGET, 6.0 * 1.6666666666666667e7, 6.0 * 2157.0)
    gap = release["contacts.ring.gap"][1]
    assert gap.max() == pytest.approx(line.gap_left(contact, THRUST, 10.0), rel=0.01)
    parted = times_of(release, "separation")[0]
    met = min(at for at in times_of(release, "touch-down") if at > parted)
    assert met - parted == pytest.approx(line.flight_time(contact, THRUST, 10.0), rel=0.01)
    # at the end the arm alone compresses them: 10 N over 1e8 N/m
    assert release["contacts.ring.f_n"][1][-1].sum() == pytest.approx(10.0, abs=1e-3)
    np.testing.assert_allclose(gap[-1], -1e-7, atol=1e-10)
    apart = release["chaser.v_HC"][1][-1] - release["target.v_HT"][1][-1]
    # the arm's pull moves with the chaser, so what rounding turns it leads sideways: a start moved
    # by 1e-13 m ends with up to 4e-6 m/s, so some roundings of metres, 2e-15 m, with up to 8e-8
    assert np.abs(apart).max() < 1e-7


def test_thrown_apart_and_pulled_together_the_pair_has_the_thrusts_impulse_and_no_other(release):
    """3 s of 1500 N; contact and arm push both bodies alike.  Rounding: 25 000 steps of 4500 N s
    by half an ulp each."""
    P = release["ledger.momentum"][1]
    np.testing.assert_allclose(P[-1] - P[0], [3.0 * THRUST, 0.0, 0.0], atol=1e-7)
    (end,) = times_of(release, "boost-ends")
    t = release.rows[:, 0]
    after = P[t >= end]
    np.testing.assert_allclose(after, np.tile(after[0], (len(after), 1)), atol=1e-7)
    assert release.ledger.closed


def test_a_boost_makes_the_same_bits_again_from_its_own_provenance():
    first = proxops.simulate(for_a_while(5.0))
    again = proxops.simulate(proxops.Scenario.from_dict(first.provenance["scenario"]))
    assert again.hash == first.hash
    assert again.events == first.events
    assert len(first.events) > 100
