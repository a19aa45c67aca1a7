"""Distributions, choices, correlations and points of dispersions: closed forms of what is drawn."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from proxops.core.errors import InputError
from proxops.scenario.dispersion import draw, numbers_of
from proxops.scenario.load import Scenario, load

N = 2000
NORMAL = NormalDist()


@pytest.fixture(scope="module")
def touch() -> Scenario:
    return load("touch")


def factors(scenario: Scenario, *names: str, count: int = N) -> np.ndarray:
    """What was drawn for these dispersions, a row each."""
    cases = [draw(scenario.mission, seed) for seed in range(count)]
    return np.array([[case[name].by for case in cases] for name in names])


def mass(**how: object) -> dict[str, object]:
    return {"key": "target.mass_kg", **how}


def test_a_normal_dispersion_has_its_bound_at_three_sigma_and_is_cut_there(touch: Scenario) -> None:
    given = touch.replace({"dispersions": {"mass": mass(scale=0.3, distribution="normal")}})
    (by,) = factors(given, "mass") - 1.0
    assert np.abs(by).max() <= 0.3
    # σ = 0.1; a mean of N is off by σ/√N, a share p by √(p (1 - p)/N): four of each
    assert abs(by.mean()) < 4 * 0.1 / math.sqrt(N)
    for sigmas in (0.5, 1.0, 2.0):
        p = 2.0 * NORMAL.cdf(sigmas) - 1.0
        found = (np.abs(by) < 0.1 * sigmas).mean()
        assert abs(found - p) < 4 * math.sqrt(p * (1.0 - p) / N)


def test_a_lognormal_factor_is_as_often_above_as_below_one_and_never_negative(
    touch: Scenario,
) -> None:
    how = mass(scale=3.0, distribution="lognormal")
    (by,) = factors(touch.replace({"dispersions": {"mass": how}}), "mass")
    assert 0.25 <= by.min() < by.max() <= 4.0
    logs = np.log(by) / math.log(4.0) * 3.0  # of unit variance
    assert abs(logs.mean()) < 4 / math.sqrt(N)
    assert logs.std() == pytest.approx(1.0, abs=4 / math.sqrt(2 * N) + 0.02)  # cut off: 0.987


def test_each_choice_is_as_likely(touch: Scenario) -> None:
    masses = [7000.0, 7800.0, 9000.0]
    given = touch.replace({"dispersions": {"mass": mass(choice=masses)}})
    drawn = [draw(given.mission, seed)["mass"] for seed in range(N)]
    assert all(each.value == masses[each.by] for each in drawn)
    counts = np.bincount([each.by for each in drawn], minlength=3)
    assert np.abs(counts / N - 1 / 3).max() < 4 * math.sqrt(2 / 9 / N)


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_correlated_dispersions_have_the_rank_correlation_of_normal_numbers(
    touch: Scenario, distribution: str
) -> None:
    """6/π asin(ρ/2) (Pearson 1907), whatever the marginals; these stay what they are."""
    rho = -0.8
    speed = {"key": "chaser.v_HC_m_s.0", "shift": 0.01, "distribution": distribution}
    alone = {"mass": mass(scale=0.2, distribution=distribution), "speed": speed}
    plain = touch.replace({"dispersions": alone})
    linked = touch.replace(
        {"dispersions": alone | {"speed": speed | {"correlated_with": {"mass": rho}}}}
    )
    n = 800
    both = factors(linked, "mass", "speed", count=n)
    ranks = both.argsort(axis=1).argsort(axis=1)
    expected = 6.0 / math.pi * math.asin(0.5 * rho)
    assert np.corrcoef(ranks)[0, 1] == pytest.approx(expected, abs=4 * (1 - rho**2) / math.sqrt(n))
    np.testing.assert_allclose(both[0], factors(plain, "mass", count=n)[0], rtol=1e-12)  # stays
    for sign in (-1.0, 1.0):
        share = (sign * both[1] > 0.005).mean()
        p = 0.25 if distribution == "uniform" else 1.0 - NORMAL.cdf(1.5)
        assert abs(share - p) < 4 * math.sqrt(p * (1.0 - p) / n)


def test_vectors_are_correlated_number_by_number(touch: Scenario) -> None:
    place = {"key": "chaser.p_HC_m", "shift": [0.1, 0.1, 0.1]}
    speed = {"key": "chaser.v_HC_m_s", "shift": 0.001, "correlated_with": {"place": 0.9}}
    given = touch.replace({"dispersions": {"place": place, "speed": speed}})
    by = factors(given, "place", "speed", count=300)
    for i in range(3):
        assert np.corrcoef(by[0][:, i], by[1][:, i])[0, 1] > 0.8
        assert abs(np.corrcoef(by[0][:, i], by[1][:, i - 1])[0, 1]) < 0.25


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (mass(scale=1.5), "scale: must be less than 1 unless lognormal"),
        (mass(shift=1.5, distribution="lognormal"), "only a scale is lognormal"),
        (mass(choice=[1.0, 2.0], distribution="normal"), "only a scale or a shift is normal"),
        (mass(choice=[1.0]), "choice"),
        (mass(choice=[7000.0, -1.0]), "may lead to target.mass_kg"),
        (mass(scale=0.1, correlated_with={"spin": 0.5}), "'spin' must be scaled or shifted"),
        (mass(scale=0.1, correlated_with={"place": 0.5}), "'odd' has 1 numbers and 'place' 3"),
        (mass(scale=0.1, correlated_with={"nobody": 0.5}), "there is no dispersion 'nobody'"),
        (mass(scale=0.1, correlated_with={"odd": 0.5}), "'odd' is this dispersion itself"),
        (
            mass(scale=0.1, correlated_with={"first": 0.9, "second": 0.9}),
            "no numbers can have all these correlations at once",
        ),
    ],
)
def test_what_cannot_be_drawn_so_is_rejected(
    touch: Scenario, given: dict[str, object], says: str
) -> None:
    others = {
        "place": {"key": "chaser.p_HC_m", "shift": 0.1},
        "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
        "first": {"key": "chaser.v_HC_m_s.0", "shift": 0.001},
        "second": {
            "key": "chaser.v_HC_m_s.1", "shift": 0.001, "correlated_with": {"first": -0.9},
        },
    }  # fmt: skip
    with pytest.raises(InputError) as caught:
        touch.replace({"dispersions": others | {"odd": given}})
    assert says in str(caught.value)
    assert "dispersions.odd" in str(caught.value) or "dispersions.second" in str(caught.value)


# --- points -------------------------------------------------------------------------------------

ALL = {
    "mass": mass(scale=0.2),
    "place": {"key": "chaser.p_HC_m", "shift": [0.5, 0.1, 0.0]},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
    "attitude": {"key": "target.q_NT", "rotation_deg": 3.0},
    "tumble": {"key": "chaser.w_NC_C_deg_s", "isotropic": [1.0, 3.0]},
    "stiffness": {"key": "contacts.tip.normal.stiffness_N_m", "choice": [1000.0, 2000.0]},
    "plate": {"key": "contacts.tip.friction.stiffness_N_m", "scale": 0.1, "same_draw_as": "mass"},
}


@pytest.fixture(scope="module")
def dispersed(touch: Scenario) -> Scenario:
    return touch.replace({"dispersions": ALL})


def test_a_point_has_as_many_numbers_as_a_dispersion_takes(dispersed: Scenario) -> None:
    assert numbers_of(dispersed.mission) == {
        "mass": 1, "place": 3, "spin": 2, "attitude": 3, "tumble": 3, "stiffness": 1,
    }  # fmt: skip


def test_numbers_of_a_point_lead_from_one_bound_to_the_other(dispersed: Scenario) -> None:
    for p, mass_factor in ((0.0, 0.8), (0.5, 1.0), (1.0, 1.2)):
        drawn = draw(dispersed.mission, 0, {"mass": [p], "place": [p, 0.5, 0.5]})
        assert drawn["mass"].by == pytest.approx(mass_factor, abs=1e-15)
        assert drawn["plate"].by == pytest.approx(1.0 + 0.5 * (mass_factor - 1.0), abs=1e-15)
        assert drawn["place"].by == pytest.approx([0.5 * (2.0 * p - 1.0), 0.0, 0.0], abs=1e-15)
        assert set(drawn) == {"mass", "plate", "place"}  # the others stay as they are


def test_even_points_are_even_over_all_directions(dispersed: Scenario) -> None:
    """Means of components and of their products over a fine, even grid of points."""
    steps = (np.arange(24) + 0.5) / 24
    axes = []
    for p in steps:
        for q in steps:
            drawn = draw(dispersed.mission, 0, {"tumble": [float(p), float(q), 0.5]})
            axes.append(np.array(drawn["tumble"].value) / 2.0)
    k = np.array(axes)
    np.testing.assert_allclose(np.linalg.norm(k, axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(k.mean(0), 0.0, atol=1e-12)
    np.testing.assert_allclose(k.T @ k / len(k), np.eye(3) / 3.0, atol=1e-3)


def test_a_tilt_by_a_point_has_its_angle_and_keeps_the_length(dispersed: Scenario) -> None:
    before = np.array(dispersed.mission.target.w_NT_T_deg_s)
    sides = []
    for azimuth in (0.0, 0.25, 0.5, 0.75):
        after = np.array(draw(dispersed.mission, 0, {"spin": [azimuth, 1.0]})["spin"].value)
        assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(before), rel=1e-12)
        cosine = after @ before / (before @ before)
        assert math.degrees(math.acos(cosine)) == pytest.approx(5.0, abs=1e-6)
        sides.append(after - cosine * before)
    np.testing.assert_allclose(sides[0] + sides[2], 0.0, atol=1e-15)
    np.testing.assert_allclose(sides[0] @ sides[1], 0.0, atol=1e-15)


def test_a_case_of_a_point_is_stored_and_replaced_as_such(dispersed: Scenario) -> None:
    case = dispersed.dispersed(4, {"mass": [0.1]}, noise_seed=9)
    assert (case.case.seed, case.mission.seed) == (4, 9)
    assert case.mission.target.mass_kg == pytest.approx(0.84 * dispersed.mission.target.mass_kg)
    again = Scenario.from_dict(case.to_dict())
    assert (again.case.point, again.case.noise_seed) == ({"mass": [0.1]}, 9)
    assert again.mission == case.mission
    changes = {"chaser.mass_kg": 1300.0}
    assert case.replace(changes).mission == (
        dispersed.replace(changes).dispersed(4, {"mass": [0.1]}, noise_seed=9).mission
    )


@pytest.mark.parametrize(
    ("point", "says"),
    [
        ({"mas": [0.1]}, "'mas' is no dispersion with numbers of its own; did you mean 'mass'"),
        ({"plate": [0.1]}, "'plate' is no dispersion with numbers of its own"),
        ({"mass": [0.1, 0.2]}, "mass takes 1 numbers, found 2"),
        ({"mass": [1.1]}, "mass: must be numbers from 0 to 1"),
        ({"mass": 0.1}, "mass: must be numbers from 0 to 1"),
        ([0.1], "must be a table by dispersion"),
    ],
)
def test_a_point_of_something_else_is_rejected(
    dispersed: Scenario, point: object, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        dispersed.dispersed(0, point)
