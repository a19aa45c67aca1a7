"""What is recorded of safety zones, at states with an arm in motion and a tumbling target."""

import math

import numpy as np
import pytest

import proxops
from proxops.actuators import thrusters
from proxops.assembly.build import build
from proxops.core.description import OrbitDescription
from proxops.core.jit import kernel
from proxops.core.spatial.quaternion import quat_mul
from proxops.physics.orbit.drift import closest_approach
from proxops.plant import layout
from proxops.plant.safety import no_zones, put_safety, signals, target_from_hub
from proxops.plant.workspace import workspace
from proxops.results.drift import hill_axes
from proxops.sim.recorded_safety import put_thrust

KEEP_OUT = 20.0
ZONES = {
    "keep_out_m": KEEP_OUT,
    "approach_ellipsoid_m": [60.0, 90.0, 50.0],
    "speed_limit_m_s": 0.05,
    "speed_limit_per_m_1_s": 0.002,
    "corridors": {
        "v_bar": {"axis_H": [0.0, -1.0, 0.0], "half_angle_deg": 20.0, "length_m": 40.0},
        "r_bar": {"axis_H": [-1.0, 0.0, 0.0], "half_angle_deg": 10.0, "length_m": 40.0},
    },
}


@kernel
def put(plant, zones, work, y, t, row):
    return put_safety(plant, zones, work, y, t, row, 0)


@kernel
def seen(plant, work, y):
    return target_from_hub(plant, work, y)


@kernel
def put_burns(zones, table, given, noted, target_C, t, row):
    return put_thrust(zones, table, given, noted, target_C, t, row, 0)


@kernel
def product(a, b):
    return quat_mul(a, b)


@kernel
def closest(mu, reference, target, chaser, samples):
    return closest_approach(mu, reference, target, chaser, samples)


class Case:
    """A chaser with a moving arm before a target, in orbit."""

    def __init__(self, p_H, v_H):
        scenario = proxops.load("fly-around").replace(
            {"zones": ZONES, "chaser.p_HC_m": list(p_H), "chaser.v_HC_m_s": list(v_H)}
        )
        self.built = build(scenario)
        self.plant, self.y = self.built.plant, self.built.y.copy()
        self.work = workspace(self.plant)
        self.parts = layout.slices(self.plant)
        self.joints = len(self.plant.chaser_topology)
        rates = self.y[self.parts.chaser][layout.JOINTS + self.joints :][: self.joints]
        rates[:] = np.linspace(-0.4, 0.5, self.joints)

    def moved(self, dt):
        """The state as its velocities alone take it on."""
        y = self.y.copy()
        for part in (self.parts.chaser, self.parts.target):
            craft = y[part]
            craft[layout.P : layout.P + 3] += dt * craft[layout.V : layout.V + 3]
            w = craft[layout.W : layout.W + 3]
            angle = np.linalg.norm(w) * dt
            turn = (math.cos(angle / 2), *(math.sin(angle / 2) * w / np.linalg.norm(w)))
            q = tuple(craft[layout.Q : layout.Q + 4].tolist())
            craft[layout.Q : layout.Q + 4] = product(q, tuple(float(x) for x in turn))
        chaser = y[self.parts.chaser]
        end = layout.JOINTS + self.joints
        chaser[layout.JOINTS : end] += dt * chaser[end : end + self.joints]
        return y

    def row(self, t=0.0, y=None):
        """The signals, by their names."""
        table = signals(self.built.zones)
        row = np.zeros(sum(math.prod(each[3]) for each in table))
        given = self.y if y is None else y
        assert put(self.plant, self.built.zones, self.work, given, t, row) == len(row)
        found, at = {}, 0
        for name, _, _, shape, _ in table:
            width = math.prod(shape)
            found[name] = row[at : at + width] if shape else row[at]
            at += width
        return found


def orbit_of(case):
    """The reference orbit."""
    orbit = case.plant.orbit
    return OrbitDescription(float(orbit[0]), orbit[1:4], orbit[4:7])


