"""Control of the base in the Hill frame, against two bodies that fall about an attractor.

The motion is integrated in inertial axes, for each body by itself: no formula of the Hill frame is
used twice.
"""

import numpy as np
import pytest

from proxops.onboard.functions.allocation.wheels import build
from proxops.onboard.functions.base_control import function as control
from proxops.onboard.functions.base_control.pointing import wanted_attitude
from proxops.onboard.functions.plan import legs as leg_at
from proxops.physics.orbit.frames import hill_frame, hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.kepler import state_from_elements
from proxops.physics.orbit.reference import MU, ORBIT_WIDTH, R0, V0
from tests.laws.written import written

MASS, EARTH = 300.0, 3.986004418e14
INERTIA = np.array([[40.0, 2.0, -1.0], [2.0, 55.0, 3.0], [-1.0, 3.0, 60.0]])
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
CENTRE = np.array([0.02, -0.01, 0.03])
BORESIGHT = np.array([0.0, 0.0, 1.0])
ROTOR = 0.01  # of a wheel [kg m2]


def row(**values):
    made = np.zeros(leg_at.WIDTH)
    made[leg_at.Q_HC] = 1.0
    for name, value in values.items():
        at, value = getattr(leg_at, name), np.atleast_1d(value)
        made[at : at + len(value)] = value
    return made


def orbit(e):
    R, V = state_from_elements(EARTH, 6.9e6, e, 0.9, 0.3, 0.5, 1.1)
    made = np.zeros(ORBIT_WIDTH)
    made[MU], made[R0 : R0 + 3], made[V0 : V0 + 3] = EARTH, R, V
    return made


class Flight:
    """A chaser and the point that it flies about, both falling; controlled once a second."""

    def __init__(self, leg, e=0.05, gains=(0.0, 0.0, 0.0, 0.0), p=(0.0, 0.0, 0.0), v=(0.0,) * 3,
                 h=(0.0, 0.0, 0.0)):  # fmt: skip
        self.orbit, self.h = orbit(e), np.array(h)  # of three wheels [N m s]
        wheels = build((), np.inf, 1.0)._replace(
            axes=np.eye(3), inverse=np.eye(3), inertia=np.full(3, ROTOR), max_torque=np.full(3, 1e3)
        )
        self.params = control.ControlParams(
            legs=leg[np.newaxis], orbit=self.orbit, mass=MASS,
            inertia=np.array([[INERTIA[i, j] for i, j in SIX]] * 2), centre=CENTRE,
            boresight=BORESIGHT, gains=np.array(gains), dead_band=np.zeros(2), wheels=wheels,
            max_force=3.0, pulse_period=1.0,
        )  # fmt: skip
        self.authority = 1.0  # share of the force in any direction that is left
        self.pushed = np.zeros(3)  # by the thrusters' pulses, in C [N]
        self.age = 0.0  # of what the navigation knows [s]
        self.memory = control.ControlMemory(np.array([np.nan] + [0.0] * (control.MEMORY - 1)))
        self.star_age = 0.2  # [s]
        self.t, (R, V) = 0.0, (self.orbit[R0 : R0 + 3], self.orbit[V0 : V0 + 3])
        p_O, v_O = inertial_from_hill(tuple(R), tuple(V), tuple(p), tuple(v))
        self.y = np.concatenate([R, V, R + p_O, V + v_O])
        self.place, self.q_NC, self.w = leg[leg_at.PLACE : leg_at.PLACE + 3], None, np.zeros(3)
        R_NH, w = written(hill_frame)(tuple(R), tuple(V))
        self.q_NC, self.w = matrix_quaternion(np.array(R_NH).reshape(3, 3)), np.array(w)

    def hill(self):
        """Position and velocity in H."""
        R, V, P, W = self.y.reshape(4, 3)
        p, v = hill_from_inertial(tuple(R), tuple(V), tuple(P - R), tuple(W - V))
        return np.array(p), np.array(v)

    def cycle(self):
        """Force and torque at Co, in C, of one cycle; errors are in `outputs`."""
        p, v = self.hill()
        inputs = control.ControlInputs(
            t=np.array([self.t]), encoders_qd=np.array([0.3, *self.h / ROTOR]),  # a joint first
            navigation_q_NC=self.q_NC, navigation_w_NC_C=self.w,
            navigation_star_age=np.array([self.star_age]),
            orbital_t=np.array([self.t - self.age]), orbital_p_HC=p - self.age * v, orbital_v_HC=v,
            orbital_source=np.ones(1), plan_leg=np.zeros(1),
            plan_since=np.zeros(1), plan_elapsed=np.array([self.t]), plan_place=self.place,
            guidance_nodes=np.zeros(1), guidance_trajectory=np.zeros(0),
            allocation_authority=np.array([self.authority]), allocation_force=self.pushed,
        )  # fmt: skip
        sizes = (3, 3, 1, 1, 1, 1, 1, 3, 3)
        self.outputs = control.ControlOutputs(*(np.zeros(size) for size in sizes))
        assert written(control.step)(self.params, self.memory, inputs, self.outputs) == 0
        return self.outputs.base_force, self.outputs.base_torque

    def fly(self, seconds):
        """Carries force and torque out, the chaser being a rigid body about its centre of mass."""
        for _ in range(round(seconds)):
            f, torque = self.cycle()
            self.pushed = f.copy()
            about_centre = torque - np.cross(CENTRE, f)
            for _ in range(4):  # thrusters turn with the chaser
                state = np.concatenate([self.y, self.q_NC, self.w])
                state = rk4(lambda s, f=f, t=about_centre: moving(s, f, t, self.h), state, 0.25)
                self.y, self.q_NC, self.w = np.split(state, [12, 16])
                self.q_NC /= np.linalg.norm(self.q_NC)
            self.t += 1.0


