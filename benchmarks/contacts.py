"""What contacts cost beside MuJoCo: a step on six pads that rub, and an impact."""

import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from benchmarks.peers.model import ARM_JOINTS
from benchmarks.peers.proxops_touch import ProxopsTouch
from benchmarks.peers.touching import PADS, Touch
from benchmarks.timing import Effort, microseconds, say, table

STEP_S = 1e-3
GOAL = 6.0
# The pads of the deorbit study, pressed on; a millisecond is short for them.
PRESSED = Touch(1e4, 3e3, gap=-0.015, speed=0.0, push=900.0, joints=ARM_JOINTS)
SETTLING = 2000  # steps before the cost is taken

ZETA, SPEED, STIFFNESS = 0.1, 0.05, 1e6  # of the impact, all pads together
UNTIL_S = 0.4
OURS_S = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4)
THEIRS_S = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 2e-5)


class Engine(Protocol):
    """What both engines do."""

    def run(self, steps: int) -> None: ...
    def touches(self) -> int: ...
    def closing_speed(self) -> float: ...


Maker = Callable[[Touch, float], Engine]


def _mujoco() -> Maker | None:
    try:
        from benchmarks.peers.mujoco_touch import MujocoTouch
    except ImportError as error:
        say(f"contacts are not measured beside MuJoCo: {error}")
        return None
    return MujocoTouch


def contact_cost(effort: Effort) -> str:
    """Tables of CPU time per step on six pads, and of error against CPU time in an impact."""
    theirs = _mujoco()
    return f"{_steps(theirs, effort)}\n\n{_impact(theirs, effort)}"


def _steps(theirs: Maker | None, effort: Effort) -> str:
    say("contacts: a step on six pads ...")
    engines: dict[str, Engine] = {"proxops RK4": ProxopsTouch(PRESSED, STEP_S)}
    if theirs is not None:
        engines["MuJoCo RK4, warm-started"] = theirs(PRESSED, STEP_S)
    for engine in engines.values():
        engine.run(SETTLING)
    cost = microseconds({name: engine.run for name, engine in engines.items()}, effort)
    for name, engine in engines.items():
        if engine.touches() != PADS:
            raise RuntimeError(f"{name}: {engine.touches()} of {PADS} pads touch")
    rows = [[name, f"{us:.2f}"] for name, us in cost.items()]
    text = table(
        ["chaser with 7 joints on six pads with friction, and target", "us per step"], rows
    )
    if len(cost) > 1:
        ours, peers = cost.values()
        text += f"\n\nproxops is faster by {peers / ours:.1f} (goal: {GOAL:g})."
    return text


def _impact(theirs: Maker | None, effort: Effort) -> str:
    """Error of the speed after an impact, whose closed form is v exp(-2ζ acos ζ/√(1 - ζ²))."""
    bare = Touch(STIFFNESS / PADS, 0.0, gap=1.37e-3, speed=SPEED, push=0.0, joints=0)
    damping = 2.0 * ZETA * math.sqrt(STIFFNESS * bare.reduced_mass()) / PADS
    touch = bare._replace(damping=damping)
    out = SPEED * math.exp(-2.0 * ZETA * math.acos(ZETA) / math.sqrt(1.0 - ZETA * ZETA))

    def fixed(given: Touch, dt: float) -> Engine:
        return ProxopsTouch(given, dt, fixed=True)

    runs: list[tuple[str, Maker, Sequence[float]]] = [("proxops RK4", fixed, OURS_S)]
    if theirs is not None:
        runs.append(("MuJoCo RK4", theirs, THEIRS_S))
    rows = []
    for name, make, steps in runs:
        for dt in steps:
            say(f"contacts: an impact, {name} at {1e3 * dt:g} ms ...")
            times = []
            for _ in range(effort.rounds):
                engine = make(touch, dt)
                start = time.process_time()
                engine.run(round(UNTIL_S / dt))
                times.append(time.process_time() - start)
            error = abs(-engine.closing_speed() - out) / SPEED
            rows.append(
                [name, f"{1e3 * dt:g}", f"{error:.1e}", f"{1e3 * statistics.median(times):.3f}"]
            )
    longest = ProxopsTouch(touch, UNTIL_S).longest_step
    return (
        table(["an impact, ζ = 0.1", "step [ms]", "error of the speed", "CPU time [ms]"], rows)
        + "\n\nErrors are those of the speed after the impact, over the speed before it.  Steps"
        f" are fixed here; without that, proxops takes {1e3 * longest:.1f} ms while pads touch."
    )