@pytest.fixture(scope="module")
def case():
    return Case((3.0, -30.0, 2.0), (0.004, 0.01, -0.003))


def test_the_velocity_is_the_derivative_of_the_position_in_the_hill_frame(case):
    """Both centres of mass move as hub, arm and target do, and H turns: central differences over
    2 ms.  Rounding of 1e-9 m over 2 ms is 5e-7 m/s; the third derivative, of an arm of a few kg m
    at 0.5 rad/s, 1e-6 times (1 ms)²."""
    dt = 1e-3
    ahead = case.row(dt, case.moved(dt))["relative.p_TcmCcm_H"]
    behind = case.row(-dt, case.moved(-dt))["relative.p_TcmCcm_H"]
    found = case.row()["relative.v_TcmCcm_H"]
    np.testing.assert_allclose(found, (ahead - behind) / (2 * dt), atol=2e-6)
    # the arm's part in it is far larger than that
    resting = case.y.copy()
    start = layout.JOINTS + case.joints
    resting[case.parts.chaser][start : start + case.joints] = 0.0
    without = case.row(y=resting)["relative.v_TcmCcm_H"]
    assert np.linalg.norm(found - without) > 1e-3


def matrix(rotation):
    """Rodrigues' formula."""
    x, y, z = rotation
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.linalg.norm(rotation)
    return np.eye(3) + math.sin(angle) / angle * K + (1.0 - math.cos(angle)) / angle**2 * K @ K


def test_the_rotation_against_the_hill_frame_turns_its_axes_into_those_of_the_chaser():
    """And its rate is the derivative: Rᵀ dR/dt = [w]×, by central differences over 2 ms."""
    case = Case((3.0, -30.0, 2.0), (0.0, 0.0, 0.0))
    hub = case.y[case.parts.chaser]
    hub[layout.Q : layout.Q + 4] = 0.8, 0.2, -0.4, 0.4
    hub[layout.W : layout.W + 3] = 0.01, -0.02, 0.03
    found, dt = case.row(), 1e-3
    R_HC = matrix(found["safety.rotation_HC"])
    w, x, y, z = hub[layout.Q : layout.Q + 4]
    along = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])  # x of C
    R_NH, _, _ = hill_axes(orbit_of(case), 0.0)
    np.testing.assert_allclose(R_HC[:, 0], R_NH.T @ along, atol=1e-9)
    ahead, behind = (
        matrix(case.row(s * dt, case.moved(s * dt))["safety.rotation_HC"]) for s in (1, -1)
    )
    spin = R_HC.T @ (ahead - behind) / (2 * dt)
    rate = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    np.testing.assert_allclose(found["safety.w_HC_C"], rate, atol=1e-8)
    assert np.linalg.norm(rate - hub[layout.W : layout.W + 3]) > 1e-3  # H turns too


def test_the_speed_margin_is_what_the_limit_at_this_distance_leaves(case):
    found = case.row()
    r, v = (np.linalg.norm(found[f"relative.{each}_TcmCcm_H"]) for each in "pv")
    assert found["safety.speed_margin"] == pytest.approx(0.05 + 0.002 * r - v, abs=1e-12)
    assert v > 1e-3


@pytest.mark.parametrize(
    ("p_H", "inside"),
    [
        ((0.0, -10.0, 0.0), "v_bar"),
        ((-10.0, 0.0, 0.0), "r_bar"),
        ((7.0, 7.0, 0.0), None),
        ((0.0, 60.0, 0.0), None),
    ],
)
def test_the_zone_margin_is_positive_outside_or_in_a_corridor(p_H, inside):
    found = Case(p_H, (0.0, 0.0, 0.0)).row()
    r = found["relative.p_TcmCcm_H"]
    np.testing.assert_allclose(r, p_H, atol=0.2)  # the arm shifts the centre of mass
    distance = np.linalg.norm(r)
    assert found["safety.keep_out_distance"] == pytest.approx(distance - KEEP_OUT, abs=1e-9)
    margins = []
    for corridor in ZONES["corridors"].values():
        axis, angle = np.array(corridor["axis_H"]), math.radians(corridor["half_angle_deg"])
        s = float(r @ axis)
        rho = np.linalg.norm(r - s * axis)
        margins.append(s * math.sin(angle) - rho * math.cos(angle))  # of the mantle, inside it
    if inside is not None:
        assert found["safety.corridor_margin"] == pytest.approx(max(margins), abs=1e-9)
        assert found["safety.corridor_margin"] > 0.0
    else:
        assert found["safety.corridor_margin"] < 0.0
    wanted = max(found["safety.keep_out_distance"], found["safety.corridor_margin"])
    assert found["safety.zone_margin"] == wanted
    allowed = inside is not None or distance > KEEP_OUT
    assert (found["safety.zone_margin"] > 0.0) == allowed


