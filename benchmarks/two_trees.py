"""How much faster one tree of the sources flies a mission than another.

    python -m benchmarks.two_trees BEFORE AFTER envisat-capture
    python -m benchmarks.two_trees BEFORE AFTER envisat-capture --facility oos-sim --pairs 20

BEFORE and AFTER are checkouts.  Each flies in a process of its own, in turns, so that whatever else
the machine does falls on both; CPU time of the run with its verdict, the building and the reading
of the scenario each by themselves, medians of the pairs, the first of which compile.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve()
PARTS = ("load", "build", "run")


def main() -> int:
    """Prints a line a part: milliseconds before, after, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs=2, type=Path, metavar="TREE")
    parser.add_argument("mission")
    parser.add_argument("--facility", default="")
    parser.add_argument("--pairs", type=int, default=20)
    options = parser.parse_args()
    flights = [_flight(tree, options.mission, options.facility) for tree in options.trees]
    taken: list[list[dict]] = [[], []]
    for number in range(options.pairs + 1):
        for flight, results in zip(flights, taken, strict=True):
            result = _fly(flight)
            if number > 0:  # the first compiles
                results.append(result)
    for flight in flights:
        flight.stdin.close()
        flight.wait()
    for part in PARTS:
        before, after = ([1e3 * each[part] for each in results] for results in taken)
        ratio = statistics.median(a / b for a, b in zip(before, after, strict=True))
        medians = [statistics.median(each) for each in (before, after)]
        sys.stdout.write(f"{part:6} {medians[0]:9.1f} ms {medians[1]:9.1f} ms   {ratio:.2f} x\n")
    for results in taken:
        sys.stdout.write(f"{results[0]['verdict']}\n")
    return 0


def _flight(tree: Path, mission: str, facility: str) -> subprocess.Popen:
    known = {"PYTHONPATH": str(tree.resolve() / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    order = [sys.executable, str(HERE), "--fly", mission, facility]
    return subprocess.Popen(
        order, env=os.environ | known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def _fly(flight: subprocess.Popen) -> dict:
    flight.stdin.write("\n")
    flight.stdin.flush()
    return json.loads(flight.stdout.readline())


def fly(mission: str, facility: str) -> None:
    """Flies once for every line on stdin."""
    import proxops

    for _ in sys.stdin:
        marks = [time.process_time()]
        scenario = proxops.load(mission)
        marks.append(time.process_time())
        simulation = _simulation(scenario, facility)
        marks.append(time.process_time())
        run = simulation.run()
        marks.append(time.process_time())
        result = {part: marks[i + 1] - marks[i] for i, part in enumerate(PARTS)}
        result["verdict"] = f"{run.outcome}, {run.ledger}"
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


def _simulation(scenario, facility: str):
    from proxops.sim.simulation import Simulation

    if not facility:
        return Simulation(scenario)
    from proxops.assembly.facility import load_facility
    from proxops.assembly.facility_steps import at_fitting_step
    from proxops.rehearsal import on_facility

    lab = load_facility(facility)
    return on_facility(at_fitting_step(scenario, lab.facility), lab, "relative")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fly"]:
        fly(*sys.argv[2:4])
    else:
        sys.exit(main())
