"""Blocks of code in README and docs are right: commands, keys of files, Python.

Those of the start page, tutorials, reports, campaigns and extensions are run as they stand by the
tests that RUN_BY names, all others here, from top to bottom, but for commands that a mark in the
page leaves out with its reason.  All commands are parsed and their scenarios loaded with their
changes, all TOML is looked up key by key.
"""

import re
import shlex
import tomllib
from functools import cache
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
import typer
from tests.unit.doc_pages import (
    PAGES,
    ROOT,
    blocks_of,
    code_of,
    commands_in,
    commands_of,
    name_of,
)

import proxops
from proxops.cli.common import load_scenario
from proxops.cli.main import app, main
from proxops.scenario.file_schema import CHANGED, file_schema
from proxops.scenario.schema.arena import FlightArena
from proxops.scenario.schema.facility import Facility

RUN_BY = {
    "docs/campaign.md": "scenarios/test_readme.py",
    "docs/extending.md": "scenarios/test_extending.py",
    "docs/guidance.md": "unit/test_convex_guidance.py",
    "docs/index.md": "scenarios/test_readme.py",
    "docs/report.md": "scenarios/test_readme.py",
    "docs/tutorials/first-mission.md": "scenarios/test_tutorials.py",
    "docs/tutorials/own-controller.md": "scenarios/test_tutorials.py",
    "docs/tutorials/worst-case.md": "scenarios/test_tutorials.py",
}
FILE = file_schema()
SCHEMAS = (
    FILE["$defs"][f"Mission{CHANGED}"] | {"$defs": FILE["$defs"]},
    *(each.model_json_schema() for each in (Facility, FlightArena)),
)
BESIDE = {"extends": None, "without": None}  # keys of facility files that no schema has


# --- commands -------------------------------------------------------------------------------------


@cache
def group():
    return typer.main.get_command(app)


def parsed(line):
    """What a command is given; an option that it does not have raises."""
    command, words = group(), shlex.split(line, comments=True)[1:]
    while hasattr(command, "commands"):
        command, words = command.commands[words[0]], words[1:]
    return command.make_context(command.name, words).params


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)], ids=name_of)
def test_commands_have_their_options_scenarios_and_keys(page, monkeypatch):
    monkeypatch.chdir(ROOT)  # examples/ are beside docs/
    lines = [line for code in blocks_of(page) for line in commands_in(code)]
    assert len(lines) == len(commands_of(page))
    for line in lines:
        given = parsed(line)
        scenario = given.get("scenario")
        if scenario is None or (scenario.endswith(".toml") and not Path(scenario).exists()):
            continue  # a file of the reader's
        changes = (given.get("set_"), given.get("disperse"), given.get("extension"))
        load_scenario(scenario, *changes)


# --- TOML -----------------------------------------------------------------------------------------


def tables(node, definitions):
    """What a value may be, as plain schemas."""
    if "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    choices = [*node.get("anyOf", ()), *node.get("oneOf", ())]
    yield from (each for choice in choices for each in tables(choice, definitions))
    if not choices:
        yield node


def unknown(value, node, definitions, path=""):
    """Keys in a value that its schema does not have."""
    may_be = list(tables(node, definitions))
    if isinstance(value, list):
        items = [each for it in may_be for each in (it.get("items"), *it.get("prefixItems", ()))]
        inner = {"anyOf": [each for each in items if isinstance(each, dict)]}
        return [key for each in value for key in unknown(each, inner, definitions, path)]
    if not isinstance(value, dict):
        return []
    found = []
    for key, below in value.items():
        known = [it["properties"][key] for it in may_be if key in it.get("properties", ())]
        for it in may_be:
            by_name = it.get("patternProperties", {})
            known += [each for pattern, each in by_name.items() if re.search(pattern, key)]
            if isinstance(it.get("additionalProperties"), dict):
                known.append(it["additionalProperties"])
        if known:
            found += unknown(below, {"anyOf": known}, definitions, f"{path}{key}.")
        elif not any(it.get("additionalProperties") is True for it in may_be):
            found.append(f"{path}{key}")
    return found


def unknown_keys(text):
    """Keys of a file that the kind of file which fits best does not have."""
    document = {key: it for key, it in tomllib.loads(text).items() if key not in BESIDE}
    return min((unknown(document, it, it.get("$defs", {})) for it in SCHEMAS), key=len)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_keys_of_files_are_known(page):
    for code in code_of(page):
        if code.language == "toml":
            assert unknown_keys(code.text) == [], code.text


def test_a_wrong_key_is_found():
    text = "[chaser.arms.main]\nurdf = 'x'\nqq_deg = [0.0]\n[servo]\nlag_s = 1.0\n"
    assert unknown_keys(text) in (["chaser", "servo.lag_s"], ["chaser.arms.main.qq_deg", "servo"])


