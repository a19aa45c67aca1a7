"""Sensors that see a target from far: what they say, how wrong, and when they say nothing."""

import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tests.unit.sensor_cases import CHASER, TICK, truth_at

from proxops import InputError, load, simulate
from proxops.assembly.sensors import sensors_of
from proxops.physics.orbit.attractors import EARTH
from proxops.scenario.schema.sensors import Sensors
from proxops.sensors import bearing_camera, range_finder, relative_gnss
from proxops.sensors.bearing_camera import BearingCamera
from proxops.sensors.light import is_in_shadow
from proxops.sensors.range_finder import RangeFinder
from proxops.sensors.relative_gnss import RelativeGnss
from proxops.sensors.sensor import build
from proxops.sensors.timing import Timing

PAGE = Path(__file__).parents[2] / "docs" / "sensors.md"
SAMPLES = 20_000
FIVE = 5.0  # standard deviations of what is estimated, see test_sensor_noise
P_OC, P_OT = np.array([120.0, -700.0, 35.0]), np.array([0.3, -0.2, 0.1])
SHIFT = np.array([0.02, 0.0, -0.01])  # of the chaser's centre of mass from its hub, N axes
Q_NC = Rotation.from_rotvec([0.4, -1.1, 2.0])
Q_CK = Rotation.from_rotvec([0.1, 0.3, -0.2])
P_CK = np.array([0.8, -0.1, 0.4])


def wxyz(rotation):
    return rotation.as_quat(scalar_first=True)


def truth(p_OC=P_OC, q_NC=Q_NC, p_OT=P_OT, **others):
    """Both spacecraft at these places, the target's centre of mass a little off its hub."""
    given = {
        "p_OC": p_OC,
        "q_NC": wxyz(q_NC),
        "p_OTcm": p_OT,
        "p_OCcm": np.add(p_OC, SHIFT),
        "v_OCcm": [0.11, -0.02, 0.05],
        "v_OTcm": [0.01, 0.03, -0.04],
    }
    made = truth_at(0)
    return made._replace(
        **{key: np.array(value, dtype=float) for key, value in (given | others).items()}
    )


def asked(module, described, shown, draws=None, start=None):
    """What a sensor says of that truth, None if nothing, with these random numbers."""
    size = module.SENSOR.draws(CHASER)
    drawn = np.zeros((1, 1 + size))
    first = np.zeros(size) if start is None else np.array(start, dtype=float)
    params, memory = build(module.SENSOR, described, CHASER, TICK, first, drawn)
    numbers = np.zeros(size) if draws is None else np.array(draws, dtype=float)
    says = module.measure(params, memory, shown, numbers, memory.values)
    return memory.values.copy() if says else None


def many(module, described, shown, seed=1):
    """Samples of one run, a row each: the constant errors are drawn as in a run."""
    rng = np.random.default_rng(seed)
    size = module.SENSOR.draws(CHASER)
    params, memory = build(
        module.SENSOR, described, CHASER, TICK, rng.standard_normal(size), np.zeros((1, 1 + size))
    )
    rows = []
    for draws in rng.standard_normal((SAMPLES, size)):
        module.measure(params, memory, shown, draws, memory.values)
        rows.append(memory.values.copy())
    return np.array(rows)


def assert_spread(errors, sigma):
    """Means are zero within σ/√n, variances σ² within σ² √(2/n)."""
    n = len(errors)
    np.testing.assert_array_less(np.abs(errors.mean(axis=0)), FIVE * sigma / math.sqrt(n))
    np.testing.assert_array_less(
        np.abs(errors.var(axis=0) / np.square(sigma) - 1.0), FIVE * math.sqrt(2.0 / n)
    )


# --- bearing camera ------------------------------------------------------------------------------


