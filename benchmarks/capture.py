"""The capture with its shipped software: in orbit, and on the virtual facility."""

import statistics
import time

import proxops
from benchmarks.timing import Effort, table
from proxops.assembly.facility import load_facility
from proxops.rehearsal import on_facility
from proxops.sim.simulation import Simulation

MISSION, FACILITY = "envisat-capture", "oos-sim"
MOST_ROUNDS = 5  # each is a whole mission


def capture_cost(effort: Effort) -> str:
    """CPU time of whole missions, recording and verdict included."""
    scenario, lab = proxops.load(MISSION), load_facility(FACILITY)
    seconds = scenario.mission.time.duration_s
    ways = {
        "in orbit": (lambda: Simulation(scenario), "30 x"),
        f"on `{FACILITY}`": (lambda: on_facility(scenario, lab, "relative"), "5 x"),
    }
    rows = []
    for name, (make, goal) in ways.items():
        make().run()  # compiles
        taken = []
        for _ in range(min(effort.rounds, MOST_ROUNDS)):
            simulation = make()
            start = time.process_time()
            simulation.run()
            taken.append(time.process_time() - start)
        cpu = statistics.median(taken)
        rows.append([name, f"{cpu:.2f} s", f"{seconds / cpu:.0f} x", goal])
    head = f"`{MISSION}`, software at 1 kHz, {seconds:g} s"
    return table([head, "CPU time", "against real time", "goal"], rows) + "\n"