def moving(state, f, torque, h):
    """Rates of two falling points, of which the second is pushed by f in C, and of its attitude;
    h is what its wheels hold, at constant speed."""
    y, q, w = np.split(state, [12, 16])
    R, V, P, W = y.reshape(4, 3)
    pull = [-EARTH * x / np.linalg.norm(x) ** 3 for x in (R, P)]
    q_dot = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
    w_dot = np.linalg.solve(INERTIA, torque - np.cross(w, INERTIA @ w + h))
    return np.concatenate([V, pull[0], W, pull[1] + rotation(q) @ f / MASS, q_dot, w_dot])


def rk4(rates, y, h):
    a = rates(y)
    b = rates(y + 0.5 * h * a)
    c = rates(y + 0.5 * h * b)
    return y + h / 6.0 * (a + 2.0 * b + 2.0 * c + rates(y + h * c))


def rotation(q):
    w, v = q[0], q[1:]
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2.0 * w * K + 2.0 * K @ K


def matrix_quaternion(R):
    w = 0.5 * np.sqrt(1.0 + np.trace(R))
    return np.array([w, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
                          / (4.0 * w))])  # fmt: skip


TURN = (0.0, 0.0, 0.01, 0.2)  # gains of the attitude alone


@pytest.mark.slow
@pytest.mark.parametrize("e", [0.0, 0.05, 0.4])
@pytest.mark.parametrize("p", [(-100.0, 0.0, 0.0), (20.0, -300.0, 40.0)])
def test_what_is_fed_forward_keeps_a_place_in_the_hill_frame_by_itself(p, e):
    """Without any gain on position: exactly on a circular orbit, where the force is constant in H;
    on others a force that is held for a second is half a second late, of some 600 s."""
    flight = Flight(row(ACTION=leg_at.STATION_KEEP, PLACE=p), e, TURN, p=p)
    flight.fly(600)
    without = Flight(row(ACTION=leg_at.REST), e, TURN, p=p)
    without.fly(600)
    drift = np.linalg.norm(without.hill()[0] - p)
    assert drift > 15.0
    assert np.linalg.norm(flight.hill()[0] - p) < (1e-6 if e == 0.0 else 2.0 * 0.5 / 600 * drift)


