"""A cycle of the capture: from measurements and estimates to commands.

estimates ─► known ─► decisions, base, arm, gripper
"""

from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.jit import part, pluggable
from proxops.core.select import select
from proxops.core.spatial.vector import ZERO, get3, put3
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.allocation.allocate import known_lateness
from proxops.onboard.functions.capture.control import command
from proxops.onboard.functions.capture.fingers import GENTLY, Gripper, finger_force, stands_between
from proxops.onboard.functions.capture.hub_estimate import relative_state_of
from proxops.onboard.functions.capture.modes import (
    BOUND,
    CALM_RATE,
    GRASP,
    MODE,
    MOVED,
    PORT_ENERGY,
    PORT_POWER,
    READY,
    REASON,
    RIGIDISE,
    SETPOINT,
    STORAGE,
    VALUE,
    describe_mode,
)
from proxops.onboard.functions.capture.parameters import Belief, Plan
from proxops.onboard.functions.capture.relative_state import Instant
from proxops.onboard.functions.capture.workspace import Workspace, workspace_for
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.mass_centre import centre_of_moved


class Capture(NamedTuple):
    """Everything that stays the same."""

    belief: Belief
    plan: Plan
    gripper: Gripper


class CaptureMemory(NamedTuple):
    """Everything that changes."""

    memory: np.ndarray  # see modes
    workspace: Workspace


FIELDS = (
    Field("capture.mode", title="Mode of the capture", signal="obsw.mode"),
    Field("capture.reason", shape=(3,), title="Reason of its last change, value and bound"),
    Field(
        "capture.permitted",
        title="Latest mode that the capture may enter",
        start=(float(RIGIDISE),),
    ),
    Field("capture.ready", title="Mode that the capture is ready for"),
    Field("capture.rate", "rad/s", "C", (3,), "Rate of the held target relative to the base"),
    Field("capture.storage", "J", title="Stored energy", signal="obsw.storage"),
    Field("capture.power", "W", title="Power at the grasp", signal="obsw.grasp.power"),
    Field("capture.energy", "J", title="Energy through the grasp", signal="obsw.grasp.energy"),
)


class CaptureInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    encoders_count: np.ndarray
    encoders_q: np.ndarray
    encoders_qd: np.ndarray
    wrist_wrench: np.ndarray
    telemetry_t: np.ndarray
    telemetry_lateness: np.ndarray
    navigation_q_NC: np.ndarray
    navigation_w_NC_C: np.ndarray
    navigation_q_NT: np.ndarray
    navigation_w_NT_T: np.ndarray
    navigation_r: np.ndarray
    navigation_v: np.ndarray
    navigation_camera_age: np.ndarray
    navigation_doubt: np.ndarray


class CaptureOutputs(NamedTuple):
    """What it writes."""

    base_force: np.ndarray
    base_torque: np.ndarray
    holds: np.ndarray
    joints: np.ndarray
    capture_mode: np.ndarray
    capture_reason: np.ndarray
    capture_permitted: np.ndarray  # it only reads that: a plan may lower it
    capture_ready: np.ndarray
    capture_rate: np.ndarray
    capture_storage: np.ndarray
    capture_power: np.ndarray
    capture_energy: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """The capture as a function on board: measurements and estimates in, the base's wrench, joints,
    fingers and hold out."""
    belief, plan, gripper = params.belief, params.plan, params.gripper
    if inputs.encoders_count[0] == 0.0:
        return 0
    q, qd, t = inputs.encoders_q, inputs.encoders_qd, inputs.t[0]
    w, scratch = get3(inputs.navigation_w_NC_C, 0), memory.workspace.scratch
    move(belief.chaser, (ZERO, w), q, qd, scratch)
    centre = centre_of_moved(belief.chaser, w, scratch)
    relative = relative_state_of(inputs, centre, get3(belief.target_com, 0))
    image_gap, doubt = inputs.navigation_camera_age[0], inputs.navigation_doubt[0]
    gripped = has_gripped(gripper, memory.memory, q, qd, t)
    commands_late = int(known_lateness(belief.platform, inputs) > plan.timing.max_command_latency)
    now = Instant(
        t=t,
        relative=relative,
        q=q,
        qd=qd,
        image_gap=image_gap,
        wrench=inputs.wrist_wrench,
        gripped=gripped,
        doubt=doubt,
        commands_late=commands_late,
        permitted=outputs.capture_permitted[0],
    )
    command(belief, plan, memory.memory, now, memory.workspace, outputs)
    drive_fingers(gripper, memory.memory[MODE], now, outputs)
    report(memory.memory, outputs)
    return 0


@part
def report(memory, outputs):
    """Writes mode, reason and what the monitor has found."""
    outputs.capture_mode[0] = memory[MODE]
    put3(outputs.capture_reason, 0, (memory[REASON], memory[VALUE], memory[BOUND]))
    outputs.capture_ready[0] = memory[READY]
    put3(outputs.capture_rate, 0, get3(memory, CALM_RATE))
    outputs.capture_storage[0] = memory[STORAGE]
    outputs.capture_power[0] = memory[PORT_POWER]
    outputs.capture_energy[0] = memory[PORT_ENERGY]


@part
def has_gripped(gripper, memory, q, qd, t):
    """1 once both fingers have stood still for a while, something between them."""
    memory[MOVED] = select(stands_between(gripper, q, qd), memory[MOVED], t)
    return 1 if t >= memory[MOVED] + gripper.settle else 0


@part
def drive_fingers(gripper, mode, now, outputs):
    """Writes the forces of both fingers."""
    gain = gripper.gain * (GENTLY if now.commands_late == 1 else 1.0)
    closes = mode in (GRASP, RIGIDISE)
    for finger in (gripper.left, gripper.right):
        f = finger_force(gripper, gain, closes, now.q[finger], now.qd[finger])
        outputs.joints[finger] = f


def function(params: Capture, period: int) -> Function:
    """The capture, every period [ns]."""
    joints = params.belief.chaser.topology.shape[0]
    return Function(
        "capture",
        step,
        CaptureInputs,
        CaptureOutputs,
        params,
        CaptureMemory(np.zeros(SETPOINT + joints), workspace_for(params.belief.chaser)),
        period,
        FIELDS,
        changes=(Change("capture.mode", describe_mode, "capture.reason", before=-1.0),),
    )
