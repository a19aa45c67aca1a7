"""What a case of a campaign costs beside its kernels: CPU time by part, in a process that is warm.

    python -m benchmarks.cases                          touch and envisat-capture, 40 and 10 cases
    python -m benchmarks.cases touch --cases 100

    dispersion  what is drawn, and the scenario with it
    checks      the drawn scenario, checked as a file is
    build       stages, schedule and arrays of the loop
    link        addresses that the loop calls
    kernels     the compiled loop
    rows        rows and events taken from the loop
    judging     ledger, requirements, warnings, the case as plain data
    rest        between them

Medians over the cases; "outside" is all but the kernels, as a share of the whole.
"""

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.campaigns.command import DISPERSIONS
from benchmarks.timing import table

# Where each part is entered: module, name there (of a class with a dot)
ENTRIES = {
    "dispersion": [("proxops.scenario.load", "Scenario.dispersed")],
    "checks": [("proxops.scenario.load", "checked_mission")],
    "build": [("proxops.sim.simulation", "Simulation.__init__")],
    "link": [("proxops.sim.simulation", "link")],
    "kernels": [("proxops.sim.simulation", "enter")],
    "rows": [
        ("proxops.sim.simulation", "Simulation._take_rows"),
        ("proxops.results.rows", "Rows.settled"),
        ("proxops.sim.events", "EventDecoder.drain"),
        ("proxops.sim.events", "EventDecoder.limit_cycles"),
    ],
    "judging": [
        ("proxops.sim.simulation", "judge"),
        ("proxops.cli.campaign_worker", "flown"),
    ],
}
PARTS = [*ENTRIES, "rest"]
CASES = {"touch": 40, "envisat-capture": 10}


class Clock:
    """CPU time by part: a part does not count what is entered within it."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = defaultdict(float)
        self._part, self._since = "rest", time.process_time()

    def enter(self, part: str) -> str:
        """From now on that part; returns the one before it."""
        now, before = time.process_time(), self._part
        self.taken[before] += now - self._since
        self._part, self._since = part, now
        return before

    def measure(self, part: str, module: str, name: str) -> None:
        """Counts what is called there as that part."""
        owner: Any = import_module(module)
        *parents, last = name.split(".")
        for each in parents:
            owner = getattr(owner, each)
        setattr(owner, last, self._measured(part, getattr(owner, last)))

    def _measured(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*given: Any, **named: Any) -> Any:
            before = self.enter(part)
            try:
                return call(*given, **named)
            finally:
                self.enter(before)

        return measured


def fly(mission: str, cases: int) -> dict[str, float]:
    """Milliseconds of a case by part, medians."""
    import proxops
    from proxops.campaigns import Job
    from proxops.campaigns.ask import Ask
    from proxops.campaigns.prepared import prepare
    from proxops.cli import campaign_worker
    from proxops.core.interrupt import leave_to_parent

    leave_to_parent()  # as a worker does
    scenario = proxops.load(mission)
    if not scenario.mission.dispersions:
        scenario = scenario.replace({"dispersions": DISPERSIONS})
    prepared = prepare(json.loads(Job(scenario).text("run")))
    for seed in (1_000_000, 1_000_001):  # compile, and fill what is kept
        campaign_worker.fly_case(prepared, Ask(seed))
    clock = Clock()
    for part, entries in ENTRIES.items():
        for module, name in entries:
            clock.measure(part, module, name)
    taken: dict[str, list[float]] = defaultdict(list)
    for seed in range(cases):
        clock.enter("rest")
        clock.taken.clear()
        begin = time.process_time()
        campaign_worker.fly_case(prepared, Ask(seed))
        taken["whole"].append(time.process_time() - begin)
        clock.enter("rest")
        for part in PARTS:
            taken[part].append(clock.taken[part])
    return {part: 1e3 * statistics.median(values) for part, values in taken.items()}


def case_costs(missions: dict[str, int]) -> str:
    """Table of parts, in milliseconds of a case."""
    rows = []
    for mission, cases in missions.items():
        found = fly(mission, cases)
        outside = found["whole"] - found["kernels"]
        rows.append(
            [mission, *(f"{found[part]:.2f}" for part in PARTS), f"{found['whole']:.1f}",
             f"{outside:.1f} ({100 * outside / found['whole']:.0f} %)"]
        )  # fmt: skip
    return table(["CPU time of a case [ms]", *PARTS, "whole", "outside"], rows)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mission", nargs="?")
    parser.add_argument("--cases", type=int)
    asked = parser.parse_args()
    missions = {asked.mission: asked.cases or 20} if asked.mission else CASES
    sys.stdout.write(case_costs(missions) + "\n")


if __name__ == "__main__":
    main()
