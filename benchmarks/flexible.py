"""What modes of appendages cost: a step of chaser and target, half of the modes on each."""

from dataclasses import replace

import numpy as np

from benchmarks.peers.model import space_arm, tumbling
from benchmarks.peers.proxops_peer import TARGET, advance_many, describe
from benchmarks.timing import Effort, Job, microseconds, say, table
from proxops.core.description import AppendageDescription, CraftDescription
from proxops.physics.flexible.appendage import cantilever
from proxops.physics.flexible.beam import Beam
from proxops.plant.build import build, quiet_drive, start_state, workspace

STEP_S = 1e-3
MODE_COUNTS = (0, 4, 8, 16, 32)
BAR_MODES, BAR_PERCENT = 16, 40.0
MODES_PER_BEAM = 2
PANEL = Beam(20.0, 3.0, 60.0, 5e-3, MODES_PER_BEAM, "y")  # first bending at 0.2 Hz
MAST = Beam(20.0, 3.0, 60.0, 5e-3, MODES_PER_BEAM // 2, "yz")
BEAMS = {"two shapes along one axis": PANEL, "one shape along two axes": MAST}


def _beams(beam: Beam, modes: int) -> tuple[AppendageDescription, ...]:
    """As many beams as those modes need, every other one pointing the other way."""
    start = np.array([0.01, 0.0]), np.zeros(MODES_PER_BEAM)
    made = []
    for number in range(modes // MODES_PER_BEAM):
        R = np.diag([1.0, 1.0, 1.0] if number % 2 == 0 else [-1.0, -1.0, 1.0])
        p = np.array([R[0, 0], 0.0, 0.1 * number])
        made.append(cantilever(f"beam{number}", beam, R, p, start))
    return tuple(made)


def _stepping(chaser: CraftDescription, target: CraftDescription) -> Job:
    plant = build(chaser, target, None)
    drive, work = quiet_drive(plant), workspace(plant)
    y = start_state(plant, chaser, target)
    return lambda steps: advance_many(plant, drive, work, y, STEP_S, steps)


def mode_cost(effort: Effort) -> str:
    """Table of CPU time per step against the number of modes."""
    say("step cost: modes of appendages ...")
    chain = space_arm()
    chaser = describe(chain, tumbling(chain))
    jobs = {
        (kind, modes): _stepping(
            replace(chaser, appendages=_beams(beam, modes // 2)),
            replace(TARGET, appendages=_beams(beam, modes // 2)),
        )
        for kind, beam in BEAMS.items()
        for modes in MODE_COUNTS
    }
    cost = microseconds(jobs, effort)
    more = {
        (kind, modes): 100.0 * (cost[kind, modes] / cost[kind, 0] - 1.0) for kind, modes in cost
    }
    rows = []
    for kind in BEAMS:
        rows += [
            [f"{kind}: us per step", *(f"{cost[kind, modes]:.2f}" for modes in MODE_COUNTS)],
            ["above none", *(f"{more[kind, modes]:.0f} %" for modes in MODE_COUNTS)],
        ]
    added = " and ".join(f"{more[kind, BAR_MODES]:.0f} %" for kind in BEAMS)
    return (
        table(["modes, half on each spacecraft", *map(str, MODE_COUNTS)], rows)
        + f"\n\n{BAR_MODES} modes add {added} (goal: at most {BAR_PERCENT:g})."
    )
