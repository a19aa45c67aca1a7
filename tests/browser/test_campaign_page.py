"""The page of a campaign in a real browser: it draws what is chosen, on any screen."""

import pytest
from playwright.sync_api import expect
from tests.browser.test_report import OVERFLOW, PHONE, draw_all, drawn
from tests.unit.campaign_cases import HOSTILE, dispersed

pytestmark = pytest.mark.browser

POINTS = "() => document.querySelector('#scatter-figure .plot').calcdata.map((each) => each.length)"
TITLES = (
    "() => ['xaxis', 'yaxis'].map((axis) => "
    "document.querySelector('#scatter-figure .plot')._fullLayout[axis].title.text)"
)
LIMIT = "() => document.querySelector('#scatter-figure .plot').layout.shapes[0].y0"


def opened(page, tmp_path, **options):
    dispersed(**options).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    expect(drawn(page)).to_be_attached(timeout=30_000)
    return draw_all(page)


def test_the_scatter_shows_what_the_lists_and_the_table_of_drivers_choose(page, tmp_path):
    campaign = dispersed()
    assert opened(page, tmp_path) == 3  # two histograms, one scatter
    expect(page.locator(".banner strong")).to_have_text("PASSED")
    assert page.evaluate(TITLES) == ["shift, chaser.v_HC_m_s y", "near [m]"]
    passed = campaign.passed_count
    marks = page.locator("#scatter-figure .legend .crosses")  # as failed cases are drawn
    assert marks.evaluate("mark => getComputedStyle(mark, '::before').content") == '"×"'
    assert page.evaluate(POINTS) == [passed, len(campaign.cases) - passed]
    page.locator("[data-axis=y]").select_option("far")
    page.locator("[data-axis=x]").select_option("mass")
    assert page.evaluate(TITLES) == ["factor, target.mass_kg", "far [N]"]
    assert page.evaluate(LIMIT) == -1e6
    page.get_by_role("button", name="speed y").click()
    assert page.evaluate(TITLES) == ["shift, chaser.v_HC_m_s y", "near [m]"]
    assert page.evaluate(LIMIT) == 1.0


def test_a_phone_in_the_dark_needs_no_scrolling_sideways(page, tmp_path):
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    opened(page, tmp_path, name=HOSTILE)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"
    colour = "() => document.querySelector('#scatter-figure .plot').data[0].marker.color"
    dark = page.evaluate(colour)
    page.locator("#theme").click()
    page.locator("#scatter-figure .plot").scroll_into_view_if_needed()
    page.wait_for_function(f"(dark) => ({colour})() !== dark", arg=dark)
