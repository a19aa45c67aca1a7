"""A worker of a campaign: cases are asked for on stdin and answered on stdout, as JSON lines."""

import json
import os
import sys
import time
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

from proxops import api
from proxops.campaigns.ask import Ask, ask_in
from proxops.campaigns.case import flown, rejected
from proxops.campaigns.compile_lock import compiled_once
from proxops.campaigns.prepared import Prepared, prepare
from proxops.core.errors import ControllerError, InputError, ProxopsError
from proxops.core.interrupt import leave_to_parent
from proxops.results.run import Run
from proxops.scenario.load import Scenario


def serve() -> None:
    """Flies what it is asked for until stdin ends; then the process ends at once."""
    leave_to_parent()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(lines,), daemon=True).start()
    job = json.loads(lines.get())
    answer: dict[str, Any] | list[dict[str, Any]] = {"ready": True}
    try:
        prepared = prepare(job)
    except (InputError, ControllerError) as error:
        answer = {"problem": str(error)}
    while True:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        line = lines.get()
        with compiled_once(job["kernels"]):
            answer = fly_cases(prepared, list(map(ask_in, json.loads(line))))


def _listen(lines: SimpleQueue[str]) -> None:
    """Takes lines of stdin; where it ends nobody waits for the case that is being flown."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def fly_cases(prepared: Prepared, asks: Sequence[Ask]) -> list[dict[str, Any]]:
    """The cases as plain data: one after the other, or in lanes as many at once as there are."""
    if prepared.lanes is None:
        return [fly_case(prepared, each) for each in asks]
    from proxops.campaigns.in_lanes import fly_together

    return fly_together(prepared, asks)


def fly_case(prepared: Prepared, ask: Ask) -> dict[str, Any]:
    """The case as plain data, with what it took; one that cannot be drawn says so as
    `impossible`."""
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        case = ask.case_of(prepared.scenario)
    except InputError as error:
        return {"seed": ask.seed, "impossible": str(error)}
    try:
        answer = flown(case, fly(prepared, case))
    except ProxopsError as error:
        answer = rejected(case, error)
    timing = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    return answer | {"timing": timing}


def fly(prepared: Prepared, case: Scenario, **options: Any) -> Run:
    """The run of a case, in orbit or on the facility."""
    own = prepared.own_controller()
    if prepared.lab is None:
        return api.simulate(case, controller=own, lanes=prepared.lanes, **options)
    return api.rehearse(case, prepared.lab, controller=own, **options)
