"""Designs: where their cases are, and what comes of them."""

import math
from itertools import product

import numpy as np
import pytest
from tests.unit.campaign_cases import case, requirement

from proxops.campaigns.ask import Ask
from proxops.campaigns.design import KINDS, Design
from proxops.campaigns.indices import indices_of
from proxops.campaigns.margins import margins_of
from proxops.campaigns.paired import by_chance, compared
from proxops.campaigns.search import proposed
from proxops.core.errors import InputError
from proxops.scenario.load import Scenario, load

DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "place": {"key": "chaser.p_HC_m", "shift": [0.5, 0.1, 0.0]},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
}
NUMBERS = 6


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load("touch").replace({"dispersions": DISPERSIONS})


def asks(scenario: Scenario, kind: str, seeds: range = range(16), **options: int) -> list[Ask]:
    design = Design(kind, **options)
    found = [ask for batch in design.batches(scenario.mission, seeds, {}) for ask in batch]
    assert [ask.seed for ask in found] == list(design.numbers(scenario.mission, seeds))
    return found


def rows(found: list[Ask]) -> np.ndarray:
    return np.array([[p for numbers in ask.point.values() for p in numbers] for ask in found])


def test_monte_carlo_leaves_the_draws_to_the_seed(scenario: Scenario) -> None:
    assert asks(scenario, "monte-carlo") == [Ask(seed) for seed in range(16)]


def test_a_latin_hypercube_has_each_number_once_in_each_part(scenario: Scenario) -> None:
    found = rows(asks(scenario, "latin-hypercube", range(40, 56)))
    assert found.shape == (16, NUMBERS)
    parts = np.sort((found * 16).astype(int), axis=0)
    np.testing.assert_array_equal(parts, np.tile(np.arange(16)[:, None], NUMBERS))


def test_the_first_cases_of_a_sobol_design_stay_when_more_are_asked_for(scenario: Scenario) -> None:
    few, many = asks(scenario, "sobol", range(10)), asks(scenario, "sobol", range(64))
    assert many[:10] == few
    # each half, quarter, ... of each number has its share of the cases, and of each pair of numbers
    found = rows(many)
    for i, j in product(range(NUMBERS), repeat=2):
        if i != j:
            counts = np.histogram2d(found[:, i], found[:, j], bins=2, range=[[0, 1]] * 2)[0]
            np.testing.assert_array_equal(counts, 16)


def test_a_grid_has_all_combinations_of_its_levels(scenario: Scenario) -> None:
    found = rows(asks(scenario, "grid", levels=2))
    assert len(found) == 2**NUMBERS == len(np.unique(found, axis=0))
    assert set(found.ravel()) == {0.0, 1.0}
    with pytest.raises(InputError, match=r"grid of 20 levels in 6 numbers has 64000000 cases"):
        Design("grid", 20).numbers(scenario.mission, range(3))


def test_one_at_a_time_leaves_all_others_as_they_are(scenario: Scenario) -> None:
    first, *others = asks(scenario, "one-at-a-time")
    nominal = first.case_of(scenario).mission
    assert nominal.target == scenario.mission.target
    assert nominal.chaser == scenario.mission.chaser
    assert [list(ask.point) for ask in others] == [["mass"]] * 2 + [["place"]] * 6 + [["spin"]] * 4
    assert {ask.noise_seed for ask in (first, *others)} == {0}
    heavy = others[1].case_of(scenario).mission
    assert heavy.target.mass_kg == pytest.approx(1.2 * nominal.target.mass_kg)
    assert heavy.chaser == nominal.chaser


def test_saltelli_rows_differ_in_one_dispersion_each(scenario: Scenario) -> None:
    found = asks(scenario, "saltelli", range(4))
    assert len(found) == 4 * 5
    for a, b, *mixed in (found[j : j + 5] for j in range(0, 20, 5)):
        assert a.noise_seed != b.noise_seed
        for ask, name in zip(mixed, DISPERSIONS, strict=True):
            assert ask.point == a.point | {name: b.point[name]}
            assert ask.noise_seed == a.noise_seed


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "monte-carlo"])
def test_a_design_needs_dispersions(kind: str) -> None:
    with pytest.raises(InputError, match="a design needs"):
        asks(load("touch"), kind)


def test_unknown_designs_are_rejected_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'sobol'"):
        Design("sobl")


# --- Sobol indices ------------------------------------------------------------------------------


