"""What plans predict: exact linear motion under thrust, errors that grow, bounds of thrust."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.stats import chi, norm
from tests.analytic.guidance_cases import ANY, approach, orbit

from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.convex import plan
from proxops.onboard.functions.guidance.feasibility import (
    hold_acceleration,
    shortest_time,
    thrust_may_suffice,
)
from proxops.onboard.functions.guidance.prediction import effects
from proxops.onboard.functions.guidance.tightening import grown_covariance, joint_quantile, sigma
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.fundamental import fundamental
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.physics.orbit.yamanaka_ankersen import transition

EPS = np.finfo(float).eps


@pytest.mark.parametrize("e", [0.0, 1e-9, 0.05, 0.3, 0.7])
def test_many_instants_have_the_transitions_of_single_ones(e):
    a = 7e6 / (1.0 - e)
    R, V = state_from_elements(EARTH.mu, a, e, 0.9, 0.4, 2.1, 0.7)
    n = math.sqrt(EARTH.mu / a**3)
    unit = np.repeat([1.0, n], 3)
    times = np.array([-300.0, 0.0, 100.0, 3000.0, 20000.0])
    X = fundamental(EARTH.mu, R, V, times)
    for t, Phi in zip(times, X @ np.linalg.inv(X[1]), strict=True):
        one = transition(EARTH.mu, tuple(R.tolist()), tuple(V.tolist()), float(t))
        size = np.abs(one * unit / unit[:, None]).max()
        # Both invert a matrix whose condition, without units, grows as 1/(1 - e)³
        error = np.abs((Phi - one) * unit / unit[:, None]).max()
        assert error < 100.0 * EPS * size / (1.0 - e) ** 3


def linear_rates(belief, t, x, u):
    """Tschauner and Hempel's equations in time, written out."""
    R, V = (np.array(v) for v in propagate(belief.mu, belief.R0, belief.V0, t))
    r = float(np.linalg.norm(R))
    w = float(np.linalg.norm(np.cross(R, V))) / r**2
    w_dot = -2.0 * w * float(R @ V) / r**2
    k = belief.mu / r**3
    gravity = [
        2.0 * w * x[4] + w_dot * x[1] + (w * w + 2.0 * k) * x[0],
        -2.0 * w * x[3] - w_dot * x[0] + (w * w - k) * x[1],
        -k * x[2],
    ]
    return np.concatenate([x[3:], np.array(gravity) + u])


@pytest.mark.parametrize("e", [0.0, 0.05, 0.4])
@pytest.mark.parametrize(("burn", "span"), [(10.0, 120.0), (120.0, 120.0), (900.0, 2000.0)])
def test_thrust_moves_the_chaser_as_numerical_integration_says(e, burn, span):
    belief = orbit(e, nu=1.1)
    x, u, start = (
        np.array([30.0, -400.0, 20.0, 0.1, -0.2, 0.05]),
        np.array([1e-3, -2e-3, 5e-4]),
        700.0,
    )
    A, B = effects(belief, np.array([start]), np.array([burn]), np.array([start + span]))
    state = x
    for begin, end, push in ((start, start + burn, u), (start + burn, start + span, 0.0 * u)):
        if end > begin:
            state = solve_ivp(
                lambda t, s, push=push: linear_rates(belief, t, s, push),
                (begin, end),
                state,
                "DOP853",
                rtol=1e-12,
                atol=1e-12,
            ).y[:, -1]
    # The quadrature's 1e-10 of 3 km, after a radian at periapsis
    np.testing.assert_allclose((A @ x + B @ u)[0], state, rtol=0.0, atol=5e-7)


@pytest.mark.parametrize("probability", [0.5, 0.9, 0.9987, 0.99999])
def test_quantiles_are_those_of_chi(probability):
    assert joint_quantile(probability, 1) == pytest.approx(max(norm.ppf(probability), 0.0))
    for dimensions in (2, 3):
        expected = chi.ppf(probability, dimensions)
        assert joint_quantile(probability, dimensions) == pytest.approx(expected, rel=1e-9)


def test_three_sigma_leave_one_percent_in_two_dimensions():
    # 1 - exp(-4.5), as the sum of squares of two normal errors is exponential
    assert joint_quantile(1.0 - math.exp(-4.5), 2) == pytest.approx(3.0)
    assert math.exp(-4.5) == pytest.approx(0.011, abs=5e-4)


