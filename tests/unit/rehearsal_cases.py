"""A rehearsal to look at that no facility has made: a mission in orbit, with a lab beside it.

The target stands still in the lab, the robots hold one pose, and the guard stops half-way.
"""

from dataclasses import replace
from functools import cache

import numpy as np
from tests.unit.viewer_cases import short_run

from proxops.assembly.facility import load_facility, start_pose
from proxops.core.frame import frame
from proxops.facility.common.guard.table import BRAKING, RUNNING, STOPPED
from proxops.results.compared import Fidelity
from proxops.results.fidelity import compare
from proxops.results.run import Event, Run, Signal
from proxops.scenario.load import Scenario
from proxops.sim.orbit_reference import ORBIT, is_reference

TARGET_JOINTS = (0.34, -1.16, 1.34, -2.05, 0.39, 0.52)  # [rad]
CHASER_JOINTS = (1.01, -1.17, 1.37, -1.69, 1.03, 0.23)
BRAKES_S, STANDS_S = 0.6, 0.8
REASON = "speed of axis 3 of the target's robot 2.2 rad/s, limit 2.094 rad/s"
LATE_M = 1e-3  # by which the rehearsal is off in x
STOP = (Event(BRAKES_S, "guard", REASON), Event(STANDS_S, "stopped", f"the guard ends: {REASON}"))


@cache
def rehearsal(name: str = "touch", contact: str = "tip") -> Run:
    """One second of a mission with that contact, at 50 rows a second."""
    orbit = short_run(name, 1.0, 50.0)
    scenario = Scenario.from_dict(orbit.provenance["scenario"])
    facility = load_facility("oos-sim").facility
    X_LT = start_pose(facility, scenario)
    t, p_CT = orbit["relative.p_CT"]
    hubs = [
        (X_LT @ frame(p, q).inverse()).row()
        for p, q in zip(p_CT, orbit["relative.q_CT"][1], strict=True)
    ]
    count = len(t)
    mode = np.where(t < BRAKES_S, RUNNING, np.where(t < STANDS_S, BRAKING, STOPPED))
    felt = np.hstack([orbit[f"contacts.{contact}.f"][1], np.zeros((count, 3))])
    added = [
        (Signal("lab.p_LTl", "m", "L", (3,)), np.tile(X_LT.row()[:3], (count, 1))),
        (Signal("lab.q_LTl", "1", "Tl to L, wxyz", (4,)), np.tile(X_LT.row()[3:], (count, 1))),
        (Signal("lab.p_LCl", "m", "L", (3,)), np.array(hubs)[:, :3]),
        (Signal("lab.q_LCl", "1", "Cl to L, wxyz", (4,)), np.array(hubs)[:, 3:]),
        (Signal("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (6,)), felt),
        (Signal("nominal.p_HN", "m", "H", (3,)), orbit["target.p_HT"][1]),
        (Signal("nominal.q_NN", "1", "nominal to N, wxyz", (4,)), orbit["target.q_NT"][1]),
        (Signal("lab.guard.mode", "1", "", ()), mode[:, None].astype(float)),
        (Signal("lab.robots.target.q", "rad", "", (6,)), np.tile(TARGET_JOINTS, (count, 1))),
        (Signal("lab.robots.chaser.q", "rad", "", (6,)), np.tile(CHASER_JOINTS, (count, 1))),
        (Signal("lab.energy", "J", "", ()), np.sin(t)[:, None]),
        (Signal("lab.measured.q_CT", "1", "T to C, wxyz", (4,)), orbit["relative.q_CT"][1]),
    ]
    for signal in orbit.signals():
        if is_reference(signal.name):
            kept = replace(signal, name=f"{ORBIT}{signal.name}")
            off = LATE_M * t[:, None] * np.eye(1, signal.width) if signal.unit == "m" else 0.0
            added.append((kept, orbit[signal.name][1].reshape(count, -1) - off))
    given = {"name": "oos-sim", "file": facility.model_dump(mode="json")}
    provenance = {**orbit.provenance, "facility": given, "representation": "target-fixed"}
    made = replace(
        orbit,
        provenance=provenance,
        table=(*orbit.table, *(signal for signal, _ in added)),
        rows=np.column_stack([orbit.rows, *(columns for _, columns in added)]),
        events=(*orbit.events, *STOP),
        outcome="stopped",
    )
    rows = compare(orbit, made)
    return replace(made, fidelity=Fidelity("oos-sim", "target-fixed", rows))
