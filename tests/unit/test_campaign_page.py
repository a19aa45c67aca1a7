"""What drives a requirement, which case is the worst, and the page that shows both."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.unit.campaign_cases import DISPERSIONS, HOSTILE, case, dispersed, requirement

from proxops.campaigns import Campaign, Design, Job
from proxops.campaigns.case_store import HEAD, open_case_store
from proxops.campaigns.seeds import ranges
from proxops.campaigns.sensitivity import Draw, draws_of, driver_of, rank_correlation, values_of
from proxops.campaigns.stored import is_campaign, open_campaign, request_of
from proxops.campaigns.worst import why_worst
from proxops.core.errors import InputError
from proxops.report import campaign_page as page
from proxops.report.histogram import FAR, edges_of, histogram
from proxops.report.search_path import search_path
from proxops.results.store.runs import open_run
from proxops.scenario.load import load

# --- sensitivity --------------------------------------------------------------------------------


def test_the_rank_correlation_is_spearmans_with_ties_and_gaps() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 6, 40).astype(float), rng.integers(0, 9, 40).astype(float)
    expected = spearmanr(a[:35], b[:35]).statistic
    a[35:38], b[38:] = np.nan, np.nan
    assert rank_correlation(a, b) == pytest.approx(expected, abs=1e-14)
    assert rank_correlation(a, np.exp(-a)) == pytest.approx(-1.0)
    assert rank_correlation(a, np.ones(40)) == 0.0
    assert rank_correlation(a[:4], a[:4]) == 0.0  # too few


def test_every_number_that_was_drawn_is_listed_and_what_does_not_vary_is_not() -> None:
    draws = {draw.name: draw for draw in dispersed().draws}
    axes = [f"target.w_NT_T_deg_s {axis}" for axis in "xyz"]  # its length is always the same
    assert list(draws) == ["mass", "speed x", "speed y", "speed z", *axes]
    assert draws["mass"].title == "factor, target.mass_kg"
    assert draws["speed y"].title == "shift, chaser.v_HC_m_s y"
    cases = dispersed().cases
    assert draws["speed y"].values.tolist() == [each["drawn"]["speed"]["by"][1] for each in cases]


def test_a_case_without_draws_has_no_number_there() -> None:
    cases = [*dispersed(6).cases, case(6)]
    assert [np.isnan(draw.values).sum() for draw in draws_of(cases, DISPERSIONS)] == [1] * 7


def test_the_planted_driver_is_found_with_the_cases_that_have_values() -> None:
    near, far = dispersed().drivers
    assert (near.draw, near.cases, near.clear) == ("speed y", 60, True)
    assert near.correlation > 0.9
    assert far.cases == 30
    assert not far.clear


def test_chance_alone_is_rarely_clear() -> None:
    """At most 5 % of campaigns: of 400, 20 ± 3 √(400 · 0.05 · 0.95) are within 34."""
    rng = np.random.default_rng(2)
    clear = 0
    for _ in range(400):
        draws = [Draw(str(i), "", rng.uniform(size=30)) for i in range(8)]
        clear += driver_of("x", rng.uniform(size=30), draws).clear
    assert 4 <= clear <= 34


def test_values_that_are_no_numbers_are_gaps() -> None:
    cases = [case(i, requirement("near", value, False)) for i, value in enumerate([1, "NaN", None])]
    assert np.array_equal(values_of(cases, "near"), [1.0, np.nan, np.nan], equal_nan=True)


# --- the worst case -----------------------------------------------------------------------------


def test_a_collision_is_worst_then_the_most_failures_then_the_smallest_margin() -> None:
    def worst(*cases: dict[str, object]) -> int:
        found = Campaign("x", cases, len(cases), 1.0).worst
        assert found is not None
        return int(found["seed"])

    fine = case(0, requirement("a", 0.5, True), requirement("b", 0.2, True))
    tight = case(1, requirement("a", 0.3, True), requirement("b", 0.9, True))
    over = case(2, requirement("a", 9.0, False), requirement("b", 0.2, True), cause="failed: a")
    lost = case(3, requirement("a", 1.1, False), requirement("b", None, False), cause="abort: b")
    hit = case(4, requirement("a", 0.5, True), cause="collision: arm meets bus")
    refused = case(5, cause="refused: out of reach") | {"hash": None}
    assert worst(fine, tight) == 1
    assert worst(fine, tight, over) == 2
    assert worst(fine, tight, over, lost) == 3
    assert worst(fine, tight, over, lost, hit, refused) == 4
    assert worst(refused, fine) == 0
    assert Campaign("x", (refused,), 1, 1.0).worst is None
    assert why_worst(tight, (fine, tight)) == "b: 0.9 m, where <= 1 m is required"
    assert why_worst(lost, ()) == "abort: b"
    both = case(6, requirement("a", 1.1, False), requirement("b", None, False), cause="failed: a")
    assert why_worst(both, ()) == (
        "fails 2 requirements, a: 1.1 m, where <= 1 m is required; "
        "b: not reached, where <= 1 m is required"
    )


def test_margins_at_a_limit_of_zero_are_compared_with_the_largest_value() -> None:
    above = [requirement("a", value, True, comparison=">=", limit=0.0) for value in (2.0, 100.0)]
    cases = tuple(case(i, each, requirement("b", 0.9, True)) for i, each in enumerate(above))
    worst = Campaign("x", cases, 2, 1.0).worst
    assert worst is not None
    assert worst["seed"] == 0  # 2 of 100, not 10 %


def test_the_worst_value_has_its_seed() -> None:
    near, far = dispersed().spreads
    values = values_of(dispersed().cases, "near")
    assert (near.worst, near.worst_seed) == (values.max(), int(values.argmax()))
    assert far.worst == values_of(dispersed().cases, "far")[far.worst_seed]


# --- stored campaigns ---------------------------------------------------------------------------


def test_a_stored_campaign_is_the_one_that_was_asked_for_last(tmp_path: Path) -> None:
    job = Job(load("touch"))
    for seeds, share in (([7, 8], 1.0), ([0, 1, 2, 5, 9], 0.5)):
        asked = request_of("touch", seeds, share, Design())
        with open_case_store(tmp_path / "kept", job, asked) as store:
            for seed in seeds[:4]:
                store.add(case(seed))
    found = open_campaign(tmp_path / "kept")
    assert [each["seed"] for each in found.cases] == [0, 1, 2, 5]
    assert (found.name, found.asked, found.at_least, found.folder) == (
        "touch", 5, 0.5, tmp_path / "kept",
    )  # fmt: skip
    assert found.provenance == json.loads(json.dumps(job.to_dict()))
    assert is_campaign(tmp_path / "kept")
    assert not is_campaign(tmp_path)
    with pytest.raises(InputError, match="seed 8: was not flown; there are: 0-2,5"):
        found.case(8)
    head = json.loads((tmp_path / "kept" / HEAD).read_text())
    (tmp_path / "kept" / HEAD).write_text(json.dumps(head | {"request": {"seeds": [[3, 1]]}}))
    with pytest.raises(InputError, match="run the campaign again with --out"):
        open_campaign(tmp_path / "kept")


def test_a_folder_of_something_else_is_named_with_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="away: there is no such folder"):
        open_campaign(tmp_path / "away")
    with pytest.raises(
        InputError, match=r"is not the folder of a campaign, it has no campaign\.json"
    ):
        open_campaign(tmp_path)
    (tmp_path / HEAD).write_text("{}")
    with pytest.raises(
        InputError, match=r"the folder of a campaign, not of a run.* replay .* SEED"
    ):
        open_run(tmp_path)


def test_ranges_are_unbroken() -> None:
    assert ranges([5, 1, 2, 3, 9]) == [(1, 3), (5, 5), (9, 9)]
    assert ranges([]) == []


# --- histograms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [-0.5, 0.0, 0.37, 1.0, 1.8])
def test_no_column_is_on_both_sides_of_the_limit(limit: float) -> None:
    values = np.random.default_rng(3).uniform(0.0, 1.0, 300)
    edges = edges_of(values, limit)
    assert edges[0] <= values.min()
    assert values.max() <= edges[-1]
    assert not np.any((edges[:-1] < limit - 1e-9) & (edges[1:] > limit + 1e-9))
    assert np.ptp(np.diff(edges)) < 1e-12


def test_a_histogram_counts_every_value_and_draws_the_limit_unless_it_is_far() -> None:
    campaign = dispersed()
    near, far = campaign.spreads
    figure = histogram(near, values_of(campaign.cases, "near"))
    met, missed = (int(curve.y.sum()) for curve in figure.curves)
    assert (met, missed) == (60 - near.failed, near.failed)
    assert figure.window is not None
    assert figure.window[0][0] < near.limit < figure.window[0][1]
    figure = histogram(far, values_of(campaign.cases, "far"))
    assert figure.instants[0].label.endswith("(off to the left)")
    assert figure.window is not None
    assert figure.window[0][0] > 5.0 - FAR
    assert "30 of 60 cases have a value" in figure.caption


def test_equal_values_have_one_column_in_the_middle() -> None:
    edges = edges_of(np.full(9, 3.0), 3.1)
    assert edges[0] < 3.0 < edges[-1]
    assert edges_of(np.zeros(9), 100.0)[[0, -1]].tolist() == [-0.5, 0.5]


# --- the page -----------------------------------------------------------------------------------


def numbers(packed: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])


def scatter_of(html: str) -> dict[str, object]:
    (text,) = re.findall(r'id="scatter">(.*?)</script>', html)
    return json.loads(text)


def test_the_page_has_verdict_probability_worst_case_and_the_command_for_it(tmp_path: Path) -> None:
    campaign = dispersed(folder=tmp_path / "a b")
    html = page.campaign_page(campaign)
    low, high = (100.0 * bound for bound in campaign.interval)
    assert f"{100.0 * campaign.share:.1f} %, {low:.1f} to {high:.1f} % with 95 % confidence" in html
    assert campaign.worst is not None
    command = f"proxops replay &#x27;{tmp_path}/a b&#x27; {campaign.worst['seed']} --report"
    assert f"<pre>{command}</pre>" in html
    for cause, seeds in campaign.causes.items():
        assert f"<td>{len(seeds)}</td>" in html.replace(' class="number"', "")
        assert cause in html
    assert "scenario.dispersed(" in page.campaign_page(dispersed())  # nothing is stored


def test_the_scatter_has_every_requirement_against_every_draw() -> None:
    campaign = dispersed()
    found = scatter_of(page.campaign_page(campaign))
    columns = found["columns"]
    passed = np.array([each["passed"] for each in campaign.cases])
    for axis, expected in (
        ("x", [draw.values for draw in campaign.draws]),
        ("y", [values_of(campaign.cases, each.name) for each in campaign.spreads]),
    ):
        assert len(columns[axis]) == len(expected)
        for column, values in zip(columns[axis], expected, strict=True):
            parts = [numbers(part) for part in column["parts"]]
            for part, wanted in zip(parts, (values[passed], values[~passed]), strict=True):
                assert np.allclose(part, wanted, rtol=1e-6, equal_nan=True)
    assert [column["limit"] for column in columns["y"]] == [1.0, -1e6]
    assert found["data"][1]["text"][0].startswith("seed 0, ")


def test_seeds_break_into_lines_between_ranges_only() -> None:
    html = page._seeds_html([1, 3, 4, 5, 9])
    assert html == "1,<wbr>3&#8209;5,<wbr>9"


def test_of_very_many_cases_the_failed_ones_are_drawn_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page, "MAX_SAMPLES", 450)  # of 9 variables
    monkeypatch.setattr(page, "LEAST_CASES", 10)
    campaign = dispersed()
    html = page.campaign_page(campaign)
    assert "50 of 60 cases are drawn" in html
    passed, failed = (len(trace["text"]) for trace in scatter_of(html)["data"])
    assert failed == 60 - campaign.passed_count
    assert passed == 50 - failed


def test_a_campaign_without_requirements_draws_or_cases_has_a_page() -> None:
    bare = Campaign("x", (case(0), case(1, cause="abort: lost")), 2, 1.0)
    assert "Nothing was dispersed" in page.campaign_page(bare)
    none = page.campaign_page(Campaign("x", (), 2, 1.0))
    assert "No case was flown." in none
    assert "INTERRUPTED" in none


def test_the_page_of_a_search_shows_its_path_and_no_statistics() -> None:
    searched = replace(dispersed(), design={"kind": "worst-case"})
    html = page.campaign_page(searched)
    assert "Smallest margin of each case" in html
    assert "the share that passes says nothing" in html
    assert "What drives each requirement" not in html
    assert " % must pass" not in html
    plain = page.campaign_page(dispersed())
    assert "Smallest margin of each case" not in plain
    assert "What drives each requirement" in plain


def test_a_campaign_of_a_mission_without_dispersions_says_so() -> None:
    flown = dispersed()
    made = {"scenario": {"mission": {"title": "A test", "dispersions": {}}}}
    assert "[dispersions]: its cases differ by their noise" in page.campaign_page(
        replace(flown, provenance=made)
    )
    assert "differ by their noise" not in page.campaign_page(flown)


def test_the_path_of_a_search_falls_to_the_worst_case() -> None:
    searched = replace(dispersed(), design={"kind": "worst-case"})
    each, least = search_path(searched).curves
    assert np.all(np.diff(least.y) <= 0.0)
    assert least.y[-1] == np.nanmin(each.y)
    np.testing.assert_array_equal(each.x, np.arange(1, 61))


def test_texts_of_a_campaign_are_escaped() -> None:
    html = page.campaign_page(dispersed(name=HOSTILE))
    assert HOSTILE not in html
    assert "&lt;script&gt;throw" in html