def test_a_bearing_camera_sees_the_direction_of_the_targets_centre_of_mass():
    """Turned back from the angles, the line of sight points from K to Tcm."""
    camera = BearingCamera(X_CK=(*P_CK, *wxyz(Q_CK)))
    azimuth, elevation = asked(bearing_camera, camera, truth())
    u_K = [
        math.cos(elevation) * math.sin(azimuth),
        math.sin(elevation),
        math.cos(elevation) * math.cos(azimuth),
    ]
    way = P_OT - (P_OC + Q_NC.apply(P_CK))
    np.testing.assert_allclose((Q_NC * Q_CK).apply(u_K), way / np.linalg.norm(way), atol=1e-14)


@pytest.mark.parametrize(("at", "azimuth", "elevation"), [(0, 1.0, 0.0), (1, 0.0, 1.0)])
def test_azimuth_turns_towards_x_and_elevation_towards_y(at, azimuth, elevation):
    p_OT = np.array([0.0, 0.0, 100.0])
    p_OT[at] = 1.0
    one = math.atan2(1.0, 100.0)
    shown = truth(np.zeros(3), Rotation.identity(), p_OT)
    np.testing.assert_allclose(
        asked(bearing_camera, BearingCamera(), shown), [azimuth * one, elevation * one], atol=1e-16
    )


def test_errors_of_a_bearing_camera_are_its_noise_about_an_error_of_the_run():
    camera = BearingCamera(noise=1e-3, bias_sigma=5e-3)
    found = many(bearing_camera, camera, truth())
    exact = asked(bearing_camera, BearingCamera(), truth())
    drawn = np.random.default_rng(1).standard_normal(2)
    assert_spread(found - exact - 5e-3 * drawn, np.full(2, 1e-3))


@pytest.mark.parametrize(
    ("angle", "far", "sees"),
    [(9.9, 50.0, True), (10.1, 50.0, False), (0.0, 19.9, False), (0.0, 801.0, False)],
)
def test_a_bearing_camera_sees_within_its_half_angle_and_range(angle, far, sees):
    camera = BearingCamera(half_view=math.radians(10.0), nearest=20.0, farthest=800.0)
    way = [far * math.sin(math.radians(angle)), 0.0, far * math.cos(math.radians(angle))]
    shown = truth(np.zeros(3), Rotation.identity(), way)
    assert (asked(bearing_camera, camera, shown) is not None) == sees


# --- light ---------------------------------------------------------------------------------------


def test_the_shadow_begins_at_the_angle_at_which_the_attractor_hides_the_sun():
    """On a circle of radius r it spans the angles within asin(R/r) of the far side."""
    r = EARTH.radius + 400e3
    edge = math.asin(EARTH.radius / r)
    for off, dark in ((-1e-9, True), (1e-9, False)):
        angle = math.pi + edge + off
        place = (r * math.cos(angle), r * math.sin(angle), 0.0)
        assert is_in_shadow(place, (1.0, 0.0, 0.0), EARTH.radius) == dark
    assert not is_in_shadow((r, 0.0, 0.0), (1.0, 0.0, 0.0), EARTH.radius)  # noon


def lit(sun, R=(EARTH.radius + 400e3, 0.0, 0.0), **limits):
    """Whether a camera sees a target 100 m along y of N by the light of that sun."""
    shown = truth(
        np.zeros(3), Rotation.from_rotvec([-0.5 * math.pi, 0.0, 0.0]), [0.0, 100.0, 0.0],
        R_NO=R, sun_N=sun, attractor_radius=[EARTH.radius],
    )  # fmt: skip
    return asked(bearing_camera, BearingCamera(**limits), shown) is not None


def test_a_camera_sees_no_target_in_eclipse_and_any_where_there_is_no_sun():
    night = (-EARTH.radius - 400e3, 0.0, 0.0)
    assert lit((1.0, 0.0, 0.0))
    assert not lit((1.0, 0.0, 0.0), R=night)
    assert lit((0.0, 0.0, 0.0), R=night)


def test_a_camera_does_not_look_into_the_sun():
    """The target stands along y; the Sun 29 or 31 degrees from it."""
    for degrees, sees in ((29.0, False), (31.0, True)):
        angle = math.radians(degrees)
        sun = (math.sin(angle), math.cos(angle), 0.0)
        assert lit(sun, sun_exclusion=math.radians(30.0)) == sees


