"""A flight to look at that no vehicle has made: a mission in orbit, with an arena beside it.

The target's vehicle hangs still, the chaser's is a little beside its reference; both land at last.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from tests.unit.viewer_cases import short_run

from proxops.assembly.arena import load_arena, mapping_of
from proxops.core.states import FacilityState
from proxops.facility.arena.memory import FLYING, LANDING
from proxops.facility.arena.record import signals
from proxops.facility.common.guard.table import RUNNING
from proxops.results.run import Run, Signal
from proxops.scenario.schema.arena import InArena

OFF = np.array([3e-3, -4e-3, 12e-3])  # of the chaser's vehicle from its reference in L [m]
ERROR = 13e-3  # its length
HOVER, PUSHED = 4.0, 9.0  # thrust of rotors, and of the last one from the middle on [N]
LANDS_S = 0.8
STATES = (
    FacilityState("take off", -8.0, 8.0, 1.0, "tips of both vehicles", "passed"),
    FacilityState("run", 0.0, 0.2, 1.0, "tips of both vehicles", "passed"),
    FacilityState("land", 0.2, 6.0, 1.0, "tips of both vehicles", "passed"),
)


@cache
def flight(up: str = "z", length_scale: float = 1.0, time_scale: float = 5.0) -> Run:
    """One second of `arena-approach` at 50 rows a second, shown so."""
    orbit = short_run("arena-approach", 1.0, 10.0)
    loaded = load_arena("flight-arena")
    assert loaded is not None
    mapping = mapping_of(
        loaded.file, InArena(length_scale=length_scale, time_scale=time_scale, up=up)
    )
    t, count = orbit.rows[:, 0], len(orbit.rows)
    R_LH = _rotation(mapping.q_LH)
    values: dict[str, np.ndarray] = {}
    for craft, letter, off in (("target", "T", np.zeros(3)), ("chaser", "C", OFF)):
        p_H = orbit[f"{craft}.p_H{letter}"][1]
        reference = mapping.p_LH + length_scale * p_H @ R_LH.T
        values[f"lab.p_L{letter}l"] = reference + off
        values[f"lab.q_L{letter}l"] = np.tile(mapping.q_LH, (count, 1))  # level
        values[f"lab.flown.p_H{letter}"] = p_H + off @ R_LH / length_scale
        thrust = np.full((count, 6), HOVER)
        if craft == "chaser":
            thrust[t >= 0.5, -1] = PUSHED
        values |= {
            f"lab.vehicles.{craft}.p_ref": reference,
            f"lab.vehicles.{craft}.error": np.full((count, 1), np.linalg.norm(off)),
            f"lab.vehicles.{craft}.v": np.zeros((count, 3)),
            f"lab.vehicles.{craft}.rpy": np.column_stack([0.1 * t, -0.05 * t, np.zeros(count)]),
            f"lab.vehicles.{craft}.thrust": thrust,
            f"lab.vehicles.{craft}.mode": np.where(t < LANDS_S, FLYING, LANDING)[:, None],
            f"lab.vehicles.{craft}.charge": (1.0 - 0.01 * t)[:, None],
        }
    values["lab.guard.mode"] = np.full((count, 1), float(RUNNING))
    tips = loaded.file.vehicle.tips_m
    apart = np.linalg.norm(values["lab.p_LTl"] - values["lab.p_LCl"], axis=1)
    values["lab.gap"] = (apart - tips)[:, None]
    table = tuple(Signal(*row) for row in signals())
    columns = [values[signal.name] for signal in table]
    scenario: dict[str, Any] = orbit.provenance["scenario"]
    shown = {"length_scale": length_scale, "time_scale": time_scale, "up": up}
    mission = scenario["mission"] | {"arena": shown}
    provenance = orbit.provenance | {
        "scenario": scenario | {"mission": mission},
        "facility": loaded.to_dict(),
        "representation": "hill",
        "nominal": "hill",
    }
    return replace(
        orbit,
        provenance=provenance,
        table=(*orbit.table, *table),
        rows=np.column_stack([orbit.rows, *columns]),
        procedure=STATES,
    )


def _rotation(q: np.ndarray) -> np.ndarray:
    """R of a quaternion wxyz."""
    w, v = q[0], q[1:]
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross
