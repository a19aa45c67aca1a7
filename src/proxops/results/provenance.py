"""Where a run comes from: what it takes to make the same bits again."""

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from proxops.results.run import Run
from proxops.scenario.load import Scenario


def provenance(scenario: Scenario) -> dict[str, Any]:
    """What it takes to make the same bits again."""
    case = {"dispersed": scenario.case.seed} if scenario.case else {}
    return {
        "scenario": scenario.to_dict(),
        "seed": scenario.mission.seed,
        **case,
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Of what results are computed with."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    return {
        "proxops": version("proxops"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "machine": platform.machine(),
    }


def extension_files(made: Mapping[str, Any]) -> dict[str, str]:
    """SHA-256 of the files of extensions that a run was flown with, by path."""
    scenario = made.get("scenario")
    files = scenario.get("extensions") if isinstance(scenario, Mapping) else None
    return dict(files) if isinstance(files, Mapping) else {}


def provided(run: Run, *keys: str) -> object:
    """What the mission of a run has there, by its provenance, which may be a damaged one."""
    found: object = run.provenance
    for key in ("scenario", "mission", *keys):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
