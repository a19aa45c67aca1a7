"""The berthing dispersed: who latches within the bar, what triggers saw and what was true.

    python -m benchmarks.dispersed_berthing --out cases.jsonl --seeds 0:100
    python -m benchmarks.dispersed_berthing --table cases.jsonl

A flight ends once it is berthed; one that is not goes on to the end of the mission.  Errors at the
grasp are those of each instant at which the gripper began to close, interpolated between rows:

    estimated     as software has them: what triggers compare with their limits
    noise-free    as software would have them from sensors without noise: true poses, with the
                  constant errors of camera and encoders in this run
    true          of the end effector from the grasp point

A false trigger is a closing at which a noise-free error is beyond its limit: noise alone has raised
it.  Constant errors are no noise: no settling time and no filter can take them out.
"""

import math
from typing import Any

import numpy as np

import proxops
from benchmarks import dispersed
from benchmarks.dispersed import Case, say, share
from proxops.arm_paths.arm import arm_of, effector_pose
from proxops.assembly.describe import describe
from proxops.assembly.sensors import describe_sensors, sensors_of
from proxops.core.frame import Frame, frame
from proxops.core.spatial.quaternion import quat_exp
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sensor import Chaser, build

MISSION = "berthing"
BAR = {"offset_m": 2e-3, "angle_rad": 1e-3, "speed_m_s": 1e-2}  # as the hard latch closes
TRIGGERS = 2e-3, 1e-3  # [m, rad]


def believed() -> Scenario:
    """The mission, up to where it is berthed."""
    return proxops.load(MISSION).replace({"time.ends_on": "berthed", "time.record_rate_hz": 20.0})


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
        "closings": [_closing(run, scenario, t) for t in closes],
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


def _closing(run: Run, scenario: Scenario, t: float) -> dict[str, Any]:
    """Distance and angle of E from the grasp then [m, rad]."""
    estimated = [_at(run, f"obsw.berthing.{each}_error", t)[0] for each in ("place", "angle")]
    errors = constant_errors(scenario)
    return {
        "t_s": t,
        "estimated": [float(each) for each in estimated],
        "noise_free": _seen(run, scenario, t, errors),
        "true": _seen(run, scenario, t, {name: 0.0 * each for name, each in errors.items()}),
    }


def constant_errors(scenario: Scenario) -> dict[str, np.ndarray]:
    """Of each sensor in this run, drawn once: those of the camera are a shift in K and a rotation
    vector in G [m, rad]."""
    mission, sensors = scenario.mission, sensors_of(scenario)
    joints = sum(len(each.arm.joints) for each in describe(scenario)[0].arms)
    wheels, thrusters = len(mission.chaser.wheels), len(mission.chaser.thrusters)
    chaser = Chaser(joints + wheels, thrusters, tuple(mission.holds))
    draws, given = SensorDraws(mission.seed, sensors, chaser, 1), describe_sensors(mission, sensors)
    errors = {}
    for each in sensors:
        start, rows = draws.start[each.name], draws.rows[each.name]
        memory = build(each, given[each.name], chaser, mission.time.control_ns, start, rows)[1]
        errors[each.name] = memory.bias
    return errors


def _seen(run: Run, scenario: Scenario, t: float, errors: dict[str, np.ndarray]) -> list[float]:
    """Distance and angle of E from the grasp [m, rad], by a camera and encoders with these
    constant errors and no noise."""
    mission = scenario.mission
    berthing, grapple, camera = (
        mission.obsw.berthing,
        mission.target.grapple,
        mission.sensors.camera,
    )
    arm = arm_of(describe(scenario)[0], berthing.arm)
    q_CT = _at(run, "relative.q_CT", t)
    X_CT = frame(_at(run, "relative.p_CT", t), q_CT / np.linalg.norm(q_CT))
    X_CK = frame(camera.p_CK_m, camera.q_CK)
    X_KG = X_CK.inverse() @ X_CT @ frame(grapple.p_TG_m, grapple.q_TG)
    shift, rotation = np.split(errors["camera"], 2)
    X_KG = Frame(X_KG.R, X_KG.p + shift) @ frame(np.zeros(3), quat_exp.py_func(tuple(rotation)))
    q = _at(run, f"chaser.arms.{berthing.arm}.q", t)
    X_CE = effector_pose(arm, q + errors["encoders"][arm.first : arm.first + len(q)])
    away = (X_CK @ X_KG @ frame(berthing.p_GE_m, berthing.q_GE)).inverse() @ X_CE
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
    closings = [each for case in cases for each in case["closings"]]
    for who in ("estimated", "noise_free", "true"):
        name, errors = who.replace("_", "-"), np.array([each[who] for each in closings])
        beyond = int(np.sum(np.any(errors > TRIGGERS, axis=1)))
        say(f"| {name} distance as the gripper closes | {_spread(1e3 * errors[:, 0], 'mm')} |")
        say(f"| {name} angle then | {_spread(1e3 * errors[:, 1], 'mrad')} |")
        say(f"| closings beyond 2 mm or 1 mrad, {name} | {beyond} of {len(closings)} |")
    again = sum(len(case["closings"]) > 1 for case in cases)
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
