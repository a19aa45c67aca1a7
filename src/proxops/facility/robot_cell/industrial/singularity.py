"""How far a robot is from the poses where it cannot move in every direction.

Each is a plain angle or distance: nothing is mixed as a determinant would.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, kernel
from proxops.facility.robot_cell.industrial.forward import angles, arm_in_plane, get6


class Distances(NamedTuple):
    """Distances to the singular poses; none is ever negative."""

    outer: float  # what is left until the arm is stretched [m]
    inner: float  # what is left until the arm is folded up [m]
    wrist: float  # between axes 4 and 6, as lines: 0 to π/2 [rad]
    shoulder: float  # of the wrist's centre from axis 1 [m]


@helper
def distances(robot, joints):
    """Distances of these joints to the singular poses.

    A speed v of the wrist's centre along the arm asks for at least v/√(2 l left) of the bend near
    the stretched arm, v/shoulder of axis 1; a rate w across axis 5 for w/sin(wrist) of axis 6.
    """
    _, t2, t3, _, t5, _ = angles(robot, joints)
    arm = arm_in_plane(robot, t2, t3)
    a, b = robot.a2, math.hypot(robot.d4, robot.a3)
    distance = math.hypot(arm.upper_x + arm.fore_x, arm.upper_z + arm.fore_z)
    return Distances(
        max(0.0, a + b - distance),
        max(0.0, distance - abs(a - b)),
        math.atan2(abs(math.sin(t5)), abs(math.cos(t5))),
        abs(arm.radius),
    )


@kernel
def distances_to_singular(robot, joints):
    """Distances of these joints (6,) to the singular poses."""
    return distances(robot, get6(joints))
