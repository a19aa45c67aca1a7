"""The report of a flight: paths in the room, errors with their interval, thrusts, gap, scales."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.flight_cases import ERROR, HOVER, LANDS_S, OFF, PUSHED, flight
from tests.unit.test_report_pages import Outline

from proxops.core.plot import AREA
from proxops.report.run_page import run_page
from proxops.results.flight_figures import flight_figures, thrust_margin


def figure(run, words):
    return next(each for each in flight_figures(run) if words in each.title)


def curve(run, words, label):
    return next(each for each in figure(run, words).curves if each.label == label)


def text(page):
    return re.sub(r"<[^>]+>", "", page)


def test_paths_are_drawn_in_the_room_with_the_fence_and_as_wide_as_vehicles_are():
    run = flight()
    for words, axes in (("path from above", (0, 1)), ("path from the side", (0, 2))):
        room = curve(run, words, "room")
        low, high = np.array([-10.0, -7.5, 0.0]), np.array([10.0, 7.5, 8.0])
        assert (room.x.min(), room.x.max()) == (low[axes[0]], high[axes[0]])
        assert (room.y.min(), room.y.max()) == (low[axes[1]], high[axes[1]])
        fence = curve(run, words, "box that flights keep")
        assert fence.y.min() == pytest.approx(low[axes[1]] + 0.6)
        flown, wanted = (curve(run, words, f"chaser: {which}") for which in ("flown", "reference"))
        np.testing.assert_allclose(flown.x - wanted.x, OFF[axes[0]], atol=1e-12)
        np.testing.assert_allclose(flown.y - wanted.y, OFF[axes[1]], atol=1e-12)
        tips = curve(run, words, "chaser's tips at the start")
        assert np.ptp(tips.x) == pytest.approx(2 * 0.275 + 0.24)
    assert figure(run, "from above, near").window[0][0] > -5.0


def test_errors_are_fitted_while_both_fly_and_have_their_interval():
    run = flight()
    t, _ = run["lab.vehicles.chaser.error"]
    rising = 0.02 * t[:, None] + 1e-3 * np.sin(70.0 * t)[:, None]
    rising[t >= LANDS_S] = 5.0  # a landing is no error of tracking
    columns = {name: run[name][1].reshape(len(t), -1) for name in run}
    columns["lab.vehicles.chaser.error"] = rising
    changed = replace(run, rows=np.column_stack([t, *columns.values()]))
    line = curve(changed, "distance of the chaser's", "linear fit")
    flying = t < LANDS_S
    slope, offset = np.polyfit(t[flying], 1e3 * rising[flying, 0], 1)
    assert line.x[-1] == t[flying][-1]
    np.testing.assert_allclose(line.y, offset + slope * line.x, rtol=1e-9)
    band = curve(changed, "distance of the chaser's", "95 % prediction interval")
    assert band.kind == AREA
    half = len(band.y) // 2
    np.testing.assert_allclose(0.5 * (band.y[:half] + band.y[half:][::-1]), line.y, rtol=1e-9)
    assert (band.y[:half] > line.y).all()


def test_the_rotor_nearest_to_either_limit_has_the_margin():
    thrusts = np.array([[4.0, 5.0, 0.4], [4.0, 9.0, 3.0]])
    np.testing.assert_allclose(thrust_margin(thrusts, 0.1, 10.05), [0.3, 1.05])
    run = flight()
    margin = curve(run, "thrust margin", "chaser").y
    np.testing.assert_allclose([margin[0], margin[-1]], [HOVER - 0.1, 10.05 - PUSHED])
    limits = curve(run, "rotors of the chaser's", "limits 0.1 and 10.05 N").y
    np.testing.assert_array_equal(limits[[0, 1, 3, 4]], [0.1, 0.1, 10.05, 10.05])
    least = curve(run, "gap", "least 0.395 m").y
    assert least[0] == pytest.approx(0.5 * (2 * 0.275 + 0.24))


def test_the_page_says_what_scales_make_of_lengths_times_and_errors():
    run = flight("z", 0.5, 5.0)
    page = run_page(run)
    cells = Outline(page).cells
    at = cells.index("speed")
    assert cells[at + 1 : at + 3] == ["λ τ", "2.5"]
    at = cells.index("time")
    assert cells[at + 1 : at + 6] == ["1/τ", "0.2", "the run lasts", "1 s", "0.2 s"]
    said = text(page)
    assert f"{1e3 * ERROR:.3g} mm in the arena, is {2e3 * ERROR:.3g} mm in orbit" in said
    assert "a delay of 10 ms for 50 ms" in said


def test_a_flight_of_which_nothing_else_is_known_is_reported_as_well():
    run = flight()
    damaged = replace(run, provenance={**run.provenance, "facility": {"name": "x", "file": 3}})
    page = run_page(damaged)
    assert "path from above" in page
    assert "box that flights keep" not in page
    no_mission = replace(run, provenance={})
    assert "λ = 1 times" in text(run_page(replace(no_mission, provenance={"facility": {}})))
