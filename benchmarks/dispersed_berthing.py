"""The berthing dispersed: who latches within the bar, what triggers saw and what was true.

    python -m benchmarks.dispersed_berthing --out cases.jsonl --seeds 0:100
    python -m benchmarks.dispersed_berthing --table cases.jsonl

A flight ends once it is berthed; one that is not goes on to the end of the mission.  Distances from
the grasp are those of the instant at which the gripper began to close for good, interpolated
between rows.
"""

import math
from typing import Any

import numpy as np

import proxops
from benchmarks import dispersed
from benchmarks.dispersed import Case, say, share
from proxops.arm_paths.arm import arm_of, effector_pose
from proxops.assembly.describe import describe
from proxops.core.frame import frame
from proxops.results.run import Run
from proxops.scenario.load import Scenario

MISSION = "berthing"
BAR = {"offset_m": 2e-3, "angle_rad": 1e-3, "speed_m_s": 1e-2}  # as the hard latch closes
TRIGGERS = 2e-3, 1e-3  # [m, rad]


def believed() -> Scenario:
    """The mission, up to where it is berthed."""
    return proxops.load(MISSION).replace({"time.ends_on": "berthed"})


def flown(scenario: Scenario, seed: int) -> Case:
    """One case."""
    run = proxops.simulate(scenario)
    closes = [each.t_s for each in run.events if each.name == "gripper-closes"]
    latched = any(e.name == "hold-closes" and "holds.hard" in e.detail for e in run.events)
    attempt = run["holds.hard.attempt"][1][-1] if latched else [None] * 4
    return {
        "latched": latched,
        **dict(zip((*BAR, "rate_rad_s"), map(_number, attempt), strict=True)),
        "failed": [each.name for each in run.requirements if not each.passed],
        "aborts": [each.detail for each in run.events if each.name == "arm-aborts"],
        "collisions": sum(each.name == "collision" for each in run.events),
        "closings": len(closes),
        "estimated": _estimated(run, closes[-1]) if closes else None,
        "true": _true(run, scenario, closes[-1]) if closes else None,
        "clamp_N": max(float(run[f"contacts.{s}.f_peak"][1].max()) for s in ("left", "right")),
        "torque_N_m": float(np.abs(run["chaser.arms.main.tau_peak"][1]).max()),
        "ledger": bool(run.ledger.closed),
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _at(run: Run, name: str, t: float) -> np.ndarray:
    """A signal between two rows."""
    times, values = run[name]
    rows = values.reshape(len(times), -1)
    return np.array([np.interp(t, times, column) for column in rows.T])


def _estimated(run: Run, t: float) -> list[float]:
    """Distance and angle from the grasp, as software has them [m, rad]."""
    return [float(_at(run, f"obsw.berthing.{each}_error", t)[0]) for each in ("place", "angle")]


def _true(run: Run, scenario: Scenario, t: float) -> list[float]:
    """Distance and angle of E from the grasp [m, rad]."""
    mission = scenario.mission
    berthing, grapple = mission.obsw.berthing, mission.target.grapple
    arm = arm_of(describe(scenario)[0], berthing.arm)
    q_CT = _at(run, "relative.q_CT", t)
    X_CG = frame(_at(run, "relative.p_CT", t), q_CT / np.linalg.norm(q_CT)) @ frame(
        grapple.p_TG_m, grapple.q_TG
    )
    wanted = X_CG @ frame(berthing.p_GE_m, berthing.q_GE)
    away = wanted.inverse() @ effector_pose(arm, _at(run, f"chaser.arms.{berthing.arm}.q", t))
    cosine = 0.5 * (np.trace(away.R) - 1.0)
    sine = 0.5 * np.linalg.norm(away.R - away.R.T) / math.sqrt(2.0)
    return [float(np.linalg.norm(away.p)), math.atan2(sine, cosine)]


def in_bar(case: Case) -> bool:
    """Whether the hard latch closed within the bar."""
    return case["latched"] and all(case[key] <= limit for key, limit in BAR.items())


def tell(cases: list[Case]) -> None:
    """The table."""
    say("| | |\n|---|---|")
    say(f"| hard latch closes within 2 mm, 1 mrad, 10 mm/s | {share(cases, in_bar)} |")
    say(f"| all requirements met | {share(cases, lambda case: not case['failed'])} |")
    latched = [case for case in cases if case["latched"]]
    for key, unit, factor in (("offset_m", "mm", 1e3), ("angle_rad", "mrad", 1e3),
                              ("speed_m_s", "mm/s", 1e3)):  # fmt: skip
        name = key.split("_")[0]
        say(f"| {name} then | {_spread([factor * case[key] for case in latched], unit)} |")
    closed = [case for case in cases if case["estimated"]]
    for who in ("estimated", "true"):
        place, angle = 1e3 * np.array([case[who] for case in closed]).T
        beyond = int(np.sum((place > 1e3 * TRIGGERS[0]) | (angle > 1e3 * TRIGGERS[1])))
        say(f"| {who} distance as the gripper closes | {_spread(place, 'mm')} |")
        say(f"| {who} angle then | {_spread(angle, 'mrad')} |")
        say(f"| closings beyond 2 mm or 1 mrad, {who} | {beyond} of {len(closed)} |")
    again = sum(case["closings"] > 1 for case in cases)
    say(f"| opened and closed again | {again} of {len(cases)} |")
    say(f"| force of a clamp | {_spread([case['clamp_N'] for case in cases], 'N')} |")
    say(f"| torque of a joint | {_spread([case['torque_N_m'] for case in cases], 'N m')} |")
    say(f"| collisions | {sum(case['collisions'] for case in cases)} |")
    say(f"| ledgers closed | {sum(case['ledger'] for case in cases)} |")
    for case in cases:
        if case["failed"] or case["aborts"]:
            say(f"\nseed {case['seed']}: {', '.join(case['failed'])}; {'; '.join(case['aborts'])}")


def _spread(values: Any, unit: str) -> str:
    median, high, largest = np.quantile(values, [0.5, 0.95, 1.0])
    return f"median {median:.3g}, 95 % {high:.3g}, largest {largest:.3g} {unit}"


if __name__ == "__main__":
    dispersed.main(__doc__ or "", believed, flown, tell)
