"""A gripper of two fingers that slide towards each other, from open (0) on.

    f = k (v - q̇),   at most the force of the drive

with the speed v of closing, or of opening.  It has gripped once both fingers have stood still for a
while under way, before their ends.
"""

from typing import NamedTuple

from proxops.core.jit import helper


class Gripper(NamedTuple):
    """The two fingers among the joints."""

    first: int  # number of the first finger's joint, the second's comes next; -1 without
    speed: float  # of closing [m/s]
    gain: float  # k [N s/m]
    force: float  # most of a drive [N]
    closed: float  # way at which fingers have met without anything between them [m]
    stands: float  # speed below which a finger does [m/s]
    settle: float  # for which both must stand [s]


@helper
def finger_force(gripper, closes, qd):
    """Force of a finger's drive [N]."""
    v = gripper.speed if closes else -gripper.speed
    f = gripper.gain * (v - qd)
    return min(max(f, -gripper.force), gripper.force)


@helper
def stands_between(gripper, q, qd):
    """Whether a finger stands before its end."""
    return abs(qd) < gripper.stands and q < gripper.closed
