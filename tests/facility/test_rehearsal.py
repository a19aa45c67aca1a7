"""A mission on a facility that follows exactly is the mission in orbit."""

from functools import cache

import numpy as np
import pytest

import proxops
from proxops.assembly.facility import load_facility
from proxops.rehearsal import on_facility
from proxops.results.fidelity import compare
from tests.data.wheels import WHEEL

# Envisat's orbit; with all angles zero, H has the axes of N at the start
ORBIT = {
    "attractor": "earth",
    "semi_major_axis_km": 7144.0,
    "eccentricity": 0.0,
    "inclination_deg": 0.0,
    "raan_deg": 0.0,
    "argument_of_periapsis_deg": 0.0,
    "true_anomaly_deg": 0.0,
}
# Its solar array, assumed: 300 kg, 14 m, 0.07 Hz; hub and grapple are then those without it
ARRAY = {
    "kind": "beam",
    "mass_kg": 300.0,
    "length_m": 14.0,
    "EI_N_m2": 12881.0,
    "damping_ratio": 0.005,
    "shapes": 2,
    "axes": "yz",
    "p_TB_m": [4.438371, 0.0, 0.0],
}
WITH_ARRAY = {
    "target.mass_kg": 7527.867,
    "target.inertia_kg_m2": [
        [17023.3, -2171.4, -397.1],
        [-2171.4, 86465.6, -344.2],
        [-397.1, -344.2, 82179.1],
    ],
    "target.grapple.p_TG_m": [-2.461629, 0.0, 0.0],
    "contacts.tip.face.p_m": [-2.461629, 0.0, 0.0],
    "target.appendages": {"array": ARRAY},
}


def mission(step, *, orbit=False, flexible=False):
    """The touch, begun 4 mm before it, until the tip has left again or 1.2 s are over."""
    time = {
        "duration_s": 1.2,
        "control_rate_hz": 250.0,
        "record_rate_hz": 250.0,
        "phases": {"touch": {"until_s": 1.2, "step_s": step}},
    }
    changes = {
        "time": time,
        "chaser.p_HC_m": [-4.975, 0.0, 0.0],
        "chaser.v_HC_m_s": [0.05, 0.0, -0.0868],
        "obsw.joints.main.waypoints.0.t_s": 1.0,
    }
    if orbit:
        changes["orbit"] = ORBIT
    if flexible:
        changes |= WITH_ARRAY
    return proxops.load("touch").replace(changes)


@cache
def in_orbit(step, orbit, flexible):
    return proxops.simulate(mission(step, orbit=orbit, flexible=flexible))


@cache
def rehearsed(step, orbit, flexible, representation="relative", facility="ideal"):
    scenario = mission(step, orbit=orbit, flexible=flexible)
    return on_facility(scenario, load_facility(facility), representation).run()


def apart(step, *how):
    """Largest difference of the end effector at the grapple [m]."""
    rows = compare(in_orbit(step, *how), rehearsed(step, *how))
    return {row.name: row for row in rows}["end effector at grapple"].largest


@pytest.mark.parametrize("orbit", [False, True])
@pytest.mark.parametrize("flexible", [False, True])
def test_through_contact_the_ideal_facility_is_the_orbit_to_a_tenth_of_a_millimetre(
    orbit, flexible
):
    run = in_orbit(0.001, orbit, flexible)
    assert {"touch-down", "lift-off"} & {event.name for event in run.events}
    assert np.abs(run["contacts.tip.f"][1]).max() > 10.0
    assert apart(0.001, orbit, flexible) < 1e-4
    assert rehearsed(0.001, orbit, flexible).ledger.closed


@pytest.mark.parametrize("orbit", [False, True])
def test_ideal_carriers_are_seen_as_the_plant_flies_and_perfect_sensors_agree(orbit):
    """Both sensors weigh what they carry, 55 N of contact come on top: all to rounding."""
    run = rehearsed(0.001, orbit, False)
    for name in ("p_CT", "q_CT"):
        assert np.abs(run[f"lab.measured.{name}"][1] - run[f"relative.{name}"][1]).max() < 1e-12
    # speeds of the base are commanded before the arm has been measured: second order in the step
    assert np.abs(run["lab.measured.w_CT_C"][1] - run["relative.w_CT_C"][1]).max() < 1e-6
    assert np.abs(run["lab.measured_wrench"][1]).max() > 10.0
    assert np.abs(run["lab.mismatch"][1]).max() < 1e-11


@pytest.mark.parametrize("flexible", [False, True])
def test_the_difference_goes_with_the_control_period(flexible):
    # What is felt acts on the models one step late: first order.
    errors = [apart(step, False, flexible) for step in (0.004, 0.002, 0.001)]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.35)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.25)


def test_wheels_turn_in_a_rehearsal_as_in_orbit():
    """Gyroscopic torques of 17 N m s on a hub that the arm's motion turns; friction slows them."""
    scenario = mission(0.001).replace({"chaser.wheels": {"one": WHEEL}})
    orbit = proxops.simulate(scenario)
    run = on_facility(scenario, load_facility("ideal"), "relative").run()
    rows = {row.name: row for row in compare(orbit, run)}
    assert rows["end effector at grapple"].largest < 1e-4  # as without wheels
    assert run.ledger.closed
    _, there = orbit["chaser.wheels.one.speed"]
    _, here = run["chaser.wheels.one.speed"]
    assert np.ptp(there) > 1.0
    # Ω + a·w is the same in both, so speeds differ by no more than the hub's turn
    turns = np.abs(run["chaser.w_NC_C"][1] - orbit["chaser.w_NC_C"][1]).max()
    assert np.abs(here - there).max() < 1e-6 + 2.0 * turns


@pytest.mark.parametrize("representation", ["absolute", "target-fixed"])
def test_every_representation_shows_the_same_mission(representation):
    orbit = in_orbit(0.001, False, False)
    run = rehearsed(0.001, False, False, representation)
    assert max(row.largest for row in compare(orbit, run) if row.unit == "m") < 2e-4
    # but the lab sees it differently: the target moves, or stands
    _, p = run["lab.p_LTl"]
    _, q = run["lab.q_LTl"]
    turned = np.linalg.norm(q - q[0], axis=1).max()
    if representation == "absolute":  # 1.2 deg
        assert turned == pytest.approx(2.0 * np.sin(0.25 * np.radians(1.2)), rel=0.01)
    else:
        assert turned < 1e-12
        assert np.ptp(p, axis=0).max() < 1e-12


def test_robots_are_late_by_their_delay_and_lag():
    run = rehearsed(0.001, False, False, "relative", "oos-sim")
    row = compare(in_orbit(0.001, False, False), run)[-1]
    assert row.name == "mock-ups against models"
    # 20 ms and 2 Z/Ω = 31.8 ms; the mission is short against them
    assert row.late_s == pytest.approx(0.0518, abs=0.003)
    assert run.ledger.closed
    assert "stopped" not in {event.name for event in run.events}
