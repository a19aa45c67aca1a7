"""A capture in which something fails ends in a grasp within limits, or in a safe abort."""

import numpy as np
import pytest

import proxops
from tests.scenarios.capture_cases import NO_COLLISION

pytestmark = pytest.mark.slow

DURATION = 75.0  # [s]: the way out takes 20 s
TIMELINE = ("grasped", "held")
CLEAR = 1.0  # [m] between end effector and grapple point after an abort
GRASP, ABORT = "grasp", "abort"


def dropout(at, seconds=3.0):
    return {"sensors.camera.dropouts": [{"from_s": at, "until_s": at + seconds}]}


def spike(at, seconds=0.005):
    felt = {"from_s": at, "until_s": at + seconds, "force_N": [200.0, 0.0, -100.0]}
    return {"sensors.wrist.spikes": [felt]}


def dead(thruster, at):
    return {"faults.odd": {"kind": "dead-thruster", "thruster": thruster, "from_s": at}}


def stuck(arm, joint, at):
    return {"faults.odd": {"kind": "stuck-joint", "arm": arm, "joint": joint, "from_s": at}}


def late(delay, at, seconds=5.0):
    window = {"from_s": at, "until_s": at + seconds}
    return {"faults.odd": {"kind": "late-commands", "delay_s": delay, **window}}


# What fails, what the summary says of it, how it ends; the capture approaches from 9.0 s on,
# closes its fingers at 32.6 s and holds from 34.4 s on.
CASES = {
    "camera-beginning": (dropout(1.0), "camera.dropouts", ABORT),
    "camera-synchronising": (dropout(3.0), "camera.dropouts", GRASP),
    "camera-approaching": (dropout(20.0), "camera.dropouts", GRASP),
    "camera-closing": (dropout(31.0), "camera.dropouts", GRASP),
    "camera-held": (dropout(40.0), "camera.dropouts", GRASP),
    "camera-for-long": (dropout(20.0, 6.0), "camera.dropouts", ABORT),
    "thruster-from-the-start": (dead("mpp_y", 0.0), "thruster mpp_y is dead", GRASP),
    "thruster-approaching": (dead("ppm_z", 12.0), "thruster ppm_z is dead", GRASP),
    "thruster-near": (dead("mpp_z", 20.0), "thruster mpp_z is dead", GRASP),
    "thruster-before-the-grasp": (dead("mmm_x", 30.0), "thruster mmm_x is dead", GRASP),
    "thruster-held": (dead("ppp_x", 34.0), "thruster ppp_x is dead", GRASP),
    "shoulder-synchronising": (stuck("main", "shoulder_pitch", 2.0), "main.shoulder_pitch", ABORT),
    "shoulder-approaching": (stuck("main", "shoulder_pitch", 16.0), "main.shoulder_pitch", ABORT),
    "shoulder-reaching": (stuck("main", "shoulder_pitch", 28.6), "main.shoulder_pitch", ABORT),
    "shoulder-later": (stuck("main", "shoulder_pitch", 29.0), "main.shoulder_pitch", GRASP),
    "elbow-approaching": (stuck("main", "elbow_pitch", 16.0), "main.elbow_pitch", ABORT),
    "elbow-reaching": (stuck("main", "elbow_pitch", 28.6), "main.elbow_pitch", ABORT),
    "elbow-before-the-grasp": (stuck("main", "elbow_pitch", 30.0), "main.elbow_pitch", GRASP),
    "wrist-approaching": (stuck("main", "wrist_pitch", 24.0), "main.wrist_pitch", ABORT),
    "wrist-held": (stuck("main", "wrist_pitch", 36.0), "main.wrist_pitch", GRASP),
    "finger-open": (stuck("left", "slide", 2.0), "left.slide is stuck", ABORT),
    "finger-closing": (stuck("left", "slide", 33.0), "left.slide is stuck", ABORT),
    "finger-held": (stuck("left", "slide", 35.0), "left.slide is stuck", GRASP),
    "spike-approaching": (spike(15.0), "wrist.spikes", GRASP),
    "spike-closing": (spike(32.7), "wrist.spikes", GRASP),
    "spike-held": (spike(45.0), "wrist.spikes", GRASP),
    "push-approaching": (spike(15.0, 0.05), "wrist.spikes", ABORT),
    "push-closing": (spike(32.7, 0.05), "wrist.spikes", ABORT),
    "push-held": (spike(45.0, 0.05), "wrist.spikes", ABORT),
    "late-synchronising": (late(0.2, 2.0), "commands come 0.2 s late", GRASP),
    "late-approaching": (late(0.2, 28.0), "commands come 0.2 s late", ABORT),
    "late-gripping": (late(0.05, 33.3), "commands come 0.05 s late", ABORT),
    "late-held": (late(0.2, 36.0), "commands come 0.2 s late", GRASP),
    "late-at-rest": (late(0.05, 42.0), "commands come 0.05 s late", GRASP),
    "late-as-rest-is-judged": (late(0.2, 51.0), "commands come 0.2 s late", GRASP),
    "late-for-long": (late(0.05, 36.0, 1e3), "commands come 0.05 s late", ABORT),
    "very-late-for-long": (late(2.0, 35.0, 1e3), "commands come 2 s late", ABORT),
    # what navigation has come to believe of a held target is wrong after a gap
    "push-held-in-the-dark": (dropout(42.9) | spike(45.85, 0.05), "spikes", ABORT),
}


@pytest.mark.parametrize("case", CASES)
def test_a_fault_ends_in_a_grasp_within_limits_or_in_a_safe_abort(case):
    changes, named, ending = CASES[case]
    time = {"time.duration_s": DURATION, "time.phases.capture.until_s": DURATION}
    run = proxops.simulate(proxops.load("envisat-capture").replace(changes | time))
    assert run.ledger.closed
    kept = {item.name: item.passed for item in run.requirements}
    assert all(kept[name] for name in NO_COLLISION)
    told = {event.name: event for event in run.events}
    assert any(named in event.detail for event in run.events if event.name == "fault-injected")
    assert (ABORT in told) == (ending == ABORT)
    if ending == GRASP:  # be it a little later
        assert all(passed for name, passed in kept.items() if name not in TIMELINE)
    else:
        assert told[ABORT].t_s >= told["fault-injected"].t_s
        assert told[ABORT].detail.startswith("obsw.capture: ")  # and why
        away = np.linalg.norm(run["relative.p_GE"][1], axis=1)
        t = run["relative.p_GE"][0]
        assert away[-1] > CLEAR
        assert not run["holds.grip.f"][1][-1].any()
        # half way through the way out nothing touches any more
        gone = t > told[ABORT].t_s + 10.0
        for name in ("left", "right", "palm"):
            assert not run[f"contacts.{name}.f"][1][gone].any()
