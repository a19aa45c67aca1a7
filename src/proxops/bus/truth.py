"""What sensors are shown: motion of both hubs and of the arm, the wrench on it, what actuators do.

In orbit it is the plant's state; in a rehearsal it is what the laboratory shows, mapped to orbit.
"""

from typing import NamedTuple

import numpy as np

# Rows of Truth.hubs
CHASER = 0
TARGET = 1

# Columns of Truth.hubs
P = 0  # position of the hub's centre of mass in O [m]
Q = 3  # attitude q_OB, wxyz; O's axes are N's
V = 7  # velocity of that point in O [m/s]
W = 10  # inertial angular velocity, hub axes [rad/s]
HUB_WIDTH = 13

WRENCH = 6  # force [N], then torque [N m]


class Truth(NamedTuple):
    """The truth at an instant."""

    now: int  # [ns] since the start
    hubs: np.ndarray  # (2, 13)
    q: np.ndarray  # joint positions [rad or m]
    qd: np.ndarray  # joint rates [rad/s or m/s]
    wrench: np.ndarray  # on the end effector, at E in E (6,) [N, N m]
    lateness: float  # of the commands that are carried out [s]
    thrust: np.ndarray  # of each thruster [N]
