"""Missions whose orbital terms are dropped near the target: how far that leads astray, what is told
of it, and that the ledger closes through it."""

import math

import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError
from proxops.results.ledger import residuals

pytestmark = pytest.mark.slow

A_KM = 6778.137
N = math.sqrt(3.986004418e14 / (A_KM * 1e3) ** 3)
DURATION = 600.0
RADIUS = 3.603  # [m]

MISSION = """
title = "Two boxes near each other in orbit"
collisions = "report"

[time]
duration_s = 600.0
control_rate_hz = 10.0
record_rate_hz = 1.0

[time.phases]
all = {{ until_s = 600.0, step_s = 0.1 }}

[orbit]
attractor = "earth"
semi_major_axis_km = {a_km}
eccentricity = {e}
inclination_deg = 51.6
raan_deg = 20.0
argument_of_periapsis_deg = 10.0
true_anomaly_deg = 30.0
{inside}

[chaser]
mass_kg = 400.0
inertia_kg_m2 = [[60.0, 0.0, 0.0], [0.0, 70.0, 0.0], [0.0, 0.0, 65.0]]
p_HC_m = {p}
v_HC_m_s = {v}
q_NC = [1.0, 0.0, 0.0, 0.0]
w_NC_C_deg_s = [0.1, -0.2, 0.3]

[target]
mass_kg = 2600.0
inertia_kg_m2 = [[1900.0, 30.0, -45.0], [30.0, 4200.0, 20.0], [-45.0, 20.0, 4800.0]]
q_NT = [1.0, 0.0, 0.0, 0.0]
w_NT_T_deg_s = [0.0, 0.0, 0.0]
"""


@pytest.fixture
def fly(tmp_path):
    """Flies a mission from p, v in H, with the terms that are dropped inside a radius."""

    def flown(p, v, inside=None, e=0.0, **changes):
        drop = "" if inside is None else 'inside = {{ radius_m = {}, drop = "{}" }}'.format(*inside)
        file = tmp_path / "mission.toml"
        file.write_text(MISSION.format(a_km=A_KM / (1.0 - e), e=e, inside=drop, p=p, v=v))
        scenario = proxops.load(file)
        return proxops.simulate(scenario.replace(changes) if changes else scenario)

    return flown


def relative(run):
    """Position of the chaser's centre of mass from the target's in H (n, 3) [m]."""
    return run["chaser.p_HCcm"][1] - run["target.p_HTcm"][1]


def switches(run):
    return [event for event in run.events if event.name == "phase-switch"]


# Wide enough that nothing leaves it: the published figures are of the model inside
WIDE = 20.0


def test_dropping_the_tide_costs_what_was_published_at_rest_on_rbar(fly):
    p, v = [-RADIUS, 0.0, 0.0], [0.0, 0.0, 0.0]
    run = fly(p, v, (WIDE, "tide"))
    gap = np.linalg.norm(relative(run)[-1] - relative(fly(p, v))[-1])
    assert gap == pytest.approx(1.818, rel=0.01)
    # In O a straight line at the speed n r; both by linear theory, 1e-6 of the range
    nt, c, s = N * DURATION, math.cos(N * DURATION), math.sin(N * DURATION)
    straight = -RADIUS * np.array([c + nt * s, nt * c - s, 0.0])
    np.testing.assert_allclose(relative(run)[-1], straight, rtol=0.0, atol=1e-6)
    exact = -RADIUS * np.array([4.0 - 3.0 * c, 6.0 * (s - nt), 0.0])
    assert gap == pytest.approx(np.linalg.norm(straight - exact), abs=1e-5)


def test_taking_the_hill_frame_for_inertial_costs_what_was_published_on_vbar(fly):
    p, v = [0.0, -RADIUS, 0.0], [0.0, 0.015, 0.0]
    run = fly(p, v, (WIDE, "frame"))
    gap = np.linalg.norm(relative(run)[-1] - relative(fly(p, v))[-1])
    assert gap == pytest.approx(6.470, rel=0.01)
    straight = np.add(p, np.multiply(v, DURATION))
    np.testing.assert_allclose(relative(run)[-1], straight, rtol=0.0, atol=1e-9)
    # A start inside is told, with the jump that it would have been: n r, 4.1 mm/s
    (event,) = switches(run)
    assert event.t_s == 0.0
    assert f"jumps by {1e3 * N * RADIUS:.4g} mm/s" in event.detail
    assert run.ledger.closed


