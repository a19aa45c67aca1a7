"""The report of a rehearsal: orbit against lab, axes against limits, what the guard did."""

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.unit.rehearsal_cases import BRAKES_S, LATE_M, REASON, rehearsal
from tests.unit.report_cases import HOSTILE
from tests.unit.test_report_pages import Outline

from proxops.core.states import FacilityState
from proxops.report.run_page import run_page
from proxops.report.sections import sections_of
from proxops.sim.orbit_reference import ORBIT
from proxops.terminal.run import show_run

SECTIONS = ("Orbit compared with laboratory", "Axes of the robots", "Guard")


def headings(page):
    return re.findall(r"<h2[^>]*>(.*?)</h2>", page)


def without(run, unwanted):
    """The run as if some signals had not been recorded."""
    kept = [signal for signal in run.signals() if not unwanted(signal.name)]
    columns = [run[signal.name][1].reshape(len(run.rows), -1) for signal in kept]
    return replace(run, table=tuple(kept), rows=np.column_stack([run.rows[:, 0], *columns]))


def figure(page, title):
    """The curves of a figure, by name."""
    titles = re.findall(r"<figure[^>]*><h3>(.*?)</h3>", page)
    data = json.loads(Outline(page).data[f"f{titles.index(title)}"])["data"]
    return {trace["name"]: trace for trace in data}


def test_orbit_and_lab_are_in_one_figure_and_what_is_between_them_in_the_next():
    page = run_page(rehearsal())
    assert headings(page)[2:5] == list(SECTIONS)
    both = figure(page, "Position of the target from the chaser")
    assert set(both) == {f"{axis} {where}" for axis in "xyz" for where in ("orbit", "lab")}
    off = figure(page, "Position of the target from the chaser: difference")["x"]["y"]
    found = np.frombuffer(base64.b64decode(off["bdata"]), off["dtype"])
    # grows by a millimetre a second; single precision
    assert found[-1] == pytest.approx(1e3 * LATE_M, rel=1e-5)


def test_the_page_says_until_when_it_was_compared_and_why_the_guard_acted():
    page = run_page(rehearsal())
    last = BRAKES_S - 0.02  # the row before
    assert f"Compared from 0 to {last:g} s of 1 s" in page
    cells = Outline(page).cells
    assert REASON.replace("'", "&#x27;") in page or REASON in cells
    at = cells.index("braking")
    assert cells[at : at + 4] == ["braking", "0.600", "0.800", "0.200"]


def test_the_terminal_says_until_when_it_was_compared(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    show_run(rehearsal(), Path("folder"))
    last = BRAKES_S - 0.02
    assert f"relative to orbit; compared from 0 to {last:g} s of 1 s" in capsys.readouterr().out


def test_a_rehearsal_that_ran_through_needs_no_such_words():
    run = rehearsal()
    start = 1 + sum(s.width for s in run.table[: list(run).index("lab.guard.mode")])
    rows = run.rows.copy()
    rows[:, start] = 1.0
    page = run_page(replace(run, rows=rows, events=(), outcome="passed"))
    assert "Compared from" not in page
    assert "It passed every command" in page


def test_a_recording_from_before_the_orbit_was_kept_is_reported_without_it():
    run = without(rehearsal(), lambda name: name.startswith(ORBIT))
    assert headings(run_page(run))[2:4] == list(SECTIONS[1:])
    bare = without(run, lambda name: name.startswith(("lab.robots", "lab.guard")))
    assert not set(SECTIONS) & set(headings(run_page(bare)))


def test_what_labs_record_later_is_drawn_among_the_laboratory():
    sections = {drawn.title: drawn for drawn in sections_of(rehearsal())}
    titles = [each.title for each in sections["Laboratory"].figures]
    assert titles.count("lab.energy") == 1
    assert titles.count("lab.measured.q_CT, turn") == 1
    assert not [
        title for title in titles if title.startswith("lab.measured_wrench")
    ]  # has its own line
    drawn = [each.title for section in sections.values() for each in section.figures]
    assert not [title for title in drawn if ORBIT in title]
    assert "Other signals" not in sections


def test_what_the_facility_did_before_and_after_is_told_with_its_verdicts():
    verdict = "by hand: hold grip is closed"
    states = (
        FacilityState("tare", -3.5, 2.0, 0.185, "hand and plate", "passed"),
        FacilityState("retreat", 8.0, 0.0, 0.1, "hand and <plate>", verdict),
    )
    page = run_page(replace(rehearsal(), procedure=states))
    assert "Facility" in headings(page)
    cells = Outline(page).cells
    assert {"tare", "-3.50", "185", "hand and <plate>", verdict} <= set(cells)
    assert "Facility" not in headings(run_page(rehearsal()))


def test_a_dry_run_is_called_one():
    run = rehearsal()
    assert "without contact" not in run.title
    assert replace(run, provenance={**run.provenance, "no_contact": True}).title.endswith(
        ", without contact"
    )


def test_no_text_of_a_facility_leaves_its_place():
    run = rehearsal()
    events = tuple(replace(event, detail=HOSTILE) for event in run.events)
    given = {**run.provenance["facility"], "name": HOSTILE}
    provenance = {**run.provenance, "facility": given, "representation": HOSTILE}
    hostile = Outline(run_page(replace(run, events=events, provenance=provenance)))
    assert hostile.images == 0
    assert HOSTILE in hostile.cells
    assert len(run_page(run).encode()) < 8e6


def test_a_rehearsal_that_broke_down_is_reported_as_well():
    run = rehearsal()
    rows = run.rows.copy()
    rows[-5:, 1:] = np.nan
    assert headings(run_page(replace(run, rows=rows, outcome="invalid")))[2:5] == list(SECTIONS)
    assert "Guard" not in headings(run_page(replace(run, rows=rows[:0], outcome="invalid")))
