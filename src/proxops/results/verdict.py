"""From recorded rows to the outcome of a run: ledger, requirements, collisions, faults."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.core.clock import NS_PER_S
from proxops.results.ledger import audit, judged
from proxops.results.provenance import provenance, provided
from proxops.results.requirements import measure, not_reached
from proxops.results.run import COLLIDES, MISSION_ENDS, Event, Ledger, Phase, Run, Signal
from proxops.results.warnings import warnings
from proxops.scenario.fault_injection import fault_events
from proxops.scenario.load import Scenario


def judge(
    scenario: Scenario,
    table: tuple[Signal, ...],
    rows: np.ndarray,
    events: tuple[Event, ...] | None = (),
    built: Built | None = None,
    made: Mapping[str, Any] | None = None,
) -> Run:
    """The run with its verdicts, from its rows and the events seen on the way; None where those are
    lost, as of a recording that was cut: then nothing that counts them is decided.  `built` is the
    scenario as it was built for the run, `made` its provenance; both are made anew of a recording.
    """
    end = float(rows[-1, 0]) if len(rows) else 0.0
    by_event = any(event.name == MISSION_ENDS and event.t_s == end for event in events or ())
    complete = by_event or end == scenario.mission.time.duration_ns / NS_PER_S
    phases = _phases(scenario, end, events or ())
    made = provenance(scenario) if made is None else made
    bare = Run(
        scenario.name, made, table, rows, events or (), phases, (),
        Ledger(np.inf, np.inf, np.inf, False), "invalid",
    )  # fmt: skip
    starts = [
        Event(phase.start_s, "phase", f"{phase.name} begins")
        for phase in bare.phases
        if scenario.mission.obsw.plan is None  # legs are events of their own
    ]
    struck = [Event(t, "fault-injected", text) for t, text in fault_events(scenario.mission)]
    starts += [event for event in struck if event.t_s <= end]
    warned = warnings(scenario, bare, built)
    all_events = sorted((*starts, *warned, *bare.events), key=lambda event: event.t_s)
    run = replace(bare, events=tuple(all_events), ledger=audit(bare))
    requirements = tuple(
        measure(run, name, demand, complete)
        if demand.signal is not None or events is not None
        else not_reached(name, demand)
        for name, demand in scenario.mission.requirements.items()
    )
    happened = {event.name for event in all_events}
    if (judged(run) and not run.ledger.closed) or "fault" in happened:
        outcome = "invalid"
    elif "interrupted" in happened:
        outcome = "interrupted"
    elif "stopped" in happened:
        outcome = "stopped"
    elif not complete or events is None:
        outcome = "cut-short"
    else:
        outcome = "passed" if all(item.passed for item in requirements) else "failed"
        outcome = "failed" if collided(run) else outcome
    return replace(run, requirements=requirements, outcome=outcome)


def collided(run: Run) -> Event | None:
    """The first collision of a run that collisions are to fail."""
    if provided(run, "collisions") == "report":
        return None
    return next((event for event in run.events if event.name == COLLIDES), None)


def _phases(scenario: Scenario, end: float, events: tuple[Event, ...]) -> tuple[Phase, ...]:
    """The legs that were flown where there is a plan, else the scripted phases."""
    phases: list[Phase] = []
    plan = scenario.mission.obsw.plan
    if plan is not None:
        begun = [each for each in events if each.name in plan.legs]
        ends = [each.t_s for each in begun[1:]] + [end]
        return tuple(
            Phase(leg.name, leg.t_s, until) for leg, until in zip(begun, ends, strict=False)
        )
    start = 0.0
    for name, until in scenario.mission.time.phase_ends_s.items():
        if phases and start >= end:
            break
        phases.append(Phase(name, start, min(until, end)))
        start = until
    return tuple(phases)
