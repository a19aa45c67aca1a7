"""What a step costs: beside other engines, with more joints, and called from Python."""

import numpy as np

from benchmarks.engines import OURS, Entry
from benchmarks.peers.model import ARM_JOINTS, space_arm, tumbling
from benchmarks.peers.tumble import Engine
from benchmarks.timing import Effort, Job, microseconds, say, table

STEP_S = 1e-3
JOINT_COUNTS = (0, 1, 3, 7, 9, 14)
STEPS_PER_CALL = (1, 10, 100, 1000, 10000)
PYTHON_GOAL_US = 3.0


def _started(entry: Entry, joints: int) -> Engine:
    chain = space_arm(joints)
    engine = entry.make(chain, STEP_S)
    engine.set_state(tumbling(chain))
    return engine


def _in_one_call(engine: Engine, joints: int) -> Job:
    tau = np.zeros(joints)
    return lambda steps: engine.run(tau, steps)


def _call_by_call(engine: Engine, joints: int) -> Job:
    tau = np.zeros(joints)

    def job(steps: int) -> None:
        for _ in range(steps):
            engine.step(tau)

    return job


def step_cost(entries: list[Entry], effort: Effort) -> str:
    """Table of CPU time per step of the 13-dof chaser, and how many times faster ours is."""
    say("step cost: 13-dof chaser ...")
    jobs = {}
    for entry in entries:
        engine = _started(entry, ARM_JOINTS)
        jobs[entry.key, "run"] = _in_one_call(engine, ARM_JOINTS)
        jobs[entry.key, "step"] = _call_by_call(engine, ARM_JOINTS)
    cost = microseconds(jobs, effort)
    ours = cost[OURS, "run"]
    rows = []
    for entry in entries:
        run, step = cost[entry.key, "run"], cost[entry.key, "step"]
        ratio = "" if entry.goal is None else f"{run / ours:.1f}"
        goal = "" if entry.goal is None else f"{entry.goal:g}"
        rows.append([f"{entry.name} ({entry.version})", f"{run:.2f}", f"{step:.2f}", ratio, goal])
    above = cost[OURS, "step"] - ours
    return (
        table(
            ["engine", "us per step", "one Python call a step [us]", "proxops faster by", "goal"],
            rows,
        )
        + f"\n\nOne Python call a step costs {above:.2f} us above the compiled loop"
        + f" (goal: at most {PYTHON_GOAL_US:g})."
    )


def joint_cost(entries: list[Entry], effort: Effort) -> str:
    """Table of CPU time per step against the number of joints."""
    cost = {}
    for joints in JOINT_COUNTS:
        say(f"step cost: {joints} joints ...")
        jobs = {entry.key: _in_one_call(_started(entry, joints), joints) for entry in entries}
        for key, value in microseconds(jobs, effort).items():
            cost[key, joints] = value
    rows = [
        [entry.name, *(f"{cost[entry.key, joints]:.2f}" for joints in JOINT_COUNTS)]
        for entry in entries
    ]
    return table(["us per step with joints:", *map(str, JOINT_COUNTS)], rows)


def call_cost(entries: list[Entry], effort: Effort) -> str:
    """Table of our CPU time per step against the number of steps in a call."""
    say("step cost: steps in a call ...")
    entry = next(entry for entry in entries if entry.key == OURS)
    engine = _started(entry, ARM_JOINTS)
    tau = np.zeros(ARM_JOINTS)

    def calls_of(steps: int) -> Job:
        def job(count: int) -> None:
            for _ in range(count):
                engine.run(tau, steps)

        return job

    cost = microseconds({steps: calls_of(steps) for steps in STEPS_PER_CALL}, effort)
    return table(
        ["steps in a call", *map(str, STEPS_PER_CALL)],
        [["us per step", *(f"{cost[steps] / steps:.2f}" for steps in STEPS_PER_CALL)]],
    )
