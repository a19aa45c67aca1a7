"""Pages say the verdict first, survive any run, run no foreign script and stay small."""

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.unit.record_cases import rows_of
from tests.unit.record_cases import run_of as awkward_run
from tests.unit.report_cases import (
    HOSTILE,
    MISSED,
    TABLE,
    cut_run,
    hostile_run,
    invalid_run,
    run_of,
    with_scenario,
)

from proxops import api
from proxops.core.errors import InputError, OutputError
from proxops.report.compare_page import compare_page, flat
from proxops.report.draw import safe_json
from proxops.report.pairs import difference
from proxops.report.plan import TURN, Plot
from proxops.report.run_page import run_page
from proxops.report.verdict_text import verdict_of
from proxops.results import store
from proxops.results.run import Event, Ledger, Requirement
from proxops.results.store import container, layout
from proxops.terminal.run import show_run

OWN_SCRIPTS = 3  # theme, plotly, page


class Outline(HTMLParser):
    """The elements of a page, and the texts of its tables and data blocks."""

    def __init__(self, page):
        super().__init__()
        self.scripts, self.images, self.cells, self.data = 0, 0, [], {}
        self._in = None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert not [name for name in given if name.startswith("on")]
        if tag == "script":
            self.scripts += 1
            self._in = given.get("id")
        elif tag == "img":
            self.images += 1
        elif tag in ("td", "th"):
            self.cells.append("")
            self._in = "cell"

    def handle_endtag(self, tag):
        if tag in ("script", "td", "th"):
            self._in = None

    def handle_data(self, data):
        if self._in == "cell":
            self.cells[-1] += data
        elif self._in:
            self.data[self._in] = self.data.get(self._in, "") + data


def first_words(page):
    """What stands in the banner."""
    return unescape(re.search(r'class="banner.*?</div>', page, re.DOTALL).group())


def test_the_verdict_comes_first_with_the_requirement_that_failed():
    page = run_page(run_of(outcome="failed"))
    assert page.index('class="banner bad"') < page.index("<table")
    said = first_words(page)
    assert "FAILED" in said
    assert "joint_torque fails: 12.35 N m, where <= 10 N m is required" in said


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (14.99996, 15.0, ("14.99996", "15")),
        (15.0 - 2e-15, 15.0, ("14.999999999999998", "15")),
        (15000.2, 15001.0, ("15\u202f000", "15\u202f001")),
        (15000.2, 15000.4, ("15\u202f000.2", "15\u202f000.4")),
        (12.3456, 20.0, ("12.35", "20")),
    ],
)
def test_a_value_that_fails_is_never_shown_equal_to_its_limit(
    value, limit, shown, tmp_path, capsys
):
    item = Requirement("touches", value, ">=", limit, "N", value - limit, "failed")
    run = with_scenario(replace(run_of(outcome="failed"), requirements=(item,)), "free-tumble")
    text = f"touches fails: {shown[0]} N, where >= {shown[1]} N is required"
    page = run_page(run)
    assert text in first_words(page)
    for each in shown:
        assert f'<td class="number">{each}</td>' in page
    show_run(run, tmp_path)
    row = next(line for line in capsys.readouterr().out.splitlines() if "touches" in line)
    assert row.split()[1] != row.split()[3]


WARNED = (Event(0.0, "warning", "obsw.joints.main.kd: lower it"), Event(1.0, "warning", "a spin"))


