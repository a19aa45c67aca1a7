"""Figures of the path about a target: axes, zones, burns, and what is laid over them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.report.burns import burns_of, delta_v_table, strokes
from proxops.report.vbar import Overlays, path_figures
from proxops.results.drift import drift_path

DRIFT = Path(__file__).parents[2] / "examples" / "drift.toml"


@pytest.fixture(scope="module")
def run():
    return proxops.simulate(proxops.load(DRIFT))


def curve(figure, label):
    return next(each for each in figure.curves if each.label.startswith(label))


def test_v_bar_is_across_and_r_bar_down_towards_the_earth(run):
    plane, above = path_figures(run)
    flown = curve(plane, "flown")
    r = run["relative.p_TcmCcm_H"][1]
    np.testing.assert_allclose(flown.x, r[:, 1], atol=1e-9)
    np.testing.assert_allclose(flown.y, -r[:, 0], atol=1e-9)
    assert plane.equal
    assert plane.down
    assert "V-bar" in plane.x
    assert "R-bar, to the Earth" in plane.y
    np.testing.assert_allclose(curve(above, "flown").y, r[:, 2], atol=1e-9)
    assert not above.down


def test_zones_are_outlined_at_their_sizes(run):
    plane = path_figures(run)[0]
    ring = curve(plane, "keep-out zone")
    np.testing.assert_allclose(np.hypot(ring.x, ring.y), 50.0, rtol=1e-12)
    ellipse = curve(plane, "approach ellipsoid")
    assert (np.ptp(ellipse.x), np.ptp(ellipse.y)) == pytest.approx((400.0, 200.0), rel=1e-3)
    cone = curve(plane, "corridor v_bar")
    assert cone.x.min() == pytest.approx(-150.0)
    assert np.ptp(cone.y) == pytest.approx(2 * 150.0 * np.tan(np.radians(15.0)))
    assert (cone.x[0], cone.y[0]) == (0.0, 0.0)


def test_the_drift_that_is_drawn_is_the_one_that_was_measured(run):
    """Samples of a path are 37 s apart, at most 0.05 m/s times that from its least distance."""
    t, path = drift_path(run, 0)
    distance = np.linalg.norm(path, axis=1)
    assert path[0] == pytest.approx([0.0, -200.0, 0.0], abs=1e-6)
    assert distance.min() == pytest.approx(run["safety.drift_distance"][1][0], abs=1.0)
    assert t[distance.argmin()] == pytest.approx(run["safety.drift_time"][1][0], abs=40.0)
    # what the run itself did until the burn
    at, r = run["relative.p_TcmCcm_H"]
    reached = np.array([np.interp(500.0, t, path[:, i]) for i in range(3)])
    np.testing.assert_allclose(reached, r[np.searchsorted(at, 500.0)], atol=0.1)


def test_a_burn_is_a_stroke_along_its_delta_v_from_where_it_acted(run):
    """Both thrusters push along y of C, which is y of H."""
    start, end, gap = strokes(burns_of(run), 10.0)
    t, r = run["relative.p_TcmCcm_H"]
    burning = r[(t >= 600.0) & (t <= 608.0)]
    assert np.linalg.norm(burning - start, axis=1).min() < 1e-9
    # the chaser turns with H to 1e-6 rad/s, and H of the middle stands for that of the burn
    np.testing.assert_allclose(end - start, [0.0, 10.0, 0.0], atol=0.1)
    assert np.isnan(gap).all()


def test_delta_v_is_told_for_each_thruster_by_name(run):
    told = delta_v_table(run)
    assert "<td>left</td>" in told
    assert told.count('<td class="number">8</td>') == 2
    assert '<td class="number">40</td>' in told


def test_a_path_from_far_has_a_close_up_of_its_end(run):
    rows = run.rows.copy()
    first = 1 + next(
        sum(each.width for each in run.table[:i])
        for i, signal in enumerate(run.table)
        if signal.name == "chaser.p_HCcm"
    )
    rows[:, first + 1] = np.linspace(-1000.0, -10.0, len(rows))
    titles = [figure.title for figure in path_figures(replace(run, rows=rows))]
    assert titles == ["V-bar and R-bar", "The last 50 m", "Out of plane"]
    close = path_figures(replace(run, rows=rows))[1]
    assert np.array(close.window) == pytest.approx(np.array([[-55.0, 55.0], [-55.0, 55.0]]))
    # burns keep their size on the page
    drawn = [curve(figure, "burns") for figure in path_figures(replace(run, rows=rows))]
    far, near = (np.nanmax(np.abs(np.diff(each.x))) for each in drawn[:2])
    assert near < 0.2 * far


def test_plan_holds_and_errors_are_laid_over_it(run):
    planned = np.array([[0.0, -250.0, 0.0], [5.0, -180.0, 1.0]])
    errors = [(np.array([1.0, -190.0, 0.0]), np.diag([4.0, 9.0, 1.0]))]
    plane, above = path_figures(run, Overlays(planned, {"first": (0.0, -100.0, 0.0)}, errors))
    assert curve(plane, "planned").y.tolist() == [0.0, -5.0]
    assert curve(plane, "hold points").x.tolist() == [-100.0]
    assert curve(plane, "hold points").notes == ("first",)
    ellipse = curve(plane, "three sigma")
    assert np.nanmax(ellipse.x) == pytest.approx(-190.0 + 9.0, abs=0.01)
    assert np.nanmax(ellipse.y) == pytest.approx(-1.0 + 6.0, abs=0.01)
    assert np.nanmax(curve(above, "three sigma").y) == pytest.approx(3.0, abs=0.01)


def test_errors_too_small_to_be_seen_are_drawn_larger_and_the_label_says_by_how_much(run):
    place, sigma = np.array([1.0, -190.0, 0.0]), np.array([0.01, 0.03, 0.02])
    plane = path_figures(run, Overlays(errors=[(place, np.diag(sigma**2))]))[0]
    ellipse = curve(plane, "three sigma of navigation")
    factor = float(ellipse.label.split(", ")[1].removesuffix(" times"))
    width = plane.window[0][1] - plane.window[0][0]
    assert 0.4 * 0.04 * width <= factor * 0.09 <= 0.04 * width
    assert np.nanmax(ellipse.x) == pytest.approx(-190.0 + factor * 0.09, rel=1e-3)
    assert np.nanmax(ellipse.y) == pytest.approx(-1.0 + factor * 0.03, rel=1e-3)


def test_a_run_without_orbit_or_without_way_has_no_such_figure(run):
    still = run.rows.copy()
    still[:] = still[0]
    assert path_figures(replace(run, rows=still)) == []
    assert path_figures(replace(run, provenance={})) == []
    assert burns_of(replace(run, provenance={})) is None
    assert drift_path(replace(run, provenance={}), 0) is None


def test_the_path_of_an_r_bar_approach_is_seen_from_ahead(run):
    """R-bar across, to the right towards the Earth: what happens along V-bar is another figure."""
    rows = run.rows.copy()
    first = 1 + next(
        sum(each.width for each in run.table[:i])
        for i, signal in enumerate(run.table)
        if signal.name == "chaser.p_HCcm"
    )
    rows[:, first] = np.linspace(-500.0, -10.0, len(rows))
    side = path_figures(replace(run, rows=rows))[-1]
    assert side.x == "R-bar, to the Earth (-x in H) [m]"
    np.testing.assert_allclose(curve(side, "flown").x, -rows[:, first], atol=1e-9)
    assert not side.down
