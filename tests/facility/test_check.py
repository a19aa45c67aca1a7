"""Whether a facility can show a mission: motions in the lab, times of limits, torques, delays."""

import math
from dataclasses import replace

import numpy as np
import pytest

from proxops.assembly.build import build
from proxops.assembly.representation import REPRESENTATIONS
from proxops.core.description import ContactDescription, point_inertia
from proxops.core.frame import frame, rotation_of
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.arms import arm_frames, links_of
from proxops.facility.robot_cell.industrial.margins import LIMITS
from proxops.facility.robot_cell.industrial.robot import COM, GRAVITY, MASS
from proxops.feasibility.case import flight_of
from proxops.feasibility.check import answer
from proxops.feasibility.contact_delay import contact_margins, slope_of
from proxops.feasibility.energy_port import facility_delay
from proxops.feasibility.loaded_robots import loaded
from proxops.feasibility.margins import GROUPS
from proxops.feasibility.reproduction import arm_torques, reproduce, track_in_lab
from proxops.physics.contact.normal import HUNT_CROSSLEY, SPRING
from proxops.physics.orbit.reference import MU, ORBIT_WIDTH, R0, V0
from proxops.plant.frames import rows_from_hill
from tests.data.wheels import WHEEL
from tests.facility.check_cases import APART, synchronous, with_chaser


def swaying(t):
    """p_TC of a servicer that moves to and fro along all axes [m]."""
    return APART + 0.2 * np.array([math.sin(0.7 * t), 1.0 - math.cos(0.5 * t), math.sin(0.3 * t)])


def at_rest(case):
    """States of both hubs that stay where they start."""
    states = np.repeat(case.flight.states[:, :1], len(case.flight.t), axis=1)
    states[:, :, 7:] = 0.0
    return states[TARGET], states[CHASER]


def weight_of_arm(case):
    """τ_j = z_j · Σ r × (-m g) (joints,) [N m] of the links beyond joint j, as they start."""
    mounted = case.built.chaser.arms[0]
    X_OT, X_OC = (frame(states[0, :3], states[0, 3:7]) for states in case.flight.states)
    up = (case.X_LM @ X_OT.inverse() @ X_OC).R.T @ np.array([0.0, 0.0, GRAVITY])
    frames, links = arm_frames([mounted])["main"][1:-1], links_of([mounted])[1:]
    return np.array(
        [
            X.R[:, 2] @ sum(np.cross(link.com - X.p, link.mass * up) for link in links[j:])
            for j, X in enumerate(frames)
        ]
    )


@pytest.fixture(scope="module")
def sways():
    return with_chaser(2.5, 10.0, swaying)


@pytest.fixture(scope="module")
def goes_along():
    return synchronous(2.5, 60.0)


@pytest.mark.parametrize("name", REPRESENTATIONS)
@pytest.mark.parametrize("which", [TARGET, CHASER])
def test_shown_twists_are_the_rates_of_shown_poses(sways, name, which):
    """Central differences at 50 ms err by h²/6 of the third derivative: 0.2 m · (0.7 rad/s)³ gives
    3e-5 m/s, 5 m · (0.044 rad/s)³ 2e-7 m/s."""
    track = track_in_lab(reproduce(sways, name), which, sways.X_LM)
    h = track.t[1] - track.t[0]
    for i in range(1, len(track.t) - 1):
        p = (track.poses[i + 1, :3] - track.poses[i - 1, :3]) / (2.0 * h)
        R = rotation_of(track.poses[i, 3:])
        before, after = (rotation_of(track.poses[j, 3:]) for j in (i - 1, i + 1))
        turn = R.T @ (after - before) / (2.0 * h)
        assert np.allclose(track.twists[i, :3], R.T @ p, atol=3e-5)
        assert np.allclose(track.twists[i, 3:], [turn[2, 1], turn[0, 2], turn[1, 0]], atol=3e-5)


