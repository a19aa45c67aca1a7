"""Many cases of one mission: our campaigns, scalar and in SIMD lanes, beside MuJoCo's rollout."""

import time
from collections.abc import Callable

import numpy as np

import proxops
from benchmarks.campaigns.command import DISPERSIONS
from benchmarks.peers.model import space_arm, tumbling
from benchmarks.timing import Effort, say, table
from proxops.sim.lanes.flight import Case, Flight

MISSION = "free-tumble"  # its chaser is the chain of the peers, controlled; there is a target too
LANES = 8
MAX_ROUNDS = 5  # each flies all cases, several ways
NOTE = """\
MuJoCo's `rollout` steps the bare chain of joints and stores the states.  A case of proxops is a
whole one of a campaign: built, controlled at 500 Hz, with a target, search for collisions, ledger
and rows at 100 Hz, and judged.
"""
Way = Callable[[], object]


def batch_cost(effort: Effort) -> str:
    """CPU and wall time of a step of one case, where many are flown."""
    believed = proxops.load(MISSION).replace({"dispersions": DISPERSIONS})
    cases = [believed.dispersed(seed) for seed in range(LANES)]
    step = believed.mission.time.phases["drift"].step_s
    steps = round(believed.mission.time.duration_s / step)
    flight = Flight(LANES)
    ways: dict[str, Way] = {
        **_rollouts(step, steps),
        "proxops, one case after the other": lambda: [proxops.simulate(each) for each in cases],
        f"proxops, {LANES} lanes": lambda: flight.fly([Case(each) for each in cases]),
    }
    taken = _interleaved(ways, min(effort.rounds, MAX_ROUNDS))
    anchor = next(iter(taken.values()))[0]
    rows = [
        [
            name,
            *(f"{1e6 * each / (LANES * steps):.2f}" for each in times),
            f"{anchor / times[0]:.1f}",
        ]
        for name, times in taken.items()
    ]
    head = [f"{LANES} cases of {steps} steps: us a step", "CPU time", "by the clock", "faster by"]
    return table(head, rows) + "\n\n" + NOTE


def _rollouts(step: float, steps: int) -> dict[str, Way]:
    """MuJoCo's own batches on one thread and on two, if it is installed."""
    try:
        from benchmarks.peers.mujoco_peer import MujocoPeer
    except ImportError as error:
        say(f"mujoco is not measured: {error}")
        return {}
    chain, rng = space_arm(), np.random.default_rng(0)
    state = tumbling(chain)
    starts = [state._replace(w=state.w + rng.normal(0.0, 0.01, 3)) for _ in range(LANES)]
    peer = MujocoPeer(chain, step)
    text = f"MuJoCo {peer.version} `rollout`, RK4, threads:"
    return {f"{text} {count}": peer.batch(starts, steps, count) for count in (1, 2)}


def _interleaved(ways: dict[str, Way], rounds: int) -> dict[str, list[float]]:
    """Medians of CPU and wall time of each way [s]; they take turns."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, fly in ways.items():
            say(f"batches: {name}, round {number} ...")
            cpu, wall = time.process_time(), time.perf_counter()
            fly()
            if number > 0:  # the first compiles
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                taken[name].append((cpu, wall))
    return {name: list(np.median(each, axis=0)) for name, each in taken.items()}
