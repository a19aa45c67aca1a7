"""A gripper of two fingers that slide towards each other, from open (0) on.

    f = k (v - q̇),   at most the force of the drive
    v = r (q_goal - q),   at most the speed of the drive

towards both ends: beyond where fingers meet, or open.  It has gripped once both fingers have stood
still for a while under way, before their ends.
"""

from typing import NamedTuple

from proxops.core.jit import helper

NEARING = 10.0  # r [1/s]: how fast a finger comes to rest where it is open


class Gripper(NamedTuple):
    """The two fingers among the joints."""

    left: int  # number of a finger's joint; -1 without
    right: int
    speed: float  # of closing [m/s]
    gain: float  # k [N s/m]
    force: float  # most of a drive [N]
    opened: float  # way at which it is open [m]
    closed: float  # mean way at which fingers have met without anything between them [m]
    stands: float  # speed below which a finger does [m/s]
    settle: float  # for which both must stand [s]


@helper
def finger_force(gripper, closes, q, qd):
    """Force of a finger's drive [N]."""
    goal = 2.0 * gripper.closed if closes else gripper.opened
    v = min(max(NEARING * (goal - q), -gripper.speed), gripper.speed)
    f = gripper.gain * (v - qd)
    return min(max(f, -gripper.force), gripper.force)


@helper
def stands_between(gripper, q, qd):
    """Whether both fingers stand with something between them, be it in the middle or not."""
    left, right = gripper.left, gripper.right
    stands = abs(qd[left]) < gripper.stands and abs(qd[right]) < gripper.stands
    return stands and q[left] + q[right] < 2.0 * gripper.closed