def test_sobol_indices_are_those_of_a_function_that_is_known() -> None:
    """Ishigami & Homma (1990): V = a²/8 + b π⁴/5 + b² π⁸/18 + 1/2, with closed-form indices."""
    a, b = 7.0, 0.1

    def f(x: np.ndarray) -> np.ndarray:
        x = math.pi * (2.0 * x - 1.0)
        return np.sin(x[0]) + a * np.sin(x[1]) ** 2 + b * x[2] ** 4 * np.sin(x[0])

    rng = np.random.default_rng(3)
    names, cases = ("x", "y", "z"), []
    for _ in range(4000):
        one, other = rng.random(3), rng.random(3)
        mixed = [np.where(np.arange(3) == i, other, one) for i in range(3)]
        for point in (one, other, *mixed):
            made = case(len(cases), requirement("f", float(f(point)), True))
            at = {name: [float(point[i])] for i, name in enumerate(names)}
            cases.append(made | {"drawn": dict.fromkeys(names), "point": at})
    variance = a**2 / 8 + b * math.pi**4 / 5 + b**2 * math.pi**8 / 18 + 0.5
    first = [0.5 * (1 + b * math.pi**4 / 5) ** 2 / variance, a**2 / 8 / variance, 0.0]
    both = b**2 * math.pi**8 * (1 / 18 - 1 / 50) / variance
    total = [first[0] + both, first[1], both]
    found = indices_of(cases, ["f", "not there"])
    assert [each.dispersion for each in found] == list(names)
    # 4000 rows: the standard error of each is some 0.02
    np.testing.assert_allclose([each.first for each in found], first, atol=0.06)
    np.testing.assert_allclose([each.total for each in found], total, atol=0.06)
    for each, exact in zip(found, total, strict=True):
        assert each.total_bounds[0] - 0.02 < exact < each.total_bounds[1] + 0.02


# --- the worst case -----------------------------------------------------------------------------


def cases_until_found(radius: float, centre: np.ndarray, seed: int, batch: int) -> int:
    """How many cases a search takes to come within a radius of a point, at most 100."""
    x, left = np.empty((0, len(centre))), np.empty((0, 1))
    while len(x) < 100:
        points = proposed(x, left, len(centre), seed, batch)
        assert ((points >= 0.0) & (points <= 1.0)).all()
        x = np.vstack((x, points))
        left = (np.linalg.norm(x - centre, axis=1) - radius)[:, None]
        if (left < 0.0).any():
            return int(np.flatnonzero(left[:, 0] < 0.0)[0]) + 1
    return 100


@pytest.mark.parametrize("numbers", [2, 3])
def test_a_weakness_in_one_percent_of_the_bounds_is_found_ten_times_faster_than_by_chance(
    numbers: int,
) -> None:
    """Independent draws take 100 cases on average to hit 1 % of the volume."""
    volume = math.pi ** (numbers / 2) / math.gamma(numbers / 2 + 1)
    radius = (0.01 / volume) ** (1 / numbers)
    rng = np.random.default_rng(21)
    taken = [
        cases_until_found(radius, rng.uniform(radius, 1.0 - radius, numbers), seed, 1)
        for seed in range(40)
    ]
    assert np.mean(taken) < 10.0
    assert max(taken) < 30  # chance needs 299 to be 95 % sure


def test_the_search_takes_the_same_points_again() -> None:
    x = np.random.default_rng(0).random((6, 3))
    left = (x @ [1.0, 2.0, 0.5])[:, None]
    np.testing.assert_array_equal(proposed(x, left, 3, 5, 2), proposed(x, left, 3, 5, 2))
    assert not np.array_equal(proposed(x, left, 3, 5, 2), proposed(x, left, 3, 6, 2))


def test_cases_that_were_not_flown_do_not_mislead_the_search() -> None:
    x = np.random.default_rng(0).random((8, 2))
    left = (x.sum(1) - 0.2)[:, None]
    left[3] = np.nan
    (point,) = proposed(x, left, 2, 0, 1)
    np.testing.assert_allclose(point, 0.0, atol=0.1)  # the corner of the least sum


def test_margins_are_shares_of_the_limits_and_a_collision_is_as_bad_as_none() -> None:
    near = requirement("near", 0.25, True)
    cases = [
        case(0, near, requirement("far", 3.0, False), cause="failed: far"),
        case(1, near, cause="collision: a meets b"),
        case(2, cause="refused: out of reach") | {"hash": None},
    ]
    found = margins_of(cases, ["near", "far"])
    np.testing.assert_array_equal(found[0], [0.75, -1.0])
    np.testing.assert_array_equal(found[1], [-1.0, -1.0])
    assert np.isnan(found[2]).all()


# --- pairs --------------------------------------------------------------------------------------


def test_mcnemars_test_is_that_of_throws_of_a_coin() -> None:
    for one, other in ((0, 0), (0, 5), (3, 4), (8, 1)):
        count = one + other
        uneven = [
            throws
            for throws in product((0, 1), repeat=count)
            if abs(sum(throws) - count / 2) >= abs(one - count / 2)
        ]
        assert by_chance(one, other) == pytest.approx(len(uneven) / 2**count)


def test_pairs_are_compared_case_by_case() -> None:
    rng = np.random.default_rng(1)
    plain, changed = [], []
    for seed in range(50):
        value = rng.uniform(0.0, 2.0)
        after = value - 0.3 + 0.01 * rng.standard_normal()
        for cases, each in ((plain, value), (changed, after)):
            met = each <= 1.0
            cause = None if met else "failed: near"
            cases.append(case(seed, requirement("near", each, met), cause=cause))
    pairs = compared(plain, changed[:40])
    assert pairs.count == 40
    assert pairs.mended == [
        seed for seed in range(40) if changed[seed]["passed"] and not plain[seed]["passed"]
    ]
    assert not pairs.broken
    (near,) = pairs.differences
    assert near.low < -0.3 < near.high
    assert near.high - near.low < 0.02  # of draws, not of pairs, it would be 0.3
