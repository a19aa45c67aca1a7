"""The scene in a real browser: it opens clean, and what is done to it changes what is drawn."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import imageio.v3 as imageio
import numpy as np
import pytest
from playwright.sync_api import FloatRect, Page, expect
from playwright.sync_api import TimeoutError as NotDrawn
from tests.browser.test_report import PHONE
from tests.unit.flight_cases import flight
from tests.unit.rehearsal_cases import rehearsal
from tests.unit.viewer_cases import short_run, titled

import proxops
from proxops.results.run import Run
from proxops.viewer import export
from proxops.viewer.live_view import LiveView
from proxops.viewer.poses import CHASER
from proxops.viewer.serve import Viewer
from proxops.viewer.server import start, stop

pytestmark = pytest.mark.browser

ASPECT = "(c => c.width / c.height)(document.querySelector('canvas').getBoundingClientRect())"
PATIENCE = 90_000  # [ms]; software WebGL on a busy machine
POLL = 100  # [ms]
ATTEMPTS = 4  # at a screenshot
BLOCK = 10  # pixels that make one: viser draws coarser where a machine is slow
CHANGED = 20  # of 255, from which on such a pixel counts as changed
STILL = 2e-3  # share of them that may change while nothing moves
MOVED = 1e-2  # share that changes at least when something does


@contextmanager
def shown(run: Run, page: Page) -> Iterator[Viewer]:
    """The run in the page, drawn and at rest."""
    server = start("127.0.0.1", 0, run.name)
    try:
        viewer = Viewer(server, run)
        page.goto(f"http://127.0.0.1:{server.get_port()}")
        expect(page.get_by_text(run.headline, exact=True)).to_be_visible(timeout=PATIENCE)
        settle(page)
        yield viewer
        viewer.close()
    finally:
        stop(server)


def screenshot(page: Page, clip: FloatRect) -> bytes:
    """A PNG of part of the page; of the canvas alone it would wait until that is stable, which it
    never is while it plays.  A scene that plays in software WebGL may keep a busy machine from
    drawing the page at all for a while: then once more."""
    for _ in range(ATTEMPTS - 1):
        try:
            return page.screenshot(clip=clip, timeout=PATIENCE)
        except NotDrawn:
            page.wait_for_timeout(POLL)
    return page.screenshot(clip=clip, timeout=PATIENCE)


def picture(page: Page) -> np.ndarray:
    """What the canvas shows, without the panel beside it and notices in its corner."""
    place = page.locator("canvas").first.bounding_box()
    assert place is not None
    clip = FloatRect(x=place["x"], y=place["y"] + 200, width=900, height=600)
    part = imageio.imread(io.BytesIO(screenshot(page, clip)))[:, :, :3].astype(float)
    return part.reshape(600 // BLOCK, BLOCK, 900 // BLOCK, BLOCK, 3).mean(axis=(1, 3))


def change(before: np.ndarray, after: np.ndarray) -> float:
    """Share of pixels that differ."""
    apart = np.abs(before - after).max(axis=2) > CHANGED
    return float(apart.mean())


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    for _ in range(PATIENCE // POLL):
        if condition():
            return
        page.wait_for_timeout(POLL)
    raise AssertionError("it did not happen")


def settle(page: Page) -> np.ndarray:
    """Waits for a picture that has something in it and stays; returns it."""
    seen = [picture(page)]

    def at_rest() -> bool:
        page.wait_for_timeout(2 * POLL)
        seen.append(picture(page))
        return bool(np.ptp(seen[-1]) > CHANGED) and change(seen[-2], seen[-1]) < STILL

    wait_until(page, at_rest)
    return seen[-1]


def test_it_opens_with_verdict_and_plots_and_draws_the_same_while_nothing_changes(page):
    hostile = "<img src=x onerror=alert(1)> **b** </div><script>document.title='gone'</script>"
    run = replace(titled(short_run("free-tumble"), hostile), name="<b>bold</b>")
    with shown(run, page):
        expect(page.get_by_text("of 1.000 s")).to_be_visible()
        expect(page.get_by_text("joints of arm main [deg]")).to_be_visible()
        before = settle(page)
        page.wait_for_timeout(10 * POLL)
        assert change(before, picture(page)) < STILL
        # texts of a scenario are shown as they stand, never taken for markup
        expect(page.get_by_text(hostile)).to_be_visible()
        expect(page.get_by_text("<b>bold</b>")).to_be_visible()
        assert page.locator("img[src=x]").count() == 0
        assert page.title() != "gone"


def test_playing_and_scrubbing_change_what_is_drawn(page):
    run = short_run("free-tumble", 20.0, 10.0)
    with shown(run, page) as viewer:
        still = settle(page)
        page.get_by_role("button", name="Play").click()
        wait_until(page, lambda: change(still, picture(page)) > MOVED)
        page.get_by_role("button", name="Pause").click()
        paused = settle(page)
        assert viewer.clock.t < 20.0
        page.get_by_role("slider").first.press("End")
        wait_until(page, lambda: viewer.clock.t == 20.0)
        end = settle(page)
        assert change(paused, end) > MOVED
        page.get_by_role("slider").first.press("Home")
        wait_until(page, lambda: change(still, picture(page)) < MOVED)
        assert viewer.clock.t == 0.0


def test_the_exaggeration_slider_bends_the_appendages(page):
    run = short_run("flexible-symmetric")
    with shown(run, page) as viewer:
        expect(page.get_by_text("bending drawn")).not_to_be_visible()
        page.get_by_text("View", exact=True).click()
        straight = settle(page)
        page.get_by_role("slider").nth(1).press("ArrowRight")
        wait_until(page, lambda: change(straight, picture(page)) > MOVED)
        assert viewer.stage.look.bending == 2.0
        expect(page.get_by_text("bending drawn 2x")).to_be_visible()


def test_zones_and_drift_can_be_hidden(page):
    drift = Path(__file__).parents[2] / "examples" / "drift.toml"
    with shown(proxops.simulate(proxops.load(drift)), page) as viewer:
        page.get_by_text("View", exact=True).click()
        outlined = settle(page)
        page.get_by_label("Zones and drift").click()
        wait_until(page, lambda: change(outlined, picture(page)) > MOVED)
        assert not viewer.stage.look.zones


def test_a_camera_button_changes_the_view(page):
    with shown(short_run("deorbit-friction"), page) as viewer:
        before = settle(page)
        page.get_by_role("button", name="contact", exact=True).click()
        wait_until(page, lambda: change(before, picture(page)) > MOVED)
        page.get_by_role("button", name="chaser", exact=True).click()
        wait_until(page, lambda: viewer.stage.look.follow == CHASER)
        hub = viewer.server.scene.get_handle_by_name(f"/frames/{CHASER}")
        wait_until(page, lambda: not hub.position.any())


def test_a_rehearsal_shows_its_cell_and_what_the_guard_does(page):
    with shown(rehearsal(), page) as viewer:
        expect(page.get_by_text("running", exact=True)).to_be_visible()
        (client,) = viewer.server.get_clients().values()
        far = np.linalg.norm(np.subtract(client.camera.position, client.camera.look_at))
        page.get_by_role("button", name="cell", exact=True).click()
        camera = client.camera
        wait_until(page, lambda: bool(np.linalg.norm(camera.position - camera.look_at) < 0.7 * far))
        viewer.go(1.0)
        expect(page.get_by_text("stopped", exact=True)).to_be_visible()


def test_a_flight_opens_clean_and_says_what_the_vehicles_do(page):
    run = flight()
    server = start("127.0.0.1", 0, run.name)
    try:
        viewer = Viewer(server, run)
        page.goto(f"http://127.0.0.1:{server.get_port()}")
        expect(page.get_by_text("flying", exact=True)).to_be_visible(timeout=4 * PATIENCE)
        expect(page.get_by_text("gap between tips [m]")).to_be_visible()
        viewer.go(1.0)
        expect(page.get_by_text("landing", exact=True)).to_be_visible(timeout=4 * PATIENCE)
        viewer.close()
    finally:
        stop(server)


def test_an_exported_scene_plays_from_a_file_alone(page, tmp_path):
    file = tmp_path / "scene.html"
    said = export(short_run("free-tumble", 20.0, 10.0), file)
    assert "every row" in said
    page.goto(file.as_uri())
    page.locator("canvas").first.wait_for(timeout=PATIENCE)
    wait_until(page, lambda: bool(np.ptp(picture(page)) > CHANGED))
    before = picture(page)
    wait_until(page, lambda: change(before, picture(page)) > MOVED)
    page.set_viewport_size(PHONE)  # upright: its one camera is for a picture that is no higher
    wait_until(page, lambda: 1.0 < page.evaluate(ASPECT) < 1.3)


def test_a_run_is_shown_while_it_goes_on_and_whole_when_it_has_ended(page, tmp_path):
    run = short_run("free-tumble", 20.0, 10.0)
    run.save(str(tmp_path / "run"))
    told: list[str] = []
    live = LiveView(run.name, told.append, "127.0.0.1", 0, browser=False)
    try:
        live.open(run.provenance, run.signals())
        live.write(run.rows[:1])
        address = told[0].split()[-1]
        wait_until(page, lambda: reached(page, address))
        expect(page.get_by_text("RUNNING", exact=True)).to_be_visible(timeout=PATIENCE)
        before = settle(page)
        live.write(run.rows[1:100])
        wait_until(page, lambda: change(before, picture(page)) > MOVED)
        live.complete(tmp_path / "run")
        expect(page.get_by_text("no requirements", exact=True)).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_role("button", name="Play")).to_be_visible()
    finally:
        live.close()


def reached(page: Page, address: str) -> bool:
    try:
        page.goto(address)
    except Exception:  # playwright's errors have no finer name: nobody listens yet
        return False
    return True
