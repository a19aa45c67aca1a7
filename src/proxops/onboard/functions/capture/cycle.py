"""A cycle of the capture: from measurements and estimates to commands.

estimates ─► known ─► decisions, base, arm, gripper
"""

from typing import NamedTuple

import numpy as np

from proxops.bus import commands as to
from proxops.bus import estimates as est
from proxops.bus import measurements as said
from proxops.bus.truth import WRENCH
from proxops.core.jit import part, pluggable
from proxops.core.spatial.vector import get3
from proxops.onboard.functions.allocation.allocate import known_lateness
from proxops.onboard.functions.capture.control import Room, command
from proxops.onboard.functions.capture.fingers import GENTLY, Gripper, finger_force, stands_between
from proxops.onboard.functions.capture.hub_estimate import known_of
from proxops.onboard.functions.capture.modes import GRASP, MOVED, RIGIDISE
from proxops.onboard.functions.capture.parameters import Belief, Plan
from proxops.onboard.functions.capture.relative_state import Instant
from proxops.physics.multibody.mass_centre import mass_centre


class Capture(NamedTuple):
    """Everything that stays the same."""

    belief: Belief
    plan: Plan
    gripper: Gripper


class CaptureMemory(NamedTuple):
    """Everything that changes."""

    memory: np.ndarray  # see modes
    room: Room


@pluggable
def step(params, memory, bus):
    """The capture as a function on board: measurements and estimates in, the base's wrench, joints,
    fingers and hold out."""
    measurements, estimates, commands = bus.measurements, bus.estimates, bus.commands
    belief, plan, gripper = params.belief, params.plan, params.gripper
    joints = belief.chaser.topology.shape[0]
    if measurements[said.ENCODERS_COUNT] == 0.0:
        return 0
    q = measurements[said.ENCODERS : said.ENCODERS + joints]
    qd = measurements[said.ENCODERS + joints : said.ENCODERS + 2 * joints]
    t = measurements[said.T]
    centre = mass_centre(belief.chaser, q, qd, memory.room.scratch)
    known = known_of(estimates, centre, get3(belief.target_com, 0))
    blind = estimates[est.CAMERA_AGE]
    wrench = measurements[said.FORCE : said.FORCE + WRENCH]
    gripped = has_gripped(gripper, memory.memory, q, qd, t)
    late = known_lateness(belief.platform, measurements, joints)
    doubt, deaf = estimates[est.DOUBT], int(late > plan.timing.deaf)
    now = Instant(t, known, q, qd, blind, wrench, gripped, doubt, deaf)
    command(belief, plan, memory.memory, now, memory.room, commands)
    drive_fingers(gripper, commands, now)
    return 0


@part
def has_gripped(gripper, memory, q, qd, t):
    """1 once both fingers have stood still for a while, something between them."""
    if not stands_between(gripper, q, qd):
        memory[MOVED] = t
    return 1 if t >= memory[MOVED] + gripper.settle else 0


@part
def drive_fingers(gripper, commands, now):
    """Writes the forces of both fingers."""
    gain = gripper.gain * (GENTLY if now.deaf == 1 else 1.0)
    closes = commands[to.MODE] in (GRASP, RIGIDISE)
    for finger in (gripper.left, gripper.right):
        f = finger_force(gripper, gain, closes, now.q[finger], now.qd[finger])
        commands[to.JOINTS + finger] = f