@pytest.mark.parametrize("end", [(0.0, -20.0, 0.0), (-60.0, -100.0, 30.0)])
def test_what_is_fed_forward_flies_a_straight_line_by_itself(end):
    start = np.array([0.0, -100.0, 0.0])
    leg = row(ACTION=leg_at.FLY_TO, GUIDANCE=leg_at.STRAIGHT, PLACE=end, DURATION=300.0)
    flight = Flight(leg, 0.05, TURN, p=start)
    largest, axis = 0.0, (np.array(end) - start) / np.linalg.norm(np.array(end) - start)
    for _ in range(10):
        flight.fly(30)
        away = flight.hill()[0] - start
        largest = max(largest, np.linalg.norm(away - (away @ axis) * axis))
    p, v = flight.hill()
    # half a second late, see above, of accelerations of 5e-3 m/s2 that change sign in 150 s:
    # 0.5 s of the top speed would be 0.3 m off in time; both ends are at rest
    assert np.linalg.norm(p - end) < 0.02
    assert np.linalg.norm(v) < 1e-3
    assert largest < 0.02


AROUND = np.array([-0.5, 0.0, -np.sqrt(0.75)])


def around(angle, end=(0.0, 80.0, 0.0)):
    """A row that flies around the target in 900 s, camera on it, and ends there."""
    return row(ACTION=leg_at.FLY_AROUND, PLACE=end, DURATION=900.0, DIRECTION=AROUND, ANGLE=angle,
               POINTING=leg_at.TARGET, Q_HC=(np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0))  # fmt: skip


def test_what_is_fed_forward_flies_a_circle_around_the_target_by_itself():
    """Half of one, out of the orbit plane.  Force is held for a second: half a second late, at
    0.3 m/s it is 0.3 m / 900 s × 0.5 s off in velocity, which free motion makes some dm of."""
    flight = Flight(around(np.pi), 0.05, p=(0.0, -80.0, 0.0))
    for _ in range(9):
        flight.fly(100)
        p, v = flight.hill()
        assert np.linalg.norm(p) == pytest.approx(80.0, abs=0.2)
        assert p @ AROUND == pytest.approx(0.0, abs=0.2)
    np.testing.assert_allclose(p, [0.0, 80.0, 0.0], atol=0.2)
    np.testing.assert_allclose(v, np.zeros(3), atol=1e-3)


def test_a_circle_goes_right_handed_about_its_axis():
    """From behind the target and about the orbit's normal backwards: first down."""
    flight = Flight(around(np.pi), 0.05, p=(0.0, -80.0, 0.0))
    flight.t = 450.0
    flight.cycle()
    np.testing.assert_allclose(
        flight.outputs.control_p_ref, 80.0 * np.array([-np.sqrt(0.75), 0.0, 0.5]), atol=1e-9
    )


@pytest.mark.parametrize("angle", [np.pi, 2.0 * np.pi])
@pytest.mark.parametrize("beside", [(0.0, 0.0, 0.0), (0.3, 0.0, 0.2), (-0.3, 0.0, 0.4)])
def test_the_camera_is_carried_around_with_the_circle(angle, beside):
    """At half the time and angle, whatever the estimate is off by: no jump in roll where the line
    of sight is opposite to where it began."""
    point, leg = written(wanted_attitude), around(angle)
    half = rotation(np.array([np.cos(angle / 4.0), *np.sin(angle / 4.0) * AROUND]))
    p = half @ np.array([0.0, -80.0, 0.0]) + beside
    found = point(leg, BORESIGHT, tuple(p), (0.0, 0.0, 0.0), 450.0)
    R = rotation(np.array(found.q_HC))
    np.testing.assert_allclose(R @ BORESIGHT, -p / np.linalg.norm(p), atol=1e-12)
    carried = half @ rotation(leg[leg_at.Q_HC : leg_at.Q_HC + 4])
    np.testing.assert_allclose(R, carried, atol=0.01)


