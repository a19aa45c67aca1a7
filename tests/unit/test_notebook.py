"""What `import proxops` offers, in a notebook and in its help: short lines, tables, completion,
examples that run."""

import doctest
import inspect
import os
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.unit.campaign_cases import HOSTILE, dispersed
from tests.unit.report_cases import run_of
from tests.unit.viewer_cases import short_run

import proxops
from proxops.core.errors import InputError
from proxops.feasibility.flight_answers import FlightFeasibility, FlightLimit

LONGEST = 160  # letters of a line that stands for a whole object


@pytest.fixture(scope="module")
def flown():
    return short_run("free-tumble")


@pytest.fixture
def flight():
    limits = (
        FlightLimit("gap", 1.0, ">=", 1.5, "m", 2.0, 1.5),
        FlightLimit("wall", 1.0, ">=", 0.5, "m", 2.0, None),
    )
    return FlightFeasibility("circle", "arena", 10.0, 5.0, limits, 0.5, -0.1, ("windy <b>",))


class Balanced(HTMLParser):
    """Opened and closed elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag not in ("br", "image", "circle", "path", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_data(self, data):
        self.text += data


def read(html: str) -> str:
    """Its text, if it is well formed."""
    found = Balanced(html)
    assert found.open == []
    return found.text


def test_every_object_is_shown_in_a_short_line(flown, flight):
    scenario = proxops.load("envisat-capture")
    for each in (scenario, scenario.dispersed(3), flown, dispersed(), flight):
        assert len(repr(each)) < LONGEST
        assert "\n" not in repr(each)
    assert "case 3" in repr(scenario.dispersed(3))
    assert repr(flight) == "Check('circle' on 'arena', not feasible, ends after 1.5 s)"


def test_requirements_and_signals_are_a_line_each(flown):
    items = run_of().requirements
    assert len(repr(items).splitlines()) == len(items) > 0
    assert "target.w_NT_T [3] [rad/s] T" in repr(flown.signals()).splitlines()
    assert isinstance(items, tuple)
    assert repr(flown.requirements) == "no requirements"


def test_notebooks_show_missions_with_a_picture_and_their_numbers():
    text = read(proxops.load("fly-around")._repr_html_())
    assert "at the start" in text
    assert "Start, 0 s" in text
    assert "V-bar" in text


def test_notebooks_show_verdict_pictures_and_requirements_of_a_run(flown):
    text = read(flown._repr_html_())
    assert flown.headline in text
    assert "End, " in text
    judged = run_of()
    for html in (judged._repr_html_(), judged.requirements._repr_html_()):
        assert all(item.name in read(html) for item in judged.requirements)
    assert all(name in read(flown.signals()._repr_html_()) for name in flown)


def test_notebooks_show_campaigns_with_the_worst_case(flight):
    found = dispersed(name=HOSTILE)
    html = found._repr_html_()
    assert "<script" not in html
    assert f"Worst case: seed {found.worst['seed']}" in read(html)
    checked = flight._repr_html_()
    assert "NOT FEASIBLE" in read(checked)
    assert "windy &lt;b&gt;" in checked


def test_names_of_signals_are_completed(flown):
    assert flown._ipython_key_completions_() == [signal.name for signal in flown.signals()]


def test_signals_become_a_table_of_pandas_over_time(flown):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = flown.to_pandas("target.w_NT_T", "chaser.p_HC")
    t, w = flown["target.w_NT_T"]
    np.testing.assert_array_equal(frame.index, t)
    np.testing.assert_array_equal(frame["target.w_NT_T[2]"], w[:, 2])
    assert list(frame) == [f"{n}[{i}]" for n in ("target.w_NT_T", "chaser.p_HC") for i in range(3)]
    assert frame.attrs["units"]["target.w_NT_T[0]"] == "rad/s"
    assert flown.to_pandas().shape == (len(t), flown.rows.shape[1] - 1)
    with pytest.raises(InputError, match="did you mean"):
        flown.to_pandas("target.w_NT")


def test_without_pandas_the_extra_is_named(flown, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="extra 'notebook'"):
        flown.to_pandas()


def test_a_run_is_exported_and_drawn_from_python(flown, tmp_path):
    flown.export(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().startswith("t [s],chaser.p_HC[0] [m]")
    flown.view(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 1000


def members(thing):
    """Public methods and properties of a class."""
    for name, value in vars(thing).items():
        if not name.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
            yield name, value


@pytest.mark.parametrize("name", proxops.__all__)
def test_every_public_name_and_its_methods_have_docstrings(name):
    thing = getattr(proxops, name)
    assert thing.__doc__
    if inspect.isclass(thing):
        assert [key for key, value in members(thing) if not inspect.getdoc(value)] == []
        return
    if name != "validate" and inspect.isfunction(thing):
        assert ">>>" in thing.__doc__


@pytest.mark.slow
def test_the_examples_in_docstrings_run(flown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finder, results = doctest.DocTestFinder(), []
    whole = proxops.simulate(proxops.load("free-tumble"))
    public = {name: getattr(proxops, name) for name in proxops.__all__}
    for name, thing in (public | {"Stepper": proxops.stepping.Stepper}).items():
        thing = getattr(thing, "__wrapped__", thing)
        for test in finder.find(thing, name, globs={"proxops": proxops, "run": whole}):
            results.append(doctest.DocTestRunner(verbose=False).run(test))
    assert sum(each.failed for each in results) == 0
    assert sum(each.attempted for each in results) > 30
    assert os.listdir(tmp_path)  # some of them write
