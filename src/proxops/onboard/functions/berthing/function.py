"""Berthing as a function on board: the arm, its gripper and the latches, as the plan's leg says.

stay       joints are held where the leg before has left them
grapple    E goes to before the grasp point, then onto it; the gripper closes, see grasp_logic
follow     joints go along a path that was planned beforehand
latch      holds close where their switches say that they can; the arm hardly resists
unlatch    holds open
open       the gripper opens
retreat    the gripper opens, E goes back from the target along z of G
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.jit import part, pluggable
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.berthing import memory as at
from proxops.onboard.functions.berthing.events import describe_abort, describe_gripper
from proxops.onboard.functions.berthing.grasp_logic import motor_torque
from proxops.onboard.functions.berthing.parameters import STAY, TASK, Berthing
from proxops.onboard.functions.berthing.tasks import act, begin, target_is_free
from proxops.onboard.functions.capture.arm_impedance import effector_pose, effector_velocity
from proxops.onboard.functions.capture.hub_estimate import relative_state_of
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.physics.multibody.mass_centre import mass_centre
from proxops.physics.multibody.tree import scratch_for

TARGET_FREE = Field(
    "berthing.target_free", title="Nothing touches the target that the hand reaches for"
)
FIELDS = (
    Field("berthing.gripper", title="Gripper: open, closing, gripped", signal="obsw.gripper"),
    Field("berthing.grasp", shape=(3,), title="Errors at the grasp point, position of the clamps"),
    Field("berthing.done", title="What the arm shall do in this leg is done"),
    Field("berthing.abort", title="Why the arm gives its leg up"),
    Field("berthing.reason", shape=(3,), title="That, its value and its limit"),
    Field(
        "berthing.place_error", "m", title="End effector from the grasp point, as estimated",
        signal="obsw.berthing.place_error",
    ),
    Field(
        "berthing.angle_error", "rad", title="Angle from the grasp, as estimated",
        signal="obsw.berthing.angle_error",
    ),
    Field("berthing.slip", "m", title="Slip of the grip, seen by the camera", signal="obsw.slip"),
    TARGET_FREE,
)  # fmt: skip


class Workspace(NamedTuple):
    """What a cycle overwrites."""

    scratch: np.ndarray
    torques: np.ndarray  # of all joints
    rates: np.ndarray  # that the arm's joints shall have


class BerthingMemory(NamedTuple):
    """Everything that changes."""

    memory: np.ndarray  # see memory
    workspace: Workspace


class BerthingInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    encoders_count: np.ndarray
    encoders_q: np.ndarray
    encoders_qd: np.ndarray
    wrist_wrench: np.ndarray
    camera_count: np.ndarray
    camera_p: np.ndarray
    camera_q: np.ndarray
    latches_ready: np.ndarray
    latches_closed: np.ndarray
    navigation_q_NC: np.ndarray
    navigation_w_NC_C: np.ndarray
    navigation_q_NT: np.ndarray
    navigation_w_NT_T: np.ndarray
    navigation_r: np.ndarray
    navigation_v: np.ndarray
    navigation_camera_age: np.ndarray
    plan_leg: np.ndarray
    plan_since: np.ndarray


class BerthingOutputs(NamedTuple):
    """What it writes."""

    joints: np.ndarray
    holds: np.ndarray
    brakes: np.ndarray
    berthing_gripper: np.ndarray
    berthing_grasp: np.ndarray
    berthing_done: np.ndarray
    berthing_abort: np.ndarray
    berthing_reason: np.ndarray
    berthing_place_error: np.ndarray
    berthing_angle_error: np.ndarray
    berthing_slip: np.ndarray
    berthing_target_free: np.ndarray


@part
def report(gripper, memory, q, outputs):
    """Writes what it has found."""
    outputs.berthing_gripper[0] = memory[at.GRIPPER]
    clamps = 0.5 * (q[gripper.left] + q[gripper.right])
    put3(outputs.berthing_grasp, 0, (memory[at.PLACE_ERROR], memory[at.ANGLE_ERROR], clamps))
    outputs.berthing_done[0] = memory[at.DONE]
    outputs.berthing_abort[0] = memory[at.REASON]
    put3(outputs.berthing_reason, 0, (memory[at.REASON], memory[at.VALUE], memory[at.BOUND]))
    outputs.berthing_place_error[0] = memory[at.PLACE_ERROR]
    outputs.berthing_angle_error[0] = memory[at.ANGLE_ERROR]
    outputs.berthing_slip[0] = memory[at.SLIP]


@pluggable
def step(params, memory, inputs, outputs):
    """One cycle; nothing before the first leg and the first encoders."""
    if inputs.encoders_count[0] == 0.0 or inputs.plan_leg[0] < 0.0:
        return 0
    state, workspace, belief = memory.memory, memory.workspace, params.belief
    q, qd, t, scratch = inputs.encoders_q, inputs.encoders_qd, inputs.t[0], workspace.scratch
    torques = workspace.torques
    for joint in range(torques.shape[0]):
        torques[joint] = 0.0
    centre = mass_centre(belief.chaser, q, qd, scratch)
    X_CE = effector_pose((belief.effector_body, get_pose(belief.effector)), scratch)
    V_CE = effector_velocity(belief.chaser, belief.effector_body, X_CE[1], qd, scratch)
    if math.isnan(state[at.LEG_SINCE]):  # latches that are closed as the mission begins
        for i in range(outputs.holds.shape[0]):
            outputs.holds[i] = params.latched[i]
    if state[at.LEG_SINCE] != inputs.plan_since[0]:
        state[at.LEG_SINCE] = inputs.plan_since[0]
        row = params.legs[int(inputs.plan_leg[0])]
        relative = relative_state_of(inputs, centre, get3(belief.target_com, 0))
        begin(params, state, row, relative.X_CT, X_CE, q, t)
    act(params, state, inputs, outputs, (X_CE, V_CE, scratch), workspace)
    stays = params.legs[int(inputs.plan_leg[0]), TASK] == STAY
    outputs.brakes[0] = 1.0 if stays and params.brakes == 1 else 0.0
    gripper = params.gripper
    torques[gripper.motor] = motor_torque(gripper, state, q, qd, t)
    for joint in range(outputs.joints.shape[0]):
        outputs.joints[joint] = torques[joint]
    report(gripper, state, q, outputs)
    outputs.berthing_target_free[0] = 1.0 if target_is_free(params, state, inputs) else 0.0
    return 0


def function(params: Berthing, period: int) -> Function:
    """Berthing, every period [ns]."""
    memory = np.zeros(at.SETPOINT + 2 * len(params.joints) + len(params.latched))
    memory[at.LEG_SINCE], memory[at.LAST_TOUCH] = np.nan, -np.inf
    joints = params.belief.chaser.topology.shape[0]
    workspace = Workspace(
        scratch_for(params.belief.chaser), np.zeros(joints), np.zeros(len(params.joints))
    )
    return Function(
        "berthing",
        step,
        BerthingInputs,
        BerthingOutputs,
        params,
        BerthingMemory(memory, workspace),
        period,
        FIELDS,
        changes=(
            Change("berthing.gripper", describe_gripper, "berthing.grasp"),
            Change("berthing.abort", describe_abort, "berthing.reason"),
        ),
    )
