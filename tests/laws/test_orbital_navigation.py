"""The orbital navigation against a truth in NumPy: errors are as large as it believes, measurements
come late, get lost and lie, and the pose filter takes over near by."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from proxops.onboard.functions.orbital_navigation import layout
from proxops.onboard.functions.orbital_navigation.function import describe_source
from proxops.onboard.functions.orbital_navigation.measurement import doubt
from proxops.onboard.functions.orbital_navigation.model import (
    FarTrust,
    correlated_factor,
    start,
)
from proxops.onboard.functions.orbital_navigation.motion import (
    fall,
    fill_transition,
    spread_thrust,
)
from tests.laws.orbital_cases import (
    LEO,
    LUNAR,
    SENSORS,
    Case,
    advance_all,
    built,
    est,
    flown,
    sees,
)

RUNS = 100
SHARP = replace(
    SENSORS,
    bearing_sigma=1e-6,
    bearing_bias=0.0,
    range_sigma=1e-3,
    range_share=0.0,
    range_bias=0.0,
    gnss_sigma=(1e-3,) * 3 + (1e-5,) * 3,
    gnss_bias=(0.0, 0.0, 0.0),
    attitude_factor=0.0,
)
# Nothing is wrong but what a test makes wrong
CLEAN = Case(
    seconds=60.0,
    sensors=SHARP,
    p_sigma=1e-3,
    v_sigma=1e-5,
    loss=0.0,
    outliers=0.0,
    thrust_sigma=0.0,
    push_share=0.0,
    push_noise=1e-9,
    burns=((20.0, 30.0),),
    attitude_sigma=0.0,
)


def band(runs, size=6):
    """Within which the mean of so many squared lengths is with a chance of 95 %."""
    return chi2.ppf([0.025, 0.975], size * runs) / runs


def assert_consistent(result, begin=60):
    """eᵀ P⁻¹ e of so many runs, at each instant and over all.

    At one instant the mean is within the band with a chance of 95 %; instants far apart are nearly
    independent.  Of 20 to 90 of them less than four fifths would be inside with a chance of 1e-3 at
    the most.
    """
    runs = result.error.shape[1]
    mean = result.nees[begin::20].mean(axis=1)
    low, high = band(runs)
    inside = (mean >= low) & (mean <= high)
    assert inside.mean() >= 0.8, f"{inside.mean():.2f} of {len(mean)} instants inside: {mean}"
    assert low <= mean.mean() <= high


# --- consistency ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"orbit": replace(LEO, along=100.0), "dark": (600.0, 660.0)},
        {"orbit": replace(LEO, along=-100.0), "sees": ("bearing", "range")},
        {"sees": ("gnss",)},
        {"orbit": LUNAR, "sees": ("bearing", "range")},
    ],
    ids=["all", "bearing and range", "gnss", "moon"],
)
@pytest.mark.slow
def test_errors_are_as_large_as_believed(change):
    """Constant errors, losses, a dark minute, late samples, outliers, burns that are wrong, the
    orbit believed 100 m off: mean squared length of the error in its 95 % band over 100 runs."""
    assert_consistent(flown(Case(runs=RUNS, **change)))


@pytest.mark.slow
def test_a_few_runs_are_consistent_too():
    """The same, soon done: the means of ten runs."""
    assert_consistent(flown(Case(runs=10, seconds=400.0, seed=4)))


def test_directions_alone_tell_nothing_of_the_distance():
    """Without a manoeuvre, and with a velocity that is not known before, all that moves the same
    way at twice the distance looks the same: the spread along the line of sight stays the same
    share of the distance.  Across it falls to some metres at once."""
    case = Case(
        runs=20, seconds=200.0, sees=("bearing",), v_sigma=1.0, burns=(), loss=0.0, push_noise=1e-6
    )
    result = flown(case)
    p = result.found[..., est["orbital.p_HC"]]
    far = np.linalg.norm(p, axis=-1)
    along = np.sqrt(np.einsum("kri,krij,krj->kr", p, result.P[..., :3, :3], p)) / far**2
    assert along.min() > 0.85 * case.p_sigma / np.linalg.norm(case.p_H)
    assert result.sigma[5:20, :, 0].max() < 6.0
    low, high = chi2.ppf([1e-4, 1.0 - 1e-4], 6 * case.runs) / case.runs
    assert np.all((result.nees.mean(axis=1)[::10] > low) & (result.nees.mean(axis=1)[::10] < high))


# --- single laws, without noise ------------------------------------------------------------------


def test_late_measurements_are_compared_with_what_was_then():
    """At 1 m/s, and 2 s late over a burn, the estimate stays right to a millimetre: what is left is
    a burn that begins between two rows of the history.  Taken as fresh they are 2 m off."""
    case = replace(CLEAN, v_H=(0.5, 0.8, -0.3), delays=(1, 4, 2), periods=(2, 2, 2))
    result = flown(case)
    assert np.abs(result.error[..., :3]).max() < 2e-3
    assert np.abs(result.error[..., 3:]).max() < 2e-4
    assert result.marks[:, layout.REFUSALS : layout.REFUSALS + 3].sum() == 0
    fresh = flown(replace(case, told_late=False))
    assert fresh.marks[:, layout.REFUSALS : layout.REFUSALS + 3].sum() > 0


@pytest.mark.parametrize("kinds", [("bearing", "range"), ("gnss",), ("bearing",), ("range",)])
def test_a_sharp_measurement_corrects_what_it_sees(kinds):
    """From 20 m off: what is seen is right within a minute, to the bend of what is seen."""
    case = replace(CLEAN, sees=kinds, p_sigma=20.0, v_sigma=1e-3, periods=(2, 2, 2), burns=())
    result = flown(replace(case, runs=3, seed=2))
    error, sigma = np.abs(result.error[-1]), result.sigma[-1]
    assert np.all(error < 5.0 * sigma)
    seen = {"bearing": [0, 2], "range": [1], "gnss": [0, 1, 2]}
    for kind in kinds:
        assert sigma[:, seen[kind]].max() < 1.5
    if len(kinds) == 2 or kinds == ("gnss",):
        assert error[:, :3].max() < 0.01


def test_thrust_over_mass_is_learnt_from_what_a_burn_did():
    case = Case(
        runs=20, seconds=300.0, sees=("gnss",), periods=(2, 2, 2), sensors=SHARP, loss=0.0,
        outliers=0.0, push_share=0.0, burns=((50.0, 150.0),), delays=(0, 0, 3),
    )  # fmt: skip
    result = flown(case)
    assert result.nees[250:].mean() < band(case.runs)[1]
    assert result.marks[:, layout.RESTARTS].sum() == 0
    wrong = flown(replace(case, believed_thrust_sigma=1e-6))  # that it could not be wrong
    assert wrong.marks[:, layout.RESTARTS].sum() > case.runs


def test_the_covariance_follows_the_motion():
    """Φ against differences of the motion itself.  Its gradient of gravity is that at the target:
    900 m away it is 3 p/R = 4e-4 of n² h = 1e-6 different."""
    params = built(CLEAN)
    t, step = 35.0, 1.0
    p, v = np.array([30.0, -900.0, 200.0]), np.array([0.3, -0.2, 0.5])
    F = np.zeros((6, 6))
    fill_transition(params.orbit, t, step, F)
    for i in range(6):
        ends = []
        for sign in (1.0, -1.0):
            x = np.concatenate([p, v])
            x[i] += sign * 0.5
            moved = fall(params.orbit, t, step, tuple(x[:3]), tuple(x[3:]))
            ends.append(np.concatenate(moved))
        np.testing.assert_allclose(F[:, i], ends[0] - ends[1], atol=1e-9, rtol=0.0)


def test_an_error_of_thrust_spreads_into_velocity_and_way():
    way, pushed = (1.0, 2.0, -3.0), (0.5, -0.1, 0.2)
    P = np.zeros((layout.STATES, layout.STATES))
    P[layout.THRUST, layout.THRUST] = 4.0
    spread_thrust(P, way, pushed)
    one = np.concatenate([way, pushed])
    np.testing.assert_allclose(P[:6, :6], 4.0 * np.outer(one, one))
    np.testing.assert_allclose(P[:6, layout.THRUST], 4.0 * one)
    np.testing.assert_array_equal(P, P.T)


def test_velocities_in_the_hill_frame_are_rates_of_positions_there():
    result = flown(replace(CLEAN, sees=(), burns=(), v_H=(0.2, 0.5, -0.1)))
    p = result.found[:, 0, est["orbital.p_HC"]]
    v = result.found[:, 0, est["orbital.v_HC"]]
    np.testing.assert_allclose(p[2:] - p[:-2], 2.0 * v[1:-1], atol=1e-6)  # n² h³ |p|/3
    R = result.found[:, 0, est["orbital.R_NH"]].reshape(-1, 3, 3)
    w = result.found[:, 0, est["orbital.w_NH_H"]]
    turned = np.einsum("kji,kjl->kil", R[:-2], R[2:])
    np.testing.assert_allclose(turned[:, 1, 0], np.sin(2.0 * w[1:-1, 2]), rtol=1e-6)


def test_errors_that_stay_count_as_many():
    """(1 + ρ)/(1 - ρ) against the sum of all correlations."""
    rho = np.exp(-1.0 / 2.5)
    assert correlated_factor(1.0, 2.5) == pytest.approx(
        1.0 + 2.0 * np.sum(rho ** np.arange(1, 400))
    )
    assert correlated_factor(1.0, 0.0) == 1.0


# --- believing -----------------------------------------------------------------------------------


def test_outliers_are_refused():
    quiet, loud = (
        flown(Case(runs=5, seconds=300.0, outliers=share, loss=0.0)) for share in (0.0, 0.1)
    )
    refused = layout.REFUSALS + layout.OF_RANGE
    assert quiet.marks[:, refused].sum() <= 2
    assert 0.07 * 300 < loud.marks[:, refused].mean() < 0.12 * 300
    assert np.abs(loud.error[100:, :, :3]).max() < 2.5


def test_a_manoeuvre_of_the_target_is_found_out():
    """5 cm/s at half time: measurements are refused until the estimate doubts itself, and then it
    is right again."""
    case = Case(runs=5, seconds=600.0, kick=(0.03, 0.03, 0.03), burns=(), outliers=0.0)
    result = flown(case)
    assert np.all(result.marks[:, layout.RESTARTS] >= 1)
    assert np.abs(result.error[-1, :, 3:]).max() < 2e-3
    assert result.nees[-1].mean() < 20.0


def test_an_estimate_that_doubts_itself_stays_with_the_spreads_of_the_start():
    params = built(Case())
    memory = start(params, 2.0)
    memory.x[:] = 7.0
    memory.P[:] = 0.3
    kind = layout.OF_RANGE
    found = [doubt(params, memory, kind) for _ in range(FarTrust().restart)]
    assert found == [False] * (FarTrust().restart - 1) + [True]
    np.testing.assert_allclose(memory.P, np.diag(params.spreads**2))
    np.testing.assert_array_equal(memory.x, [7.0] * 6 + [0.0] * 7)
    assert memory.marks[layout.REJECTED + kind] == 0.0


def test_without_an_attitude_directions_are_left_aside():
    def blind(rows, *_):
        rows[:, sees["navigation.star_age"]] = np.inf

    result = flown(replace(CLEAN, sees=("bearing", "range"), p_sigma=10.0), blind)
    assert np.all(result.found[..., est["orbital.source"]] == layout.NOTHING)
    assert np.all(np.isinf(result.found[..., est["orbital.doubt"]]))
    seen = flown(replace(CLEAN, p_sigma=10.0), blind)  # GNSS needs none
    assert np.all(seen.found[-1, :, est["orbital.source"]] == layout.FAR)


# --- hand-over -----------------------------------------------------------------------------------

NEAR = Case(
    seconds=400.0, p_H=(1.0, -30.0, 2.0), v_H=(0.0, 0.02, 0.0), p_sigma=1.0, v_sigma=0.01, burns=(),
    sees=("bearing", "range"), outliers=0.0,
)  # fmt: skip
POSE = np.array([0.01, 0.01, 0.01, 1e-3, 1e-3, 1e-3])  # standard deviations


def seeing(*windows, offset=0.0, errors=None):
    """Lets the pose filter have a good estimate in these windows [s], off by that [m]; its errors
    are correlated over 10 s."""

    def change(rows, flight, run, rng):
        t = flight.t
        kept, error = np.exp(-0.05), np.zeros((len(t), 6))
        noise = POSE * rng.standard_normal((len(t), 6))
        error[0] = noise[0]
        for k in range(1, len(t)):
            error[k] = kept * error[k - 1] + np.sqrt(1.0 - kept**2) * noise[k]
        if errors is not None:
            errors.append(error)
        good = np.any([(t >= a) & (t < b) for a, b in windows], axis=0)
        rows[:, sees["navigation.r"]] = -(flight.p[:, run] + error[:, :3] + offset)
        rows[:, sees["navigation.v"]] = -(flight.v[:, run] + error[:, 3:])
        rows[:, sees["navigation.P"]] = np.diag(POSE**2).ravel()
        rows[good, sees["navigation.doubt"]] = 0.5
        rows[good, sees["navigation.camera_age"]] = 0.2

    return change


def sources(result, run=0):
    """Instants at which the source changes, and what it becomes."""
    source = result.found[:, run, est["orbital.source"]]
    at = np.flatnonzero(np.diff(source)) + 1
    return [(int(result.t[k]), int(source[k])) for k in at if source[k - 1] > 0]


def test_the_pose_filter_takes_over_once_it_is_good_and_is_left_once_it_is_not():
    result = flown(NEAR, seeing((100.0, 200.0), (203.0, 300.0)))
    # Good for more than 5 s, a gap of 3 s, then not good for more than 5 s
    assert sources(result) == [(105, 2), (305, 1)]
    near = result.found[:, 0, est["orbital.source"]] == layout.NEAR
    assert np.abs(result.error[near, 0, :3]).max() < 5.0 * POSE[0]
    np.testing.assert_allclose(result.sigma[near, 0, :3], POSE[0], rtol=1e-6)
    # Left to itself again, the filter is about as sure as the pose filter was; before it was not
    assert result.sigma[306, 0, 1] < 0.1 < result.sigma[100, 0, 1]


def test_a_hand_over_changes_the_estimate_by_less_than_three_sigma():
    """In 40 runs, each to near and back, measured as the recorded change and as the jump itself."""
    errors: list[np.ndarray] = []
    result = flown(replace(NEAR, runs=40), seeing((100.0, 200.0), errors=errors))
    detail = result.found[..., est["orbital.handover"]]
    for run in range(40):
        assert [what for _, what in sources(result, run)] == [2, 1]
        for instant, _ in sources(result, run):
            distance, moved, sigmas = detail[instant, run]
            assert 10.0 < distance < 50.0
            assert sigmas <= 3.0
            before, after = result.error[instant - 1, run, :3], result.error[instant, run, :3]
            wide = np.maximum(result.sigma[instant - 1, run, :3], result.sigma[instant, run, :3])
            assert np.all(np.abs(after - before) < 3.5 * wide)
            assert moved < 3.5 * np.sqrt(3.0) * wide.max()
    # Beneath, the filter goes on as sure as the pose filter, not surer: both are consistent
    assert result.nees[300:].mean() < 12.0
    assert np.all(result.sigma[206, :, :3] > 0.7 * POSE[0])


def test_estimates_that_do_not_agree_are_not_handed_over_until_the_old_one_is_given_up():
    """The pose filter is 3 m off.  After ten cycles in which they differ by more than three sigma
    it is believed all the same, and what that changes is told."""
    result = flown(NEAR, seeing((100.0, 400.0), offset=3.0))
    ((when, what),) = sources(result)
    assert what == layout.NEAR
    assert when == 105 + FarTrust().restart - 1
    _, moved, sigmas = result.found[when, 0, est["orbital.handover"]]
    assert moved == pytest.approx(3.0 * np.sqrt(3.0), rel=0.3)
    assert sigmas > 3.0
    assert result.marks[0, layout.RESTARTS] == 1


def test_a_hand_over_is_told_in_words():
    details = np.array([38.0, 0.0076, 2.01])
    kind, text = describe_source(layout.NEAR, details)
    assert kind == "navigation-near"
    assert text.endswith("to the pose filter at 38 m, the estimate moves by 0.0076 m, 2 σ")
    assert describe_source(layout.FAR, details)[0] == "navigation-far"
    assert "first far-range measurement" in describe_source(layout.FAR, np.zeros(3))[1]
    assert describe_source(layout.NOTHING, details) is None


def test_nothing_is_compiled_twice():
    flown(replace(CLEAN, seconds=5.0, sees=()))
    assert len(advance_all.signatures) == 1
    assert start(built(CLEAN), 2.0).history.shape[0] == 5
