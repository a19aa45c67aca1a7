"""The approach from 1 km when thrust fails: free drifts, and avoidance from inside the zone.

python -m benchmarks.passive_safety
python -m benchmarks.passive_safety --losses 500 --avoidances 200 --each 20 --seed 0
"""

import argparse
import math
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

import proxops
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.physics.orbit.drift import drift_points
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.results.run import Run
from proxops.scenario.load import Scenario

MISSION = "approach-1km"
MU = ATTRACTORS["earth"].mu
DAY = 86400.0  # [s]
STEP = 10.0  # between looks at a drift [s]
NEAR = 300.0  # from an avoidance on, hulls are looked at; then the two are far apart [s]
REACH = 7.1  # of both hulls from their centres of mass, together [m]

# A chaser that turns with a tumbling target, beside the ring of Envisat
TUMBLES = 2.5  # [deg/s]
BESIDE = 7.0  # centre of mass from the target's [m]
THRUST = 4.0  # of each thruster: 1 N cannot keep it there [N]
ENVISAT_REACH = 20.9  # with the 14 m array, and that of the chaser [m]
ENVISAT = {
    "mass_kg": 7827.867,
    "inertia_kg_m2": [[17023.3, 0.0, 0.0], [0.0, 124825.7, 0.0], [0.0, 0.0, 129112.2]],
    "grapple": {"p_TG_m": [-2.36, 0.0, 0.0], "q_TG": [math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0]},
    "shapes": {
        "bus": {"kind": "box", "size_m": [6.8, 2.8, 2.8], "p_TB_m": [1.04, 0.0, 0.0]},
        "array": {"kind": "panel", "size_m": [14.0, 5.0], "p_TB_m": [11.44, 0.0, 0.0]},
    },
}
SYNCHRONISED = {
    "does": "avoid",
    "delta_v_m_s": 0.13,
    "direction_H": [0.0, -1.0, 0.0],
    "away_m_s": 0.11,
}


