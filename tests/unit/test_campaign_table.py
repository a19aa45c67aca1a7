"""Campaigns that end when they know enough, and their cases as a table."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.campaign_cases import case, dispersed
from typer.testing import CliRunner

from proxops import api
from proxops.campaigns import Campaign, Design, Job, fly, worker_process
from proxops.campaigns.case_store import CASES, HEAD
from proxops.campaigns.paired import compared
from proxops.campaigns.result import wilson
from proxops.campaigns.stored import open_campaign
from proxops.campaigns.table import TABLE, columns_of, write_table
from proxops.cli import campaign_worker
from proxops.cli.campaign import _record
from proxops.cli.main import app
from proxops.core.errors import InputError, OutputError
from proxops.results.store.folder import SUMMARY
from proxops.scenario.dispersion_text import draw_texts
from proxops.scenario.load import load
from proxops.terminal.campaign import show_campaign, show_pairs

# Answers at once; cases whose seed divides by three fail, unless the mission has CHANGED in it
CHANGED = "0.0625"
EVERY_THIRD = """
import json, sys
is_changed = {changed!r} in sys.stdin.readline()
print('{{"ready": true}}', flush=True)
for line in sys.stdin:
    (ask,) = json.loads(line)
    made = {passed!r} if ask["seed"] % 3 or is_changed else {failed!r}
    print(json.dumps([made | ask | {{"timing": {{"wall_s": 0.5, "cpu_s": 0.25}}}}]), flush=True)
