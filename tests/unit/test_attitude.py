"""Attitudes as people give them: in the Hill frame, or by where two axes point."""

import math
import textwrap
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.core.frame import rotation_of
from proxops.physics.orbit.axes import hill_rotation
from proxops.physics.orbit.kepler import propagate

HALF = math.sqrt(0.5)
Q = (0.5, 0.5, -0.5, 0.5)
CHASER, TARGET = 0, 1
V_BAR, R_BAR, H_BAR = (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)


@pytest.fixture(scope="module")
def approach():
    """An inclined, eccentric orbit, so that no frame is another by accident."""
    return proxops.load("approach-1km").replace(
        {
            "orbit.inclination_deg": 98.0,
            "orbit.raan_deg": 40.0,
            "orbit.true_anomaly_deg": 70.0,
            "chaser.p_HC_m": [30.0, -400.0, 12.0],
            "dispersions": None,
        }
    )


def in_hill(scenario, which):
    """R_HC or R_HT at the start, and R_NH."""
    *crafts, orbit = describe(scenario)
    R_NH = np.eye(3) if orbit is None else hill_rotation(orbit.R, orbit.V)[0]
    return R_NH.T @ rotation_of(crafts[which].q_N), R_NH


def test_bars_are_a_right_handed_frame_with_r_bar_to_the_earth(approach):
    orbit = describe(approach)[2]
    R_NH, _ = hill_rotation(orbit.R, orbit.V)
    down = R_NH @ R_BAR
    assert down @ orbit.R == pytest.approx(-np.linalg.norm(orbit.R))
    assert R_NH @ V_BAR @ orbit.V > 0.0
    assert R_NH @ H_BAR @ np.cross(orbit.R, orbit.V) < 0.0
    np.testing.assert_array_equal(np.cross(V_BAR, H_BAR), R_BAR)


@pytest.mark.parametrize(("craft", "key"), [(CHASER, "chaser.q_HC"), (TARGET, "target.q_HT")])
def test_an_attitude_in_the_hill_frame_moves_with_the_orbit(approach, craft, key):
    given = approach.replace({key: Q})
    for anomaly in (70.0, 200.0):
        moved = given.replace({"orbit.true_anomaly_deg": anomaly})
        np.testing.assert_allclose(in_hill(moved, craft)[0], rotation_of(Q), atol=1e-14)


def test_the_first_axis_points_exactly_the_second_as_nearly_as_it_can(approach):
    points = ["+y to target", "+z to -R-bar"]
    R, _ = in_hill(approach.replace({"chaser.points": points}), CHASER)
    line = -np.array([30.0, -400.0, 12.0])
    np.testing.assert_allclose(R[:, 1], line / np.linalg.norm(line), atol=1e-14)
    nearest = np.array([1.0, 0.0, 0.0])
    nearest -= nearest @ R[:, 1] * R[:, 1]
    np.testing.assert_allclose(R[:, 2], nearest / np.linalg.norm(nearest), atol=1e-14)
    assert np.linalg.det(R) == pytest.approx(1.0)


def test_a_frame_on_the_spacecraft_points_with_its_z_axis(approach):
    R, _ = in_hill(
        approach.replace({"target.points": ["grapple to -V-bar", "+x to R-bar"]}), TARGET
    )
    # z of G is -y of T there
    np.testing.assert_allclose(R @ [0.0, -1.0, 0.0], np.negative(V_BAR), atol=1e-14)


def test_a_port_points_where_the_file_says():
    berthing = proxops.load("berthing")
    hold = berthing.mission.holds["soft"]
    points = ["holds.soft to -V-bar", "+z to +R-bar"]
    scenario = berthing.replace({"chaser.points": points, "dispersions": None})
    R, _ = in_hill(scenario, CHASER)
    np.testing.assert_allclose(
        R @ rotation_of(hold.port.q_CA)[:, 2], np.negative(V_BAR), atol=1e-14
    )


def test_a_camera_points_at_the_target_and_sees_it(approach):
    from proxops.results.summary import summary

    scenario = approach.replace({"chaser.points": ["bearing_camera to target", "+x to -R-bar"]})
    seen = summary(scenario, checked=False)["sees"]["bearing_camera"]
    # parallel to the line between the centres of mass, 0.4 m beside the camera's own
    assert seen["off_axis_deg"] < math.degrees(0.4 / 400.0)
    assert seen["sees"]


@pytest.mark.parametrize(("craft", "name"), [(CHASER, "chaser.{}_C"), (TARGET, "target.{}_T")])
def test_a_rate_of_zero_in_the_hill_frame_stays_fixed_in_it(approach, craft, name):
    attitude, key = (("q_HC", "w_HC"), ("q_HT", "w_HT"))[craft]
    body = name.split(".")[0]
    scenario = approach.replace(
        {f"{body}.{attitude}": Q, f"{name.format(key)}_deg_s": [0.0, 0.0, 0.0]}
    )
    *crafts, orbit = describe(scenario)
    h = 0.1  # [s]: the rate changes by less than 1e-10 rad/s of 1e-3 meanwhile, second order
    before, after = (
        hill_rotation(*propagate(orbit.mu, tuple(orbit.R), tuple(orbit.V), t))[0] @ rotation_of(Q)
        for t in (-h, h)
    )
    turned = before.T @ after
    w = np.array([turned[2, 1], turned[0, 2], turned[1, 0]]) / (2.0 * h)
    np.testing.assert_allclose(crafts[craft].w, w, rtol=0.0, atol=1e-9)