def test_the_quantile_of_the_cross_section_covers_the_whole_cone():
    # A plan on the axis, at the tightened wall on all sides: no direction is left out
    generator = np.random.default_rng(11)
    L = np.array([[0.5, 0.0, 0.0], [0.2, 1.0, 0.0], [-0.1, 0.3, 0.4]])  # axis first
    P, half, probability = L @ L.T, math.radians(15.0), 0.99
    phi = np.arange(360) * math.tau / 360
    normals = np.column_stack(
        [
            np.full(360, math.sin(half)),
            -math.cos(half) * np.cos(phi),
            -math.cos(half) * np.sin(phi),
        ]
    )
    margin = joint_quantile(probability, 2) * sigma(P, normals).max()
    errors = generator.normal(size=(100_000, 3)) @ L.T
    outside = (errors @ normals.T).min(axis=1) < -margin
    # Its own statistical error is 3e-4; long ellipses leave less than round ones
    assert outside.mean() < 1.0 - probability + 1e-3


def test_errors_grow_along_the_motion_until_they_are_corrected():
    belief = orbit(0.05)
    times = np.array([500.0, 520.0, 700.0, 3000.0])
    navigation = np.diag([1.0, 4.0, 1.0, 1e-4, 1e-4, 1e-4])
    P = grown_covariance(belief, times, navigation, execution=0.0, feedback=150.0)
    np.testing.assert_allclose(P[0], navigation, atol=1e-12)
    for k, begin in ((1, 500.0), (2, 550.0), (3, 2850.0)):
        Phi = belief.transition(begin, times[k])
        np.testing.assert_allclose(P[k], Phi @ navigation @ Phi.T, rtol=1e-9, atol=1e-12)
    walk = grown_covariance(belief, times, 0.0 * navigation, execution=1e-3, feedback=150.0)
    # Without gravity, q² [t³/3, t²/2; t²/2, t]; with it (n t)² = 3 % more or less at 150 s
    for k, t in ((1, 20.0), (2, 150.0)):
        expected = 1e-6 * np.array([t**3 / 3.0, t**2 / 2.0, t])
        found = np.array([walk[k, 2, 2], walk[k, 2, 5], walk[k, 5, 5]])
        np.testing.assert_allclose(found, expected, rtol=0.04)


def test_no_plan_is_faster_than_the_bound():
    belief = orbit()
    n = belief.mean_motion
    start = np.array([0.0, -40.0, 0.0, 0.0, 0.0, 0.0])
    problem = approach(40, degrees=None, start=start)
    least = shortest_time(problem.start, problem.goal, a_max=ANY.a_max, rate=n)
    free = 2.0 * math.sqrt(30.0 / ANY.a_max)
    assert 0.7 * free < least < free
    for seconds, status in ((0.99 * least, Status.INFEASIBLE), (1.05 * free, Status.SOLVED)):
        times = np.linspace(0.0, seconds, 41)
        found = plan(approach(40, degrees=None, start=start, times=times))
        assert found.status is status
    assert not thrust_may_suffice(
        problem.start, problem.goal, 0.99 * least, a_max=ANY.a_max, rate=n
    )
    fast = problem.goal + np.array([0.0, 0.0, 0.0, 5.0, 0.0, 0.0])
    assert not thrust_may_suffice(problem.start, fast, 60.0, a_max=ANY.a_max, rate=n)
    assert thrust_may_suffice(problem.start, problem.goal, 6000.0, a_max=ANY.a_max, rate=n)


@pytest.mark.parametrize("p", [(0.0, -100.0, 0.0), (-250.0, 0.0, 0.0), (40.0, 30.0, -70.0)])
def test_holding_a_point_takes_what_the_plan_spends(p):
    n = orbit().mean_motion
    state = np.concatenate([p, np.zeros(3)])
    times = np.linspace(0.0, 20.0, 2)
    held = plan(
        approach(
            1,
            degrees=None,
            start=state,
            goal=state,
            times=times,
            tolerance=np.repeat([1e-2, 1e-6], 3),
        )
    )
    # Over 20 s gravity turns by n t = 2 %
    assert held.acceleration[0] == pytest.approx(
        [-3.0 * n * n * p[0], 0.0, n * n * p[2]], abs=0.05 * n * n * 300.0
    )
    assert hold_acceleration(np.array(p), n) == pytest.approx(
        held.thrust[0, 0], abs=0.05 * n * n * 300.0
    )