def test_a_camera_sees_the_lit_side_of_the_target_only():
    """The phase angle is that between Sun and camera at the target: zero with the Sun behind."""
    for degrees, sees in ((0.0, True), (89.0, True), (91.0, False)):
        angle = math.radians(degrees)
        sun = (math.sin(angle), -math.cos(angle), 0.0)
        assert lit(sun, max_phase=math.radians(90.0)) == sees
    assert lit((0.0, 1.0, 0.0))  # without limits even against the Sun


# --- range finder --------------------------------------------------------------------------------


def test_a_range_finder_measures_from_its_point_to_the_targets_centre_of_mass():
    p_CL = np.array([0.5, 0.2, -0.3])
    (found,) = asked(range_finder, RangeFinder(p_CL=tuple(p_CL)), truth())
    assert found == pytest.approx(np.linalg.norm(P_OC + Q_NC.apply(p_CL) - P_OT), rel=1e-15)


def test_errors_of_a_range_finder_grow_with_the_range_about_an_error_of_the_run():
    finder = RangeFinder(noise=0.1, noise_per_range=1e-3, bias_sigma=2.0)
    found = many(range_finder, finder, truth())
    (exact,) = asked(range_finder, RangeFinder(), truth())
    bias = 2.0 * np.random.default_rng(1).standard_normal()
    assert_spread(found - exact - bias, np.array([0.1 + 1e-3 * exact]))


def test_outliers_are_as_frequent_and_as_large_as_asked():
    """With no other error, those that are off at all are the outliers: a share p ± √(p/n)."""
    finder = RangeFinder(outlier_probability=0.05, outlier_sigma=30.0)
    found = many(range_finder, finder, truth())[:, 0]
    (exact,) = asked(range_finder, RangeFinder(), truth())
    off = found[found != exact] - exact
    assert abs(len(off) / SAMPLES - 0.05) < FIVE * math.sqrt(0.05 / SAMPLES)
    assert_spread(off[:, None], np.array([30.0]))


@pytest.mark.parametrize(("far", "sees"), [(5.0, True), (4.9, False), (1000.0, True), (1001, 0)])
def test_a_range_finder_measures_within_its_range(far, sees):
    shown = truth(np.zeros(3), Rotation.identity(), [0.0, 0.0, far])
    found = asked(range_finder, RangeFinder(nearest=5.0, farthest=1000.0), shown)
    assert (found is not None) == sees


# --- relative GNSS -------------------------------------------------------------------------------


def test_relative_gnss_tells_the_motion_of_the_chasers_centre_of_mass_from_the_targets():
    found = asked(relative_gnss, RelativeGnss(), truth())
    np.testing.assert_allclose(found[:3], P_OC - P_OT + SHIFT, rtol=1e-15)
    np.testing.assert_allclose(found[3:], [0.10, -0.05, 0.09], rtol=1e-13)


def test_errors_of_relative_gnss_are_its_noise_about_an_error_of_the_run():
    sigma = np.array([0.5, 0.6, 0.7, 0.01, 0.02, 0.03])
    gnss = RelativeGnss(
        noise=tuple(sigma[:3]), speed_noise=tuple(sigma[3:]), bias_sigma=(1.0, 2.0, 3.0)
    )
    found = many(relative_gnss, gnss, truth())
    exact = asked(relative_gnss, RelativeGnss(), truth())
    drawn = np.random.default_rng(1).standard_normal(6)[:3]
    bias = np.array([*(drawn * [1.0, 2.0, 3.0]), 0.0, 0.0, 0.0])
    assert_spread(found - exact - bias, sigma)


def test_relative_gnss_measures_within_its_range():
    for far, sees in ((99.0, False), (101.0, True), (999.0, True), (1001.0, False)):
        shown = truth(p_OC=[far, 0, 0], p_OT=[0, 0, 0], p_OCcm=[far, 0, 0])
        found = asked(relative_gnss, RelativeGnss(nearest=100.0, farthest=1000.0), shown)
        assert (found is not None) == sees


