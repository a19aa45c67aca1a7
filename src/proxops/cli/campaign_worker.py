"""A worker of a campaign: cases are asked for on stdin and answered on stdout, as JSON lines."""

import json
import os
import sys
from typing import Any

from proxops import api
from proxops.campaigns.case import flown, rejected
from proxops.campaigns.prepared import Prepared, prepare
from proxops.core.errors import ControllerError, InputError, ProxopsError
from proxops.results.run import Run
from proxops.scenario.load import Scenario


def serve() -> None:
    """Flies what it is asked for until stdin ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    job = json.loads(sys.stdin.readline())
    answer: dict[str, Any] = {"ready": True}
    try:
        prepared = prepare(job)
    except (InputError, ControllerError) as error:
        answer = {"problem": str(error)}
    while True:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        line = sys.stdin.readline()
        if not line:
            return
        answer = fly_case(prepared, int(line))


def fly_case(prepared: Prepared, seed: int) -> dict[str, Any]:
    """The case of that seed as plain data; one that cannot be drawn says so as `impossible`."""
    try:
        case = prepared.scenario.dispersed(seed)
    except InputError as error:
        return {"seed": seed, "impossible": str(error)}
    try:
        return flown(case, fly(prepared, case))
    except ProxopsError as error:
        return rejected(case, error)


def fly(prepared: Prepared, case: Scenario, **options: Any) -> Run:
    """The run of a case, in orbit or on the facility."""
    own = prepared.own_controller()
    if prepared.lab is None:
        return api.simulate(case, controller=own, **options)
    return api.rehearse(case, prepared.lab, controller=own, **options)
