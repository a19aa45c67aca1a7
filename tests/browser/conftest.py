"""A page in a headless Chromium that tolerates no console error and no outside request."""

import os
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

# Software WebGL: the machines that run these tests have no graphics card.  The rest keeps the
# browser from looking for updates on a closed network.
FLAGS = (
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
LOCAL_SCHEMES = {"file", "data", "blob", "about"}
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on this machine")
        pytest.skip("no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page; when the test ends, whatever it complained about or asked for fails it."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_navigation_timeout(120_000)  # pages of some MB, drawn without a GPU
    complaints: list[str] = []

    def watch_request(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in LOCAL_SCHEMES and address.hostname not in LOOPBACK:
            complaints.append(f"request to {request.url}")

    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", watch_request)
    yield page
    page.close()
    assert not complaints, "\n".join(complaints)
