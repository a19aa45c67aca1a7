"""The approach from 1 km dispersed: who reaches the last hold, limits, fuel against the optimum.

    python -m benchmarks.dispersed_approach --out cases.jsonl --seeds 0:100
    python -m benchmarks.dispersed_approach --table cases.jsonl

The optimum is the linear programme of tests/analytic/fuel_optimum.py for each flight from its true
state: same thruster directions, corridor and times; it knows no speed limit, no passive safety and
no motion out of plane, and holds are not counted.
"""

import math
from typing import Any

import numpy as np
from tests.analytic.fuel_optimum import least_fuel

import proxops
from benchmarks import dispersed
from benchmarks.dispersed import say, share
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.results.run import Phase, Run
from proxops.scenario.load import Scenario

MISSION, LAST = "approach-1km", "hold_10"
MU = ATTRACTORS["earth"].mu
# In the plane of the orbit; the two that brake are canted out of it by 37 deg, one each way
AXES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -0.8]])
CORRIDOR = (math.radians(15.0), (0.0, 0.0), (0.0, -1.0))
NODES = 101


def flown(scenario: Scenario, seed: int) -> dict[str, Any]:
    """One case."""
    run = proxops.simulate(scenario)
    t, outside = run["safety.keep_out_distance"]
    drift = run["safety.drift_keep_out"][1].ravel()
    lost = (outside.ravel() > 0.0) & (drift < 0.0)
    flights = [p for p in run.phases if scenario.mission.obsw.plan.legs[p.name].does == "fly-to"]
    spent = sum(spent_in(run, each) for each in flights)
    return {
        "reached": any(each.name == LAST for each in run.phases),
        "failed": [each.name for each in run.requirements if not each.passed],
        "aborts": [each.reason for each in run.aborts],
        "zone_margin_m": float(run["safety.zone_margin"][1].min()),
        "fuel": spent / sum(optimum(run, scenario, each) for each in flights),
        "delta_v_m_s": float(run["chaser.delta_v"][1][-1].item()),
        "unsafe_s": {p.name: int(lost[(t >= p.start_s) & (t < p.end_s)].sum()) for p in run.phases},
        "ledger": bool(run.ledger.closed),
    }


def spent_in(run: Run, phase: Phase) -> float:
    """Fuel of a leg [m/s]."""
    t, spent = run["chaser.delta_v"]
    begin, end = np.interp([phase.start_s, phase.end_s], t, spent.ravel())
    return float(end - begin)


def optimum(run: Run, scenario: Scenario, phase: Phase) -> float:
    """Least fuel of a flight from where it began [m/s]."""
    mission = scenario.mission
    leg = mission.obsw.plan.legs[phase.name]
    a, e = mission.orbit.semi_major_axis_km * 1e3, mission.orbit.eccentricity
    row = np.searchsorted(run["chaser.p_HCcm"][0], phase.start_s)
    start = np.concatenate([run[name][1][row, :2] for name in ("chaser.p_HCcm", "chaser.v_HC")])
    return least_fuel(
        (MU, a, e, anomaly(mission, phase.start_s)),
        np.linspace(0.0, leg.duration_s, NODES),
        start,
        [*leg.p_H_m[:2], 0.0, 0.0],
        thrusters=AXES,
        a_max=2.0 / mission.chaser.mass_kg,
        corridor=CORRIDOR,
    )


def anomaly(mission: Any, t: float) -> float:
    """The target's true anomaly [rad] after t [s]: Kepler's equation by iteration."""
    a, e = mission.orbit.semi_major_axis_km * 1e3, mission.orbit.eccentricity
    nu = math.radians(mission.orbit.true_anomaly_deg)
    E0 = 2.0 * math.atan(math.sqrt((1 - e) / (1 + e)) * math.tan(nu / 2))
    E = M = E0 - e * math.sin(E0) + math.sqrt(MU / a**3) * t
    for _ in range(50):
        E = M + e * math.sin(E)
    return 2.0 * math.atan2(math.sqrt(1 + e) * math.sin(E / 2), math.sqrt(1 - e) * math.cos(E / 2))


def tell(cases: list[dict[str, Any]]) -> None:
    """The table."""
    say(f"reach the last hold: {share(cases, lambda case: case['reached'])}")
    say(f"meet all requirements: {share(cases, lambda case: not case['failed'])}")
    say(f"no zone margin below 0: {share(cases, lambda case: case['zone_margin_m'] >= 0.0)}")
    fuel = np.array([case["fuel"] for case in cases if case["reached"]])
    median, most, largest = np.quantile(fuel, [0.5, 0.95, 1.0])
    say(f"fuel of the optimum: median {median:.3f}, 95 % {most:.3f}, largest {largest:.3f}")
    say(f"  up to 1.35: {int(np.sum(fuel <= 1.35))} of {len(fuel)}")
    for name in sorted({name for case in cases for name in case["unsafe_s"]}):
        unsafe = [case["unsafe_s"].get(name, 0) for case in cases]
        if any(unsafe):
            count = np.count_nonzero(unsafe)
            say(f"drifts enter from {name}: in {count} cases, for {max(unsafe)} s at most")
    say(f"ledgers closed: {sum(case['ledger'] for case in cases)}")
    for case in cases:
        if case["failed"] or case["aborts"]:
            say(f"seed {case['seed']}: {', '.join(case['failed'])}; {'; '.join(case['aborts'])}")


if __name__ == "__main__":
    dispersed.main(__doc__ or "", lambda: proxops.load(MISSION), flown, tell)