def test_an_error_of_position_dies_out_as_its_bandwidth_and_damping_say():
    """Critically damped, from rest: e = e₀ (1 + ω t) exp(-ω t); Hill's terms of the error itself
    are left to the gains, and couple its components by 2 n/ω = 0.044."""
    w, e0 = 0.05, np.array([1.0, -2.0, 0.5])
    place = np.array([0.0, -50.0, 0.0])
    leg = row(ACTION=leg_at.STATION_KEEP, PLACE=place)
    flight = Flight(leg, 0.0, (w * w, 2.0 * w, 0.01, 0.2), p=place + e0)
    for t in (20.0, 60.0):
        flight.fly(t - flight.t)
        found, _ = flight.hill()
        wanted = e0 * (1.0 + w * t) * np.exp(-w * t)
        assert np.linalg.norm(found - place - wanted) < 0.044 * np.linalg.norm(e0)
    assert flight.cycle()  # errors of this instant
    assert flight.outputs.control_position_error[0] == pytest.approx(
        np.linalg.norm(flight.hill()[0] - place), rel=1e-12
    )


def test_an_estimate_of_a_while_ago_is_carried_on_to_now():
    place = np.array([0.0, -50.0, 0.0])
    leg = row(ACTION=leg_at.STATION_KEEP, PLACE=place)
    forces = []
    for age in (0.0, 0.8):
        flight = Flight(leg, 0.0, (4e-4, 0.04, 0.0, 0.0), p=place, v=(0.0, 0.5, 0.0))
        flight.age = age
        forces.append(flight.cycle()[0].copy())
    # of 0.8 s × 0.5 m/s × k_p, 1.6e-4 m/s2, nothing is left
    np.testing.assert_allclose(forces[1], forces[0], atol=1e-9 * MASS)


def test_before_the_first_star_nothing_is_done():
    leg = row(ACTION=leg_at.STATION_KEEP, PLACE=(0.0, -50.0, 0.0), Q_HC=(0.8, 0.6, 0.0, 0.0))
    flight = Flight(leg, 0.05, (1e-4, 0.02, 0.01, 0.2), p=(0.0, -60.0, 0.0))
    assert all(each.any() for each in flight.cycle())
    flight.star_age = np.inf
    assert not any(each.any() for each in flight.cycle())


def test_within_the_dead_band_there_is_no_correction():
    place = np.array([0.0, -50.0, 0.0])
    leg = row(ACTION=leg_at.STATION_KEEP, PLACE=place)
    flight = Flight(leg, 0.0, (4e-4, 0.04, 0.0, 0.0), p=(0.0, -49.91, 0.0))
    flight.params = flight.params._replace(dead_band=np.array([0.1, 0.01]))
    inside = np.linalg.norm(flight.cycle()[0])
    flight.params = flight.params._replace(dead_band=np.array([0.05, 0.01]))
    outside = np.linalg.norm(flight.cycle()[0])
    assert inside < 1e-9 * MASS  # on V-bar of a circular orbit a place costs nothing
    assert outside == pytest.approx(MASS * 4e-4 * 0.04, rel=1e-3)


@pytest.mark.parametrize("authority", [1.0, 0.5])
def test_an_avoidance_manoeuvre_gives_its_velocity_and_then_drifts(authority):
    """Also with the half of the thrust that is left without a thruster, in twice the time."""
    leg = row(ACTION=leg_at.AVOID, DIRECTION=(1.0, 0.0, 0.0), DELTA_V=0.2)
    flight, forces = Flight(leg, 0.0, TURN, p=(0.0, -20.0, 0.0)), []
    flight.authority = authority
    for t in (10.0, 20.0 / authority - 1.0, 20.0 / authority + 1.0, 60.0):
        flight.fly(t - flight.t)
        forces.append(np.linalg.norm(flight.cycle()[0]))
    # 3 N on 300 kg: 20 s; of Hill's terms, 60 s × 2 n 0.2 m/s turn it, and change x by n² 60 s 20 m
    assert forces == pytest.approx([3.0 * authority, 3.0 * authority, 0.0, 0.0], rel=1e-3)
    v = flight.hill()[1]
    assert v[0] == pytest.approx(0.2, abs=0.003)


