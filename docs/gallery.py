"""Takes the pictures of the gallery in a headless browser, from real runs: part of `make docs`.

With names of missions, or such as `touch-on-oos-sim`, it takes only those.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import proxops
from proxops.results.run import Run
from proxops.scenario.load import shipped
from proxops.viewer.serve import Viewer
from proxops.viewer.server import start, stop

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
FLAGS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox")
SIZE = {"width": 1400, "height": 800}
QUALITY = 82  # of JPEG
SETTLED = 4000  # [ms] after which software WebGL has drawn
PATIENCE = 240_000  # [ms] with a page, on a machine with other work
ON = "-on-oos-sim"
REHEARSED = (f"touch{ON}", f"envisat-capture{ON}")
# When a mission is most worth seeing, as a share of its time
MOMENTS = {
    "envisat-capture": 34.3 / 60.0,
    f"envisat-capture{ON}": 34.3 / 60.0,
    "touch": 0.33,
    "touch-flexible": 0.8,
    f"touch{ON}": 0.33,
    "deorbit-release": 0.1,
    "free-tumble": 0.7,
    "fly-around": 0.3,
    "approach-1km": 0.79,
    "approach-rbar": 0.82,
    "moon-approach": 0.75,
    "fly-around-inspection": 0.4,
    "berthing": 0.3,
    "unberthing": 0.27,
    "servicing-day": 0.5565,
}
# Where what it opens with is not what it is about
CAMERAS = {"touch-flexible": "both"}
CLOSE_UP = {"envisat-capture": "contact"}  # a second picture
REPORTS = ("deorbit-boost", "envisat-capture", f"touch{ON}")


def main() -> None:
    """Runs every shipped scenario, and some on a facility; writes pictures and docs/gallery.md."""
    wanted = sys.argv[1:] or [*shipped(), *REHEARSED]
    runs = {name: run_of(name) for name in wanted}
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name, run in runs.items():
            watch(browser, name, run)
            if name in REHEARSED:
                watch(browser, name, run, "cell")
            if name in CLOSE_UP:
                watch(browser, name, run, CLOSE_UP[name])
            if name in REPORTS:
                read(browser, name, run)
        browser.close()
    (HERE / "gallery.md").write_text(text(), "utf-8")


def run_of(name: str) -> Run:
    """A shipped scenario, in orbit or on a facility."""
    if name in REHEARSED:
        return proxops.rehearse(proxops.load(name.removesuffix(ON)), "oos-sim", ablate=True)
    return proxops.simulate(proxops.load(name))


def watch(browser: Browser, name: str, run: Run, camera: str = "") -> None:
    """The scene of a run, as it opens or after a camera button."""
    server = start("127.0.0.1", 0, name)
    viewer = Viewer(server, run)
    try:
        viewer.go(MOMENTS.get(name, 0.5) * viewer.clock.end)
        file = f"view-{name}-{camera}.jpg" if camera else f"view-{name}.jpg"
        button = camera or CAMERAS.get(name, "")
        take(browser, f"http://127.0.0.1:{server.get_port()}", file, button)
    finally:
        viewer.close()
        stop(server)


def read(browser: Browser, name: str, run: Run) -> None:
    """The top of a run's report."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        run.report(file)
        take(browser, file.as_uri(), f"report-{name}.jpg")


def take(browser: Browser, address: str, file: str, camera: str = "") -> None:
    """A picture of a page, after a button if one is named."""
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_timeout(SETTLED)
    if camera:
        page.get_by_role("button", name=camera, exact=True).click()
        page.wait_for_timeout(SETTLED)
    page.add_style_tag(content=".mantine-Notification-root { display: none; }")
    page.screenshot(path=PICTURES / file, type="jpeg", quality=QUALITY)
    page.close()


def text() -> str:
    """The page that shows the pictures."""
    lines = [
        "# Gallery",
        "",
        "Made by `make docs` from real runs; do not edit.",
        "",
        "## Scenes (`proxops view`)",
    ]
    for name, title in shipped().items():
        lines += ["", f"**{name}**: {title}", "", f"![{name}](pictures/view-{name}.jpg)"]
        if name in CLOSE_UP:
            close = f"{name}-{CLOSE_UP[name]}"
            lines += ["", f"![{close}](pictures/view-{close}.jpg)"]
    lines += ["", "## Rehearsals, and their cells", ""]
    for name in (each + part for each in REHEARSED for part in ("", "-cell")):
        lines += [f"![{name}](pictures/view-{name}.jpg)", ""]
    lines += ["## Reports (`proxops report`)"]
    for name in REPORTS:
        lines += ["", f"**{name}**", "", f"![report of {name}](pictures/report-{name}.jpg)"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