def test_relative_poses_are_the_same_in_every_representation_and_in_orbit(sways):
    """X_TC in the lab is X_TC in orbit; RK4 of M and rounding leave 1e-10."""
    states = sways.flight.states
    for name in REPRESENTATIONS:
        shown = reproduce(sways, name)
        tracks = [track_in_lab(shown, which, sways.X_LM) for which in (TARGET, CHASER)]
        for i in range(0, len(shown.t), 20):
            lab = [frame(track.poses[i, :3], track.poses[i, 3:]) for track in tracks]
            orbit = [frame(states[k, i, :3], states[k, i, 3:7]) for k in (TARGET, CHASER)]
            X, Y = (pair[TARGET].inverse() @ pair[CHASER] for pair in (lab, orbit))
            assert np.allclose(X.p, Y.p, atol=1e-10)
            assert np.allclose(X.R, Y.R, atol=1e-10)


@pytest.mark.slow
def test_at_the_documented_placement_the_absolute_form_ends_after_14_s_with_a_stretched_arm(
    goes_along,
):
    found = answer(goes_along, "absolute")
    assert not found.feasible
    assert found.lasts == pytest.approx(14.0, abs=2.0)  # as published
    assert (found.limit.where, found.limit.name) == ("target's robot", "reach, arm stretched")
    assert found.limit.margin == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("name", ["relative", "target-fixed"])
def test_a_synchronised_chaser_is_shown_the_whole_minute_without_moving(goes_along, name):
    found = answer(goes_along, name)
    assert found.feasible
    assert found.lasts == 60.0
    for robot in found.robots:
        assert min(least.margin for least in robot.margins.values()) > 0.15
        assert robot.speed < 1e-9  # rounding of 5 m and of the quaternions


def test_a_robot_that_is_drawn_away_is_stretched_when_geometry_says(sways):
    """The target slides along y of the lab: the wrist's centre W goes straight, and the arm lacks
    `near_reach` of its length when W is that far from axis 2."""
    case, speed = sways, 0.05
    t, robot = 4.0 * case.flight.t, case.robots.target
    target, chaser = at_rest(case)
    along = case.X_LM.R.T @ np.array([0.0, speed, 0.0])  # M's axes are O's at the start
    target[:, :3] += np.outer(t, along)
    target[:, 7:10] = along
    flight = flight_of(t, (target, chaser), case.flight.q, case.flight.qd)
    found = answer(replace(case, flight=flight), "absolute")
    base = case.lab.facility.robots.target
    G = np.array(case.lab.facility.start.p_LG_m)
    flange = G + np.array([base.p_KM_m[2], 0.0, 0.0])  # the flange looks along -x
    W = flange + np.array([robot.d6, 0.0, 0.0]) - np.array(base.p_LB_m)
    length = robot.a2 + math.hypot(robot.d4, robot.a3) - robot.near_reach
    out = robot.a1 + math.sqrt(length**2 - (W[2] - robot.d1) ** 2)
    expected = (math.sqrt(out**2 - W[0] ** 2) - W[1]) / speed
    assert found.by_robots.name == "reach, arm stretched"
    assert found.by_robots.t == pytest.approx(expected, abs=1e-6)  # straight lines are met exactly


def test_every_limit_of_a_robot_is_in_one_group_and_margins_end_with_the_mission(goes_along):
    assert sorted(c for group in GROUPS.values() for c in group) == list(range(LIMITS))
    found = answer(goes_along, "absolute")
    for robot in found.robots:
        for least in robot.margins.values():
            assert least.t <= found.lasts
            assert least.margin >= 0.0


def test_an_arm_at_rest_needs_the_torque_that_holds_its_weight(sways):
    case = sways
    states = at_rest(case)
    still = flight_of(case.flight.t, states, case.flight.q, case.flight.qd)
    case = replace(case, flight=still)
    torques = arm_torques(case, reproduce(case, "absolute"), case.X_LM)
    expected = weight_of_arm(case)
    assert np.abs(expected).max() > 10.0
    assert np.allclose(torques, expected, atol=1e-10)