# --- in a mission --------------------------------------------------------------------------------


def test_a_mission_has_the_far_sensors_that_it_gives_and_no_others():
    plain = load("fly-around")
    assert [each.name for each in sensors_of(plain)][6:] == []
    given = plain.replace({"sensors.range_finder": {"noise_m": 0.1}})
    assert [each.name for each in sensors_of(given)][6:] == ["range_finder"]


def test_limits_of_light_need_a_sun():
    camera = {"sensors.bearing_camera": {"sun_exclusion_deg": 20.0}}
    with pytest.raises(InputError, match=r"sun_exclusion_deg: needs orbit\.sun_direction_N"):
        load("fly-around").replace(camera)
    load("fly-around").replace(camera | {"orbit.sun_direction_N": [1.0, 0.0, 0.0]})
    with pytest.raises(InputError, match="farthest_m: 5 m is not beyond nearest_m = 10 m"):
        load("fly-around").replace({"sensors.range_finder": {"nearest_m": 10.0, "farthest_m": 5.0}})


def test_the_documented_far_sensors_are_what_their_keys_say():
    block = re.search(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    given = Sensors.model_validate(tomllib.loads(block[1])["sensors"])
    camera = bearing_camera.describe(given.bearing_camera, None)
    degrees = [camera.half_view, camera.sun_exclusion, camera.max_phase, camera.noise]
    np.testing.assert_allclose(np.degrees([*degrees, camera.bias_sigma]), [15, 20, 120, 0.02, 0.03])
    assert (camera.nearest, camera.farthest, camera.X_CK[:3]) == (20.0, 5000.0, (0.8, 0.0, 0.4))
    assert range_finder.describe(given.range_finder, None) == RangeFinder(
        Timing(1.0), (0.8, 0.0, 0.3), 0.1, 0.0005, 0.2, 0.01, 50.0, 5.0, 2000.0
    )
    one = (1.0, 1.0, 1.0)
    assert relative_gnss.describe(given.relative_gnss, None) == RelativeGnss(
        Timing(1.0, 0.5), one, (0.02, 0.02, 0.02), one, 50.0, 20000.0
    )


def test_sensors_are_shown_both_centres_of_mass_and_the_sky():
    """An ideal receiver against what is recorded, in H and in N alike: the arm moves the chaser's
    centre of mass; the array has moved the target's, and by some 10 um more as it swings, which
    sensors are not shown.  The velocity is the rate of the position: in a row, 0.01 s, what changes
    an acceleration of 0.05 m/s2 makes less than 3e-4 m/s of difference.  The last row has what was
    measured a cycle before."""
    changes = {
        "sensors.relative_gnss": {},
        "sensors.bearing_camera": {},
        "orbit.sun_direction_N": [0.0, 0.0, 1.0],
        "time.duration_s": 0.5,
        "time.phases": {"all": {"until_s": 0.5, "step_s": 0.001}},
        "time.record_rate_hz": 100.0,
        "requirements": {},
        "faults": {},
    }
    run = simulate(load("envisat-capture").replace(changes))
    t, p = run["sensors.gnss.p"]
    apart = run["chaser.p_HCcm"][1] - run["target.p_HTcm"][1]
    np.testing.assert_allclose(norms(p), norms(apart), atol=2e-5)
    assert norms(p)[0] == pytest.approx(norms(apart)[0], rel=1e-12)  # nothing is deflected yet
    assert abs(norms(p) - norms(run["relative.p_CT"][1])).max() > 0.01
    v = run["sensors.gnss.v"][1]
    rate = (np.diff(p, axis=0) / np.diff(t)[:, None])[:-1]
    np.testing.assert_allclose(0.5 * (v[1:-1] + v[:-2]), rate, atol=3e-4)
    assert np.isfinite(run["sensors.bearing.angles"][1]).all()


def norms(rows):
    return np.linalg.norm(rows, axis=-1)
