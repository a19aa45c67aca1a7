"""A mission flown one control cycle at a time is the mission as a controller flies it."""

import numpy as np
import pytest

import proxops
from proxops.stepping import Stepper

GAIN = 20.0  # N m s/rad


class Damping:
    """Brakes the joints; what a loop of one's own does in the tests."""

    rate_hz = 10.0

    def control(self, measurements, commands):
        commands.joints = -GAIN * measurements.qd


@pytest.fixture(scope="module")
def scenario():
    time = {"duration_s": 2.0, "control_rate_hz": 100.0, "record_rate_hz": 100.0}
    changes = {"time": time | {"phases": {"drift": {"until_s": 2.0, "step_s": 0.01}}}}
    return proxops.load("free-tumble").replace(changes | {"requirements": {}})


def flown(scenario):
    flight = Stepper(scenario, rate_hz=10.0)
    instants = []
    while not flight.over:
        instants.append(flight.t)
        flight.commands.joints = -GAIN * flight.measurements.qd
        flight.step()
    return flight, instants


def test_the_same_commands_give_the_same_bits_as_a_controllers(scenario):
    flight, instants = flown(scenario)
    controlled = proxops.simulate(scenario, controller=Damping())
    np.testing.assert_allclose(instants, np.arange(20) * 0.1, atol=1e-12)
    assert flight.run().outcome == controlled.outcome == "passed"
    assert flight.run().hash == controlled.hash
    assert flight.run().controller.turns == 20


def test_each_cycle_shows_the_truth_of_its_instant(scenario):
    flight = Stepper(scenario, rate_hz=10.0)
    rates = []
    while not flight.over:
        rates.append(np.concatenate([flight.truth.w_NC_C, flight.truth.qd]))
        flight.commands.joints = -GAIN * flight.measurements.qd
        flight.step()
    run = flight.run()
    recorded = np.hstack([run["chaser.w_NC_C"][1], run["chaser.arms.main.qd"][1]])
    np.testing.assert_array_equal(rates, recorded[0:-1:10])
    assert np.ptp(recorded, axis=0).min() > 0.0  # all of it moves


def test_a_flight_may_be_left_before_its_end(scenario):
    flight = Stepper(scenario, rate_hz=10.0)
    for _ in range(5):
        flight.step()
    assert flight.t == pytest.approx(0.5)
    left = flight.run()
    assert left.outcome == "interrupted"
    assert left.rows[-1, 0] < 0.5
    flight.step()  # looking at it has changed nothing
    assert len(flight.run().rows) == len(left.rows) + 10


def test_a_command_of_the_wrong_size_is_reported_as_a_controllers(scenario):
    flight = Stepper(scenario, rate_hz=10.0)
    flight.commands.joints = [1.0, 2.0]
    assert not flight.findings
    with pytest.warns(UserWarning, match=r"joints: shape \(2,\).* keeps its value"):
        flight.step()
    flight.commands.joints = [np.nan] * 7
    with pytest.warns(UserWarning, match="joint main.shoulder_yaw is not finite"):
        flight.step()
    while not flight.over:  # each kind once: a second warning would be an error here
        flight.step()
    kinds = {each.kind for each in flight.run().controller.findings}
    assert kinds == {each.kind for each in flight.findings} == {"wrong-sized", "non-finite"}


def test_the_truth_has_centres_of_mass_and_orbit_that_no_sensor_looks_at():
    flight = Stepper(proxops.load("fly-around"))
    flight.step()
    run = flight.run()
    at = {name: run[name][1][-1] for name in ("chaser.p_HCcm", "chaser.p_HC")}
    arm = np.linalg.norm(at["chaser.p_HCcm"] - at["chaser.p_HC"])
    shown = np.linalg.norm(flight.truth.p_OCcm - flight.truth.p_OC)
    assert shown == pytest.approx(arm, abs=1e-9)
    orbit = proxops.load("fly-around").mission.orbit
    e, nu = orbit.eccentricity, np.radians(orbit.true_anomaly_deg)
    distance = orbit.semi_major_axis_km * 1e3 * (1.0 - e**2) / (1.0 + e * np.cos(nu))
    assert np.linalg.norm(flight.truth.R_NO) == pytest.approx(distance, rel=1e-4)  # of one cycle


def test_a_stepper_shows_itself_and_what_it_has_in_a_line(scenario):
    flight = Stepper(scenario, rate_hz=10.0)
    assert repr(flight) == "Stepper('free-tumble', 0 s of 2 s)"
    assert repr(flight.measurements).startswith("measurements(t = 0, ")
    assert "encoders = 1 samples" in repr(flight.measurements)
    assert repr(flight.commands).startswith("commands(force = [0., 0., 0.], torque = ")
    assert repr(flight.measurements.gyro).startswith("measurements.gyro(t = ")


def test_what_cannot_be_flown_in_steps_is_rejected_in_words(scenario):
    flight, _ = flown(scenario)
    with pytest.raises(proxops.InputError, match="has ended: make a new Stepper"):
        flight.step()
    with pytest.raises(proxops.InputError, match=r"Stepper\(proxops.load\('free-tumble'\)\)"):
        Stepper("free-tumble")
    with pytest.raises(proxops.InputError, match="30 Hz does not divide"):
        Stepper(scenario, rate_hz=30.0)
    with pytest.raises(proxops.InputError, match="remove robot"):
        Stepper(proxops.load("flexible-rendered"))
    assert proxops.stepping.Stepper is Stepper
