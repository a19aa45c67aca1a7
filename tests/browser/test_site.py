"""The site, as `make site` built it: every link resolves, nothing is loaded from elsewhere, pages
open from the file system, the search finds, all that is public is on the page of names."""

import inspect
import os
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect
from tests.browser.test_report import OVERFLOW, PHONE
from tests.unit.doc_pages import ROOT

import proxops

pytestmark = pytest.mark.browser

SITE = ROOT / "build" / "site"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
OPENED = (
    "index.html",
    "tutorials/own-controller.html",
    "reference/python.html",
    "reference/scenario-keys.html",
    "gallery.html",
)


class Html(HTMLParser):
    """What a page links to, what it loads, and what links to it may name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names |= {given.get("id", ""), given.get("name") or ""}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and given.get(LOADED[tag]):
            self.loads.append(given[LOADED[tag]])


@cache
def read(path):
    return Html(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def site():
    if not (SITE / "index.html").exists():
        if os.environ.get("CI"):
            pytest.fail("no build/site: make site")
        pytest.skip("no build/site: make site")
    return SITE


def pages(site):
    return [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]


def test_every_link_of_every_page_resolves(site):
    assert len(pages(site)) > 50
    for path in pages(site):
        for link in read(path).links:
            address = urlsplit(link)
            if address.scheme:
                continue
            there = (path.parent / unquote(address.path)).resolve() if address.path else path
            assert there.is_file(), (path, link)
            if there.suffix == ".html":
                assert unquote(address.fragment) in read(there).names, (path, link)


def test_nothing_is_loaded_from_elsewhere(site):
    for path in pages(site):
        for link in read(path).loads:
            assert not urlsplit(link).netloc, (path, link)
            assert link.startswith("data:") or (path.parent / urlsplit(link).path).exists(), link
    for path in (*site.rglob("*.css"), *site.rglob("*.js")):
        text = path.read_text("utf-8")
        assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", text), path


def test_lists_and_tables_of_docs_are_such_in_the_site(site):
    """GitHub and the site read Markdown by rules that differ."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        made = (site / page.relative_to(ROOT / "docs").with_suffix(".html")).read_text("utf-8")
        content = made[made.index("<article") : made.index("</article>")]
        tables = re.findall(r"^ *\|[-:| ]*-[-:| ]*\|$", text, re.MULTILINE)
        items = re.findall(r"^ *(?:[-*]|\d+\.) ", text, re.MULTILINE)
        assert len(tables) == content.count("<table>"), page
        assert len(items) <= content.count("<li>"), page


def test_all_that_is_public_is_on_the_page_of_names(site):
    names = read(site / "reference" / "python.html").names
    for name in proxops.__all__:
        assert f"proxops.{name}" in names
        assert inspect.getdoc(getattr(proxops, name))


@pytest.mark.parametrize("path", OPENED)
def test_a_page_opens_from_the_file_system(page, site, path):
    page.goto((site / path).as_uri())
    expect(page.locator("h1")).to_be_visible()
    page.set_viewport_size(PHONE)
    assert page.evaluate(OVERFLOW) <= 0


@pytest.mark.parametrize("name", ["commands", "scenario-keys", "facility-keys"])
def test_a_key_or_an_option_is_not_broken_into_lines(page, site, name):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto((site / "reference" / f"{name}.html").as_uri())
    broken = page.locator("td:first-child > code").evaluate_all(
        "all => all.filter(code => !/[ |]/.test(code.textContent)"
        " && code.getClientRects().length > 1).map(code => code.textContent)"
    )
    assert not broken


def test_the_search_finds_without_a_server(page, site):
    page.goto((site / "tutorials" / "worst-case.html").as_uri())
    page.keyboard.press("/")
    expect(page.locator("[data-md-component=search-query]")).to_be_focused()
    page.keyboard.type("passivity")
    found = page.locator(".md-search-result__link").first
    expect(found).to_be_attached(timeout=20_000)
    found.click()
    expect(page.locator("h1")).to_be_visible()
    assert Path(urlsplit(page.url).path).is_relative_to(site)
