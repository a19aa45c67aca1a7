"""Joint controllers that lead the arms from pose to pose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part, pluggable
from proxops.onboard.function import Function

# Columns of JointControl.gains
KP = 0  # [N m/rad or N/m]
KD = 1  # [N m s/rad or N s/m]
GAINS_WIDTH = 2

# Columns of JointControl.spans, one row a joint
FIRST = 0  # its first knot
COUNT = 1  # how many it has
SPANS_WIDTH = 2

# Columns of JointControl.knots
TIME = 0  # [s]
POSE = 1  # [rad or m]
KNOTS_WIDTH = 2


class JointControl(NamedTuple):
    """Gains and reference of every joint of the chaser, in the plant's order."""

    gains: np.ndarray
    spans: np.ndarray
    knots: np.ndarray


@dataclass(frozen=True)
class ArmTask:
    """What one arm shall do: gains and poses to pass; an arm without gains swings freely."""

    start: np.ndarray  # joint positions at the start [rad or m]
    kp: np.ndarray
    kd: np.ndarray
    waypoints: Sequence[tuple[float, np.ndarray]]  # time [s], joint positions


def build(tasks: Sequence[ArmTask]) -> JointControl:
    """The controller of all arms; each reference starts where the arm does, at rest."""
    gains: list[tuple[float, float]] = []
    spans: list[tuple[int, int]] = []
    knots: list[tuple[float, float]] = []
    for task in tasks:
        for joint, start in enumerate(task.start):
            gains.append((task.kp[joint], task.kd[joint]))
            spans.append((len(knots), 1 + len(task.waypoints)))
            knots.append((0.0, start))
            knots += [(t, pose[joint]) for t, pose in task.waypoints]
    return JointControl(
        np.array(gains, dtype=float).reshape(-1, GAINS_WIDTH),
        np.array(spans, dtype=np.int64).reshape(-1, SPANS_WIDTH),
        np.array(knots, dtype=float).reshape(-1, KNOTS_WIDTH),
    )


@helper
def smooth_step(s):
    """Quintic from 0 to 1 and its slope, at rest at both ends: 10s³ - 15s⁴ + 6s⁵."""
    return s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * (1.0 - s) * (1.0 - s)


@part
def reference(control, joint, t):
    """Where a joint shall be at time t and how fast [rad, rad/s]."""
    knot = control.spans[joint, FIRST]
    last = knot + control.spans[joint, COUNT] - 1
    while knot < last and control.knots[knot + 1, TIME] <= t:
        knot += 1
    here = control.knots[knot, POSE]
    if knot == last:
        return here, 0.0
    start = control.knots[knot, TIME]
    span = control.knots[knot + 1, TIME] - start
    displacement = control.knots[knot + 1, POSE] - here
    share, slope = smooth_step((t - start) / span)
    return here + displacement * share, displacement * slope / span


@part
def ask(control, t, q, qd, commands):
    """Writes the joint torques to ask for: τ = kp (q_ref - q) + kd (q̇_ref - q̇) [N m]."""
    for joint in range(commands.shape[0]):
        q_ref, qd_ref = reference(control, joint, t)
        commands[joint] = control.gains[joint, KP] * (q_ref - q[joint]) + control.gains[
            joint, KD
        ] * (qd_ref - qd[joint])


class JointInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    ideal_q: np.ndarray
    ideal_qd: np.ndarray


class JointOutputs(NamedTuple):
    """What it writes."""

    joints: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """Joint control as a function on board: ideal sensors in, torques of all joints out."""
    ask(params, inputs.t[0], inputs.ideal_q, inputs.ideal_qd, outputs.joints)
    return 0


def function(control: JointControl, period: int) -> Function:
    """Joint control, every period [ns]."""
    return Function("joint_control", step, JointInputs, JointOutputs, control, period=period)
