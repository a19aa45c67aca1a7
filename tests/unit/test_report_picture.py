"""The scene on top of a report, attitudes of tumbling bodies, impulse by leg, folded plots."""

import base64
import re
import sys
import zlib
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.unit.report_cases import run_of
from tests.unit.viewer_cases import short_run
from typer.testing import CliRunner

from proxops.cli.main import app
from proxops.core.errors import InputError
from proxops.core.plot import Figure
from proxops.report import write_picture
from proxops.report.burns import DELTA_V, IMPULSE, leg_table
from proxops.report.curves import tumble_part
from proxops.report.page import Page
from proxops.report.picture import HEIGHT, WIDTH, pictures, start_file
from proxops.report.raster import Raster
from proxops.report.run_page import run_page
from proxops.results.run import Phase, Signal
from proxops.scenario.load import load
from proxops.viewer.planet import surface

FRONT, BACK = (200, 0, 0), (0, 0, 200)


@pytest.fixture(scope="module")
def flown():
    return short_run("free-tumble")


def pixels(address: str, width: int, height: int) -> np.ndarray:
    """Of a PNG that `Raster` wrote: rows without filters."""
    file = base64.b64decode(address.partition(",")[2])
    start = file.index(b"IDAT")
    size = int.from_bytes(file[start - 4 : start], "big")
    rows = np.frombuffer(zlib.decompress(file[start + 4 : start + 4 + size]), np.uint8)
    return rows.reshape(height, 4 * width + 1)[:, 1:].reshape(height, width, 4)


def test_what_is_nearer_hides_what_is_behind_it_in_any_order():
    square = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 0.0], [0.0, 10.0, 0.0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    for order in ((1.0, 2.0), (2.0, 1.0)):
        raster = Raster(20, 10)
        for depth in order:
            colour = FRONT if depth == 2.0 else BACK
            raster.draw(square + np.array([0.0, 0.0, depth]), faces, colour)
        found = pixels(raster.png(), 20, 10)
        assert (found[:, :10, 0] > 100).all()
        assert (found[:, :10, 2] == 0).all()
        assert (found[:, 10:, 3] == 0).all()  # clear where nothing is


def test_a_picture_in_orbit_needs_nothing_of_the_viewer(monkeypatch):
    """A plain install has no extra: no viser, and none of what comes with it."""
    for name in ("viser", "trimesh", "PIL"):
        monkeypatch.setitem(sys.modules, name, None)
    surface.cache_clear()  # the planet, which no picture shows
    assert start_file(load("envisat-capture")).count("<image") == 2


def test_a_report_begins_with_both_spacecraft_at_the_start_and_the_end(flown):
    html = pictures(flown)
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", html)
    assert [title.split(",")[0] for title in titles] == ["Start", "Start", "End", "End"]
    for address in re.findall(r'href="(data:image/png;base64,[^"]+)"', html):
        drawn = pixels(address, WIDTH, HEIGHT)[..., 3] > 0
        assert 0.02 < drawn.mean() < 0.6
        assert not drawn[0].any()  # nothing is cut off
        assert not drawn[:, 0].any()
    assert html.count(">chaser</text>") == html.count(">target</text>") == 4
    assert re.search(r">\d+ m</text>", html)
    page = run_page(flown)
    assert page.index('class="scene"') < page.index("Requirements</h2>")


def test_a_mission_is_drawn_before_any_run(tmp_path):
    file = tmp_path / "start.svg"
    show = ["show", "berthing", "--picture", str(file)]
    assert CliRunner().invoke(app, show).exit_code == 0
    assert CliRunner().invoke(app, show).exit_code == 0  # our own picture is replaced
    drawn = ElementTree.fromstring(file.read_text("utf-8"))  # a browser opens it
    assert len(drawn.findall(".//{*}image")) == 2
    texts = [each.text for each in drawn.findall(".//{*}text")]
    assert texts.count("chaser") == texts.count("target") == 2
    assert "Start, 0 s: orbital plane" in texts
    assert not re.search(r"(href|src)=.http", file.read_text("utf-8"))  # offline
    note = tmp_path / "note.svg"
    note.write_text("mine")
    done = CliRunner().invoke(app, [*show[:-1], str(note)])
    assert done.exit_code != 0
    assert note.read_text() == "mine"
    with pytest.raises(InputError, match=r"must end in .svg"):
        write_picture(load("berthing"), tmp_path / "start.png")


def test_a_run_that_cannot_be_drawn_has_no_picture():
    assert pictures(run_of()) == ""


def test_a_tumbling_body_turns_on_and_on():
    """1.5 turns about z: the angle goes on to 540 degrees, and no component jumps."""
    angle = np.linspace(0.0, 3.0 * np.pi, 301)
    q = np.column_stack([np.cos(0.5 * angle), 0.0 * angle, 0.0 * angle, np.sin(0.5 * angle)])
    part = tumble_part(np.where(q[:, :1] < 0.0, -q, q))
    np.testing.assert_allclose(part.columns[:, 0], angle, atol=1e-9)
    np.testing.assert_allclose(part.columns[:, 3], angle, atol=1e-9)
    np.testing.assert_allclose(part.columns[:, 1:3], 0.0, atol=1e-12)


def test_impulse_is_given_for_each_thruster_and_leg(flown):
    t = flown.rows[:, 0]
    end = float(t[-1])
    burnt = np.column_stack([np.minimum(t, 0.5 * end), np.zeros(len(t)), 2.0 * t])
    rows = np.column_stack([t, burnt, 1e-3 * burnt.sum(axis=1)])
    signals = (Signal(IMPULSE, "N s", "", (3,)), Signal(DELTA_V, "m/s", "", ()))
    legs = (Phase("to<b>", 0.0, 0.5 * end), Phase("hold", 0.5 * end, end))
    run = replace(flown, rows=rows, table=signals, phases=legs)
    cells = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", leg_table(run))
    expected = [f"{each:.3g}" for each in (1.5 * end, 1.5 * end, 0.5 * end, 1.0 * end)]
    assert cells[:5] == ["phase", "delta-v [mm/s]", "impulse [N s]", "0", "2"]
    assert cells[5:10] == ["to&lt;b&gt;", *expected]
    assert cells[10:] == ["hold", *(f"{each:.3g}" for each in (end, end, 0.0, end))]


def test_many_plots_are_folded_and_none_is_lost():
    page = Page("title")
    plots = [Figure(f"plot {i}", "", ()) for i in range(10)]
    page.figures(plots, 4)
    page.figures(plots[:6], 4)  # two more are not worth it
    html = page.html()
    assert html.count('<details class="more"><summary>6 more plots: plot 4') == 1
    assert html.count('class="plot"') == 16
