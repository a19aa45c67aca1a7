"""Sensors that a scenario may have, and those that it may not."""

import math
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import ValidationError
from tests.unit.sensor_cases import IDEAL

from proxops import InputError
from proxops.assembly.sensors import describe_sensors
from proxops.core.clock import FOREVER
from proxops.scenario.problems import explain, raise_problems
from proxops.scenario.schema import Grapple, Time
from proxops.scenario.schema.sensors import Sensors, fit_problems
from proxops.sensors.sampling import PERIOD
from proxops.sensors.sensor import Chaser, build
from proxops.sensors.shipped import SHIPPED

DOCS = Path(__file__).parents[2] / "docs"
TIME = {
    "duration_s": 60.0,
    "control_rate_hz": 1000.0,
    "record_rate_hz": 10.0,
    "phases": {"all": {"until_s": 60.0, "step_s": 0.001}},
}


def read(document):
    """The section, or its faults as a user gets them."""
    try:
        return Sensors.model_validate(document)
    except ValidationError as error:
        raise_problems("sensors", explain(error, document, Sensors))
        raise


def described(given, grapple=None):
    """The sensors in SI units."""
    target = SimpleNamespace(grapple=Grapple() if grapple is None else grapple)
    return describe_sensors(SimpleNamespace(sensors=given, target=target))


def built(given):
    """Parameters and memory of each sensor, of a chaser with seven joints and three thrusters."""
    chaser, found = Chaser(7, 3), described(given)
    return {
        each.name: build(
            each, found[each.name], chaser, 1_000_000,
            np.zeros(each.draws(chaser)), np.zeros((1, 1 + each.draws(chaser))),
        )
        for each in SHIPPED
    }  # fmt: skip


@pytest.fixture(scope="module")
def documented():
    """The sensors of the documentation."""
    block = re.search(r"```toml\n(.*?)```", (DOCS / "sensors.md").read_text(), re.DOTALL)
    return read(tomllib.loads(block[1])["sensors"])


def test_what_is_not_given_is_ideal():
    assert described(Sensors()) == IDEAL
    assert fit_problems(Sensors(), Time.model_validate(TIME)) == []


def test_the_documented_sensors_are_what_their_keys_say(documented):
    grapple = Grapple(p_TG_m=(0.1, -3.5, 0.2), q_TG=(0.0, 0.0, 1.0, 0.0))
    found = SimpleNamespace(**described(documented, grapple))
    arcsec = math.pi / 648000.0
    tracker, gyro, camera, wrist = found.star_tracker, found.gyro, found.camera, found.wrist
    np.testing.assert_allclose(tracker.noise, np.array([15.0, 15.0, 60.0]) * arcsec, rtol=1e-14)
    assert (tracker.timing.period, tracker.timing.delay) == (0.1, 0.1)
    assert tracker.fastest == pytest.approx(math.radians(10.0), rel=1e-14)
    assert gyro.noise == pytest.approx(math.radians(0.05) / 60.0, rel=1e-14)
    np.testing.assert_allclose(gyro.bias_sigma, math.radians(1.0) / 3600.0, rtol=1e-14)
    assert gyro.walk == pytest.approx(math.radians(0.5) / 3600.0 / 60.0, rel=1e-14)
    assert camera.X_CK[:3] == (0.8, 0.0, 0.4)
    assert camera.X_TG == (0.1, -3.5, 0.2, 0.0, 0.0, 1.0, 0.0)
    assert (camera.noise, camera.noise_per_range) == (0.002, 0.001)
    assert camera.angle_noise == pytest.approx(math.radians(0.1), rel=1e-14)
    assert camera.half_view == pytest.approx(math.radians(30.0), rel=1e-14)
    assert (camera.nearest, camera.farthest) == (0.2, 20.0)
    assert (camera.timing.loss_probability, camera.timing.burst_probability) == (0.01, 0.8)
    assert camera.timing.dropouts == ((20.0, 23.0),)
    assert wrist.corner == pytest.approx(2.0 * math.pi * 100.0, rel=1e-14)
    assert wrist.noise == (0.2, 0.2, 0.2, 0.02, 0.02, 0.02)
    assert wrist.spikes == (((33.0, 33.005), (0.0, 0.0, 400.0, 0.0, 0.0, 0.0)),)
    assert found.encoders.resolution == 1e-6
    assert (found.telemetry.timing.delay, found.telemetry.noise) == (0.01, 0.2)
    assert found.encoders.corner == pytest.approx(2.0 * math.pi * 50.0, rel=1e-14)


