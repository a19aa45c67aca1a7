"""Runs for the pages: small, hostile, broken and long ones, none of them simulated."""

from dataclasses import replace

import numpy as np

from proxops.results.run import Event, Ledger, Phase, Requirement, Run, Signal
from proxops.scenario.load import load

HOSTILE = "</script><script>throw new Error('ran')</script><img src=x onerror=alert(1)>&\"'"
CLOSED = Ledger(1e-13, 2e-13, 3e-9, True)
MET = Requirement("clearance", 7.3101, ">=", 5.0, "m", 2.3101, "passed")
MISSED = Requirement("joint_torque", 12.3456, "<=", 10.0, "N m", -2.3456, "failed")
TABLE = (
    Signal("relative.p_CT", "m", "C", (3,)),
    Signal("relative.q_CT", "1", "T to C, wxyz", (4,)),
    Signal("relative.w_CT_C", "rad/s", "C", (3,)),
    Signal("relative.p_GE", "m", "G", (3,)),
    Signal("chaser.p_HC", "m", "H", (3,)),
    Signal("chaser.v_HC", "m/s", "H", (3,)),
    Signal("chaser.q_NC", "1", "C to N, wxyz", (4,)),
    Signal("chaser.w_NC_C", "rad/s", "C", (3,)),
    Signal("target.p_HT", "m", "H", (3,)),
    Signal("target.v_HT", "m/s", "H", (3,)),
    Signal("target.q_NT", "1", "T to N, wxyz", (4,)),
    Signal("target.w_NT_T", "rad/s", "T", (3,)),
    Signal("chaser.arms.main.q", "rad", "", (7,)),
    Signal("chaser.arms.main.qd", "rad/s", "", (7,)),
    Signal("chaser.arms.main.tau", "N m", "", (7,)),
    Signal("target.appendages.left.q_f", "m", "", (4,)),
    Signal("target.appendages.right.q_f", "m", "", (4,)),
    Signal("contacts.ring.f", "N", "T", (3,)),
    Signal("contacts.ring.f_n", "N", "", (6,)),
    Signal("contacts.ring.f_t", "N", "", (6,)),
    Signal("contacts.ring.cone", "1", "", (6,)),
    Signal("contacts.ring.gap", "m", "", (6,)),
    Signal("holds.arm.f", "N", "T", (3,)),
    Signal("holds.arm.t", "N m", "T", (3,)),
    Signal("chaser.thrusters.thrust", "N", "", (24,)),
    Signal("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (6,)),
    Signal("ledger.kinetic_energy", "J", "", ()),
    Signal("ledger.work_motors", "J", "", ()),
    Signal("ledger.work_tide", "J", "", ()),
    Signal("sensors.camera.noise", "1", "", (2, 2)),
    Signal("obsw.phase", "1", "", ()),
)


def run_of(
    count: int = 400, rate: float = 100.0, outcome: str = "passed", title: str = "a test"
) -> Run:
    """A run of random walks with one of everything that pages show."""
    rng = np.random.default_rng(3)
    width = sum(signal.width for signal in TABLE)
    walks = np.cumsum(rng.normal(size=(count, width)), axis=0)
    rows = np.column_stack([np.arange(count) / rate, walks])
    run = Run(
        name="case",
        provenance={
            "scenario": {"name": "case", "mission": {"title": title, "time": {"duration_s": 9.0}}},
            "seed": 7,
            "versions": {"proxops": "0"},
        },
        table=TABLE,
        rows=rows,
        events=(Event(0.25, "touch-down", "contacts.ring pad 0"),),
        phases=(Phase("approach", 0.0, 0.5), Phase("push", 0.5, float(rows[-1, 0]))),
        requirements=(MET, MISSED) if outcome == "failed" else (MET,),
        ledger=CLOSED,
        outcome=outcome,
    )
    for quaternion in ("relative.q_CT", "chaser.q_NC", "target.q_NT"):
        samples = run[quaternion][1]
        samples /= np.linalg.norm(samples, axis=1, keepdims=True)
    return run


def invalid_run() -> Run:
    """Its numbers blow up half-way, and the ledger does not close."""
    run = run_of(outcome="invalid")
    run.rows[200:, 1:] = np.nan
    run.rows[199, 5] = np.inf
    fault = Event(2.0, "fault", "a state is no longer finite")
    ledger = Ledger(float("nan"), 2e-13, 0.25, False)
    return replace(run, events=(*run.events, fault), ledger=ledger)


def cut_run() -> Run:
    """It ended before its time."""
    undecided = replace(MET, value=None, margin=None, status="not-reached")
    return replace(run_of(outcome="cut-short"), requirements=(undecided,))


def hostile_run() -> Run:
    """Every text of it tries to leave its place."""
    return replace(
        run_of(outcome="failed", title=HOSTILE),
        name=HOSTILE,
        events=(Event(0.5, HOSTILE, HOSTILE), Event(0.0, "warning", HOSTILE)),
        phases=(Phase(HOSTILE, 0.0, 1.0),),
        requirements=(replace(MISSED, name=HOSTILE, unit=HOSTILE, comparison=HOSTILE),),
        table=(*TABLE[:-1], replace(TABLE[-1], name=HOSTILE, frame=HOSTILE, unit=HOSTILE)),
    )


def with_scenario(run: Run, name: str) -> Run:
    """The run as if it came from a shipped scenario."""
    return replace(run, provenance={**run.provenance, "scenario": load(name).to_dict()})