@pytest.mark.parametrize(
    ("run", "headline", "mood"),
    [
        (run_of(), "PASSED", "good"),
        (replace(run_of(), events=WARNED[:1]), "PASSED with 1 warning", "warn"),
        (replace(run_of(), events=WARNED), "PASSED with 2 warnings", "warn"),
        (replace(run_of(), requirements=()), "no requirements", "none"),
        (
            replace(run_of(), requirements=(), events=WARNED),
            "no requirements with 2 warnings",
            "warn",
        ),
        (replace(run_of(outcome="failed"), events=WARNED), "FAILED with 2 warnings", "bad"),
        (run_of(outcome="cut-short"), "CUT SHORT", "warn"),
        (run_of(outcome="stopped"), "STOPPED", "bad"),
    ],
)
def test_page_and_terminal_say_the_same_and_the_terminal_last(
    run, headline, mood, tmp_path, capsys
):
    run = with_scenario(run, "free-tumble")
    page = run_page(run)
    assert f'class="banner {mood}"' in page
    assert f"<strong>{headline}</strong>" in first_words(page)
    assert f"<title>{run.title}: {headline}</title>" in page
    show_run(run, tmp_path)
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1].startswith(f"{run.title}: {headline}, ")
    for event in run.warnings:
        assert event.detail in first_words(page)
        assert printed.count(event.detail) == 1
    assert run.summary()["outcome"] == run.outcome  # what programs read stays