def test_a_rate_in_the_hill_frame_is_added_to_its_own(approach):
    scenario = approach.replace({"target.q_HT": Q, "target.w_HT_T_deg_s": [1.0, -2.0, 0.5]})
    _, target, orbit = describe(scenario)
    _, n = hill_rotation(orbit.R, orbit.V)
    expected = np.radians([1.0, -2.0, 0.5]) + rotation_of(Q).T @ [0.0, 0.0, n]
    np.testing.assert_allclose(target.w, expected, atol=1e-16)


def test_without_an_orbit_the_hill_frame_is_inertial():
    scenario = proxops.load("free-tumble").replace(
        {"chaser.q_HC": Q, "chaser.w_HC_C_deg_s": [0.0, 0.0, 1.0]}
    )
    chaser, *_ = describe(scenario)
    np.testing.assert_allclose(rotation_of(chaser.q_N), rotation_of(Q), atol=1e-15)
    np.testing.assert_allclose(chaser.w, np.radians([0.0, 0.0, 1.0]))


def test_a_given_key_takes_the_place_of_its_alternatives(approach, tmp_path):
    assert approach.replace({"chaser.q_HC": Q}).mission.chaser.q_NC is None
    file = tmp_path / "own.toml"
    file.write_text(
        'extends = "approach-1km"\n[chaser]\npoints = ["+y to target", "+x to -R-bar"]\n'
    )
    own = proxops.load(file).mission.chaser
    assert own.q_NC is None
    assert own.points == ("+y to target", "+x to -R-bar")


def test_a_stored_scenario_keeps_its_pointing(approach):
    scenario = approach.replace({"chaser.points": ["+y to target", "+x to -R-bar"]})
    assert proxops.Scenario.from_dict(scenario.to_dict()) == scenario


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (["+x to target", "-x to -R-bar"], "choose another axis for the second"),
        (["+x to V-bar", "+z to -V-bar"], "choose another direction for the second"),
        (["+x to moon", "+z to -V-bar"], "no direction 'moon'"),
        (["+x target", "+z to -V-bar"], 'must be like "+z to target"'),
        (["grapple to target", "+z to -V-bar"], "the chaser has no axis 'grapple'"),
        (["+x to chaser", "+z to -V-bar"], "name 'target'"),
        (["+x to target"], "too few"),
    ],
)
def test_what_gives_no_attitude_is_rejected_with_a_cure(approach, points, said):
    with pytest.raises(proxops.InputError, match=r"chaser\.points") as error:
        approach.replace({"chaser.points": points})
    assert said in str(error.value)


def test_both_at_one_place_cannot_point_at_each_other():
    with pytest.raises(proxops.InputError, match=r"target\.points: move chaser\.p_HC_m"):
        proxops.load("free-tumble").replace(
            {"chaser.p_HC_m": [0.0, 0.0, 0.0], "target.points": ["+x to chaser", "+z to V-bar"]}
        )


def test_one_attitude_and_one_rate_are_given(approach):
    with pytest.raises(proxops.InputError, match="give q_HC or q_NC, one alone"):
        approach.replace({"chaser.q_HC": Q, "chaser.q_NC": Q})
    with pytest.raises(proxops.InputError, match="missing; give points or q_HT or q_NT"):
        approach.replace({"target.q_NT": None})
    with pytest.raises(proxops.InputError, match="give w_HC_C_deg_s or w_NC_C_deg_s"):
        approach.replace({"chaser.w_NC_C_deg_s": None})


def test_a_file_with_two_attitudes_names_both(tmp_path):
    file = tmp_path / "own.toml"
    lines = f"q_HC = {list(Q)}\nq_NC = {list(Q)}\n"
    file.write_text(f'extends = "approach-1km"\n[chaser]\n{lines}')
    with pytest.raises(proxops.InputError, match="found q_HC and q_NC"):
        proxops.load(file)


def test_a_dispersion_of_another_key_names_the_one_that_is_given():
    with pytest.raises(proxops.InputError, match=r"target\.q_NT: is not given, q_HT is"):
        proxops.load("approach-1km").replace({"target.q_HT": Q})


def test_the_example_in_the_documentation_is_the_shipped_attitude(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "scenario.md").read_text()
    start = page.index('    extends = "approach-1km"')
    file = tmp_path / "example.toml"
    file.write_text(textwrap.dedent(page[start : page.index("\n## ", start)]))
    example, shipped = describe(proxops.load(file)), describe(proxops.load("approach-1km"))
    for one, other in zip(example[:2], shipped[:2], strict=True):
        np.testing.assert_allclose(rotation_of(one.q_N), rotation_of(other.q_N), atol=1e-14)
        np.testing.assert_allclose(one.w, other.w, atol=1e-8)  # typed with six digits there
