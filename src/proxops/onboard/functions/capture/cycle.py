"""A turn of the on-board software in a capture: from what sensors say to what is asked.

measurements ─► navigation ─► known ─► decisions, base, arm, gripper
"""

from typing import NamedTuple

import numpy as np

from proxops.bus import commands as to
from proxops.bus import measurements as said
from proxops.bus.truth import WRENCH
from proxops.core.jit import part
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.functions.capture.control import Room, command
from proxops.onboard.functions.capture.fingers import GENTLY, Gripper, finger_force, stands_between
from proxops.onboard.functions.capture.hub_estimate import known_of
from proxops.onboard.functions.capture.mass_centre import mass_centre
from proxops.onboard.functions.capture.modes import GRASP, MOVED, RIGIDISE
from proxops.onboard.functions.capture.parameters import Belief, Plan
from proxops.onboard.functions.capture.relative_state import Instant
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.cycle import navigate
from proxops.onboard.functions.navigation.model import NavParameters, NavState


class Brain(NamedTuple):
    """Everything that stays the same."""

    nav: NavParameters
    belief: Belief
    plan: Plan
    gripper: Gripper


class Mind(NamedTuple):
    """Everything that changes."""

    nav: NavState
    told: np.ndarray  # see obsw.navigation.layout
    estimate: np.ndarray
    memory: np.ndarray  # see modes
    room: Room


@part
def think(brain, mind, told, measurements, commands):
    """One turn: writes what is asked, see bus.commands.  The platform has `told` how it has pushed
    the chaser since the last one, in C [N], and how late commands are carried out [s]."""
    belief, joints = brain.belief, brain.belief.chaser.topology.shape[0]
    q = measurements[said.ENCODERS : said.ENCODERS + joints]
    qd = measurements[said.ENCODERS + joints : said.ENCODERS + 2 * joints]
    t = measurements[said.T]
    if measurements[said.ENCODERS_COUNT] == 0.0:
        return
    centre = mass_centre(belief.chaser, q, qd, mind.room.scratch)
    pushed, late = told
    put3(mind.told, nav.TOLD_FORCE, pushed)
    put3(mind.told, nav.TOLD_COM, centre[0])
    put3(mind.told, nav.TOLD_COM_RATE, centre[1])
    navigate(brain.nav, mind.nav, measurements, mind.told, mind.estimate)
    known = known_of(mind.estimate, centre, get3(belief.target_com, 0))
    blind = mind.estimate[nav.EST_CAMERA_AGE]
    wrench = measurements[said.FORCE : said.FORCE + WRENCH]
    gripped = has_gripped(brain.gripper, mind.memory, q, qd, t)
    doubt, deaf = mind.estimate[nav.EST_DOUBT], int(late > brain.plan.timing.deaf)
    now = Instant(t, known, q, qd, blind, wrench, gripped, doubt, deaf)
    command(belief, brain.plan, mind.memory, now, mind.room, commands)
    drive_fingers(brain.gripper, commands, now)


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
