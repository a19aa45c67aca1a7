"""A rehearsal on the virtual facility: both robots, real arm, contact, sensors, mapping, guard."""

import statistics
import time

import proxops
from benchmarks.timing import Effort, table
from proxops import sim
from proxops.rehearsal import on_facility
from proxops.scenario.facility import load_facility

MISSION, FACILITY = "touch", "oos-sim"
MOST_ROUNDS = 5  # each is a whole rehearsal


def facility_cost(effort: Effort) -> str:
    """CPU time of a step in one call of many and in a call of its own, and against real time."""
    scenario, lab = proxops.load(MISSION), load_facility(FACILITY)
    seconds = scenario.mission.time.duration_s
    steps = round(seconds * 1000.0)
    on_facility(scenario, lab, "relative").run()  # compiles
    taken: dict[str, list[float]] = {"in one call": [], "one Python call a step": []}
    many = sim.STEPS_PER_CALL
    try:
        for _ in range(min(effort.rounds, MOST_ROUNDS)):
            for (name, times), ticks in zip(taken.items(), (many, 1), strict=True):
                simulation = on_facility(scenario, lab, "relative")
                sim.STEPS_PER_CALL = ticks
                start = time.process_time()
                simulation.run()
                times.append(time.process_time() - start)
    finally:
        sim.STEPS_PER_CALL = many
    rows = []
    for (name, times), goal in zip(taken.items(), ("", "100"), strict=True):
        whole = statistics.median(times)
        rows.append([name, f"{1e6 * whole / steps:.1f}", f"{seconds / whole:.0f}", goal])
    text = table(
        [f"`{MISSION}` on `{FACILITY}`, 1 ms", "us per step", "x real time", "goal [us]"], rows
    )
    return (
        f"{text}\n\nWhole rehearsals, with recorded rows and events; the goal is 10 x real time.\n"
    )
