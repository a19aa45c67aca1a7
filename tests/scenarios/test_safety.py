"""Zones, drifts and delta-v as a run records them, against what the run itself then does."""

import math
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.core.errors import InputError
from proxops.results.boost import mass_of

DRIFT = Path(__file__).parents[2] / "examples" / "drift.toml"
BURN = 600.0  # [s]


@pytest.fixture(scope="module")
def run():
    return proxops.simulate(proxops.load(DRIFT))


def test_a_drift_towards_the_target_fails_before_anything_has_happened(run):
    status = {item.name: item.status for item in run.requirements}
    assert status == {
        "outside": "passed",
        "passively_safe": "failed",
        "safe_after_the_burn": "passed",
        "delta_v": "passed",
    }
    assert run.outcome == "failed"
    # an hour before it would have been there
    _t, when = run["safety.drift_time"]
    assert when[0] > 3600.0
    assert when[-1] < when[0]


def test_zones_are_measured_between_centres_of_mass_in_the_hill_frame(run):
    """Numbers that the same rows hold otherwise; 1e-9 m of 200 m is rounding in O and H."""
    r = run["chaser.p_HCcm"][1] - run["target.p_HTcm"][1]
    np.testing.assert_allclose(run["relative.p_TcmCcm_H"][1], r, atol=1e-9)
    distance = np.linalg.norm(r, axis=1)
    np.testing.assert_allclose(run["safety.keep_out_distance"][1], distance - 50.0, atol=1e-9)
    # In front of the corridor's flat end, or beside its mantle of 15 deg from the target on
    s, rho = -r[:, 1], np.hypot(r[:, 0], r[:, 2])
    before = (s > 150.0) & (rho < 150.0 * np.tan(np.radians(15.0)))
    margin = run["safety.corridor_margin"][1]
    assert before.any()
    np.testing.assert_allclose(margin[before], 150.0 - s[before], atol=1e-9)
    zone = np.maximum(margin, distance - 50.0)
    np.testing.assert_allclose(run["safety.zone_margin"][1], zone, rtol=1e-14)
    outside = ((r[1:] / (100.0, 200.0, 100.0)) ** 2).sum(axis=1) > 1.0  # it begins on the surface
    ellipsoid = run["safety.ellipsoid_distance"][1]
    np.testing.assert_array_equal(ellipsoid[1:] > 0.0, outside)


def test_the_velocity_in_the_hill_frame_is_the_derivative_of_the_position_there(run):
    """Central differences over 2 s of a motion with n = 1.1e-3/s: (n h)²/6 = 2e-7 of its 0.13 m/s;
    rounding of 1e-9 m over 2 s."""
    t, r = run["relative.p_TcmCcm_H"]
    v = run["relative.v_TcmCcm_H"][1]
    coasting = (t[1:-1] < BURN - 2.0) | (t[1:-1] > BURN + 10.0)
    slope = (r[2:] - r[:-2]) / 2.0
    np.testing.assert_allclose(v[1:-1][coasting], slope[coasting], atol=5e-8)


def test_a_free_drift_does_what_was_foretold_of_it():
    """Two revolutions without the burn: the least distance that comes is the one that every row
    before it has foretold, and its time stays where it is: to 1e-4 m, with which the search ends;
    the integration in steps of 1 s is far better."""
    scenario = proxops.load(DRIFT).replace(
        {
            "obsw.boost.from_s": 12000.0,
            "chaser.v_HC_m_s": [0.0, -0.010, 0.0],
            "time.duration_s": 12000.0,
            "time.control_rate_hz": 1.0,
            "time.record_rate_hz": 0.1,
            "time.phases": {"drift": {"until_s": 12000.0, "step_s": 1.0}},
            "requirements": {},
        }
    )
    run = proxops.simulate(scenario)
    t, r = run["relative.p_TcmCcm_H"]
    distance = np.linalg.norm(r, axis=1)
    nearest = distance.argmin()
    foretold, when = run["safety.drift_distance"][1], run["safety.drift_time"][1]
    before = t < t[nearest] - 20.0
    assert before.sum() > 500
    np.testing.assert_allclose(foretold[before], foretold[0], atol=1e-4)
    np.testing.assert_allclose((t + when)[before], when[0], atol=0.1)
    # rows are 10 s apart: the nearest one has d² = d_min² + (v τ)², |τ| at most 5 s
    v = np.linalg.norm(run["relative.v_TcmCcm_H"][1][nearest])
    late = t[nearest] - when[0]
    assert abs(late) <= 5.0
    assert distance[nearest] == pytest.approx(np.hypot(foretold[0], v * late), abs=1e-3)