@pytest.mark.parametrize("along", [1.0, -1.0])
def test_an_avoidance_manoeuvre_leads_away_from_what_the_camera_looks_at(along):
    """By attitude alone: half a turn about x of C, z of C and so the camera look along -z of H,
    then turned by 30 deg towards y.  What the direction has forwards is turned round."""
    away, part, tilt = 0.1, 0.15, np.radians(30.0)
    leg = row(ACTION=leg_at.AVOID, DIRECTION=(0.0, along, 0.0), DELTA_V=part, AWAY=away)
    flight = Flight(leg, 0.0, TURN, p=(0.0, 0.0, 20.0))
    R_NH = np.array(hill_frame_at(flight)).reshape(3, 3)
    s = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    R_HC = np.column_stack([[1.0, 0.0, 0.0], np.cross(s, [1.0, 0.0, 0.0]), s])
    flight.q_NC = quaternion(R_NH @ R_HC)
    flight.fly(40)
    assert not flight.cycle()[0].any()
    v = flight.hill()[1]
    # of Hill's terms, 40 s × 2 n 0.2 m/s, and z'' = -n² 20 m
    np.testing.assert_allclose(v, np.array([0.0, -part, 0.0]) - away * s, atol=0.015)
    # It has kept its attitude in H, not turned to that of the leg
    R_NH = np.array(hill_frame_at(flight)).reshape(3, 3)
    np.testing.assert_allclose(R_NH.T @ rotation(flight.q_NC), R_HC, atol=0.01)


@pytest.mark.parametrize(
    ("part", "rate", "sign"),
    [
        (0.1, 0.0, -1.0),  # b = [0, -0.5, 0.87]: straight back has some -y
        (0.1, 0.002, -1.0),  # at 20 m it moves by 0.002 × 20 × 0.87 along y, less than 0.1 × 0.5
        (0.1, 0.004, 1.0),  # twice that: along y it is on its way
        (0.3, 0.04, -1.0),  # 0.3 × 0.5 forwards would be more than 0.1 m/s back
        (0.1, -0.04, -1.0),
    ],
)
def test_an_avoidance_manoeuvre_goes_with_the_turning_but_never_forwards(part, rate, sign):
    leg = row(ACTION=leg_at.AVOID, DIRECTION=(0.0, 1.0, 0.0), DELTA_V=part, AWAY=0.1)
    flight = Flight(leg, 0.0, TURN, p=(0.0, 0.0, 20.0))
    s = np.array([0.0, 0.5, -np.sqrt(0.75)])
    R_HC = np.column_stack([[1.0, 0.0, 0.0], np.cross(s, [1.0, 0.0, 0.0]), s])
    R_NH, w_NH = written(hill_frame)(*(tuple(each) for each in flight.y.reshape(4, 3)[:2]))
    flight.q_NC = quaternion(np.array(R_NH).reshape(3, 3) @ R_HC)
    flight.w = R_HC.T @ np.add(w_NH, [-rate, 0.0, 0.0])  # w × b = rate × 0.87 along y
    flight.cycle()
    found = flight.memory.state[control.DELTA_V : control.DELTA_V + 3]
    np.testing.assert_allclose(found, np.array([0.0, sign * part, 0.0]) - 0.1 * s, atol=1e-12)


