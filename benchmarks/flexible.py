"""What modes of appendages cost: in our step, and in Basilisk's with as many."""

from dataclasses import replace

import numpy as np

from benchmarks.engines import Entry
from benchmarks.peers.model import sliders, space_arm, tumbling
from benchmarks.peers.proxops_peer import TARGET, ProxopsPeer, advance_many, describe
from benchmarks.peers.tumble import Engine
from benchmarks.timing import Effort, Job, microseconds, say, table
from proxops.core.description import AppendageDescription, CraftDescription
from proxops.physics.flexible.appendage import cantilever
from proxops.physics.flexible.beam import Beam
from proxops.plant.build import build, start_state
from proxops.plant.workspace import quiet_drive, workspace

STEP_S = 1e-3
MODE_COUNTS = (0, 4, 8, 16, 32)
BAR_MODES, BAR_PERCENT = 16, 40.0
PEER, PEER_GOAL = "basilisk", 8.0
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


def _engines() -> dict[str, tuple[Engine, Engine]]:
    """Engines with the modes on the chaser, and the same without, ours first."""
    from benchmarks.peers.basilisk_modes import chained, hinged, sliding
    from benchmarks.peers.basilisk_peer import BasiliskPeer

    chain, masses = space_arm(), sliders(BAR_MODES)
    ours, rigid = ProxopsPeer(chain, STEP_S), BasiliskPeer(chain, STEP_S)
    return {
        "proxops RK4, masses on springs": (ProxopsPeer(chain, STEP_S, masses), ours),
        "Basilisk RK4, masses on springs": (BasiliskPeer(chain, STEP_S, sliding(masses)), rigid),
        "Basilisk RK4, hinged panels": (BasiliskPeer(chain, STEP_S, hinged(masses)), rigid),
        "Basilisk RK4, panels in rows of 4": (BasiliskPeer(chain, STEP_S, chained(masses)), rigid),
    }


def _running(engine: Engine) -> Job:
    chain = space_arm()
    engine.set_state(tumbling(chain))
    tau = np.zeros(len(chain.links))
    return lambda steps: engine.run(tau, steps)


def mode_peers(entries: list[Entry], effort: Effort) -> str:
    """Table of CPU time per step with as many modes, ours and Basilisk's in its several ways."""
    if not any(entry.key == PEER for entry in entries):
        return "Basilisk is not installed."
    say("step cost: modes in Basilisk ...")
    jobs = {
        (name, flexible): _running(engine)
        for name, pair in _engines().items()
        for engine, flexible in zip(pair, (True, False), strict=True)
    }
    cost = microseconds(jobs, effort)
    names = [name for name, flexible in cost if flexible]
    ratio = {name: cost[name, True] / cost[names[0], True] for name in names[1:]}
    rows = [
        [
            name,
            f"{cost[name, False]:.2f}",
            f"{cost[name, True]:.2f}",
            f"{ratio[name]:.1f}" if name in ratio else "",
        ]
        for name in names
    ]
    head = ["us per step", "without modes", f"{BAR_MODES} modes on the chaser", "proxops faster by"]
    return (
        table(head, rows)
        + "\n\nThe masses on springs are the same in both engines, and move identically;"
        " a panel has one hinge, so one\ncoordinate, a mode.  proxops is at least"
        f" {min(ratio.values()):.1f} times faster (goal: {PEER_GOAL:g}), with the"
        " target,\nrigid here, in the step of proxops only."
    )
