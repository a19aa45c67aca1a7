"""How far two multirotors are from the mission in orbit, in its units and in the arena's."""

import numpy as np

from proxops.facility.common.guard.table import RUNNING
from proxops.results.compared import Difference
from proxops.results.fidelity import difference
from proxops.results.run import Requirement, Run

VEHICLES = ("target", "chaser")


def compare_flight(orbit: Run, run: Run) -> tuple[Difference, ...]:
    """What was flown against the orbit run, as positions in the Hill frame that the flight stands
    for, then against the references in the arena; as long as the vehicles fly."""
    n = min(len(orbit.rows), flying_rows(run))
    t, p_HC = orbit["chaser.p_HC"]
    _, p_HT = orbit["target.p_HT"]
    flown_C, flown_T = (run[f"lab.flown.p_H{body}"][1] for body in "CT")
    flies = flown_vehicles(run)
    rows = []
    if "chaser" in flies:
        rows.append(difference("chaser", "m", t[:n], p_HC[:n], flown_C[:n]))
    if "target" in flies:
        rows.append(difference("target", "m", t[:n], p_HT[:n], flown_T[:n]))
    if flies == VEHICLES:
        orbits, flown = p_HT[:n] - p_HC[:n], flown_T[:n] - flown_C[:n]
        rows.append(difference("relative position", "m", t[:n], orbits, flown))
    for name in flown_vehicles(run):
        p, reference = run[f"lab.p_L{name[0].upper()}l"][1], run[f"lab.vehicles.{name}.p_ref"][1]
        rows.append(difference(f"{name}'s vehicle, in the arena", "m", t[:n], reference[:n], p[:n]))
    return tuple(rows)


def flight_requirements(
    run: Run, tracking: float, relative: float, gap: float
) -> tuple[Requirement, ...]:
    """What the arena demands of a flight: errors and the gap between tips [m]; of a single vehicle
    its error alone."""
    n, flies = flying_rows(run), flown_vehicles(run)
    errors = [run[f"lab.vehicles.{name}.error"][1][:n].max(initial=0.0) for name in flies]
    of_vehicles = tuple(
        _judged(f"flight: error of the {name}'s vehicle", error, "<=", tracking)
        for name, error in zip(flies, errors, strict=True)
    )
    if flies != VEHICLES:
        return of_vehicles
    p_LT, p_LC = run["lab.p_LTl"][1][:n], run["lab.p_LCl"][1][:n]
    ref_T, ref_C = (run[f"lab.vehicles.{name}.p_ref"][1][:n] for name in VEHICLES)
    apart = np.linalg.norm((p_LC - p_LT) - (ref_C - ref_T), axis=1).max(initial=0.0)
    least = run["lab.gap"][1][:n].min(initial=np.inf)
    return (
        *of_vehicles,
        _judged("flight: error of the relative position", apart, "<=", relative),
        _judged("flight: gap between tips", least, ">=", gap),
    )


def _judged(name: str, value: float, comparison: str, limit: float) -> Requirement:
    margin = float(limit - value if comparison == "<=" else value - limit)
    status = "passed" if margin >= 0.0 else "failed"
    return Requirement(name, float(value), comparison, limit, "m", margin, status)


def flying_rows(run: Run) -> int:
    """Rows before the guard stops both vehicles, or one lands."""
    lands = np.ravel(run["lab.guard.mode"][1]) != RUNNING
    for name in flown_vehicles(run):
        lands |= np.ravel(run[f"lab.vehicles.{name}.mode"][1]) != 0.0
    return int(np.argmax(lands)) if lands.any() else len(lands)


def flown_vehicles(run: Run) -> tuple[str, ...]:
    """Those that fly as the run begins: in a dry run one stands on the floor."""
    return tuple(
        name for name in VEHICLES if np.ravel(run[f"lab.vehicles.{name}.mode"][1])[:1] == 0.0
    )
