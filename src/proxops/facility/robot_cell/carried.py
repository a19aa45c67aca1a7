"""A hub in the lab that its robot carries: forces do not move it, v̇ = a and ẇ = α as given."""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_rate, quat_to_rotation
from proxops.core.spatial.vector import get3, mul_t, put3, scale, sub
from proxops.facility.robot_cell.industrial import robot
from proxops.physics.multibody.tree import load3
from proxops.plant import layout
from proxops.plant.model import DRIVE_FORCE, DRIVE_TORQUE

GRAVITY = (0.0, 0.0, -robot.GRAVITY)  # in L [m/s2]

# Columns of a hub's row in the drive: how its robot moves it during a step
CARRIED_A = DRIVE_FORCE  # acceleration of its origin, in L [m/s2]
CARRIED_ALPHA = DRIVE_TORQUE  # angular, in hub axes [rad/s2]


@helper
def carried_rates(y, drive, rate):
    """Writes the rates of a hub; returns its accelerations in hub axes, as gravity lets what is
    mounted there feel them."""
    a, alpha = load3(drive, 0, CARRIED_A), load3(drive, 0, CARRIED_ALPHA)
    put3(rate, layout.P, get3(y, layout.V))
    put4(rate, layout.Q, quat_rate(get4(y, layout.Q), get3(y, layout.W)))
    put3(rate, layout.V, a)
    put3(rate, layout.W, alpha)
    return mul_t(quat_to_rotation(get4(y, layout.Q)), sub(a, GRAVITY)), alpha


@part
def steer(y, hub, begin, end, h):
    """Lets a hub go on in a step of h [s] from the motion `begin` to the motion `end`, each
    (p, q wxyz, v, w) as in the state: sets the accelerations in its row of the drive."""
    v = sub(get3(end, layout.V), get3(begin, layout.V))
    w = sub(get3(end, layout.W), get3(begin, layout.W))
    put3(hub, CARRIED_A, scale(1.0 / h, v))
    put3(hub, CARRIED_ALPHA, scale(1.0 / h, w))
    arrive(y, begin)


@helper
def arrive(y, motion):
    """Puts a hub where its robot has it, with the motion it has there."""
    for i in range(layout.JOINTS):
        y[i] = motion[i]