def test_an_arm_that_is_held_in_orbit_needs_only_its_weight_held_where_its_base_stands_still():
    """Carried round at 20 deg/s with its target, the arm is given τ_j = z_j · Σ r × m a + I α + w ×
    I w of the links beyond joint j, each about its own centre.  In the relative form its base then
    stands, so gravity alone is left.  Torques of 10 N m are sums of some 100 terms: 1e-11 N m."""
    case = synchronous(20.0, 3.0)
    shown, mounted = reproduce(case, "relative"), case.built.chaser.arms[0]
    frames, links = arm_frames([mounted])["main"][1:-1], links_of([mounted])[1:]
    torques = np.zeros(case.torques.shape)
    for i, M in enumerate(shown.course):
        w, alpha = M[10:13], M[16:19]  # the servicer keeps the target's attitude
        v = M[7:10] + np.cross(w, APART)
        a = M[13:16] + np.cross(alpha, APART) + np.cross(w, v)
        for j, X in enumerate(frames):
            for link in links[j:]:
                c, about_com = link.com, link.inertia - point_inertia(link.mass, link.com)
                f = link.mass * (a + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
                t = about_com @ alpha + np.cross(w, about_com @ w)
                torques[i, j] += X.R[:, 2] @ (np.cross(c - X.p, f) + t)
    assert np.abs(torques).max() > 0.5
    on_ground = arm_torques(replace(case, torques=torques), shown, case.X_LM)
    assert np.allclose(on_ground, weight_of_arm(case), atol=1e-10)


def test_wheels_in_orbit_ask_nothing_of_the_arm_on_the_ground():
    case = synchronous(20.0, 1.0)
    with_wheel = build(case.scenario.replace({"chaser.wheels": {"one": WHEEL}}))
    shown = reproduce(case, "absolute")
    torques = arm_torques(replace(case, built=with_wheel), shown, case.X_LM)
    assert np.array_equal(torques, arm_torques(case, shown, case.X_LM))


def test_an_arm_too_weak_for_its_weight_ends_the_mission_at_once(goes_along):
    mounted = goes_along.built.chaser.arms[0]
    weak = tuple(replace(joint, effort=1.0) for joint in mounted.arm.joints)
    arm = replace(mounted, arm=replace(mounted.arm, joints=weak))
    chaser = replace(goes_along.built.chaser, arms=(arm,))
    case = replace(goes_along, built=goes_along.built._replace(chaser=chaser))
    found = answer(case, "relative")
    assert (found.lasts, found.limit.where) == (0.0, "arm main")
    assert found.limit.margin < 0.0


def test_a_start_out_of_reach_is_named_and_lasts_no_time(sways):
    """Whatever speeds the joints of a stretched arm would need for a motion that it cannot make."""
    facility = sways.lab.facility
    start = facility.start.model_copy(update={"p_LG_m": (-5.0, 0.6, 1.5)})
    lab = replace(sways.lab, facility=facility.model_copy(update={"start": start}))
    found = answer(replace(sways, lab=lab), "absolute")
    assert found.lasts == 0.0
    assert (found.limit.where, found.limit.name) == ("target's robot", "reach, arm stretched")
    assert found.limit.value < -1.0  # metres that are missing
    assert all(robot.start is None for robot in found.robots)


def test_nothing_limits_a_facility_without_robots():
    found = answer(synchronous(2.5, 60.0, "ideal"), "absolute")
    assert found.feasible
    assert found.robots == ()


def test_hill_states_become_inertial_ones_along_a_circular_orbit():
    """At angle nt the Hill axes are turned by it about z, and turn with n."""
    mu, radius = 3.986004418e14, 7.0e6
    n = math.sqrt(mu / radius**3)
    orbit = np.zeros(ORBIT_WIDTH)
    orbit[MU], orbit[R0], orbit[V0 + 1] = mu, radius, n * radius
    t = np.array([0.0, 700.0, 2500.0])
    rows = np.random.default_rng(4).uniform(-20.0, 20.0, (3, 13))
    expected = rows.copy()
    for row, angle in zip(expected, n * t, strict=True):
        c, s = math.cos(angle), math.sin(angle)
        R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        row[7:10] = R @ (row[7:10] + np.cross([0.0, 0.0, n], row[:3]))
        row[:3] = R @ row[:3]
    rows_from_hill(orbit, t, rows)
    # Kepler's equation is solved to rounding of some radians: 1e-15 · 20 m, with room
    assert np.allclose(rows, expected, atol=1e-12, rtol=0.0)


def test_the_documented_loop_is_late_by_the_sum_of_its_parts(sways):
    """2 ms sensor, 100 Hz filter, 1 ms held, 20 ms command, critically damped 10 Hz."""
    delay = facility_delay(sways)
    whole = 0.002 + 1.0 / (200.0 * math.pi) + 0.0005 + 0.02 + 2.0 / (20.0 * math.pi)
    assert delay.total == pytest.approx(whole, rel=1e-12)


def nose(**changes):
    """A pad straight ahead of the servicer, a face on the target that looks at it."""
    given = ContactDescription(
        name="nose",
        arm="",
        pads_on_chaser=True,
        pads=np.array([[2.0, 0.0, 0.0]]),
        radius=0.05,
        centre=np.array([-2.9, 0.0, 0.0]),
        normal=np.array([-1.0, 0.0, 0.0]),
        along=np.array([0.0, 1.0, 0.0]),
        half=(math.inf, math.inf),
        ball_radius=0.0,
        law=SPRING,
        stiffness=1000.0,
        damping=20.0,
        exponent=1.0,
        depth=1.0,
        bilateral=False,
        mu_static=0.0,
        mu_kinetic=0.0,
        grip_stiffness=0.0,
        grip_damping=0.0,
    )
    return replace(given, **changes)


def test_a_contact_feels_both_bodies_where_they_come_closest(sways):
    """The normal goes through the servicer's hub and passes the target's centre by 0.3 m: with
    lever² m/I of 7e-3 and, for what the arm shifts, 1e-4, both feel like their masses to 0.2 %."""
    case = replace(sways, built=sways.built._replace(contacts=(nose(),)))
    (contact,) = contact_margins(case)
    gap = np.array([2.0 + 2.9, 0.0, 0.0])
    approach = [np.linalg.norm(swaying(t) + gap) for t in case.flight.t]
    assert contact.t == pytest.approx(case.flight.t[int(np.argmin(approach))])
    assert contact.distance == pytest.approx(min(approach), abs=1e-9)
    expected = 1.0 / (1.0 / 7827.867 + 1.0 / (1200.0 + 18.7))
    assert contact.margins.mass == pytest.approx(expected, rel=2e-3)
    assert contact.margins.lateness == pytest.approx(facility_delay(case).total)
    assert contact.margins.spare < 0.0  # 20 ms would be b/k


def test_the_slope_of_a_contact_law_is_that_of_its_force():
    law = {"stiffness": 3e5, "exponent": 1.5, "damping": 0.8, "depth": 2e-3}
    pads = np.zeros((3, 3))
    spring, damper = slope_of(nose(law=HUNT_CROSSLEY, pads=pads, **law))

    def force(depth, rate):
        return 3.0 * 3e5 * depth**1.5 * (1.0 + 0.8 * rate)

    step = 1e-6  # differences err by (step/depth)²: 2.5e-7
    sloped = (force(2e-3 + step, 0.0) - force(2e-3 - step, 0.0)) / (2.0 * step)
    assert spring == pytest.approx(sloped, rel=1e-6)
    assert damper == pytest.approx((force(2e-3, 1.0) - force(2e-3, -1.0)) / 2.0, rel=1e-12)
    assert slope_of(nose(pads=pads)) == (3000.0, 60.0)


def test_the_flange_is_judged_with_the_arm_as_far_out_as_it_ever_is(sways):
    """Stretched ahead, the arm's centre of mass is as far from the flange as it can be."""
    mounted = sways.built.chaser.arms[0]
    q = np.linspace(mounted.q, np.zeros(7), 50)[::-1].copy()  # at first stretched, then folded
    load = loaded(sways.lab, sways.scenario, q).chaser.load
    links = links_of([replace(mounted, q=np.zeros(7))])
    plate = sways.lab.facility.robots.chaser
    mass = plate.mock_up.mass_kg + sum(link.mass for link in links)
    flange = mounted.p_CA[0] - plate.p_KM_m[2]
    first = plate.mock_up.mass_kg * (flange + plate.mock_up.p_KS_m[2])
    first += sum(link.mass * link.com[0] for link in links)
    assert load[MASS] == pytest.approx(mass)
    assert load[COM] == pytest.approx(first / mass)
    assert load[COM] > sways.robots.chaser.load[COM] + 0.05
