"""A gripper of two fingers that slide towards each other, from open (0) on.

    f = k (v - q̇),   at most the force of the drive; little of it while commands are late
    v = r (q_goal - q),   at most the speed of the drive

towards both ends: beyond where fingers meet, or open.  It has gripped once both fingers have stood
still for a while under way, before their ends.
"""

from typing import NamedTuple

from proxops.core.jit import helper

LEFT = 0.1  # share of its travel after which a finger has left where it is open
# Share of k while commands are late: less than what friction damps is stable at any delay
GENTLY = 0.05
NEARING = 10.0  # r [1/s]: how fast a finger comes to rest where it is open


class Gripper(NamedTuple):
    """The two fingers among the joints."""

    left: int  # number of a finger's joint; -1 without
    right: int
    speed: float  # of closing [m/s]
    gain: float  # k [N s/m]
    force: float  # most of a drive [N]
    opened: float  # travel at which it is open [m]
    closed: float  # mean travel at which fingers have met without anything between them [m]
    stands: float  # speed below which a finger does [m/s]
    settle: float  # for which both must stand [s]
    end: float  # travel at which a finger stands at its stop [m]


@helper
def finger_force(gripper, gain, closes, q, qd):
    """Force of a finger's drive [N]; its gain is k [N s/m]."""
    goal = 2.0 * gripper.closed if closes else gripper.opened
    v = min(max(NEARING * (goal - q), -gripper.speed), gripper.speed)
    f = gain * (v - qd)
    return min(max(f, -gripper.force), gripper.force)


@helper
def stands_between(gripper, q, qd):
    """Whether both fingers stand with something between them, be it in the middle or not; one that
    is still open, or at its stop, holds nothing."""
    left, right = gripper.left, gripper.right
    least = gripper.opened + LEFT * (gripper.closed - gripper.opened)
    stands = (abs(qd[left]) < gripper.stands) & (abs(qd[right]) < gripper.stands)
    between = (min(q[left], q[right]) > least) & (max(q[left], q[right]) < gripper.end)
    return stands & between & (q[left] + q[right] < 2.0 * gripper.closed)
