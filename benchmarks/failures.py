"""The shipped approach with each kind of failure at ten random instants: where it ends, and why.

    python -m benchmarks.failures --out cases.jsonl                  all kinds, ten cases each
    python -m benchmarks.failures --out cases.jsonl --kinds stuck-closed,lost-link --cases 0:3
    python -m benchmarks.failures --table cases.jsonl                only the table

Instants, thrusters and directions are drawn from the number of the kind and of the case.  A flight
ends 20 minutes after its failure, an orbit after a manoeuvre of the target: by then it has gone on,
or found its way out.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import proxops
from proxops.scenario.load import Scenario

MISSION = "approach-1km"
AFTER = 1200.0  # [s]
AN_ORBIT = 6000.0  # after which it ends where the drift itself has changed [s]
FIRST, NEAR, LAST = 60.0, 5150.0, 5800.0  # instants [s]: the first, the first near by, the last
LINK_LOST = "ground.link_age > 60 s"
WHEELS = "xyz"

Changes = dict[str, Any]


def _thruster(kind: str, **more: Any) -> Callable[[Scenario, np.random.Generator, float], Changes]:
    def changes(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
        name = rng.choice(list(scenario.mission.chaser.thrusters))
        lasts = {"until_s": t + 2.0} if more.get("lasts") else {}
        own = {key: value for key, value in more.items() if key != "lasts"}
        return {"faults.f": {"kind": kind, "thruster": str(name), "from_s": t, **lasts, **own}}

    return changes


def _blind(seconds: float, *sensors: str) -> Callable[..., Changes]:
    def changes(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
        window = [{"from_s": t} if math.isinf(seconds) else {"from_s": t, "until_s": t + seconds}]
        return {f"sensors.{each}.dropouts": window for each in sensors}

    return changes


def _plans_fail(mode: str) -> Callable[..., Changes]:
    return lambda scenario, rng, t: {
        "faults.f": {"kind": "guidance-failure", "mode": mode, "from_s": t}
    }


def _target_moves(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    direction = rng.normal(size=3)
    delta_v = (0.05 * direction / np.linalg.norm(direction)).tolist()
    fault = {"kind": "target-manoeuvre", "delta_v_H_m_s": delta_v}
    return {"faults.f": {**fault, "from_s": t, "until_s": t + 10.0}}


def _late(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    delay = 0.2 * float(rng.integers(5, 26))  # 1 to 5 s
    return {"faults.f": {"kind": "late-commands", "delay_s": delay, "from_s": t}}


def _link(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    """No way out listens to the ground: it would lead out of itself."""
    plan = scenario.mission.obsw.plan
    assert plan is not None
    found: Changes = {"ground": {"link_lost": [{"from_s": t}]}}
    for name, leg in plan.legs.items():
        if leg.next is not None or name == "hold_again":
            found[f"obsw.plan.legs.{name}.abort_if"] = [*leg.abort_if, LINK_LOST]
    return found


def _small_wheels(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    """Wheels that are full after a few milliradians a second of the hub."""
    limit = float(rng.uniform(2.0, 10.0))
    return {f"chaser.wheels.{each}.max_speed_rpm": limit for each in WHEELS}


def _eclipse(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    """The Sun in the plane of the orbit: behind the Earth, or in the camera, a part of it."""
    angle = rng.uniform(0.0, 2.0 * math.pi)
    return {"orbit.sun_direction_N": [math.cos(angle), math.sin(angle), 0.0]}


def _outliers(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    return {"sensors.range_finder.outlier_probability": 0.3, "seed": int(rng.integers(1000))}


def _inertia(scenario: Scenario, rng: np.random.Generator, t: float) -> Changes:
    return {"dispersions": {"i": {"key": "target.inertia_kg_m2", "scale": 0.3}}}


FAR = "bearing_camera", "range_finder", "camera"
# Name: its changes, and between which instants; None: throughout, from the start to the end
KINDS: dict[str, tuple[Callable[..., Changes], tuple[float, float] | None]] = {
    "stuck-closed": (_thruster("dead-thruster"), (FIRST, LAST)),
    "stuck-open-2s": (_thruster("stuck-open-thruster", lasts=True), (FIRST, LAST)),
    "stuck-open": (_thruster("stuck-open-thruster"), (FIRST, LAST)),
    "weak": (_thruster("weak-thruster", share=0.9), (FIRST, LAST)),
    "infeasible": (_plans_fail("infeasible"), (FIRST, LAST)),
    "iteration-limit": (_plans_fail("iteration-limit"), (FIRST, LAST)),
    "nan": (_plans_fail("nan"), (FIRST, LAST)),
    "target-manoeuvre": (_target_moves, (FIRST, LAST)),
    "dropout-60s-far": (_blind(60.0, *FAR), (FIRST, NEAR)),
    "dropout-5s-near": (_blind(5.0, *FAR), (NEAR, LAST)),
    "cameras-blinded": (_blind(math.inf, "bearing_camera", "camera"), (FIRST, LAST)),
    "lost-link": (_link, (FIRST, LAST)),
    "late-commands": (_late, (FIRST, LAST)),
    "wheel-saturation": (_small_wheels, None),
    "eclipse": (_eclipse, None),
    "range-outliers": (_outliers, None),
    "target-inertia": (_inertia, None),
}


def _fly(kind: str, case: int) -> dict[str, Any]:
    """One case: what was injected, and what came of it."""
    changes, between = KINDS[kind]
    rng = np.random.default_rng([list(KINDS).index(kind), case])
    base = proxops.load(MISSION)
    t = 0.0 if between is None else round(float(rng.uniform(*between)), 1)
    changed = base.replace(changes(base, rng, t))
    if between is not None:
        end = min(base.mission.time.duration_s, math.ceil(t + AFTER))
        if kind == "target-manoeuvre":
            end = math.ceil(t + AN_ORBIT)
        changed = changed.replace({"time.duration_s": end})
    if changed.mission.dispersions and kind == "target-inertia":
        changed = changed.dispersed(case)
    run = proxops.simulate(changed)
    events = [each for each in run.events if each.name != "pace"]
    plan = base.mission.obsw.plan
    assert plan is not None
    legs = [each.name for each in events if each.name in plan.legs]
    return {
        "kind": kind,
        "case": case,
        "t": t,
        "ends": legs[-1],
        "way_out": plan.legs[legs[-1]].next is None and legs[-1] != "hold_again",
        "reached": "hold_10" in legs,
        "zone_margin": float(run["safety.zone_margin"][1].min()),
        "clearance": float(run["relative.clearance"][1].min()),
        "collision": any(each.name == "collision" for each in events),
        "ledger": run.ledger.closed,
        "reasons": [each.detail for each in events if _says_why(each.detail)],
    }


def _says_why(detail: str) -> bool:
    words = (
        " aborted: ",
        " timed out ",
        "not be made, limit",
        "isolation valve",
        "not used any more",
    )
    return any(word in detail for word in words)


def _reason(text: str) -> str:
    """What is the same in all cases: the quantity and its limit."""
    found = re.search(r"aborted: (\S+) \S+.*?(limit .*)|(timed out after \S+ s)", text)
    if found is None:
        if "isolation" in text:
            return "thruster isolated"
        return "thruster given up" if "thruster" in text else "guidance holds"
    return found[3] or f"{found[1]}, {found[2]}"


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield (
        "| failure | cases | go on | way out | collisions | least zone margin [m] | "
        "least clearance [m] | reported |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for kind in KINDS:
        own = [each for each in rows if each["kind"] == kind]
        if not own:
            continue
        counts: dict[str, int] = {}
        for each in own:
            for reason in dict.fromkeys(map(_reason, each["reasons"])):
                counts[reason] = counts.get(reason, 0) + 1
        said = "; ".join(f"{reason} ({count})" for reason, count in counts.items())
        out = sum(each["way_out"] for each in own)
        yield (
            f"| `{kind}` | {len(own)} | {len(own) - out} | {out} | "
            f"{sum(each['collision'] for each in own)} | "
            f"{min(each['zone_margin'] for each in own):.3f} | "
            f"{min(each['clearance'] for each in own):.2f} | {said} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="file to add cases to, one line each")
    parser.add_argument("--kinds", default=",".join(KINDS), help="separated by commas")
    parser.add_argument("--cases", default="0:10", help="from:until")
    parser.add_argument("--table", type=Path, help="print the table of such a file")
    given = parser.parse_args()
    if given.table:
        lines = given.table.read_text("utf-8").splitlines()
        sys.stdout.write("\n".join(_table([json.loads(line) for line in lines])) + "\n")
        return
    rows = []
    for case in range(*map(int, given.cases.split(":"))):
        for kind in given.kinds.split(","):
            rows.append(_fly(kind, case))
            if given.out:
                with given.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
    sys.stdout.write("\n".join(_table(rows)) + "\n")


if __name__ == "__main__":
    main()