def test_warnings_are_amber_in_a_terminal(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    show_run(with_scenario(replace(run_of(), events=WARNED), "free-tumble"), tmp_path)
    amber = "\x1b[1;33m"
    printed = capsys.readouterr().out
    assert f"{amber}PASSED with 2 warnings" in printed
    assert f"{amber}       0.000 s  {WARNED[0].detail}" in printed


def test_the_page_of_an_invalid_run_begins_with_its_limit_cycle():
    cycle = Event(0.1, "warning", "lower the gains of joint a.b, kd first: limit cycle, 9 swings")
    run = invalid_run()
    why = verdict_of(replace(run, events=(*run.events, cycle))).why
    assert why[0].startswith(f"First cause to check: {cycle.detail}.")
    assert why[1].startswith("Stopped at 2 s")


def test_an_invalid_run_says_when_it_stopped_and_which_balance_is_open():
    page = run_page(invalid_run())
    said = first_words(page)
    assert "INVALID" in said
    assert "Stopped at 2 s: a state is no longer finite" in said
    assert "energy is 2.5e−01" in said
    assert "none of these verdicts is valid" in page
    assert "Try half of step_s" not in said  # the fault has told its own reason
    assert "Try half of step_s" in first_words(run_page(replace(invalid_run(), events=())))


@pytest.mark.parametrize("count", [0, 1])
def test_a_ledger_of_less_than_two_rows_is_told_as_not_judged(count, tmp_path, capsys):
    fault = Event(0.0, "fault", "controller Mine: no gains")
    run = with_scenario(run_of(outcome="invalid"), "free-tumble")
    run = replace(run, rows=run.rows[:count], events=(fault,), ledger=Ledger(0.0, 0.0, 0.0, False))
    said = " ".join(verdict_of(run).why)
    assert said == "Stopped at 0 s: controller Mine: no gains."
    show_run(run, tmp_path)
    for told in (run_page(run), capsys.readouterr().out):
        assert told.count("not judged") == 3
        assert "Try half of step_s" not in told


def test_a_run_that_ended_early_says_how_early():
    said = first_words(run_page(cut_run()))
    assert "CUT SHORT" in said
    assert "at 3.99 s of 9 s" in said
    assert "1 of 1 requirements are undecided" in said


def test_a_collision_is_the_first_word_on_a_run_that_it_fails(tmp_path, capsys):
    meeting = Event(3.25, "collision", "chaser.arms.main tool meets target.shapes.bus")
    run = replace(run_of(outcome="failed"), requirements=(MISSED,), events=(meeting,))
    run = with_scenario(run, "free-tumble")
    text = "3.250 s: chaser.arms.main tool meets target.shapes.bus"
    assert verdict_of(run).why[0] == f"Collision at {text}."
    assert verdict_of(run).why[1].startswith("joint_torque fails")
    show_run(run, tmp_path)
    assert f"collision at {text}" in capsys.readouterr().out


def test_many_failures_are_counted_not_listed():
    run = replace(run_of(outcome="failed"), requirements=(MISSED,) * 5)
    assert len(verdict_of(run).why) == 4


def test_the_table_of_requirements_holds_the_numbers_of_the_run():
    cells = Outline(run_page(run_of(outcome="failed"))).cells
    at = cells.index("joint_torque")
    assert cells[at - 1 : at + 6] == ["failed", "joint_torque", "12.35", "<=", "10", "N m", "−2.35"]


def test_no_text_of_a_run_leaves_its_place():
    hostile = Outline(run_page(hostile_run()))
    assert hostile.scripts == len(hostile.data) + OWN_SCRIPTS
    assert hostile.images == 0
    assert HOSTILE in hostile.cells
    for text in hostile.data.values():
        json.loads(text)


def test_data_cannot_end_the_script_around_it():
    text = safe_json({"label": HOSTILE})
    assert "<" not in text
    assert json.loads(text) == {"label": HOSTILE}


def test_every_block_of_data_is_strict_json_though_the_run_has_nan():
    def reject(word):
        raise AssertionError(word)

    for run in (invalid_run(), awkward_run(rows_of(50)), replace(run_of(), rows=run_of().rows[:0])):
        data = Outline(run_page(run)).data
        assert len(data) > 1
        for text in data.values():
            json.loads(text, parse_constant=reject)


def test_thousands_of_events_are_counted_and_gathered():
    many = tuple(Event(0.001 * i, "lift-off", f"pad {i}") for i in range(3000))
    page = run_page(replace(run_of(), events=many))
    assert "lift-off × 3000" in json.loads(Outline(page).data["f0"])["layout"]["yaxis"]["ticktext"]
    assert "2988 more lift-off" in page
    notes = json.loads(Outline(page).data["f0"])["data"][1]["text"]
    assert sum(int(note.split()[0]) for note in notes) == 3000


def test_the_first_events_of_every_contact_are_listed():
    """One that touches often does not hide another."""
    often = [Event(0.001 * i, "touch-down", f"contacts.left pad {i}") for i in range(40)]
    page = run_page(
        replace(run_of(), events=(*often, Event(0.05, "touch-down", "contacts.port pad 0")))
    )
    assert "contacts.port pad 0" in page
    assert "28 more touch-down of contacts.left" in page


def test_a_minute_at_a_kilohertz_stays_below_8_megabytes():
    run = run_of(count=60_001, rate=1000.0)
    assert sum(signal.width for signal in TABLE) > 120
    assert len(run_page(run).encode()) < 8e6


def test_a_mesh_in_the_scenario_does_not_swell_the_page():
    run = run_of(count=5)
    heavy = {"mission": {"title": "a"}, "files": {"hull.stl": "x" * 5_000_000}}
    swollen = replace(run, provenance={**run.provenance, "scenario": heavy})
    assert len(run_page(swollen)) < len(run_page(run)) + 30_000


@pytest.mark.parametrize(
    "broken",
    [
        {"scenario": 1.5},
        {"scenario": ["a"]},
        {"scenario": {"mission": {"requirements": {"calm": "x"}}}},
        {"scenario": {"mission": {"requirements": {"calm": {"signal": "x", "unit": ["m"]}}}}},
        {"scenario": {"mission": {"time": {"duration_s": 10**400}}}},
        {"facility": {"name": "cell"}, "no_contact": True, "speed": "half"},
        {"facility": {"name": "cell"}, "no_contact": True, "speed": None},
    ],
)
def test_a_run_of_broken_provenance_has_its_page(broken):
    run = run_of(count=5)
    broken_run = replace(run, provenance={**run.provenance, **broken})
    assert run.name in run_page(broken_run)
    assert broken_run.title.startswith(run.name)


# --- two runs -------------------------------------------------------------------------------------


def test_a_run_compared_with_itself_has_no_difference():
    page = compare_page(run_of(), run_of(), ("one", "two"))
    assert "Nothing: same scenario" in page
    assert "No signal differs" in page
    assert len(Outline(page).data) == 1  # the setting of the page alone: no figure


def test_a_run_without_rows_is_not_called_equal():
    page = compare_page(run_of(), replace(run_of(), rows=run_of().rows[:0]), ("one", "none"))
    assert "One of them has no row" in page
    assert "Equal in both" not in page


def test_differences_are_taken_at_common_times_whatever_the_sampling():
    run = run_of()
    t = np.arange(0.0, 2.0, 0.013)
    columns = [np.interp(t, run.rows[:, 0], column) for column in run.rows.T[1:]]
    other = replace(run, rows=np.column_stack([t, *columns]))
    signal = TABLE[0]
    times, (part,) = difference(other, run, signal, Plot("", signal.name), {})
    assert times[-1] <= 2.0
    # both are straight between the same samples, so they differ by rounding of walks below 100
    assert np.abs(part.columns).max() < 1e-12


def test_the_sign_of_a_quaternion_makes_no_difference():
    run = run_of()
    run["relative.q_CT"][1][:] = np.array([0.8, 0.6, 0.0, 0.0])
    other = replace(run, rows=run.rows.copy())
    other["relative.q_CT"][1][::2] *= -1.0
    _, (part,) = difference(run, other, TABLE[1], Plot("", "relative.q_CT", show=TURN), {})
    assert np.abs(part.columns).max() < 1e-15


def test_changed_keys_and_lone_signals_are_listed():
    run = run_of()
    changed = {**run.provenance, "scenario": {"mission": {"target": {"mass_kg": 9000.0}}}}
    other = replace(run, provenance=changed, table=TABLE[:-2], rows=run.rows[:, :-5])
    page = compare_page(run, other, ("one", "two"))
    assert "No signal differs" not in page
    assert "<code>target.mass_kg</code></td><td>–</td><td>9000.0" in page
    assert "<code>sensors.camera.noise</code>" in page
    assert flat({"a": {"b": 1}, "c": [2]}) == {"a.b": 1, "c": [2]}


# --- files ----------------------------------------------------------------------------------------


def test_a_report_replaces_a_report_and_nothing_else(tmp_path):
    run, file = run_of(count=5), tmp_path / "deep" / "report.html"
    run.report(file)
    run.report(file)
    foreign = tmp_path / "notes.html"
    foreign.write_text("mine")
    with pytest.raises(OutputError, match="is not of proxops"):
        run.report(foreign)
    assert foreign.read_text() == "mine"
    run.report(foreign, overwrite=True)
    with pytest.raises(OutputError, match="is a folder"):
        run.report(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "notes.html"]


def test_a_killed_recording_is_read_as_far_as_it_goes_and_left_as_it_is(tmp_path):
    run = run_of()
    file = container.RunFile(tmp_path / "run.mcap", layout.Layout(TABLE), "case", run.provenance)
    file.append(run.rows)
    file.close()
    whole = (tmp_path / "run.mcap").read_bytes()
    (tmp_path / "run.mcap").write_bytes(whole[: len(whole) // 2])

    def finish(name, provenance, signals, rows):
        return replace(cut_run(), rows=rows)

    found = store.look(tmp_path, finish)
    assert 0 < len(found.rows) < len(run.rows)
    assert found.events[-1].name == "recording-cut"
    assert "was cut short at byte" in first_words(run_page(found))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.mcap"]
    (tmp_path / "run.mcap").write_bytes(whole[:200])
    with pytest.raises(InputError, match="before the first row"):
        api.look(tmp_path)


def test_a_run_with_its_report_can_be_overwritten_and_the_report_goes(tmp_path):
    run = run_of(count=5)
    run.save(tmp_path / "run")
    run.report(tmp_path / "run" / "report.html")
    run.save(tmp_path / "run", overwrite=True)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "run.mcap",
        "summary.json",
    ]
