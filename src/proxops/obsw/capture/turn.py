"""A turn of the on-board software in a capture: from what sensors say to what is asked.

seen ─► navigation ─► known ─► decisions, base, arm, gripper ─► thrusters' pulses
"""

from typing import NamedTuple

import numpy as np

from proxops.core import seen as said
from proxops.core.jit import part
from proxops.core.spatial.vector import get3, norm, put3
from proxops.obsw.capture.commander import FORCE, GRIP, TORQUES, Room, command
from proxops.obsw.capture.estimated import known_of
from proxops.obsw.capture.fingers import Gripper, finger_force, stands_between
from proxops.obsw.capture.known import Instant
from proxops.obsw.capture.mass_centre import mass_centre
from proxops.obsw.capture.plan import Belief, Plan
from proxops.obsw.navigation import layout as nav
from proxops.obsw.navigation.model import NavParameters, NavState
from proxops.obsw.navigation.tick import navigate
from proxops.obsw.platform.jets import Jets, JetState, plan_pulses, share_out

# Entries of Mind.notes
STANDS_SINCE = 0  # both fingers [s]
NEXT_PERIOD = 1  # of the thrusters' pulses [s]
NOTES = 2


class Brain(NamedTuple):
    """Everything that stays the same."""

    nav: NavParameters
    belief: Belief
    plan: Plan
    jets: Jets
    gripper: Gripper


class Mind(NamedTuple):
    """Everything that changes."""

    nav: NavState
    told: np.ndarray  # see obsw.navigation.layout
    estimate: np.ndarray
    memory: np.ndarray  # see modes
    notes: np.ndarray
    jets: JetState
    room: Room


@part
def think(brain, mind, seen, asked):
    """One turn: writes what is asked, see commander; every joint has a torque."""
    belief, joints = brain.belief, brain.belief.chaser.topology.shape[0]
    q = seen[said.ENCODERS : said.ENCODERS + joints]
    qd = seen[said.ENCODERS + joints : said.ENCODERS + 2 * joints]
    t = seen[said.T]
    centre = mass_centre(belief.chaser, q, qd, mind.room.scratch)
    put3(mind.told, nav.TOLD_COM, centre[0])
    put3(mind.told, nav.TOLD_COM_RATE, centre[1])
    navigate(brain.nav, mind.nav, seen, mind.told, mind.estimate)
    known = known_of(mind.estimate, centre, get3(belief.target_com, 0))
    blind = mind.estimate[nav.EST_CAMERA_AGE]
    force = norm(get3(seen, said.FORCE))
    torque = norm(get3(seen, said.FORCE + 3))
    gripped = has_gripped(brain.gripper, mind.notes, q, qd, t)
    now = Instant(t, known, q, qd, blind, force, torque, gripped)
    command(belief, brain.plan, mind.memory, now, mind.room, asked)
    drive_fingers(brain.gripper, asked, qd)
    pulse(brain.jets, mind, asked, t)


@part
def has_gripped(gripper, notes, q, qd, t):
    """1 once both fingers have stood still before their ends for a while."""
    if gripper.first < 0:
        return 0
    for finger in range(gripper.first, gripper.first + 2):
        if not stands_between(gripper, q[finger], qd[finger]):
            notes[STANDS_SINCE] = t
    return 1 if t >= notes[STANDS_SINCE] + gripper.settle else 0


@part
def drive_fingers(gripper, asked, qd):
    """Writes the forces of both fingers."""
    if gripper.first < 0:
        return
    closes = asked[GRIP] == 1.0
    for finger in range(gripper.first, gripper.first + 2):
        asked[TORQUES + finger] = finger_force(gripper, closes, qd[finger])


@part
def pulse(jets, mind, asked, t):
    """Shares out the base's wrench as a period of pulses begins, and notes what it pushes with."""
    if t < mind.notes[NEXT_PERIOD]:
        return
    mind.notes[NEXT_PERIOD] += jets.period
    share_out(jets, mind.jets.shares, asked[FORCE : FORCE + 6])
    plan_pulses(jets, mind.jets)
    for axis in range(3):
        mind.told[nav.TOLD_FORCE + axis] = 0.0
        for i in range(mind.jets.shares.shape[0]):
            push = jets.columns[i, axis] * mind.jets.shares[i]
            mind.told[nav.TOLD_FORCE + axis] += push
