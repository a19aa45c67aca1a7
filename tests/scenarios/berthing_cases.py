"""Short berthings: from 50 mm before the bar, seen without noise, to the port as fast as joints
follow, the base free; it grips at 29.6 s and is at the port at 51 s."""

from typing import Any

import proxops
from proxops.results.run import Event, Run
from proxops.scenario.load import Scenario
from proxops.validation.twin import GRASP

FREE = {"base": "free", "timeout_s": 60.0}
LEGS = {
    "acquire": {**GRASP["obsw.plan.legs"]["acquire"], "base": "free"},
    "grapple": {"does": "grapple", **FREE, "next": "carry"},
    "carry": {"does": "carry", "path": "to_port", **FREE, "next": "soft_capture"},
    "soft_capture": {"does": "latch", "holds": ["soft"], **FREE, "next": "hard_latch"},
    "hard_latch": {"does": "latch", "holds": ["hard"], **FREE, "next": "let_go"},
    "let_go": {"does": "release", **FREE, "next": "unlatch"},
    "unlatch": {"does": "release", "holds": ["soft", "hard"], **FREE, "next": "stop"},
    "stop": {"does": "rest", "base": "free"},
}
NOISE = ("noise_m", "noise_per_range", "noise_deg", "loss_probability")
LIMITS = {"speed_m_s": 0.1, "speed_rad_s": 0.15, "acceleration_rad_s2": 0.05, "jerk_rad_s3": 0.1}


def quick(changes: dict[str, Any], after_s: float = 2.0) -> Scenario:
    """Such a berthing, changed; it ends so long after the way out, or its last leg, begins."""
    return proxops.load("berthing").replace(
        {
            **GRASP,
            **{f"sensors.camera.{key}": 0.0 for key in NOISE},
            "obsw.berthing.paths": {"to_port": {"points": [{"gap_m": 0.03}]}},
            "obsw.berthing.limits": {**LIMITS, "clearance_m": 0.01, "torque_share": 1.0},
            "obsw.berthing.joints.behind_rad": 0.5,
            "obsw.berthing.ready_s": 0.0,
            "obsw.berthing.triggers.settle_s": 1.0,
            "obsw.plan.legs": LEGS,
            "time.ends_on": "stop",
            "time.ends_after_s": after_s,
            **changes,
        }
    )


def events(run: Run, name: str) -> list[Event]:
    """Those of that name."""
    return [event for event in run.events if event.name == name]
