"""Takes the pictures of the gallery in a headless browser, from real runs: part of `make docs`.

With names of missions, or such as `touch-on-oos-sim`, `arena-approach-on-flight-arena`, it takes
only those.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

import proxops
from proxops.results.run import Run
from proxops.scenario.shipped import shipped
from proxops.viewer.serve import Viewer
from proxops.viewer.server import start, stop

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
FLAGS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox")
SIZE = {"width": 1400, "height": 800}
QUALITY = 82  # of JPEG
SETTLED = 4000  # [ms] for which a page stays as it is once software WebGL has drawn it
LONGEST = 10  # of such times that it may take
STILL = 0.2  # of 255, by which a page at rest changes on average
PATIENCE = 240_000  # [ms] with a page, on a machine with other work
ON, FLOWN = "-on-oos-sim", "-on-flight-arena"
REHEARSED = (
    f"touch{ON}",
    f"envisat-capture{ON}",
    f"arena-approach{FLOWN}",
)
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
    "servicing-day": 0.0,
    f"arena-approach{FLOWN}": 0.6,
}
# Further pictures: what they are called, when, and the camera
MORE = {
    "envisat-capture": (("contact", 34.3 / 60.0, "contact"),),
    "servicing-day": (("carry", 0.5565, "close-up"), ("home", 1.0, "orbit")),
    f"touch{ON}": (("cell", 0.33, "cell"),),
    f"envisat-capture{ON}": (("cell", 34.3 / 60.0, "cell"),),
}
# What the page begins with, and what is to be seen there
BEST = {
    "view-envisat-capture": "The servicer has caught up with the tumbling Envisat",
    "view-envisat-capture-contact": "Its fingers close on the ring",
    f"view-envisat-capture{ON}": "The same in orbit and, below, on two robots",
    f"view-envisat-capture{ON}-cell": "The cell alone",
    "view-approach-1km": "Along V-bar to 10 m, within the corridor and outside the keep-out zone",
    "view-berthing": "The arm carries the satellite to its port",
    "view-servicing-day-carry": "The same in a day of servicing, from 1 km and back",
    "view-deorbit-boost": "Four off-modulated engines push the target",
    f"view-arena-approach{FLOWN}": "An approach that two multirotors fly, the orbit above",
    "report-envisat-capture": "The report of a capture",
}
ROBOTS = "![twelve public robots](pictures/robots.jpg)"  # docs/robots_picture.py
# Of reports: what is in sight, the top if it has no name
REPORTS = {
    "deorbit-boost": (),
    "envisat-capture": (),
    f"touch{ON}": (),
    f"arena-approach{FLOWN}": (
        "Flight",
        "Flight: distance of the target's vehicle from its reference",
    ),
}


def main() -> None:
    """Runs every shipped scenario, and some on a facility; writes pictures and docs/gallery.md."""
    wanted = sys.argv[1:] or [*shipped(), *REHEARSED]
    runs = {name: run_of(name) for name in wanted}
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        for name, run in runs.items():
            # one for all would end of itself after some dozens of scenes
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
            watch(browser, name, run, MOMENTS.get(name, 0.5))
            for part, share, camera in MORE.get(name, ()):
                watch(browser, f"{name}-{part}", run, share, camera)
            if name in REPORTS:
                read(browser, name, run)
            browser.close()
    (HERE / "gallery.md").write_text(text(), "utf-8")


def run_of(name: str) -> Run:
    """A shipped scenario, in orbit or on a facility."""
    for suffix in (ON, FLOWN):
        if name.endswith(suffix):
            scenario = proxops.load(name.removesuffix(suffix))
            return proxops.rehearse(scenario, suffix.removeprefix("-on-"), ablate=suffix == ON)
    return proxops.simulate(proxops.load(name))


def watch(browser: Browser, name: str, run: Run, share: float, camera: str = "") -> None:
    """The scene of a run after a share of its time, as it opens or after a camera button."""
    server = start("127.0.0.1", 0, run.name)
    viewer = Viewer(server, run)
    try:
        viewer.go(share * viewer.clock.end)
        take(browser, f"http://127.0.0.1:{server.get_port()}", f"view-{name}.jpg", camera)
    finally:
        viewer.close()
        stop(server)


def read(browser: Browser, name: str, run: Run) -> None:
    """The top of a run's report, and what else is worth seeing of it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        run.report(file)
        take(browser, file.as_uri(), f"report-{name}.jpg")
        for number, heading in enumerate(REPORTS[name], 1):
            take(browser, file.as_uri(), f"report-{name}-{number}.jpg", heading=heading)


def take(browser: Browser, address: str, file: str, camera: str = "", heading: str = "") -> None:
    """A picture of a page, after a button or from a heading on if one is named."""
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.add_style_tag(content=".mantine-Notification-root { display: none; }")
    settle(page)
    if camera:
        page.get_by_role("button", name=camera, exact=True).click()
        settle(page)
    if heading:
        page.get_by_role("heading", name=heading, exact=True).evaluate("e => e.scrollIntoView()")
        settle(page)
    page.screenshot(path=PICTURES / file, type="jpeg", quality=QUALITY)
    page.close()


def settle(page: Page, interval: float = SETTLED) -> None:
    """Waits until a page stays as it is for so long [ms]: labels come last, and lights grow."""
    before = np.zeros(1)
    for _ in range(LONGEST):
        page.wait_for_timeout(interval)
        now = imageio.imread(io.BytesIO(page.screenshot())).astype(float)
        if now.shape == before.shape and np.abs(now - before).mean() < STILL:
            return
        before = now


def text() -> str:
    """The page that shows the pictures."""
    lines = [
        "# Gallery",
        "",
        "<!-- made by docs/gallery.py -->",
        "Pictures of real runs, as `proxops view` shows them.",
    ]
    lines += [line for each in BEST.items() for line in best(*each)]
    lines += ["", "## All missions"]
    for name, title in shipped().items():
        if not (PICTURES / f"view-{name}.jpg").is_file():
            continue  # not taken yet: only some were asked for
        lines += ["", f"**{name}**: {title}", "", f"![{name}](pictures/view-{name}.jpg)"]
        lines += more(name)
    lines += ["", "## Rehearsals, and their cells and arenas"]
    for name in REHEARSED:
        lines += ["", f"![{name}](pictures/view-{name}.jpg)", *more(name)]
    lines += ["", "## Public robots as arms of a chaser", "", ROBOTS, ""]
    lines += ["## Reports (`proxops report`)"]
    for name in REPORTS:
        lines += ["", f"**{name}**", "", f"![report of {name}](pictures/report-{name}.jpg)"]
        for number in range(1, len(REPORTS[name]) + 1):
            lines += ["", f"![further down](pictures/report-{name}-{number}.jpg)"]
    return "\n".join(lines) + "\n"


def best(file: str, text: str) -> list[str]:
    """Lines that show a picture with its text."""
    return ["", f"**{text}**", "", f"![{text}](pictures/{file}.jpg)"]


def more(name: str) -> list[str]:
    """Lines that show a run's further pictures."""
    lines = []
    for part, *_ in MORE.get(name, ()):
        lines += ["", f"![{name}-{part}](pictures/view-{name}-{part}.jpg)"]
    return lines


if __name__ == "__main__":
    main()