def test_an_arm_that_moves_does_not_change_what_a_drift_leads_to():
    """The arm swings the hub by centimetres; the centre of mass falls on.  What a drift leads to
    changes by the tide on the links alone, far below the 1e-4 m with which the search ends."""
    scenario = proxops.load("fly-around").replace(
        {
            "zones": {"keep_out_m": 20.0},
            "time.duration_s": 100.0,
            "time.phases": {"inspect": {"until_s": 100.0, "step_s": 0.02}},
            "obsw.joints.main.waypoints": [
                {"t_s": 90.0, "q_deg": [40.0, 30.0, 0.0, 60.0, 0.0, 45.0, 0.0]}
            ],
            "requirements": {},
        }
    )
    run = proxops.simulate(scenario)
    hub = run["chaser.p_HCcm"][1] - run["chaser.p_HC"][1]
    assert np.ptp(hub, axis=0).max() > 1e-3
    assert np.ptp(run["safety.drift_distance"][1]) < 1e-4


def test_delta_v_is_the_impulse_of_all_thrusters_by_the_mass_of_the_chaser(run):
    """Two of 1 N for 8 s on 400 kg, exactly; and the change of velocity is as large."""
    impulse, delta_v = run["chaser.thrusters.impulse"][1], run["chaser.delta_v"][1]
    t = run["chaser.delta_v"][0]
    assert impulse[-1] == pytest.approx([8.0, 8.0], rel=1e-12)
    assert delta_v[-1] == pytest.approx(0.04, rel=1e-12)
    assert (delta_v[t <= BURN] == 0.0).all()
    assert (np.diff(delta_v) >= 0.0).all()
    # in between rows of 1 s the tide changes the velocity by some 1e-4 m/s
    v = run["relative.v_TcmCcm_H"][1]
    first, last = np.searchsorted(t, (BURN, BURN + 8.0))
    assert v[last, 1] - v[first, 1] == pytest.approx(0.04, abs=1e-3)


def test_delta_v_counts_the_mass_of_arms_and_does_not_depend_on_the_record_rate():
    light = proxops.load(DRIFT).replace({"requirements": {}})
    arm = {"urdf": "light-arm", "p_CA_m": [0.5, 0.0, 0.0], "q_deg": [0.0] * 7}
    heavy = light.replace(
        {
            "chaser.arms": {"main": arm},
            "time.record_rate_hz": 10.0,
            "time.phases.drift.step_s": 0.05,
        }
    )
    mass = mass_of(describe(heavy)[0])
    assert mass > 405.0
    assert proxops.simulate(heavy)["chaser.delta_v"][1][-1] == pytest.approx(16.0 / mass, rel=1e-12)


def test_zones_without_an_orbit_are_rejected_in_words():
    zones = {"zones": {"keep_out_m": 50.0}}
    with pytest.raises(InputError, match=r"zones: add an \[orbit\]: zones lie along"):
        proxops.load("free-tumble").replace(zones)