"""


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    failed = case(0, cause="failed: near")
    text = EVERY_THIRD.format(failed=failed, passed=case(0), changed=CHANGED)
    monkeypatch.setattr(worker_process, "_START", text)
    mass = {"key": "target.mass_kg", "scale": 0.1}
    return Job(load("touch").replace({"dispersions.mass": mass}))


def width(passed: int, cases: int) -> float:
    low, high = wilson(passed, cases)
    return high - low


@pytest.mark.parametrize("workers", [1, 3])
def test_a_campaign_ends_at_the_first_case_after_which_enough_is_known(
    job: Job, tmp_path: Path, workers: int
) -> None:
    found = fly(job, range(500), until_width=0.2, workers=workers, out=tmp_path / "kept")
    seeds = [each["seed"] for each in found.cases]
    assert seeds == list(range(len(seeds)))
    assert width(found.passed_count, len(seeds)) <= 0.2
    passed_before = found.passed_count - found.cases[-1]["passed"]
    assert width(passed_before, len(seeds) - 1) > 0.2
    assert not found.interrupted
    flown = (tmp_path / "kept" / CASES).read_text().count("\n")
    assert flown == len(seeds) or workers > 1  # several may be ahead of one that starts slowly
    again = open_campaign(tmp_path / "kept")
    assert (again.cases, again.asked) == (found.cases, found.asked)
    assert json.loads((tmp_path / "kept" / HEAD).read_text())["hash"] == job.hash


def test_a_campaign_that_never_knows_enough_flies_all_it_was_asked_for(job: Job) -> None:
    found = fly(job, range(20), until_width=0.01, workers=1)
    assert (len(found.cases), found.interrupted) == (20, False)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"until_width": 0.0}, "until_width: must be a share"),
        ({"until_width": 0.1, "design": Design("grid")}, "until_width: is for Monte Carlo"),
    ],
)
def test_a_width_that_cannot_be_is_rejected(
    job: Job, options: dict[str, object], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        fly(job, range(5), **options)


def test_a_case_of_another_design_in_the_folder_is_flown_again(job: Job, tmp_path: Path) -> None:
    fly(job, range(4), workers=1, out=tmp_path / "kept")
    found = fly(job, range(4), design=Design("sobol"), workers=1, out=tmp_path / "kept")
    assert all("point" in each for each in found.cases)
    lines = (tmp_path / "kept" / "cases.jsonl").read_bytes().count(b"\n")
    assert lines == 8
    again = open_campaign(tmp_path / "kept")
    assert (again.cases, again.kind) == (found.cases, "sobol")
    fly(job, range(4), design=Design("sobol"), workers=1, out=tmp_path / "kept")
    assert (tmp_path / "kept" / "cases.jsonl").read_bytes().count(b"\n") == lines


def test_cases_of_another_design_are_none_of_a_campaign_that_was_ended(
    job: Job, tmp_path: Path
) -> None:
    fly(job, range(8), workers=1, out=tmp_path / "kept")
    done: list[int] = []
    found = fly(
        job,
        range(8),
        design=Design("sobol"),
        workers=1,
        out=tmp_path / "kept",
        report=lambda count, passed, asked: done.append(count),
        stop=lambda: done[-1:] >= [3],
    )
    for each in (found, open_campaign(tmp_path / "kept")):
        assert [case["seed"] for case in each.cases] == [0, 1, 2]
        assert all("point" in case for case in each.cases)
        assert each.interrupted


MASS = 'dispersions.mass={key="target.mass_kg", scale=0.1}'
CHANGE = ("--against", f"chaser.v_HC_m_s=[{CHANGED}, 0.0, 0.0]")


def asked_in(folder: Path) -> list[dict[str, object]]:
    """Seed, point and noise of the cases in a folder."""
    lines = (folder / CASES).read_text().splitlines()
    cases = sorted(map(json.loads, lines), key=lambda each: each["seed"])
    return [{key: each.get(key) for key in ("seed", "point", "noise_seed")} for each in cases]


@pytest.mark.parametrize(
    "words",
    [
        ("--seeds", "5-6", "--design", "saltelli"),
        ("--seeds", "5-6", "--design", "grid"),
        ("--seeds", "5-8", "--design", "sobol"),
        ("--seeds", "7,3,5"),
        ("--seeds", "0-99", "--until-width", "0.6"),
    ],
)
@pytest.mark.usefixtures("job")
def test_a_change_is_flown_in_the_very_same_cases(words: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "kept"
    options = ["--set", MASS, "--workers", "1", "--out", str(out), "--json", *words, *CHANGE]
    done = CliRunner().invoke(app, ["campaign", "touch", *options])
    assert done.exit_code == 1, done.output
    assert asked_in(out / "changed") == asked_in(out)


def test_other_cases_of_the_same_seeds_are_no_pairs() -> None:
    placed = [case(i) | {"point": {"mass": [0.5]}, "noise_seed": i} for i in range(4)]
    for more in ({"point": {"mass": [0.6]}}, {"noise_seed": 9}):
        other = [*placed[:3], placed[3] | more]
        with pytest.raises(InputError, match="seed 3: is another case in the other campaign"):
            compared(placed, other)
    assert compared(placed, placed[1:]).count == 3


@pytest.mark.usefixtures("job")
def test_ctrl_c_in_the_cases_with_the_change_interrupts_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fly_all = api.campaign

    def ended(*args: Any, out: Path, **options: Any) -> Campaign:
        found = fly_all(*args, out=out, **options)
        return replace(found, asked=9) if out.name == "changed" else found

    monkeypatch.setattr(api, "campaign", ended)
    options = ("--set", MASS, "--seeds", "0-3", "--out", str(tmp_path / "kept"), *CHANGE)
    done = CliRunner().invoke(app, ["campaign", "touch", *options])
    assert done.exit_code == 130, done.output
    assert f"interrupted; the same command with --out {tmp_path / 'kept'} resumes it" in done.stderr


@pytest.mark.usefixtures("job")
def test_a_change_that_cannot_be_is_reported_before_anything_is_flown(tmp_path: Path) -> None:
    options = ("--set", MASS, "--seeds", "0-3", "--out", str(tmp_path / "kept"))
    done = CliRunner().invoke(
        app, ["campaign", "touch", *options, "--against", "target.mas_kg=9.0"]
    )
    assert isinstance(done.exception, InputError)
    assert "target.mas_kg: unknown key; did you mean 'mass_kg'" in str(done.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("job")
def test_a_search_is_not_compared_with_another_one(tmp_path: Path) -> None:
    """It goes where its own cases lead it: those of one seed would be no pair."""
    options = ("--set", MASS, "--out", str(tmp_path / "kept"), "--design", "worst-case", *CHANGE)
    done = CliRunner().invoke(app, ["campaign", "touch", *options])
    assert isinstance(done.exception, InputError)
    assert "--against: leave out" in str(done.exception)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("job")
def test_a_case_to_record_that_is_none_is_reported_before_anything_is_flown(tmp_path: Path) -> None:
    options = ("--set", MASS, "--out", str(tmp_path / "kept"), "--design", "grid")
    done = CliRunner().invoke(app, ["campaign", "touch", *options, "--record", "1,2,30-40"])
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith(
        "--record: 30-40: no cases of this campaign, which are 0-2"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("job")
def test_a_case_to_record_that_was_not_needed_is_left_out(tmp_path: Path) -> None:
    options = ("--set", MASS, "--out", str(tmp_path / "kept"), "--until-width", "0.6", "--json")
    done = CliRunner().invoke(app, ["campaign", "touch", *options, "--record", "99"])
    assert done.exit_code == 1, done.output
    assert "case 99 is not recorded: it was not flown" in done.stderr
    assert json.loads(done.stdout)["flown"] < 99


def test_a_recording_of_another_design_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Job(load("touch").replace({"dispersions.mass": {"key": "target.mass_kg", "scale": 0.1}}))
    found = Campaign(
        "touch",
        tuple(case(i) | {"hash": f"of {i}"} for i in (0, 1, 2)),
        3,
        1.0,
        None,
        made.to_dict(),
    )
    for seed, text in ((0, "of 0"), (1, "of another")):
        (tmp_path / f"case-{seed}").mkdir()
        (tmp_path / f"case-{seed}" / SUMMARY).write_text(json.dumps({"hash": text}))
    flown: list[tuple[str, bool]] = []
    monkeypatch.setattr(
        campaign_worker,
        "fly",
        lambda prepared, case, *, out, overwrite, **more: flown.append((out.name, overwrite)),
    )
    _record(found, tmp_path, [0, 1, 2])
    assert flown == [("case-1", True), ("case-2", False)]


def test_a_search_goes_on_where_it_was_ended(job: Job, tmp_path: Path) -> None:
    whole = fly(job, range(10), design=Design("worst-case"), workers=2)
    answered: list[int] = []
    design = Design("worst-case")

    def report(done: int, passed: int, asked: int) -> None:
        answered.append(done)

    fly(
        job,
        range(10),
        design=design,
        workers=1,
        out=tmp_path / "kept",
        report=report,
        stop=lambda: answered[-1:] >= [5],
    )
    found = fly(job, range(10), design=design, workers=1, out=tmp_path / "kept")
    assert found.cases == whole.cases


@pytest.mark.parametrize(
    "part",
    [
        {"drawn": {"mass": 5}},
        {"drawn": {"mass": {"key": 3, "by": 1.0, "value": 1.0}}},
        {"drawn": {"mass": {"key": "target.mass_kg", "value": 1.0}}},
        {"drawn": {"mass": {"key": "target.mass_kg", "by": "much", "value": 1.0}}},
        {"drawn": {"mass": {"key": "target.mass_kg", "by": [1.0, {}], "value": 1.0}}},
        {"point": 7},
        {"point": {"mass": ["here"]}},
        {"ledger": 7},
        {"timing": 7},
        {"timing": {"wall_s": []}},
    ],
)
def test_parts_of_a_case_that_are_something_else_are_reported_with_their_line(
    job: Job, tmp_path: Path, part: dict[str, object]
) -> None:
    fly(job, range(3), workers=1, out=tmp_path / "kept")
    file = tmp_path / "kept" / CASES
    first, second, third = file.read_text().splitlines()
    file.write_text("\n".join((first, json.dumps(json.loads(second) | part), third)) + "\n")
    with pytest.raises(InputError, match=r"cases.jsonl: line 2: .* is not a case"):
        open_campaign(tmp_path / "kept")


def test_a_request_that_is_something_else_is_reported(job: Job, tmp_path: Path) -> None:
    fly(job, range(3), workers=1, out=tmp_path / "kept")
    head = json.loads((tmp_path / "kept" / HEAD).read_text())
    for part in (
        {"request": head["request"] | {"design": []}},
        {"request": head["request"] | {"design": {"kind": 3}}},
        {"scenario": {"mission": {"dispersions": []}}},
        {"scenario": {"mission": {"dispersions": {"mass": 3}}}},
    ):
        (tmp_path / "kept" / HEAD).write_text(json.dumps(head | part))
        with pytest.raises(InputError, match=r"campaign.json: does not say which cases"):
            open_campaign(tmp_path / "kept")


def test_a_draw_that_its_dispersion_cannot_have_made_is_shown_as_it_is() -> None:
    declared = {"mass": {"key": "target.mass_kg", "scale": 0.1}}
    drawn = {"mass": {"key": "target.mass_kg", "by": [1.0, 2.0], "value": None}}
    (text,) = draw_texts(drawn, declared)
    assert (text.change, text.value) == ("[1, 2]", "None")


def test_cases_are_a_table_with_a_row_each(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    campaign = dispersed(12, tmp_path)
    write_table(campaign, tmp_path / TABLE, overwrite=False)
    table = parquet.read_table(tmp_path / TABLE).to_pydict()
    assert table["seed"] == list(range(12))
    assert table["passed"] == [each["passed"] for each in campaign.cases]
    assert table["cause"] == [each["cause"] for each in campaign.cases]
    assert table["drawn.mass"] == [each["drawn"]["mass"]["by"] for each in campaign.cases]
    assert table["drawn.speed y"] == [each["drawn"]["speed"]["by"][1] for each in campaign.cases]
    near, far = ([each["requirements"][i] for each in campaign.cases] for i in (0, 1))
    assert table["near [m]"] == [item["value"] for item in near]
    assert table["far [N]"] == [item["value"] for item in far]  # null where there is none
    assert table["far.passed"] == [item["passed"] for item in far]
    with pytest.raises(OutputError, match="exists already"):
        campaign.export(tmp_path / TABLE)
    with pytest.raises(InputError, match=r"exported as \.parquet"):
        campaign.export(tmp_path / "cases.csv")


def test_points_and_timings_are_in_the_table(job: Job) -> None:
    found = fly(job, range(4), design=Design("sobol"), workers=1)
    columns = columns_of(found)
    assert columns["wall_s"] == [0.5] * 4
    assert columns["point.mass[0]"] == [each["point"]["mass"][0] for each in found.cases]


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="the extra 'export'"):
        dispersed(3).export(tmp_path / TABLE)


def test_a_grid_has_no_confidence_interval(capsys: pytest.CaptureFixture[str]) -> None:
    made = dispersed(12)
    grid = Campaign(made.name, made.cases, 12, 1.0, design={"kind": "grid"})
    show_campaign(grid)
    said = capsys.readouterr().out
    assert "% of the cases of a grid design" in said
    assert "confidence" not in said


def test_pairs_are_shown_with_what_chance_would_do(
    capsys: pytest.CaptureFixture[str], shifted: Callable[[Campaign, float], Campaign]
) -> None:
    made = dispersed(30)
    show_pairs(made.compared_with(shifted(made, -1.0)))
    said = capsys.readouterr().out
    assert "with the change, 30 pairs of cases" in said
    assert "-1" in said
    assert "pass with the change only, 0 without it only (by chance alone: " in said


@pytest.fixture
def shifted() -> Callable[[Campaign, float], Campaign]:
    """The same campaign with other values of its first requirement."""

    def make(campaign: Campaign, by: float) -> Campaign:
        cases = []
        for each in campaign.cases:
            first, *others = each["requirements"]
            first = first | {"value": first["value"] + by, "passed": first["value"] + by <= 1.0}
            passed = first["passed"] and all(item["passed"] for item in others)
            cases.append(each | {"requirements": [first, *others], "passed": passed})
        return Campaign(campaign.name, tuple(cases), campaign.asked, 0.3)

    return make


def test_pairs_of_nothing_say_so() -> None:
    pairs = compared((case(0),), (case(0),))
    assert (pairs.count, pairs.both, pairs.differences) == (1, 1, ())
    assert np.isclose(pairs.chance, 1.0)
