"""What on-board software asks for: one flat array of float64.

A controller writes the base's wrench and what every joint shall exert; the valves and the wheels
follow from the wrench.  Whatever it leaves stays as it was at its last turn.
"""

FORCE = 0  # of the base, at Co in C [N]
TORQUE = 3  # [N m]
HOLD = 6  # 1: commanded holds shall be closed
MODE = 7  # a number of the controller's own, recorded
REASON = 8  # of its last change of mode, likewise
JOINTS = 9  # end of the fixed part: of each joint [N m or N], then each valve, 1: open


def size(joints: int, thrusters: int) -> int:
    """Length of the array."""
    return JOINTS + joints + thrusters
