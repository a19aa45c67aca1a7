"""A worker of a campaign: cases are asked for on stdin and answered on stdout, as JSON lines."""

import json
import os
import sys
from typing import Any

from proxops import api
from proxops.assembly.extensions import changed_files, read_extensions
from proxops.assembly.facility import Lab, load_facility
from proxops.campaigns.case import flown, rejected
from proxops.core.errors import InputError, ProxopsError
from proxops.scenario.load import Scenario


def serve() -> None:
    """Flies what it is asked for until stdin ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    job = json.loads(sys.stdin.readline())
    answer: dict[str, Any] = {"ready": True}
    try:
        scenario = _scenario(job["scenario"])
    except InputError as error:
        answer = {"problem": str(error)}
    lab = None if job["facility"] is None else load_facility(job["facility"])
    while True:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        line = sys.stdin.readline()
        if not line:
            return
        answer = fly_case(scenario, lab, int(line))


def _scenario(data: dict[str, Any]) -> Scenario:
    """The scenario of the campaign, with extensions from files as they were when it began."""
    recorded = data.get("extensions", {})
    extensions = read_extensions(recorded)
    for path in changed_files(recorded, extensions.sources):
        raise InputError(f"{path}: has changed since the campaign began; start the campaign again")
    return Scenario.from_dict(data).extended(extensions)


def fly_case(scenario: Scenario, lab: Lab | None, seed: int) -> dict[str, Any]:
    """The case of that seed as plain data; one that cannot be drawn says so as `impossible`."""
    try:
        case = scenario.dispersed(seed)
    except InputError as error:
        return {"seed": seed, "impossible": str(error)}
    try:
        return flown(case, api.simulate(case) if lab is None else api.rehearse(case, lab))
    except ProxopsError as error:
        return rejected(case, error)
