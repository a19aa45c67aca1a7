"""What the navigation knows is as good as it says, whatever comes late, wrong or not at all."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from proxops.core.errors import InputError
from proxops.onboard.functions.navigation import build, layout, start
from proxops.onboard.functions.navigation.attitude import is_to_spread, spread_attitude
from proxops.onboard.functions.navigation.camera_update import get_inertia
from proxops.onboard.functions.navigation.history import look_back, push
from proxops.onboard.functions.navigation.relative import spread_relative
from proxops.physics.multibody.tumble import tumble
from tests.laws.navigation_cases import (
    DEG,
    ENVISAT,
    EVERY,
    MASS,
    MOTION,
    ROW,
    SENSORS,
    TICK,
    Case,
    angle,
    conjugate,
    est,
    fly,
    known_inputs_of,
    navigate_all,
    run_navigation,
    sees,
    sense,
    times,
)
from tests.laws.written import written

# The filter is told of the noise that the truth has, and no more.
EXACT = replace(MOTION, push_share=0.0)
QUIET = 1e-9  # of the sensors' noise


def navigated(case, motion=MOTION):
    flight = fly(case)
    return navigate_all(flight, sense(case, flight), motion)


def weighed(errors, P):
    """Mean of eᵀ P⁻¹ e over runs."""
    return np.einsum("ri,rij,rj->r", errors, np.linalg.inv(P), errors).mean()


# --- what it says of itself ----------------------------------------------------------------------


@pytest.mark.slow
def test_errors_are_as_large_as_their_covariance_says():
    # Mean weighed squares of n errors: n ± 3.3 √(2n/runs), one in a thousand outside.
    runs = 200
    found = navigated(Case(runs=runs, pushes=1.0), EXACT)
    relative = np.concatenate([found.r[-1], found.v[-1], found.q[-1], found.w[-1]], axis=1)
    attitude = np.concatenate([found.attitude[-1], found.bias[-1]], axis=1)
    assert abs(weighed(relative, found.relative_P) - 12.0) < 3.3 * np.sqrt(24.0 / runs)
    assert abs(weighed(attitude, found.attitude_P) - 6.0) < 3.3 * np.sqrt(12.0 / runs)
    # Root mean squares of 600 numbers are known to 1/√1200; those of G and of angles likewise.
    last = found.estimate[:, -1]
    for errors, sigma in (
        (found.attitude, est["navigation.sigma_C"]),
        (found.g, est["navigation.sigma_G"]),
        (found.q, est["navigation.sigma_Q"]),
        (found.w, est["navigation.sigma_W"]),
    ):
        ratio = np.sqrt((errors[-1] ** 2).mean() / (last[:, sigma] ** 2).mean())
        # The three axes of an attitude are not alike, so that fewer numbers count: half as many.
        assert abs(ratio - 1.0) < 3.3 / np.sqrt(runs * 3.0)


@pytest.mark.slow
def test_covariances_are_symmetric_to_the_last_bit_and_positive():
    for seconds in (0.2, 0.4, 8.0):
        found = navigated(Case(seconds=seconds))
        for P in (found.relative_P[0], found.attitude_P[0]):
            np.testing.assert_array_equal(P, P.T)
            assert np.linalg.eigvalsh(P)[0] > 0.0


def test_it_is_ready_when_it_is_good_enough_and_no_longer_when_it_has_not_seen_for_long():
    found = navigated(Case(seconds=25.0, dark=(6.0, 24.0)))
    ready = found.estimate[0, :, est["navigation.doubt"]] <= 1.0
    sigmas = [est[f"navigation.sigma_{what}"] for what in ("G", "W", "Q")]
    trusted = found.estimate[0, :, sigmas]
    enough = np.all(trusted.T <= [0.003, 0.05 * DEG, 0.1 * DEG], axis=1)
    started = np.isfinite(found.estimate[0, :, est["navigation.camera_age"]])
    np.testing.assert_array_equal(ready, enough & started)
    assert not ready[: round(1.0 / TICK)].any()
    assert ready[round(3.0 / TICK) : round(6.0 / TICK)].all()
    assert not ready[round(23.0 / TICK)]


def test_at_nominal_figures_it_is_good_enough_for_a_grasp_after_five_seconds():
    found = navigated(Case(runs=50, mass=1.05 * MASS))
    after = round(5.0 / ROW)
    assert np.sqrt((found.w[after:] ** 2).mean(axis=(0, 1))).max() < 0.05 * DEG
    assert np.sqrt((found.g[after:] ** 2).mean(axis=(0, 1))).max() < 0.003


# --- closed forms --------------------------------------------------------------------------------


def test_without_noise_it_finds_the_truth():
    # What is left of the first guess fades with the filters' slowest pace, some 0.4/s.  Mean rates
    # of ticks are off by h²/12 of the rate's second derivative, 3e-8 rad/s, which stars hold at
    # some 3e-8 rad; the lever of 5 m makes 2e-7 m of it.
    found = navigated(Case(seconds=40.0, noise=QUIET))
    assert np.abs(found.attitude[-1]).max() < 1e-7
    assert np.abs(found.r[-1]).max() < 1e-6
    assert np.abs(found.v[-1]).max() < 1e-6
    assert np.abs(found.q[-1]).max() < 1e-7
    assert np.abs(found.w[-1]).max() < 1e-7


def test_the_rate_is_known_like_the_slope_of_a_line_through_all_attitudes():
    # n attitudes with σ every Δ: σ_w² = 12 σ²/(Δ² n (n² - 1)).  Positions are made useless; the
    # chaser's attitude, at first known to 60 arcsec about one axis, adds some 0.3 %.
    image_gap = replace(SENSORS, camera_sigma=1e3)
    round_ = replace(MOTION, inertia=np.eye(3), angle_noise=0.0, first_w=10.0)
    case = Case(seconds=5.0, spin=0.0)
    flight = fly(case)
    estimates = np.zeros((len(flight.t), est.size))
    measurements = sense(case, flight)[0]
    run_navigation(
        build(image_gap, round_), start(TICK), measurements, known_inputs_of(flight), estimates
    )
    n = measurements[-1, sees["camera.count"]] - 1.0  # the first came before the first star
    expected = SENSORS.camera_angle * np.sqrt(12.0 / (ROW**2 * n * (n * n - 1.0)))
    assert estimates[-1, est["navigation.sigma_W"]] == pytest.approx(expected, rel=5e-3)


def test_the_attitude_of_a_free_target_is_known_as_well_as_its_motion_is():
    # Angles only, of a target that does not turn; nothing touches it for 20 s.  Steady filter of an
    # angle driven by white acceleration q, measured with R = σ² Δ: σ_θ² = √2 R ω, ω = (q²/R)^¼;
    # sampling and delay add some ω Δ.  Pictures that came late take off as much noise as was added.
    image_gap = replace(SENSORS, camera_sigma=1e3)
    alone, held = 3e-5, 1e-3
    round_ = replace(MOTION, inertia=np.eye(3), angle_noise=held, free_angle_noise=alone)
    case = Case(seconds=26.0, spin=0.0)
    flight = fly(case)
    given, estimates = known_inputs_of(flight), np.zeros((len(flight.t), est.size))
    given[flight.t < 20.0, layout.INPUT_FREE] = 1.0
    run_navigation(build(image_gap, round_), start(TICK), sense(case, flight)[0], given, estimates)
    sigma, R = estimates[:, est["navigation.sigma_Q"]], SENSORS.camera_angle**2 * ROW
    for q, end, within in ((alone, 20.0, 0.04), (held, 26.0, 0.2)):
        expected = np.sqrt(np.sqrt(2.0) * R * (q * q / R) ** 0.25)
        assert sigma[flight.t < end][-1] == pytest.approx(expected, rel=within)


def test_rates_of_the_grapple_frame_are_those_of_its_pose():
    # Difference quotients over two ticks miss h²/6 of the third derivative, 0.02 m/s3: 4e-7 m/s.
    found = navigated(Case(seconds=30.0, noise=QUIET))
    rows = found.estimate[0, -2 * EVERY + 1 :]

    def of(name):
        return rows[:, est[f"navigation.{name}"]]

    p, q = of("p_CG"), of("q_CG")
    v = (p[2:] - p[:-2]) / (2.0 * TICK)
    np.testing.assert_allclose(of("v_CG")[1:-1], v, atol=1e-6)
    # q_CG(t+h) = exp(2 h w) q_CG(t-h) with w in C
    w = angle(times(q[2:], conjugate(q[:-2]))) / (2.0 * TICK)
    np.testing.assert_allclose(of("w_CG_C")[1:-1], w, atol=1e-6)


# --- late, missing, wrong ------------------------------------------------------------------------


@pytest.mark.parametrize("delay", [0, 7, 10, 25])
def test_late_measurements_leave_no_error_of_their_own(delay):
    found = navigated(Case(seconds=25.0, noise=QUIET, delay=delay))
    assert np.abs(found.attitude[-1]).max() < 1e-7  # as above
    assert np.abs(found.q[-1]).max() < 1e-7
    assert np.abs(found.g[-1]).max() < 1e-6


def test_late_measurements_taken_as_fresh_are_off_by_the_turn_in_between():
    # 2.5 deg/s (and sway, 0.3 deg/s) for 100 ms: a quarter of a degree about y, for both bodies.
    found = navigated(Case(seconds=25.0, noise=QUIET, told_delay=0))
    for errors in (found.attitude[-1, 0], found.q[-1, 0]):
        assert abs(errors[1]) == pytest.approx(0.25 * DEG, rel=0.2)


def test_through_a_gap_of_three_seconds_the_covariance_grows_with_the_errors():
    case = Case(runs=100, seconds=10.0, pushes=1.0, dark=(6.0, 9.0))
    found = navigated(case, EXACT)
    dark = slice(round(6.0 / ROW), round(8.9 / ROW))
    for errors, column in (
        (found.g, est["navigation.sigma_G"]),
        (found.q, est["navigation.sigma_Q"]),
        (found.w, est["navigation.sigma_W"]),
    ):
        sigma = found.estimate[:, ::EVERY, column].T[dark]
        assert (np.diff(sigma, axis=0) > 0.0).all()
        # Of a normal distribution 0.3 % are beyond three sigma, here of strongly correlated rows.
        assert (np.abs(errors[dark]) > 3.0 * sigma[..., None]).mean() < 0.01
        ratio = np.sqrt((errors[dark] ** 2).mean(axis=(1, 2)) / (sigma**2).mean(axis=1))
        assert ratio.min() > 0.8  # it knows what it knows: 300 numbers, 1 ± 3.3/√600
        assert ratio.max() < 1.2


@pytest.mark.slow
def test_an_inertia_wrong_by_five_percent_keeps_the_errors_small():
    wrong = ENVISAT * np.array([[1.05, 1.0, 1.0], [1.0, 0.95, 1.0], [1.0, 1.0, 1.05]])
    found = navigated(Case(runs=20, seconds=40.0, inertia=wrong))
    after = round(5.0 / ROW)
    assert np.sqrt((found.w[after:] ** 2).mean(axis=1)).max() < 0.05 * DEG
    assert np.sqrt((found.g[after:] ** 2).mean(axis=1)).max() < 0.003
    assert sum(state.relative[layout.RESTARTS] for state in found.states) == 0


def picture_at(measurements, count):
    """The ticks at which that picture is the one delivered last."""
    return measurements[:, sees["camera.count"]] == count


@pytest.mark.parametrize("spoilt", ["position", "attitude", "not a number"])
def test_a_picture_far_off_changes_nothing(spoilt):
    case = Case(seconds=4.0)
    flight = fly(case)
    measurements = sense(case, flight)
    without = measurements.copy()
    where = picture_at(measurements[0], 20.0)
    if spoilt == "position":
        measurements[0, where, sees["camera.p"].start] += 0.1
    elif spoilt == "attitude":
        measurements[0, where, sees["camera.q"].start + 1] += 0.05
    else:
        measurements[0, where, sees["camera.p"].start] = np.nan
    without[0, where, sees["camera.count"]] = 19.0
    found, expected = navigate_all(flight, measurements), navigate_all(flight, without)
    assert found.states[0].relative[layout.REJECTED] == 1.0
    np.testing.assert_allclose(found.estimate, expected.estimate, rtol=1e-9, atol=1e-12)


def test_a_start_from_a_wrong_picture_is_taken_back():
    case = Case(seconds=8.0)
    flight = fly(case)
    measurements = sense(case, flight)
    measurements[0, picture_at(measurements[0], 2.0), sees["camera.p"].start] += 3.0
    measurements[0, picture_at(measurements[0], 2.0), sees["camera.q"].start + 1] += 0.5
    found = navigate_all(flight, measurements)
    assert found.states[0].relative[layout.RESTARTS] == 1.0
    assert np.abs(found.g[-1]).max() < 0.005


def test_stars_far_off_are_refused():
    case = Case(seconds=4.0)
    flight = fly(case)
    measurements = sense(case, flight)
    spoilt = measurements[0, :, sees["star.count"]] == 20.0
    measurements[0, spoilt, sees["star.q"].start + 2] += 0.01
    found = navigate_all(flight, measurements)
    assert found.states[0].attitude[layout.STAR_REJECTED] == 1.0
    assert np.abs(found.attitude[-1]).max() < 60.0 / 3600.0 * DEG


def test_what_is_older_than_the_history_is_not_used():
    found = navigated(Case(seconds=2.0, delay=60))
    assert found.states[0].attitude[layout.STAR_LATE] > 10.0
    assert found.states[0].attitude[layout.STAR_STARTED] == 0.0
    assert found.estimate[0, -1, est["navigation.doubt"]] == np.inf


# --- pieces --------------------------------------------------------------------------------------


def test_between_ticks_the_past_turns_evenly_and_goes_along_a_line():
    history, past = np.zeros((8, layout.HISTORY_WIDTH)), np.zeros(layout.HISTORY_WIDTH)
    head = -1
    for tick in range(20):
        head = push(history, head, 0.1 * tick)
        turn = 0.02 * tick
        history[head, layout.PAST_Q : layout.PAST_Q + 4] = np.cos(turn), np.sin(turn), 0.0, 0.0
        history[head, layout.PAST_V] = 3.0 * tick
    assert look_back(history, head, 1.6325, past)
    assert past[layout.PAST_TIME] == pytest.approx(1.6325, rel=1e-14)
    assert past[layout.PAST_V] == pytest.approx(3.0 * 16.325, rel=1e-12)
    assert past[layout.PAST_Q + 1] == pytest.approx(np.sin(0.02 * 16.325), rel=1e-12)
    assert look_back(history, head, 5.0, past)
    assert past[layout.PAST_TIME] == pytest.approx(1.9)
    assert look_back(history, head, 1.21, past)
    assert not look_back(history, head, 1.19, past)


def test_beliefs_that_no_body_has_are_refused():
    with pytest.raises(InputError, match="inertia"):
        build(SENSORS, replace(MOTION, inertia=-np.eye(3)))
    with pytest.raises(InputError, match="mass"):
        build(SENSORS, replace(MOTION, mass=0.0))


# --- how covariances grow ------------------------------------------------------------------------


def test_covariances_grow_in_ten_milliseconds_as_in_ten_of_one():
    """By closed forms and series that leave out third powers of |w| h, 0.6 rad/s for 10 ms, and of
    what noise adds meanwhile the first power."""
    beliefs, rng = build(SENSORS, MOTION), np.random.default_rng(3)
    span, of_chaser = 0.01, np.array([0.3, -0.2, 0.4])
    A = rng.normal(size=(12, 12))
    once, often = start(span), start(span)

    def grow(state, passed, w):
        memory = state.relative
        memory[layout.WAITING] = passed
        memory[layout.WAITING_W : layout.WAITING_W + 3] = w
        memory[layout.WAITING_PUSH] = memory[layout.WAITING_ANGLE] = 0.02 * passed
        written(spread_relative)(beliefs.relative, state)
        turn = tuple(passed * of_chaser)
        written(spread_attitude)(beliefs.attitude, state, turn, passed)

    for state in (once, often):
        state.relative_P[:], state.attitude_P[:] = A @ A.T, (A @ A.T)[:6, :6]
    w = (0.2, -0.5, 0.25)
    grow(once, span, w)
    for _ in range(10):
        grow(often, span / 10, w)
        _, w = written(tumble)(get_inertia.py_func(beliefs.relative), (1.0, 0.0, 0.0, 0.0), w, 1e-3)
    near = 0.6**3 * span**3 * np.abs(A @ A.T).max()
    np.testing.assert_allclose(once.relative_P, often.relative_P, rtol=0.0, atol=near)
    np.testing.assert_allclose(once.attitude_P, often.attitude_P, rtol=0.0, atol=near)
    grown = (once.relative_P - A @ A.T)[layout.DV : layout.DV + 3, layout.DV : layout.DV + 3]
    np.testing.assert_allclose(grown, 0.02 * span * np.eye(3), rtol=0.0, atol=1e-13)


def test_covariances_are_brought_to_the_present_every_ten_milliseconds_and_before_each_use():
    state = start(0.001)
    seen = SimpleNamespace(star_count=np.zeros(1), camera_count=np.zeros(1))
    due = written(is_to_spread)
    spans = [tick for tick in range(1, 21) if _spreads(due, state, seen, 0.001 * tick)]
    assert spans == list(range(10, 21))
    for count in (seen.star_count, seen.camera_count):
        count[0] = 1.0
        assert _spreads(due, state, seen, 0.001)
        count[0] = 0.0
    assert not _spreads(due, state, seen, 0.001)


def _spreads(due, state, seen, span):
    state.attitude[layout.SPAN] = span
    return due(state, seen, 0.001)