@pytest.mark.parametrize("e", [0.0, 0.3])
@pytest.mark.parametrize("drop", ["tide", "frame"])
def test_a_passage_in_and_out_closes_its_ledger_and_is_told(fly, drop, e):
    # Past the target within 1.5 m at 30 mm/s
    p, v = [1.5, -6.0, 0.4], [0.0, 0.03, 0.0]
    run = fly(p, v, (RADIUS, drop), e)
    assert run.outcome == "passed"
    assert run.ledger.closed
    # Continuous: no row stands out.  Sources explain every row to rounding, which the position of
    # 10 m and 6000 steps make
    assert max(each.max() for each in residuals(run)) < 1e-12
    into, out = switches(run)
    assert into.detail.startswith(f"inside {RADIUS} m, ")
    assert out.detail.startswith(f"outside {RADIUS} m, all orbital terms: ")
    t, distance = run["chaser.p_HCcm"][0], np.linalg.norm(relative(run), axis=1)
    # A step of 0.1 s late at most, at 30 mm/s
    assert np.interp(into.t_s, t, distance) == pytest.approx(RADIUS, abs=0.004)
    assert np.interp(out.t_s, t, distance) == pytest.approx(RADIUS, abs=0.004)
    inside = (t > into.t_s) & (t < out.t_s)
    tide, switch = run["ledger.work_tide"][1], run["ledger.work_switch"][1]
    assert np.ptp(tide[inside]) == 0.0
    assert np.ptp(tide) > 0.0
    jumps = np.count_nonzero(np.diff(switch))
    assert jumps == (2 if drop == "frame" else 0)
    # What H shows goes on: between rows of a second it moves by its velocity
    step = np.diff(relative(run), axis=0)
    assert np.linalg.norm(step, axis=1).max() < 0.05
    if drop == "frame":
        assert "H taken for inertial" in into.detail
        assert "all turns by" in out.detail
        v_H = (run["chaser.v_HC"][1] - run["target.v_HT"][1])[inside]
        np.testing.assert_allclose(v_H, v_H[:1].repeat(len(v_H), axis=0), rtol=0.0, atol=1e-12)
        # Neither hub turns against H by another rate than before
        w = run["relative.w_CT_C"][1]
        assert np.linalg.norm(np.diff(w, axis=0), axis=1).max() < 1e-4


def test_a_radius_that_is_never_reached_changes_no_bit(fly):
    p, v = [1.5, -6.0, 0.4], [0.0, 0.01, 0.0]
    plain, other = fly(p, v), fly(p, v, (0.5, "frame"))
    assert not switches(other)
    for signal in plain.signals():
        np.testing.assert_array_equal(plain[signal.name][1], other[signal.name][1])
    assert not other["ledger.work_switch"][1].any()


def test_a_switch_that_is_a_step_late_moves_the_end_by_millimetres(fly):
    p, v = [1.5, -6.0, 0.4], [0.0, 0.03, 0.0]
    ends = [
        relative(
            fly(p, v, (RADIUS, "frame"), **{"time.phases.all": {"until_s": 600.0, "step_s": h}})
        )[-1]
        for h in (0.1, 0.05, 0.025)
    ]
    # 0.1 s late, 2 n v = 7e-5 m/s² of Coriolis acceleration, 300 s: 2 mm for each of the switches
    assert np.linalg.norm(ends[0] - ends[2]) < 4e-3


def test_what_cannot_be_switched_says_so(fly):
    with pytest.raises(InputError, match=r"orbit\.inside\.radius_m"):
        fly([5.0, 0.0, 0.0], [0.0, 0.0, 0.0], (0.0, "tide"))
    with pytest.raises(InputError, match=r"orbit\.inside\.drop"):
        fly([5.0, 0.0, 0.0], [0.0, 0.0, 0.0], (3.0, "gravity"))
    inside = {"radius_m": RADIUS, "drop": "tide"}
    touch = proxops.load("envisat-capture").replace({"orbit.inside": inside})
    with pytest.raises(InputError, match=r"orbit\.inside: leave it out"):
        proxops.check(touch, facility="oos-sim")
    with pytest.raises(InputError, match=r"orbit\.inside: leave it out"):
        proxops.rehearse(touch, facility="oos-sim")
    orbit = proxops.load("fly-around").mission.orbit.model_dump() | {"inside": inside}
    with pytest.raises(InputError, match=r"robot: leave out orbit\.inside"):
        proxops.load("flexible-rendered").replace({"orbit": orbit})