def say(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def reference(mission: Any, t: float) -> tuple[Any, Any]:
    """R, V of the target a time [s] after the start; N lies in the orbit plane."""
    orbit = mission.orbit
    nu = math.radians(orbit.true_anomaly_deg)
    start = state_from_elements(
        MU, orbit.semi_major_axis_km * 1e3, orbit.eccentricity, 0.0, 0.0, 0.0, nu
    )
    R, V = propagate(MU, *(tuple(map(float, each)) for each in start), t)
    return R, V


def period(mission: Any) -> float:
    """Of the target's orbit [s]."""
    return math.tau * math.sqrt((mission.orbit.semi_major_axis_km * 1e3) ** 3 / MU)


def at(run: Run, name: str, t: float) -> list[float]:
    """A signal at an instant."""
    times, values = run[name]
    return [float(each) for each in np.ravel(values[np.searchsorted(times, t)])]


def drift(run: Run, mission: Any, t: float, seconds: float) -> np.ndarray:
    """Distances of the centres of mass [m], every STEP, if all thrust ended at t."""
    R, V = reference(mission, t)
    p, v = (tuple(at(run, f"relative.{name}_TcmCcm_H", t)) for name in "pv")
    p_O, v_O = inertial_from_hill(R, V, p, v)
    chaser = tuple(np.add(R, p_O).tolist()), tuple(np.add(V, v_O).tolist())
    times = np.arange(0.0, seconds, STEP)
    points = np.empty((len(times), 3))
    drift_points(MU, (R, V), (R, V), chaser, times, points)
    return np.linalg.norm(points, axis=1)


def losses(run: Run, mission: Any, count: int, generator: np.random.Generator) -> None:
    """All thrust lost at random instants, and the share of time for which that is not safe."""
    radius, orbits = mission.zones.keep_out_m, round(2.0 * period(mission) / STEP)
    enter, day, inside = list[int](), 0, 0
    for t in np.sort(generator.uniform(0.0, mission.time.duration_s, count)).astype(int):
        if at(run, "safety.keep_out_distance", t)[0] < 0.0:
            inside += 1
            continue
        distance = drift(run, mission, t, DAY)
        day += bool(distance.min() < radius)
        if distance[:orbits].min() < radius:
            enter.append(int(t))
    say(f"thrust lost at {count} instants: {count - inside} outside the zone, {inside} inside")
    say(f"  drifts from outside that enter within two orbits: {len(enter)}, from {enter} s")
    say(f"  within 24 h: {day}")
    outside = run["safety.keep_out_distance"][1].ravel() > 0.0
    unsafe = run["safety.drift_keep_out"][1].ravel() < 0.0
    say(
        f"  without passive safety: {(outside & unsafe).sum()} s of {outside.sum()} s outside, "
        f"{100 * (outside & unsafe).sum() / outside.sum():.2f} %; "
        f"{100 * unsafe.mean():.1f} % of all time"
    )


def avoided(scenario: Scenario, changes: Mapping[str, Any], reach: float) -> list[float]:
    """What comes of a manoeuvre with which a case begins: least clearance over that at the start,
    distance after an orbit [m], fuel [m/s]."""
    shared = {"requirements": None, "dispersions": None, "time.duration_s": NEAR + 1.0}
    case = scenario.replace(shared | dict(changes))
    run = proxops.simulate(case)
    t, clearance = run["relative.clearance"]
    begins = next(each.start_s for each in run.phases if each.name == "evade")
    near = clearance.ravel()[t >= begins]
    far = drift(run, case.mission, float(t[-1]), 2.0 * period(case.mission))
    orbit = far[round((period(case.mission) - NEAR) / STEP)]
    least = min(near.min(), far.min() - reach) / near[0]
    return [least, orbit, at(run, "chaser.delta_v", t[-1])[0]]


def given(section: Any) -> dict[str, Any]:
    """A section of a scenario as plain data, what it leaves to defaults left out."""
    return dict(section.model_dump(exclude_unset=True))


def plan(evade: dict[str, Any]) -> dict[str, Any]:
    """One that evades as soon as the attitude is known."""
    return {"legs": {"wait": {"does": "rest", "settle_s": 1.0, "next": "evade"}, "evade": evade}}


def state(run: Run, scenario: Scenario, t: float) -> dict[str, Any]:
    """That of a run at an instant, as the start of a mission."""
    R, _ = reference(scenario.mission, t)
    return {
        "orbit.true_anomaly_deg": math.degrees(math.atan2(R[1], R[0])),
        "chaser.p_HC_m": at(run, "chaser.p_HC", t),
        "chaser.v_HC_m_s": at(run, "chaser.v_HC", t),
        "chaser.q_NC": at(run, "chaser.q_NC", t),
        "chaser.w_NC_C_deg_s": np.degrees(at(run, "chaser.w_NC_C", t)).tolist(),
        "target.q_NT": at(run, "target.q_NT", t),
        "target.w_NT_T_deg_s": np.degrees(at(run, "target.w_NT_T", t)).tolist(),
    }


def again(
    run: Run, scenario: Scenario, t: float, dead: str | None, way_out: str = "evade"
) -> dict[str, Any]:
    """A mission that evades from the state of a run at an instant."""
    evade = given(scenario.mission.obsw.plan.legs[way_out])
    changes = state(run, scenario, t) | {"obsw.plan": plan(evade)}
    if dead is not None:
        fault = {"kind": "dead-thruster", "thruster": dead, "from_s": 0.0}
        changes["faults"] = {"dead": fault}
    return changes


def beside_a_tumbling_target(scenario: Scenario, generator: np.random.Generator) -> dict[str, Any]:
    """A chaser that is at rest in the axes of a target that tumbles, its camera on the ring, from
    any attitude."""
    q = generator.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    R_NT = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    R, V = reference(scenario.mission, 0.0)  # at periapsis, where N is H
    w_NH = np.cross(R, V) / np.dot(R, R)
    w_NT = R_NT @ [0.0, -math.radians(TUMBLES), 0.0]
    p = R_NT @ [-BESIDE, 0.0, 0.0]
    # C has y, along which the camera looks, on x of T, z on z, x on -y: a quarter turn about z
    half = math.sqrt(0.5)
    q_NC = [half * (w + z), half * (x - y), half * (x + y), half * (z - w)]
    R_TC = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    thrusters = scenario.mission.chaser.thrusters
    return {
        "target": {
            **ENVISAT,
            "q_NT": [w, x, y, z],
            "w_NT_T_deg_s": [0.0, -TUMBLES, 0.0],
        },
        "chaser.thrusters": {
            name: given(each) | {"thrust_N": THRUST} for name, each in thrusters.items()
        },
        "chaser.p_HC_m": p.tolist(),
        "chaser.v_HC_m_s": np.cross(w_NT - w_NH, p).tolist(),
        "chaser.q_NC": q_NC,
        "chaser.w_NC_C_deg_s": np.degrees(R_TC.T @ R_NT.T @ w_NT).tolist(),
        "obsw.plan": plan(SYNCHRONISED),
    }


def tell(title: str, found: list[list[float]]) -> None:
    """The worst of all; nothing where none was asked for."""
    if not found:
        return
    least, orbit, fuel = np.array(found).T
    say(
        f"{title}: {len(found)}, clearance at least {least.min():.3f} of that at the start, "
        f"after an orbit {orbit.min():.0f} m or more away, fuel at most {fuel.max():.3f} m/s"
    )


def main() -> None:
    """Flies the approach, then what fails in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--losses", type=int, default=500, help="instants at which thrust is lost")
    parser.add_argument("--avoidances", type=int, default=200, help="instants inside the zone")
    parser.add_argument("--each", type=int, default=20, help="of those, with each thruster dead")
    parser.add_argument("--disperse", type=int, help="fly the dispersed case of that seed")
    parser.add_argument("--seed", type=int, default=0, help="of the instants")
    chosen = parser.parse_args()
    generator = np.random.default_rng(chosen.seed)
    scenario = proxops.load(MISSION)
    flown = scenario if chosen.disperse is None else scenario.dispersed(chosen.disperse)
    run = proxops.simulate(flown)
    losses(run, flown.mission, chosen.losses, generator)
    t, drifts = run["safety.drift_keep_out"]
    inside = t[(drifts.ravel() < 0.0) & (t > run.phases[1].start_s)]  # or about to enter
    instants = generator.choice(inside, chosen.avoidances)
    none = [avoided(flown, again(run, flown, each, None), REACH) for each in instants]
    tell("avoidance wherever a drift is not safe", none)
    for name in flown.mission.chaser.thrusters:
        cases = [again(run, flown, t, name) for t in generator.choice(inside, chosen.each)]
        tell(f"  {name} dead", [avoided(flown, each, REACH) for each in cases])
    cases = [beside_a_tumbling_target(scenario, generator) for _ in range(chosen.avoidances)]
    tell(
        "avoidance beside a tumbling target",
        [avoided(scenario, each, ENVISAT_REACH) for each in cases],
    )


if __name__ == "__main__":
    main()
