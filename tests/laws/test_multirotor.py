"""Laws of multirotors: mixer, clipping, wake, motion."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multirotor import body as of
from proxops.physics.multirotor.body import Body, acceleration, advance_body, rates
from proxops.physics.multirotor.clipping import clip
from proxops.physics.multirotor.mixer import (
    ROTORS,
    Geometry,
    allocation,
    condition,
    hover_thrusts,
    hover_tilt_limit,
    is_reachable,
    mixer,
    rank,
    rotor_speed,
)
from proxops.physics.multirotor.wake import air_velocity, jet, thrust_share

GRAVITY = 9.80665
WEIGHT = 2.3 * GRAVITY
Z = (0.0, 0.0, 1.0)


def tilted(alpha_deg: float, beta_deg: float = 0.0) -> Geometry:
    return Geometry(0.275, math.radians(alpha_deg), math.radians(beta_deg), 0.016, 0.10, 10.05)


def test_the_mixer_is_what_six_rotors_push_and_turn_one_by_one():
    geometry = tilted(25.0, -10.0)
    H = mixer(geometry)
    for i in range(ROTORS):
        spin = (-1.0) ** i
        arm = Rotation.from_euler("z", 60.0 * i, degrees=True)
        lean = Rotation.from_euler("XY", [25.0 * spin, -10.0], degrees=True)
        push = (arm * lean).apply([0.0, 0.0, 1.0])
        turn = np.cross(arm.apply([0.275, 0.0, 0.0]), push) - 0.016 * spin * push
        # 1e-12: a few roundings of numbers below one
        np.testing.assert_allclose(H[:, i], [*push, *turn], atol=1e-12)


def test_tilted_rotors_make_every_wrench_and_upright_ones_four():
    assert rank(mixer(tilted(25.0))) == 6
    assert condition(mixer(tilted(25.0))) == pytest.approx(6.933, abs=1e-3)
    assert rank(mixer(tilted(0.0))) == 4
    assert condition(mixer(tilted(0.0))) == math.inf


def test_hover_takes_the_published_thrust_and_its_speed_follows():
    thrusts = hover_thrusts(tilted(25.0), WEIGHT)
    np.testing.assert_allclose(thrusts, WEIGHT / (6.0 * math.cos(math.radians(25.0))), rtol=1e-12)
    assert thrusts[0] == pytest.approx(4.148, abs=5e-4)
    assert rotor_speed(thrusts[0], 1.2216e-7) == pytest.approx(5827.0, abs=1.0)


@pytest.mark.parametrize(("alpha", "limit"), [(20.0, 10.06), (25.0, 12.81), (35.0, 18.88)])
def test_the_tilt_of_a_hover_ends_where_a_rotor_is_at_its_limit(alpha, limit):
    geometry = tilted(alpha)
    found = hover_tilt_limit(geometry, WEIGHT)
    assert math.degrees(found) == pytest.approx(limit, abs=0.01)

    def hovers(angle: float, azimuth: float) -> bool:
        lean = [math.sin(angle) * math.cos(azimuth), math.sin(angle) * math.sin(azimuth)]
        return is_reachable(geometry, WEIGHT * np.array([*lean, math.cos(angle), 0.0, 0.0, 0.0]))

    azimuths = np.radians(np.arange(0.0, 360.0, 1.0))
    assert all(hovers(0.999 * found, each) for each in azimuths)
    assert not all(hovers(1.001 * found, each) for each in azimuths)


def _programme(B, least, largest, F):
    """The three linear programmes one after the other: s, f_z and σ."""
    torque, z, aside = B[:, 3:] @ F[3:], B[:, 2], B[:, :2] @ F[:2]

    def best(cost, columns, fixed, bounds):
        A = np.column_stack(columns)
        ub = np.concatenate([largest - fixed, fixed - least])
        found = linprog(cost, np.vstack([A, -A]), ub, bounds=bounds, method="highs")
        assert found.status == 0
        return found.x

    nothing = np.zeros(ROTORS)
    s = best([-1.0, 0.0], [torque, z], nothing, [(0.0, 1.0), (None, None)])[0]
    # nearest to the commanded force: f_z = F_z + over - under, over + under least
    fixed = s * torque + F[2] * z
    over, under = best([1.0, 1.0], [z, -z], fixed, [(0.0, None), (0.0, None)])
    f_z = F[2] + over - under
    share = best([-1.0], [aside], s * torque + f_z * z, [(0.0, 1.0)])[0]
    return s, f_z, share


@pytest.mark.parametrize("alpha", [20.0, 25.0])
def test_clipping_is_the_linear_programme_of_its_priorities(alpha):
    geometry = tilted(alpha)
    B = allocation(mixer(geometry))
    random = np.random.default_rng(1)
    sizes = np.array([15.0, 15.0, 30.0, 2.5, 2.5, 2.5])
    cut = 0
    for _ in range(200):
        F = random.normal(size=6) * sizes + [0.0, 0.0, WEIGHT, 0.0, 0.0, 0.0]
        thrusts = np.empty(ROTORS)
        ours = clip(B, geometry.least, geometry.largest, F, thrusts)
        # the referee's own tolerance is 1e-7 of constraints of some 10 N
        np.testing.assert_allclose(
            ours, _programme(B, geometry.least, geometry.largest, F), atol=1e-6
        )
        made = np.array([*(ours[2] * F[:2]), ours[1], *(ours[0] * F[3:])])
        np.testing.assert_allclose(mixer(geometry) @ thrusts, made, atol=1e-9)
        cut += ours[0] < 1.0
    assert 20 < cut < 180  # some torques are cut, some are not


def test_what_rotors_can_do_is_not_clipped():
    geometry = tilted(25.0)
    F, thrusts = np.array([1.0, -2.0, WEIGHT, 0.1, -0.2, 0.1]), np.empty(ROTORS)
    B = allocation(mixer(geometry))
    assert clip(B, geometry.least, geometry.largest, F, thrusts) == (1.0, F[2], 1.0)
    np.testing.assert_allclose(thrusts, B @ F, atol=1e-12)


# --- wake ----------------------------------------------------------------------------------------

PROPELLER = 9.4 * 0.0254 / 2.0


def _momentum(depth: float) -> float:
    """ρ ∫ w² dA [N] across the jet, by rings."""
    own = jet(ROTORS, PROPELLER)
    r = np.linspace(0.0, 10.0, 20001)
    w = [air_velocity(own, (0.0, 0.0, 0.0), Z, WEIGHT, (x, 0.0, -depth))[2] for x in r]
    return float(np.trapezoid(own.density * np.square(w) * math.tau * r, r))


@pytest.mark.parametrize("depth", [0.01, 3.0, 8.0])
def test_the_wake_carries_the_momentum_of_the_thrust_at_every_depth(depth):
    # trapezoids of 0.5 mm in a jet of 0.3 m: (0.5/300)²
    assert _momentum(depth) == pytest.approx(WEIGHT, rel=1e-5)


def test_the_wake_begins_at_the_speed_of_momentum_theory():
    own = jet(ROTORS, PROPELLER)
    induced = math.sqrt(WEIGHT / (2.0 * own.density * ROTORS * math.pi * PROPELLER**2))
    assert -air_velocity(own, (0.0, 0.0, 0.0), Z, WEIGHT, (0.0, 0.0, -1e-9))[2] == pytest.approx(
        2.0 * induced
    )


def _lost(below: float, aside: float) -> float:
    """Share of its thrust that a vehicle below and aside loses, mean over its rotors."""
    own = jet(ROTORS, PROPELLER)
    angles = np.arange(ROTORS) * math.tau / ROTORS
    left = [
        thrust_share(
            own,
            Z,
            air_velocity(
                own,
                (0.0, 0.0, 0.0),
                Z,
                WEIGHT,
                (aside + 0.275 * math.cos(a), 0.275 * math.sin(a), -below),
            ),
        )
        for a in angles
    ]
    return 1.0 - float(np.mean(left))


def test_a_vehicle_below_another_loses_the_thrust_that_was_calibrated():
    assert _lost(3.0, 0.0) == pytest.approx(0.36, abs=0.005)
    assert _lost(8.0, 0.0) == pytest.approx(0.24, abs=0.005)
    assert _lost(2.0, 1.0) < 0.02
    assert _lost(-1.0, 0.0) == 0.0


# --- motion --------------------------------------------------------------------------------------


def _body(lag: float = 0.03, drag: float = 0.0, gravity: float = 0.0) -> Body:
    H = mixer(tilted(25.0))
    J, still = np.array([0.04, 0.05, 0.075]), np.zeros(3)
    return Body(2.3, J, H, lag, drag, gravity, np.zeros(ROTORS), np.ones(ROTORS), still)


def _state(random) -> np.ndarray:
    y = random.normal(size=of.STATE_SIZE)
    y[of.Q : of.Q + 4] /= np.linalg.norm(y[of.Q : of.Q + 4])
    y[of.T :] = random.uniform(1.0, 6.0, ROTORS)
    return y


def test_rotors_follow_a_step_as_a_first_order_lag():
    body, y = _body(), np.zeros(of.STATE_SIZE)
    y[of.Q] = 1.0
    body.commands[:] = 5.0
    for _ in range(80):
        advance_body(body, y, np.empty((STAGE_ROWS, of.STATE_SIZE)), 1.25e-3)
    # (h/τ)^4/120 each step of 0.03 s: 3e-8
    np.testing.assert_allclose(y[of.T :], 5.0 * (1.0 - math.exp(-0.1 / 0.03)), rtol=1e-6)


def test_thrust_pushes_and_turns_by_newton_and_euler_in_the_lab():
    random = np.random.default_rng(2)
    body, y = _body(drag=0.3, gravity=GRAVITY), _state(random)
    body.air[:], body.shares[:] = [0.5, -1.0, 0.2], random.uniform(0.6, 1.0, ROTORS)
    F = body.mixer @ (body.shares * y[of.T :])
    R = Rotation.from_quat(y[of.Q : of.Q + 4], scalar_first=True).as_matrix()
    pushed = (R @ F[:3] - 0.3 * (y[of.V : of.V + 3] - body.air)) / 2.3 - [0.0, 0.0, GRAVITY]
    np.testing.assert_allclose(acceleration(body, y), pushed, atol=1e-12)
    k = np.empty(of.STATE_SIZE)
    rates(body, y, 0.0, k)
    w, J = y[of.W : of.W + 3], np.diag(body.inertia)
    np.testing.assert_allclose(J @ k[of.W : of.W + 3] + np.cross(w, J @ w), F[3:], atol=1e-12)


def test_without_rotors_momentum_and_energy_stay():
    random = np.random.default_rng(3)
    body, y = _body(), _state(random)
    y[of.T :] = 0.0

    def kept():
        R = Rotation.from_quat(y[of.Q : of.Q + 4], scalar_first=True).as_matrix()
        h = body.inertia * y[of.W : of.W + 3]
        return np.array([*y[of.V : of.V + 3], *(R @ h), y[of.W : of.W + 3] @ h])

    before = kept()
    for _ in range(800):
        advance_body(body, y, np.empty((STAGE_ROWS, of.STATE_SIZE)), 1.25e-3)
    # order 4 at w h = 2e-3, 800 steps: 800 (2e-3)^5 = 3e-11
    np.testing.assert_allclose(kept(), before, rtol=1e-9, atol=1e-9)


def test_the_step_is_of_fourth_order():
    random = np.random.default_rng(4)
    start = _state(random)

    def flown(steps: int) -> np.ndarray:
        body, y = _body(drag=0.3, gravity=GRAVITY), start.copy()
        body.commands[:] = 4.0
        for _ in range(steps):
            advance_body(body, y, np.empty((STAGE_ROWS, of.STATE_SIZE)), 0.2 / steps)
        return y

    fine = flown(640)
    errors = [np.abs(flown(steps) - fine).max() for steps in (40, 80, 160)]
    for coarse, finer in itertools.pairwise(errors):
        assert coarse / finer == pytest.approx(16.0, rel=0.15)
