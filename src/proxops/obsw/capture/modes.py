"""The order of a capture, and what leads from one mode to the next.

    synchronise ─► approach ─► grasp ─► rigidise
         └──────────┴────────────┴─► abort

synchronise   the base goes to a waiting place that turns with the target
approach      the base comes near while the arm reaches out; then the arm goes on to the grasp point
grasp         the gripper closes; the arm gives way
rigidise      the hold is closed; arm and base take out what is left of relative motion
abort         gripper and hold open, the arm draws back and the base leaves
"""

from typing import NamedTuple

SYNCHRONISE, APPROACH, GRASP, RIGIDISE, ABORT = range(5)
NAMES = ("synchronise", "approach", "grasp", "rigidise", "abort")

# Why it aborts
(
    NONE,
    LATE,
    BLIND,
    PUSHED,
    ASTRAY,
    MISSED,
) = range(6)
REASONS = (
    "",
    "a mode took longer than it may",
    "the target was not seen for too long",
    "the wrist felt more than it may",
    "base or arm are too far from where they shall be",
    "the gripper closed on nothing",
)


class Timing(NamedTuple):
    """Durations [s]."""

    synchronise: float  # of the way to the waiting place
    near: float  # of the base's way from there, with the arm's to before the grasp point
    reach: float  # of the arm's way from before the grasp point onto it
    settle: float  # for which errors must be small before a mode ends
    grip: float  # longest that the gripper may take
    late: float  # longest that a mode may take beyond its way
    blind: float  # longest without a picture of the target


class Tolerance(NamedTuple):
    """When something is where it shall be."""

    place: float  # [m]
    speed: float  # [m/s]
    turn: float  # [rad]
    rate: float  # [rad/s]