def test_a_mission_without_zones_records_none():
    scenario = proxops.load(DRIFT).replace({"zones": None, "requirements": {}})
    names = {signal.name for signal in proxops.simulate(scenario).signals()}
    assert not any(name.startswith(("safety.", "relative.p_Tcm")) for name in names)
    assert {"chaser.delta_v", "chaser.thrusters.impulse"} <= names


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({}, set()),
        ({"chaser.v_HC_m_s": [0.0, 0.26, 0.0]}, {"keeps_the_speed_limit"}),
        ({"chaser.q_NC": [0.99999, 0.0, 0.0, 0.00447]}, {"holds_its_attitude"}),  # 0.5 deg
        ({"chaser.w_NC_C_deg_s": [0.03, 0.0, 0.0663]}, {"holds_without_turning"}),
    ],
)
def test_limits_of_the_approach_are_judged_on_the_truth(changes, broken):
    """At 100 m the speed limit is 0.25 m/s."""
    scenario = proxops.load("approach-1km")
    names = ("keeps_the_speed_limit", "holds_its_attitude", "holds_without_turning")
    demands = {
        name: scenario.mission.requirements[name].model_dump(exclude_unset=True) | {"during": None}
        for name in names
    }
    short = {
        "time.duration_s": 3.0,
        "time.record_rate_hz": 5.0,
        "chaser.p_HC_m": [0.0, -100.0, 0.0],
        "obsw.plan": {"legs": {"coast": {"does": "rest"}}},
        "dispersions": None,
        "requirements": demands,
    }
    run = proxops.simulate(scenario.replace(short | changes))
    assert {each.name for each in run.requirements if not each.passed} == broken


def burning(q_HC, seconds, burns, distance=50.0):
    """A run at rest 20 m behind the target in which a user's boost burns some thrusters for two
    seconds."""
    boost = {"engines": burns, "from_s": 0.0, "duration_s": 2.0, "modulation": "none"}
    return proxops.simulate(
        proxops.load("approach-1km").replace(
            {
                "time.duration_s": seconds,
                "time.record_rate_hz": 1.0,
                "chaser.p_HC_m": [0.0, -20.0, 0.0],
                "chaser.q_NC": q_HC,
                "zones.plume_distance_m": distance,
                "obsw.boost": boost,
                "obsw.plan": {"legs": {"push": {"does": "run", "runs": ["boost"]}}},
                "dispersions": None,
                "requirements": None,
            }
        )
    )


HALF = math.sqrt(0.5)


@pytest.mark.parametrize(
    ("q_HC", "burns", "distance", "at_target"),
    [
        ([1.0, 0.0, 0.0, 0.0], ["minus_y_a", "minus_y_b"], 50.0, 0),  # canted by 37 deg
        ([HALF, 0.0, 0.0, -HALF], ["plus_x_a", "plus_x_b"], 50.0, 2),  # +x of C on -y of H
        ([HALF, 0.0, 0.0, -HALF], ["plus_x_a", "plus_x_b"], 19.0, 0),  # too far to matter
        # canted by 37 deg, and now turned by 30 about x: 7 and 67 deg off
        ([math.cos(math.pi / 12), math.sin(math.pi / 12), 0.0, 0.0],
         ["minus_y_a", "minus_y_b"], 50.0, 1),
    ],
)  # fmt: skip
def test_a_plume_that_meets_the_target_is_booked_with_its_impulse(q_HC, burns, distance, at_target):
    """So many of two thrusters of 1 N that burn alike; rows are a second apart."""
    run = burning(q_HC, 4.0, burns, distance)
    impulse = run["chaser.thrusters.impulse"][1][-1]
    names = list(proxops.load("approach-1km").mission.chaser.thrusters)
    own = impulse[names.index(burns[0])]
    assert 1.5 < own < 2.5
    assert run["safety.plume_impulse"][1].sum() == pytest.approx(at_target * own, abs=1e-9)
    shares = run["safety.thrust_share"][1]
    np.testing.assert_allclose(shares.sum(axis=0), impulse, atol=1e-9)
    assert shares.max() == pytest.approx(1.0, abs=1e-9)
