"""What a facility does around a rehearsal: planned before it begins, put away when it is over."""

from dataclasses import replace

import numpy as np

from proxops.assembly.cell import Made
from proxops.assembly.facility import Lab
from proxops.assembly.procedure import setting_of
from proxops.assembly.robot import step_of
from proxops.core.states import PASSED, FacilityState
from proxops.facility.common.guard import table as of
from proxops.facility.robot_cell.procedure.drive import least_along, site_of
from proxops.facility.robot_cell.procedure.plan import gap_of, prepare, put_away
from proxops.plant import hold_array, layout
from proxops.results.run import Run
from proxops.scenario.load import Scenario


def before(
    made: Made, lab: Lab, scenario: Scenario, pace: float = 1.0
) -> tuple[FacilityState, ...]:
    """Park, move to start, tare, engage: refused if that cannot be done.  None without robots; at
    a reduced pace the motion begins slower by it."""
    if made.cell.ideal:
        return ()
    setting = setting_of(made, lab.facility, step_of(scenario))
    sent = made.state.memory.sent
    return prepare(setting, sent[of.Q].copy(), pace * sent[of.V])


def after(made: Made, lab: Lab, scenario: Scenario, run: Run) -> tuple[FacilityState, ...]:
    """Run, stop and retreat; `made` as the run has left it."""
    if made.cell.ideal or run.outcome == "invalid" or not len(run.rows):
        return ()
    names = [f"chaser.arms.{mounted.name}.q" for mounted in made.built.chaser.arms]
    arm = np.hstack([np.empty((len(run.rows), 0)), *(run[name][1] for name in names)])
    q = np.hstack([run[f"lab.robots.{name}.q"][1] for name in ("target", "chaser")])
    setting = replace(setting_of(made, lab.facility, step_of(scenario)), arm=arm[-1:].copy())
    least = least_along(site_of(made.cell, q=q[0]), np.ascontiguousarray(arm), q)
    gap, between = gap_of(setting, least.slack, least.which)
    ended = [event.detail for event in run.events if event.name == "stopped"]
    ends = float(run.rows[-1, 0])
    ran = FacilityState("run", 0.0, ends, gap, between, ended[0] if ended else PASSED)
    return (ran, *put_away(setting, made.state.memory, ends, _bound(made)))


def _bound(made: Made) -> tuple[str, ...]:
    """What joins the mock-ups: closed holds, and pads that are glued on."""
    memory = made.state.y[layout.slices(made.cell.plant).holds]
    engaged = memory.reshape(-1, hold_array.MEMORY_WIDTH)[:, hold_array.ENGAGED]
    holds = zip(made.touching.holds, engaged, strict=True)
    closed = [f"hold {hold.name} is closed" for hold, state in holds if state == hold_array.HOLDING]
    glued = [
        f"contact {each.name} is glued on" for each in made.touching.contacts if each.bilateral
    ]
    return (*closed, *glued)
