"""Sun and planet in the scene, and day and night."""

import math
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.viewer.hardware import hardware_of
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.scene import Globe, Look, Moment, Sunlight, Wires
from proxops.viewer.sky import FAR, light_at

EXAMPLE = Path(__file__).parents[2] / "examples" / "drift.toml"
KEEP_OUT, RADIUS = 50.0, 6378137.0


@pytest.fixture(scope="module")
def run():
    """One revolution of a circular orbit whose radius points at the Sun at the start."""
    given = proxops.load(EXAMPLE)
    a = given.mission.orbit.semi_major_axis_km * 1e3
    period = math.tau * math.sqrt(a**3 / 3.986004418e14)
    sunlit = {"orbit.sun_direction_N": [1.0, 0.0, 0.0], "orbit.true_anomaly_deg": 0.0}
    sunlit |= {"orbit.argument_of_periapsis_deg": 0.0, "orbit.raan_deg": 0.0}
    sunlit |= {"orbit.eccentricity": 0.0, "orbit.inclination_deg": 0.0, "requirements": {}}
    return proxops.simulate(given.replace(sunlit)), a, period


def drawn(run, t):
    hardware = hardware_of(run.provenance, run.signals())
    found = {each.name: each for each in scene_of(hardware).things if isinstance(each, Wires)}
    _, poses = Playback(hardware, run.rows).at(0.0)
    row = run.rows[0].copy()
    row[0] = t
    moment = Moment(row, poses, Look())
    return {name: each.segments(moment).reshape(-1, 3) for name, each in found.items()}


def test_the_sun_goes_round_once_in_an_orbit(run):
    """In H it turns backwards: from the zenith at the start over -V-bar behind the target."""
    flown, _, period = run
    for share, towards in ((0.0, [1, 0, 0]), (0.25, [0, -1, 0]), (0.75, [0, 1, 0])):
        sun = drawn(flown, share * period)["zones/sun"]
        middle = sun[2:].mean(axis=0) / (FAR * KEEP_OUT)
        np.testing.assert_allclose(middle, towards, atol=2e-3)


def test_it_is_night_while_the_planet_is_before_the_sun(run):
    """The shadow is R_body wide: asin(R_body / a) to either side of its middle."""
    flown, a, period = run
    hardware = hardware_of(flown.provenance, flown.signals())
    edge = 0.5 - math.asin(RADIUS / a) / math.tau
    for share in (0.0, edge - 0.002, 1.0 - edge + 0.002):
        assert light_at(hardware, share * period) == "day"
    for share in (edge + 0.002, 0.5, 1.0 - edge - 0.002):
        assert light_at(hardware, share * period) == "night"
    at_night = drawn(flown, 0.5 * period)
    assert len(at_night["zones/sun"]) == 0
    assert len(at_night["zones/hidden_sun"]) > 0


def test_the_planet_is_below_with_its_limb_where_it_is_seen(run):
    """sin of the limb's angle from nadir = radius over distance of the centre, as in truth."""
    flown, a, period = run
    hardware = hardware_of(flown.provenance, flown.signals())
    (globe,) = (each for each in scene_of(hardware).things if isinstance(each, Globe))
    _, poses = Playback(hardware, flown.rows).at(0.0)
    row = flown.rows[0].copy()
    x, y, z = globe.pose(Moment(row, poses, Look())).p
    assert (y, z) == (0.0, 0.0)
    radii = np.linalg.norm(globe.vertices, axis=1)
    np.testing.assert_allclose(radii / -x, RADIUS / a, rtol=1e-6)
    row[0] = 0.25 * period  # what was below is ahead: the chaser goes round it
    turned = globe.pose(Moment(row, poses, Look()))
    np.testing.assert_allclose(turned.rotate((1.0, 0.0, 0.0)), [0.0, -1.0, 0.0], atol=2e-3)


def test_sunlight_comes_from_the_sun_and_is_dim_at_night(run):
    flown, _, period = run
    hardware = hardware_of(flown.provenance, flown.signals())
    (light,) = (each for each in scene_of(hardware).things if isinstance(each, Sunlight))
    _, poses = Playback(hardware, flown.rows).at(0.0)
    row = flown.rows[0].copy()
    noon = light.shines(Moment(row, poses, Look()))
    np.testing.assert_allclose(noon[0], [1.0, 0.0, 0.0], atol=1e-9)
    row[0] = 0.5 * period
    assert light.shines(Moment(row, poses, Look()))[1] < 0.2 * noon[1]


def test_without_a_sun_there_is_neither_day_nor_night():
    flown = proxops.simulate(proxops.load(EXAMPLE))
    hardware = hardware_of(flown.provenance, flown.signals())
    assert light_at(hardware, 0.0) == ""
    assert "zones/sun" not in drawn(flown, 0.0)
