"""What the panel says first."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from tests.unit.viewer_cases import short_run

from proxops.results.run import Event, Ledger, Requirement, Run
from proxops.viewer.hardware import hardware_of
from proxops.viewer.panel import Head, why
from proxops.viewer.plots import Curves, curves_of

MET = Requirement("clearance", 6.0, ">=", 5.0, "m", 1.0, "passed")
MISSED = Requirement("arm_at_rest", 1.0, "<=", 0.1, "deg/s", -0.9, "failed")


@pytest.fixture
def run() -> Run:
    return short_run("free-tumble")


def test_a_run_that_passed_needs_no_reason(run):
    assert why(replace(run, requirements=(MET,))) == ""


def test_an_open_ledger_comes_before_everything_else(run):
    found = replace(run, outcome="invalid", ledger=Ledger(1.0, 0.0, 0.0, False))
    assert "ledger is open" in why(replace(found, requirements=(MISSED,)))


def test_missed_requirements_are_named(run):
    many = tuple(replace(MISSED, name=f"r{i}") for i in range(5))
    assert why(replace(run, outcome="failed", requirements=(MET, MISSED))).endswith("arm_at_rest")
    assert why(replace(run, outcome="failed", requirements=many)).endswith("r2 and 2 more")


def test_a_collision_is_named_before_missed_requirements(run):
    events = (*run.events, Event(0.4, "collision", "a meets b"))
    found = replace(run, outcome="failed", requirements=(MISSED,), events=events)
    assert why(found) == "collision at 0.400 s: a meets b"


def test_a_run_that_was_cut_short_says_by_what(run):
    events = (*run.events, Event(0.4, "interrupted", "by the user"))
    assert why(replace(run, outcome="interrupted", events=events)) == "interrupted: by the user"


def test_texts_are_escaped_where_they_enter_html():
    shown = SimpleNamespace(content="")
    gui = SimpleNamespace(add_html=lambda content: shown)
    head = Head(gui, "<img src=x>", ("<i>odd</i>", "bad"), "<em>", 10.0)
    head.show(1.0, "<script>", ["<u>"])
    for tag in ("<img", "<i>", "<em>", "<script", "<u>"):
        assert tag not in shown.content
    assert "&lt;img src=x&gt;" in shown.content


def test_the_plots_of_a_run_follow_from_the_signals_it_has(run):
    def titles(name: str) -> list[str]:
        found = short_run(name)
        hardware = hardware_of(found.provenance, found.signals())
        return [curves.title for curves in curves_of(hardware, found.rows)]

    assert titles("free-tumble")[0] == "joints of arm main [deg]"
    assert titles("deorbit-friction")[0] == "contact force [N]"
    assert titles("flexible-symmetric")[0] == "bending q_f [mm]"
    assert all(isinstance(title, str) for title in titles("flexible-rendered"))


def test_curves_have_one_name_each(run):
    hardware = hardware_of(run.provenance, run.signals())
    for curves in curves_of(hardware, run.rows):
        assert isinstance(curves, Curves)
        assert curves.values.shape == (len(run.rows), len(curves.names))
