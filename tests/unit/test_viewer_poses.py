"""Frames of a scene are where the simulation says that they are."""

import math

import numpy as np
import pytest
from tests.unit.viewer_cases import short_run

from proxops.core.description import OrbitDescription
from proxops.core.errors import InputError
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.viewer.hardware import hardware_of
from proxops.viewer.hill import hill_attitude
from proxops.viewer.playback import Playback
from proxops.viewer.pose import HERE, Pose, inverse
from proxops.viewer.poses import CHASER, GRAPPLE, MOCK_UP, PROBE, TARGET, effector_frame
from proxops.viewer.scene import SCENE, Look, seen_from


def film_of(name, **how):
    run = short_run(name, **how)
    hardware = hardware_of(run.provenance, run.signals())
    return run, hardware, Playback(hardware, run.rows)


def relative(X_HG, X_HE):
    """p_GE of two poses."""
    gap = tuple(e - g for e, g in zip(X_HE.p, X_HG.p, strict=True))
    return Pose(HERE.p, inverse(X_HG.q)).rotate(gap)


@pytest.mark.parametrize(
    ("name", "how"),
    [("free-tumble", {}), ("fly-around", {"duration": 400.0, "rate": 0.1})],
    ids=["tumbling", "in orbit"],
)
def test_the_arm_ends_where_the_recording_has_its_end_effector(name, how):
    run, hardware, playback = film_of(name, **how)
    arm = hardware.chaser.arms[0].name
    t, p_GE = run["relative.p_GE"]
    # Positions of 100 m and rotations known to 1e-16 leave 1e-13; an angle of the Hill frame that
    # is off by the tolerance of Kepler's equation, 1e-12 at 100 m, leaves 1e-10.
    for moment, expected in zip(t[::7], p_GE[::7], strict=True):
        _, poses = playback.at(moment)
        found = relative(poses[GRAPPLE], poses[effector_frame(arm)])
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-9)


def test_the_attitude_between_the_hubs_is_the_recorded_one():
    run, _, playback = film_of("fly-around", duration=400.0, rate=0.1)
    t, q_CT = run["relative.q_CT"]
    _, poses = playback.at(t[-1])
    R_HC, R_HT = (rotation(poses[craft].q) for craft in (CHASER, TARGET))
    np.testing.assert_allclose(R_HC.T @ R_HT, rotation(q_CT[-1]), atol=1e-12)


def rotation(q):
    return np.array(quat_to_rotation.py_func(tuple(q))).reshape(3, 3)


def test_the_hill_frame_of_a_circular_orbit_turns_evenly_with_its_x_axis_up():
    mu, radius, tilt = 4e14, 7e6, 0.7
    speed = math.sqrt(mu / radius)
    V = speed * np.array([0.0, math.cos(tilt), math.sin(tilt)])
    orbit = OrbitDescription(mu, np.array([radius, 0.0, 0.0]), V)
    t = np.linspace(0.0, 9000.0, 7)
    for moment, q_HN in zip(t, hill_attitude(orbit, t), strict=True):
        angle = speed / radius * moment
        up = math.cos(angle) * orbit.R / radius + math.sin(angle) * V / speed
        normal = np.cross(orbit.R, V) / (radius * speed)
        # nine hours of Kepler's equation, solved to 1e-12 rad or so
        np.testing.assert_allclose(rotation(q_HN) @ up, [1.0, 0.0, 0.0], atol=1e-9)
        np.testing.assert_allclose(rotation(q_HN) @ normal, [0.0, 0.0, 1.0], atol=1e-9)


def test_the_followed_frame_stands_at_the_origin_and_distances_stay():
    _, _, playback = film_of("free-tumble")
    _, poses = playback.at(0.5)
    seen = seen_from(poses, Look(follow=TARGET))
    assert seen[TARGET].p == (0.0, 0.0, 0.0)
    assert seen[SCENE] == HERE
    for name, pose in poses.items():
        assert math.dist(seen[name].p, seen[TARGET].p) == pytest.approx(
            math.dist(pose.p, poses[TARGET].p), abs=1e-12
        )
        assert seen[name].q == pose.q


def test_an_enlarged_spacecraft_grows_about_its_hub():
    _, hardware, playback = film_of("free-tumble")
    _, poses = playback.at(0.5)
    effector = effector_frame(hardware.chaser.arms[0].name)
    seen = seen_from(poses, Look(size=3.0, follow=""))
    assert seen[CHASER].p == poses[CHASER].p
    grown, true = (math.dist(each[effector].p, each[CHASER].p) for each in (seen, poses))
    assert grown == pytest.approx(3.0 * true)


def test_the_mock_up_is_where_the_lab_has_it_and_the_probe_comes_out_as_told():
    run, _, playback = film_of("flexible-rendered", duration=1.5, rate=200.0)
    t, p_LT = run["lab.p_LTl"]
    row, poses = playback.at(t[-1])
    assert poses[MOCK_UP].p == pytest.approx(p_LT[-1], abs=1e-15)
    drawn_back = playback.at(0.5)[1][PROBE].p
    # from (0.1, -0.5, 0) of the mock-up 0.05 m back along y; half a second at 0.08 m/s later
    assert drawn_back == pytest.approx((0.1, -0.55, 0.0), abs=1e-12)
    assert poses[PROBE].p == pytest.approx((0.1, -0.51, 0.0), abs=1e-12)
    assert float(row[0]) == 1.5


def test_a_row_is_shown_until_the_next_one_comes():
    _, _, playback = film_of("free-tumble")
    assert playback.at(0.019)[0][0] == 0.0
    assert playback.at(0.02)[0][0] == 0.02
    assert playback.at(-1.0)[0][0] == 0.0
    assert playback.at(1e9)[0][0] == playback.end == 1.0


def test_rows_that_broke_down_are_left_out_and_none_left_is_refused():
    run, hardware, _ = film_of("free-tumble")
    rows = run.rows.copy()
    rows[-3:, 5] = np.nan
    assert Playback(hardware, rows).end == pytest.approx(rows[-4, 0])
    rows[:, 5] = np.nan
    with pytest.raises(InputError, match="no row"):
        Playback(hardware, rows)


def test_a_recording_without_a_scenario_or_without_poses_is_refused_by_name():
    run, *_ = film_of("free-tumble")
    with pytest.raises(InputError, match="no scenario"):
        hardware_of({}, run.signals())
    signals = tuple(each for each in run.signals() if each.name != "target.q_NT")
    with pytest.raises(InputError, match=r"target\.q_NT"):
        hardware_of(run.provenance, signals)
