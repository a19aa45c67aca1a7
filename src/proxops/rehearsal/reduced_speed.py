"""A dry run at a reduced pace: the mission's motion in orbit, reproduced slowly, without contact.

The motion of the recorded run goes through inverse kinematics, guard and servos with its time
stretched, and the arm is where it was recorded to be.  Contact and free dynamics have a pace of
their own, so nothing is measured and nothing is fed back.
"""

import math
from dataclasses import replace

import numpy as np

from proxops.assembly.facility import Lab
from proxops.assembly.robot import step_of
from proxops.core.errors import InputError
from proxops.facility.common.guard.sentences import sentences
from proxops.facility.robot_cell.procedure.paced import serve
from proxops.facility.robot_cell.record import MOCK_UPS, ROBOTS
from proxops.rehearsal.states import after
from proxops.rehearsal.stretched_commands import send_stretched
from proxops.rehearsal.stretched_rows import demands_of, stretched_rows
from proxops.results.run import Event, Phase, Run, Signal
from proxops.scenario.load import Scenario
from proxops.sim.worlds.rehearsed import CellWorld

SLOWEST = 0.01


def check_speed(speed: float, no_contact: bool, lab: Lab) -> None:
    """Rejects a pace at which nothing can be reproduced."""
    if not SLOWEST <= speed <= 1.0:
        raise InputError(f"speed {speed:g}: possible are {SLOWEST:g} to 1")
    if speed < 1.0 and not no_contact:
        raise InputError(
            f"speed {speed:g}: contact and free dynamics have their own pace, which cannot be "
            "slowed; a dry run can (--no-contact)"
        )
    if speed < 1.0 and lab.facility.robots is None:
        raise InputError(f"speed {speed:g}: facility {lab.name} has no robots to go slowly")


def reproduce_slowly(orbit: Run, stage: CellWorld, lab: Lab, speed: float) -> Run:
    """A run in orbit reproduced on a facility at that share of its pace, in stretched time; `stage`
    is as it was built, and is used up.

    Signals of the models are those of the orbit.  Its requirements are the lab's: that the guard
    lets it through, clearance, and what is left of the axes' ranges.
    """
    made = stage.made
    scenario = Scenario.from_dict(orbit.provenance["scenario"]).extended(orbit.extensions)
    sent, arm = send_stretched(stage, orbit, lab, speed)
    start, followed = made.state.axes.q.copy(), np.empty_like(sent)
    serve(made.cell.servo, made.state.axes, sent, step_of(scenario), followed)
    stopped_by = [
        Event(t, "guard", text) for t, text in sentences(made.guarded, made.state.memory.log)
    ]
    stops = stopped_by[0].t_s if stopped_by else math.inf
    stretched = (replace(event, t_s=event.t_s / speed) for event in orbit.events)
    events = [*(event for event in stretched if event.t_s <= stops), *stopped_by]
    demands = demands_of(made, followed, arm, not stopped_by)
    outcome = "passed" if all(item.passed for item in demands) else "failed"
    if stopped_by:
        outcome = "stopped"
        events.append(Event(stops, "stopped", stopped_by[0].detail))
    rows = stretched_rows(made, orbit, speed, np.vstack([start, followed]))
    slow = replace(
        orbit,
        provenance={**orbit.provenance, **stage.provenance},
        table=(*orbit.table, *(Signal(*row) for row in (*MOCK_UPS, *ROBOTS))),
        rows=rows,
        events=tuple(events),
        phases=_phases(orbit, speed, float(rows[-1, 0])),
        requirements=demands,
        outcome=outcome,
    )
    return replace(slow, procedure=after(made, lab, scenario, slow))


def _phases(orbit: Run, speed: float, ends: float) -> tuple[Phase, ...]:
    """Phases in stretched time, as far as they were shown until it ended [s]."""
    phases = (Phase(p.name, p.start_s / speed, p.end_s / speed) for p in orbit.phases)
    return tuple(replace(p, end_s=min(p.end_s, ends)) for p in phases if p.start_s <= ends)
