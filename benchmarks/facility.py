"""The virtual facility: both robots, real arm, contact, sensors, mapping and guard."""

import math
import statistics
import time

import numpy as np

import proxops
from benchmarks.timing import Effort, Job, microseconds, table
from proxops.assembly.facility import load_facility
from proxops.core.jit import kernel
from proxops.core.spatial.vector import add, get3, put3, scale
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.mapping import see
from proxops.facility.common.rows import CARRIERS, DRAWS, PAIR
from proxops.facility.robot_cell.begin import place
from proxops.facility.robot_cell.carry import carry
from proxops.facility.robot_cell.command import guard_commands
from proxops.facility.robot_cell.compliance import yield_arm
from proxops.facility.robot_cell.force_sensors import read_sensors
from proxops.facility.robot_cell.measure import follow_carriers, locate
from proxops.physics.relative.motion import motion_of_state
from proxops.plant import layout
from proxops.plant.step import OK
from proxops.rehearsal import on_facility
from proxops.sim.worlds.rehearsed import CellWorld

MISSION, FACILITY = "touch", "oos-sim"
STEP = 1e-3  # of the mission [s]
SWING = 0.5  # of the mock-ups [rad/s]: it comes to touch, gently
MAX_ROUNDS = 5  # each is a whole rehearsal


@kernel
def tick(cell, state, workspace, shown, draws, h):
    """A step of the facility: the mock-ups swing along the line that they start on, the arm gives
    way, and the orbit is seen in them; shown = (representation, nominal state, its rate, motions at
    the start, commands)."""
    representation, y, rate, start, commands = shown
    if state.clock[0] == 0:
        place(cell, state)
    phase = SWING * h * (state.clock[0] + 1)
    for which in range(PAIR):
        p, v = get3(start[which], layout.P), get3(start[which], layout.V)
        put3(commands[which], layout.P, add(p, scale(math.sin(phase) / SWING, v)))
        put3(commands[which], layout.V, scale(math.cos(phase), v))
    yield_arm(cell, state, workspace, workspace.work.scratch)
    status = guard_commands(cell, state, workspace, commands, h)
    if status != OK:
        return status
    carry(cell, state, commands, h)
    locate(cell, state, workspace.arriving)
    status = follow_carriers(cell, state, workspace, h)
    if status != OK:
        return status
    read_sensors(cell, state, workspace, draws, h)
    sensing, sensed = cell.sensing, state.sensed
    M = motion_of_state(y, rate)
    see(representation, M, sensed.known, sensing.noise, draws[CARRIERS], sensed.seen)
    return OK


def facility_cost(effort: Effort) -> str:
    """CPU time of a step of the facility alone, one Python call each, and of a whole rehearsal."""
    scenario, lab = proxops.load(MISSION), load_facility(FACILITY)
    alone = microseconds({"tick": _ticks(CellWorld(scenario, lab, "relative"))}, effort)["tick"]
    seconds = scenario.mission.time.duration_s
    on_facility(scenario, lab, "relative").run()  # compiles
    taken = []
    for _ in range(min(effort.rounds, MAX_ROUNDS)):
        simulation = on_facility(scenario, lab, "relative")
        start = time.process_time()
        simulation.run()
        taken.append(time.process_time() - start)
    whole = statistics.median(taken)
    rows = [
        ["facility alone, one Python call a step", f"{alone:.1f} us", "100 us"],
        [
            "whole rehearsal, with models and recording",
            f"{1e6 * whole * STEP / seconds:.1f} us",
            "",
        ],
        ["against real time", f"{seconds / whole:.0f} x", "10 x"],
    ]
    return table([f"`{MISSION}` on `{FACILITY}`, steps of 1 ms", "measured", "goal"], rows) + "\n"


def _ticks(stage: CellWorld) -> Job:
    """Steps of a facility on its own, as often as is asked for, from the start on."""
    made = stage.made
    draws = np.random.default_rng(0).standard_normal((DRAWS, WRENCH))
    state = made.state
    start = state.motions.copy()
    shown = made.representation, made.nominal.y, made.nominal.rate, start, start.copy()

    def go(count: int) -> None:
        for _ in range(count):
            if tick(made.cell, state, made.workspace, shown, draws, STEP) != OK:
                raise RuntimeError("the guard has stopped what is measured")

    return go
