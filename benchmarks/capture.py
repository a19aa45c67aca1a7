"""Missions with their shipped software: in orbit, and on the virtual facility."""

import statistics
import time
from typing import NamedTuple

import proxops
from benchmarks.timing import Effort, table
from proxops.assembly.facility import load_facility
from proxops.assembly.facility_steps import at_fitting_step
from proxops.rehearsal import on_facility
from proxops.sim.simulation import Simulation

MAX_ROUNDS = 5  # each is a whole mission


class Goals(NamedTuple):
    """Of CPU time against real time [-]."""

    in_orbit: str
    rehearsed: str


def capture_cost(effort: Effort) -> str:
    """CPU time of whole captures, recording and verdict included."""
    return _cost("envisat-capture", Goals("80 x", "5 x"), effort.rounds, "oos-sim")


def approach_cost(effort: Effort) -> str:
    """CPU time of whole approaches, plans of the guidance included."""
    return _cost("approach-1km", Goals("300 x", ""), min(effort.rounds, 2))


def berthing_cost(effort: Effort) -> str:
    """CPU time of whole berthings."""
    return _cost("berthing-ground", Goals("", "8 x"), min(effort.rounds, 2), "oos-sim-upright")


def _cost(mission: str, goals: Goals, rounds: int, facility: str = "") -> str:
    scenario = proxops.load(mission)
    time_of = scenario.mission.time
    ways = {"in orbit": (lambda: Simulation(scenario), goals.in_orbit)}
    if facility:
        lab = load_facility(facility)
        fitted = at_fitting_step(scenario, lab.facility)
        on = (lambda: on_facility(fitted, lab, "relative"), goals.rehearsed)
        ways[f"on `{facility}`"] = on
    rows = []
    for name, (make, goal) in ways.items():
        make().run()  # compiles
        taken = []
        for _ in range(min(rounds, MAX_ROUNDS)):
            simulation = make()
            start = time.process_time()
            simulation.run()
            taken.append(time.process_time() - start)
        cpu = statistics.median(taken)
        rows.append([name, f"{cpu:.2f} s", f"{time_of.duration_s / cpu:.0f} x", goal])
    rate = f", software at {time_of.control_rate_hz:g} Hz" if facility else ""
    head = f"`{mission}`{rate}, {time_of.duration_s:g} s"
    return table([head, "CPU time", "against real time", "goal"], rows) + "\n"