def test_the_drift_is_that_of_both_centres_of_mass(case):
    """From position and velocity in the same row, and the target where it is: rounding of 1e-9 m
    and 1e-12 m/s, which two revolutions make 1e-6 m."""
    found = case.row()
    orbit = case.built.plant.orbit
    reference = (tuple(orbit[1:4].tolist()), tuple(orbit[4:7].tolist()))
    R_NH, R, V = hill_axes(orbit_of(case), 0.0)
    r, v = found["relative.p_TcmCcm_H"], found["relative.v_TcmCcm_H"]
    w = np.array([0.0, 0.0, np.linalg.norm(np.cross(R, V)) / (R @ R)])
    # the target's centre of mass is O and rests there at the start
    chaser = R + R_NH @ r, V + R_NH @ (v + np.cross(w, r))
    body = tuple(tuple(each.tolist()) for each in chaser)
    least, when = closest(float(orbit[0]), reference, reference, body, 48)
    assert found["safety.drift_distance"] == pytest.approx(least, abs=1e-4)
    assert found["safety.drift_keep_out"] == pytest.approx(least - KEEP_OUT, abs=1e-4)
    assert found["safety.drift_time"] == pytest.approx(when, abs=1.0)
    assert least < np.linalg.norm(r)


def test_the_target_is_seen_from_the_hub_in_its_axes(case):
    """By the rotation matrix of the hub's attitude, written out; the target is its hub alone."""
    y = case.moved(7.0)
    chaser, target = y[case.parts.chaser], y[case.parts.target]
    w, *v = chaser[layout.Q : layout.Q + 4]
    across = np.cross(np.eye(3), v)  # times a vector: v × it
    R = np.eye(3) + 2.0 * w * across + 2.0 * across @ across
    way = target[layout.P : layout.P + 3] - chaser[layout.P : layout.P + 3]
    np.testing.assert_allclose(seen(case.plant, case.work, y), R.T @ way, atol=1e-9)


@pytest.mark.parametrize(
    ("angle", "distance", "meets"),
    [(0.0, 30.0, 1.0), (19.0, 59.0, 1.0), (21.0, 30.0, 0.0), (0.0, 61.0, 0.0), (180.0, 30.0, 0.0)],
)
def test_a_plume_leaves_against_the_force_in_a_cone(angle, distance, meets):
    """A thruster of 2 N that pushes along x from 0.5 m behind the hub, and one along y that never
    fires at the target: in two seconds they give 3 and 1 N s."""
    table = np.zeros((2, thrusters.TABLE_WIDTH))
    table[0, thrusters.P], table[:, thrusters.THRUST] = -0.5, 2.0
    table[0, thrusters.DIRECTION], table[1, thrusters.DIRECTION + 1] = 1.0, 1.0
    zones = no_zones()._replace(plume=np.array([60.0, math.cos(math.radians(20.0))]))
    noted, row, turn = np.array([1.0, 2.0, 10.0]), np.zeros(3), math.radians(angle)
    target = (-0.5 - distance * math.cos(turn), 0.0, distance * math.sin(turn))
    assert put_burns(zones, table, np.array([4.0, 3.0]), noted, target, 12.0, row) == 3
    np.testing.assert_allclose(row, [0.75, 0.25, 3.0 * meets], atol=1e-12)
    np.testing.assert_allclose(noted, [4.0, 3.0, 12.0])