def test_the_documented_sensors_fit_a_kilohertz_and_can_be_built(documented):
    time = Time.model_validate(TIME)
    assert fit_problems(documented, time) == []
    made = built(documented)
    assert [int(params.timing[PERIOD]) for params, _ in made.values()] == [
        100_000_000, 10_000_000, 100_000_000, 1_000_000, 0, 10_000_000,
    ]  # fmt: skip
    rows = {name: len(memory.times) for name, (_, memory) in made.items()}
    assert rows["star_tracker"] == 2  # one arrives as the next is exposed
    assert max(rows.values()) == 2


def test_a_window_without_an_end_never_ends():
    given = read({"gyro": {"frozen": [{"from_s": 5.0}]}})
    params, _ = built(given)["gyro"]
    np.testing.assert_array_equal(params.windows, [[5_000_000_000, FOREVER]])


@pytest.mark.parametrize(
    ("sensor", "keys", "says"),
    [
        ("gyro", {"noise_deg_rt_h": 0.1}, "noise_deg_rt_h: is per root of time; give rate_hz too"),
        ("gyro", {"bias_walk_deg_h_rt_h": 0.1}, "bias_walk_deg_h_rt_h: is per root of time"),
        ("gyro", {"rate_hz": 0.0}, "gyro.rate_hz: must be greater than or equal to 0.000000001"),
        ("gyro", {"frozen": [{"until_s": 1e12}]}, "until_s: must be less than or equal to 1000000"),
        ("gyro", {"delay_s": 11.0}, "gyro.delay_s: must be less than or equal to 10"),
        ("gyro", {"bias_deg_h": [1.0]}, "gyro.bias_deg_h: too few numbers"),
        ("star_tracker", {"noise_roll_arcsec": -1.0}, "noise_roll_arcsec: must be greater than"),
        ("star_tracker", {"q_CS": [1.0, 1.0, 0.0, 0.0]}, "q_CS: must have norm 1"),
        (
            "camera",
            {"loss_probability": 1.2},
            "camera.loss_probability: must be less than or equal to 1",
        ),
        ("camera", {"half_view": 30.0}, "unknown key; did you mean 'half_view_deg'?"),
        ("camera", {"nearest_m": 2.0, "farthest_m": 1.0}, "1 m is not beyond nearest_m = 2 m"),
        (
            "camera",
            {"dropouts": [{"from_s": 3.0, "until_s": 3.0}]},
            "camera.dropouts.0.until_s: 3 s is not after from_s = 3 s",
        ),
        ("wrist", {"spikes": [{"force_N": [math.inf, 0.0, 0.0]}]}, "must be a finite number"),
        ("encoders", {"resolution": -1e-5}, "encoders.resolution: must be greater than or equal"),
    ],
)
def test_what_no_sensor_can_be_is_refused_with_its_place(sensor, keys, says):
    with pytest.raises(InputError, match=re.escape(says)):
        read({sensor: keys})


@pytest.mark.parametrize(
    ("sensor", "keys", "says"),
    [
        ("camera", {"rate_hz": 400.0}, "400 Hz does not divide time.control_rate_hz, 1000 Hz"),
        ("camera", {"rate_hz": 30.0}, "30 Hz does not divide time.control_rate_hz, 1000 Hz"),
        ("wrist", {"rate_hz": 2000.0}, "2000 Hz does not divide time.control_rate_hz, 1000 Hz"),
        (
            "gyro",
            {"delay_s": 0.0105},
            "0.0105 s is not a whole number of steps of 0.001 s, 1/time.control_rate_hz",
        ),
    ],
)
def test_a_time_that_is_no_whole_number_of_steps_is_refused_with_both(sensor, keys, says):
    faults = fit_problems(read({sensor: keys}), Time.model_validate(TIME))
    assert faults == [((sensor, *keys), says)]


@pytest.mark.parametrize(
    ("sensor", "key"), [("camera", "dropouts"), ("gyro", "frozen"), ("wrist", "spikes")]
)
def test_a_window_that_begins_when_the_mission_is_over_is_refused(sensor, key):
    given = read({sensor: {key: [{"from_s": 59.9}, {"from_s": 60.0}]}})
    says = "60 s is not before the end of the mission, time.duration_s = 60 s"
    assert fit_problems(given, Time.model_validate(TIME)) == [((sensor, key, 1, "from_s"), says)]


def test_more_samples_on_their_way_than_there_is_room_for_are_refused():
    phases = {"all": {"until_s": 60.0, "step_s": 1e-5}}
    time = Time.model_validate(TIME | {"phases": phases, "control_rate_hz": 1e5})
    faults = fit_problems(read({"wrist": {"delay_s": 5.0}}), time)
    assert faults == [(("wrist", "delay_s"), "5 s is more than 100000 samples")]


def test_every_field_is_described():
    schema = Sensors.model_json_schema()
    for section in [schema, *schema["$defs"].values()]:
        for key, field in section["properties"].items():
            assert field.get("description"), key