# --- Python ---------------------------------------------------------------------------------------


class Bound:
    """Stands for something that takes minutes or a vehicle: its calls must fit the signatures."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        return Bound(getattr(self._real, name))

    def __call__(self, *given, **named):
        signature(self._real).bind(*given, **named)
        if isinstance(self._real, type):
            return Bound(self._real(*given, **named))
        return Anything()


class Anything(list):
    """What such a call returns."""

    def __getattr__(self, name):
        return Anything()

    def __getitem__(self, key):
        return Anything()


def short(scenario, step_s):
    """The first 0.1 s of a scenario."""
    time = {"time.duration_s": 0.1, "time.phases": {"all": {"until_s": 0.1, "step_s": step_s}}}
    return scenario.replace(time | {"requirements": None})


def of_controllers(monkeypatch):
    own = short(proxops.load(ROOT / "examples" / "hold_place.toml"), 0.001)
    return {"scenario": own, "proxops": proxops}


def of_check(monkeypatch):
    return {"scenario": short(proxops.load("touch"), 0.001), "proxops": proxops}


def of_mavlink(monkeypatch):
    from proxops.links.mavlink import ground_station

    monkeypatch.setattr(ground_station, "GroundStation", Bound(ground_station.GroundStation))
    return dict.fromkeys(("now_ns", "pose", "target", "datagram"))


def of_navigation(monkeypatch):
    return {"envisat": np.diag([17023.3, 129112.2, 124825.7])}


def of_recorded(monkeypatch):
    """A short run, with the signals of a lab, and its recording in the working folder."""
    run = proxops.simulate(short(proxops.load("flexible-rendered"), 0.0025))
    run.save("runs/flexible-rendered")
    return {"run": run, "proxops": proxops}


def of_relative(monkeypatch):
    from proxops.validation import published_drift, published_world

    for module, name in (
        (published_drift, "drift_rows"),
        (published_world, "rehearse_as_published"),
    ):
        monkeypatch.setattr(module, name, Bound(getattr(module, name)))
    vectors = {name: np.zeros(6) for name in ("bias", "V_rate", "measured", "force")}
    return {"M_c": np.eye(6)} | vectors


def of_robots(monkeypatch):
    from proxops.facility.robot_cell.industrial.kr120 import KR120
    from proxops.facility.robot_cell.industrial.robot import Placement, build
    from proxops.facility.robot_cell.industrial.track import follow, starts, track_of

    t = np.linspace(0.0, 1.0, 5)
    at_rest = np.tile([1.5, 0.0, 1.2, np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0], (5, 1))
    known = {
        "t": t,
        "poses": at_rest,
        "twists": np.zeros((5, 6)),
        "robot": build(KR120, Placement()),
    }
    return known | {"follow": follow, "starts": starts, "track_of": track_of}


def nothing(monkeypatch):
    return {}


NEEDS = {
    "docs/check.md": of_check,
    "docs/contact.md": nothing,
    "docs/controllers.md": of_controllers,
    "docs/mavlink.md": of_mavlink,
    "docs/navigation.md": of_navigation,
    "docs/recording.md": of_recorded,
    "docs/rehearsal.md": of_recorded,
    "docs/relative.md": of_relative,
    "docs/rendezvous.md": nothing,
    "docs/robots.md": of_robots,
    "docs/scenario.md": of_recorded,
}


def test_python_of_every_page_is_run_somewhere():
    shown = {name_of(page) for page in PAGES for it in code_of(page) if it.language == "python"}
    assert shown <= {*NEEDS, *RUN_BY}
    for page, file in RUN_BY.items():
        run_there = (ROOT / "tests" / file).read_text("utf-8")
        assert Path(page).name in run_there or Path(page).parent.name in run_there


def runs_on(page):
    """Whether tests run something of a page here."""
    return name_of(page) not in RUN_BY and any(
        code.is_run() if code.language == "python" else any(map(code.is_run, commands_in(code)))
        for code in blocks_of(page)
    )


def run_command(line):
    """Runs a line as the shell would, without a process of its own.  It may find that a mission
    fails or is stopped on a facility, and must not find that it is wrong."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", shlex.split(line, comments=True))
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code in (None, 0, 1, 4), line


@pytest.mark.slow
@pytest.mark.parametrize("page", filter(runs_on, PAGES), ids=name_of)
def test_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    """Commands and Python; what is left out has its reason in the page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names = {"__name__": "__main__"} | NEEDS.get(name_of(page), nothing)(monkeypatch)
    for number, code in enumerate(blocks_of(page)):
        if code.language == "python" and code.is_run():
            exec(compile(code.text, f"{page}, block {number}", "exec"), names)
        elif code.language in ("", "sh"):
            for line in filter(code.is_run, commands_in(code)):
                run_command(line)
