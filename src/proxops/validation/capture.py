"""Capture of Envisat: De Stefano et al., RA-L 2021, timeline and relative rate."""

from functools import cache

import numpy as np

from proxops.assembly.facility import load_facility
from proxops.rehearsal import on_facility
from proxops.results.run import Run
from proxops.scenario.load import load
from proxops.sim.simulation import Simulation
from proxops.validation.table import Result

MISSION = "envisat-capture"
FACILITY = "oos-sim"
SYNCHRONOUS = 15.0  # from then on the relative rate counts [s]

SYNCHRONISED = (
    "synchronise_s of the mission's timing; that the base is in place by then is the result"
)


def results() -> dict[str, Result]:
    """Ours for every published number."""
    orbit, lab = flown(), rehearsed()
    return {
        "grasp-time": Result(when(orbit, "hold-closes"), _grasped()),
        "rate-before": Result(rate_before(orbit), "true rate, axis by axis of C"),
        "rate-before-lab": Result(rate_before(lab), f"{MISSION} on {FACILITY}, of the models"),
        "sync-time": Result(when(orbit, "approach"), SYNCHRONISED),
    }


@cache
def flown() -> Run:
    """The capture in orbit."""
    return Simulation(load(MISSION)).run()


@cache
def rehearsed() -> Run:
    """The capture on the facility."""
    return on_facility(load(MISSION), load_facility(FACILITY), "relative").run()


def when(run: Run, kind: str) -> float:
    """When something first happened [s]; never is not a number."""
    return next((event.t_s for event in run.events if event.name == kind), float("nan"))


def rate_before(run: Run) -> float:
    """Largest component of the relative angular velocity until the grasp [deg/s]."""
    t, w = run["relative.w_CT_C"]
    before = (t >= SYNCHRONOUS) & (t <= when(run, "grasp"))
    return float(np.degrees(np.abs(w[before]).max(initial=0.0 if before.any() else np.nan)))


def _grasped() -> str:
    """How much of the time of the grasp the mission's own timers make."""
    capture = load(MISSION).mission.obsw.capture
    assert capture is not None
    timing = capture.timing
    timers = timing.synchronise_s + timing.near_s + timing.reach_s
    return f"the hold closes in orbit; {timers:g} s of it are timers, closing the fingers the rest"