@pytest.mark.parametrize("action", [leg_at.AVOID, leg_at.REST])
def test_a_chaser_that_evades_turns_by_its_wheels_alone(action):
    """0.04 rad/s, k_w = 0.2/s and some 40 kg m2 ask for 0.3 N m; its wheels give 0.1 N m, about the
    same axis.  Other legs ask for all of it, which thrusters then give."""
    leg = row(ACTION=action, DIRECTION=(0.0, 1.0, 0.0), DELTA_V=0.1, Q_HC=(1.0, 0.0, 0.0, 0.0))
    flight = Flight(leg, 0.0, TURN, p=(0.0, 0.0, 20.0))
    flight.w = flight.w + np.array([0.04, 0.01, 0.0])
    asked = flight.cycle()[1].copy()
    flight = Flight(leg, 0.0, TURN, p=(0.0, 0.0, 20.0))
    flight.params = flight.params._replace(
        wheels=flight.params.wheels._replace(max_torque=np.full(3, 0.1)),
        centre=np.zeros(3),
    )
    flight.w = flight.w + np.array([0.04, 0.01, 0.0])
    torque = flight.cycle()[1]
    assert np.abs(asked).max() > 0.2
    if action == leg_at.AVOID:
        assert np.abs(torque).max() == pytest.approx(0.1, rel=1e-9)
    else:
        np.testing.assert_allclose(torque, asked, rtol=1e-9)


def quaternion(R):
    """By its largest component, which may be any of the four."""
    values, vectors = np.linalg.eigh(
        np.array(
            [
                [np.trace(R), R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                [0.0, 2 * R[0, 0] - np.trace(R), R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                [0.0, 0.0, 2 * R[1, 1] - np.trace(R), R[1, 2] + R[2, 1]],
                [0.0, 0.0, 0.0, 2 * R[2, 2] - np.trace(R)],
            ]
        ),
        UPLO="U",
    )
    return vectors[:, np.argmax(values)]


@pytest.mark.parametrize("h", [(0.0, 0.0, 0.0), (3.0, -2.0, 1.0)])
def test_the_attitude_comes_to_rest_against_the_turning_hill_frame(h):
    """Once it has: no error but what the turning of torques held for a second leaves, n × 1 s.
    Wheels that spin take n × h = 4 mN m: without it fed forward there were 1e-2 rad left."""
    half = np.sqrt(0.5)
    leg = row(ACTION=leg_at.STATION_KEEP, PLACE=(0.0, -50.0, 0.0), Q_HC=(half, 0.0, 0.0, half))
    flight = Flight(leg, 0.05, TURN, p=(0.0, -50.0, 0.0), h=h)
    flight.fly(200)
    flight.cycle()
    assert flight.outputs.control_attitude_error[0] < 2e-3
    assert flight.outputs.control_rate_error[0] < 2e-5
    R_NH = np.array(hill_frame_at(flight)).reshape(3, 3)
    R_HC = R_NH.T @ rotation(flight.q_NC)
    np.testing.assert_allclose(R_HC, rotation(np.array([half, 0.0, 0.0, half])), atol=3e-3)


def hill_frame_at(flight):
    R, V, _, _ = flight.y.reshape(4, 3)
    return written(hill_frame)(tuple(R), tuple(V))[0]


def test_the_camera_points_at_the_target_and_turns_with_the_line_of_sight():
    leg = row(POINTING=leg_at.TARGET, Q_HC=(np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0))  # z along y
    p, v, h = np.array([30.0, -120.0, -25.0]), np.array([0.4, 0.3, -0.2]), 1e-3
    point = written(wanted_attitude)
    here = point(leg, BORESIGHT, tuple(p), tuple(v), 0.0)
    looks = rotation(np.array(here.q_HC)) @ BORESIGHT
    np.testing.assert_allclose(looks, -p / np.linalg.norm(p), atol=1e-14)
    after = point(leg, BORESIGHT, tuple(p + h * v), tuple(v), 0.0)
    moved = rotation(np.array(after.q_HC)) @ BORESIGHT - looks
    np.testing.assert_allclose(moved / h, np.cross(here.w_HC_H, looks), atol=1e-5)
