"""Blocks of code in README and docs are right: commands, keys of files, Python.

Those of the start page, tutorials, reports, campaigns and extensions are run as they stand by the
tests that RUN_BY names.  Here all commands are parsed and their scenarios loaded with
their changes, all TOML is looked up key by key, and the rest of Python is run.
"""

import re
import shlex
import tomllib
from functools import cache
from inspect import signature
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import typer
from tests.unit.doc_pages import PAGES, ROOT, code_of, commands_of, name_of

import proxops
from proxops.cli.common import load_scenario
from proxops.cli.main import app
from proxops.scenario.file_schema import CHANGED, file_schema
from proxops.scenario.schema.arena import FlightArena
from proxops.scenario.schema.facility import Facility

RUN_BY = {
    "docs/campaign.md": "scenarios/test_readme.py",
    "docs/extending.md": "scenarios/test_extending.py",
    "docs/guidance.md": "unit/test_convex_guidance.py",
    "docs/index.md": "scenarios/test_readme.py",
    "docs/report.md": "scenarios/test_readme.py",
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
    for line in commands_of(page):
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
    monkeypatch.setattr(proxops, "rehearse", Bound(proxops.rehearse))
    own = short(proxops.load(ROOT / "examples" / "hold_place.toml"), 0.001)
    return {"scenario": own, "proxops": proxops}


def of_check(monkeypatch):
    monkeypatch.setattr(proxops, "check", Bound(proxops.check))
    return {"scenario": proxops.load("touch"), "proxops": proxops}


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


def of_rehearsal(monkeypatch):
    monkeypatch.setattr(proxops, "rehearse", Bound(proxops.rehearse))
    names = of_recorded(monkeypatch)
    made = dict(names["run"].provenance) | {"facility": "oos-sim", "representation": "relative"}
    made |= {"nominal": "unforced", "no_contact": False, "speed": 1.0}
    monkeypatch.setattr(proxops, "open", lambda folder: SimpleNamespace(provenance=made))
    return names


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
    "docs/rehearsal.md": of_rehearsal,
    "docs/relative.md": of_relative,
    "docs/rendezvous.md": nothing,
    "docs/robots.md": of_robots,
    "docs/scenario.md": of_recorded,
}


def test_python_of_every_page_is_run_somewhere():
    shown = {name_of(page) for page in PAGES for it in code_of(page) if it.language == "python"}
    assert shown == {*NEEDS, *RUN_BY}
    for page, file in RUN_BY.items():
        run_there = (ROOT / "tests" / file).read_text("utf-8")
        assert Path(page).name in run_there or Path(page).parent.name in run_there


@pytest.mark.slow
@pytest.mark.parametrize("page", NEEDS)
def test_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"} | NEEDS[page](monkeypatch)
    for number, code in enumerate(it for it in code_of(ROOT / page) if it.language == "python"):
        exec(compile(code.text, f"{page}, block {number}", "exec"), names)
