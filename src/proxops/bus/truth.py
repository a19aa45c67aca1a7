"""What sensors are shown: motion of both hubs and of the arm, the wrench on it, what actuators do.

In orbit it is the plant's state; in a rehearsal it is what the laboratory shows, mapped to orbit.
"""

from typing import NamedTuple

import numpy as np

# Rows of the hubs' array
CHASER = 0
TARGET = 1

# Its columns
P = 0  # position of the hub's centre of mass in O [m]
Q = 3  # attitude q_OB, wxyz; O's axes are N's
V = 7  # velocity of that point in O [m/s]
W = 10  # inertial angular velocity, hub axes [rad/s]
HUB_WIDTH = 13

WRENCH = 6  # force [N], then torque [N m]

# Columns of the array of the centres of mass, rows as of the hubs'
CENTRE_P = 0  # in O [m]
CENTRE_V = 3  # [m/s]
CENTRE_WIDTH = 6

# Entries of the sky
R_NO = 0  # O from the centre of the attractor [m]
SUN = 3  # direction of the Sun in N
RADIUS = 6  # of the attractor [m]
IS_SHOWN = 7  # 1: to sensors that look at it, and at centres of mass; those of every chaser do not
SKY_SIZE = 8


class Truth(NamedTuple):
    """The truth at an instant, by name; N is inertial, O falls with the reference orbit and has N's
    axes, C and T are the hubs."""

    clock: np.ndarray  # [ns] since the start, its first entry
    draw: np.ndarray  # row of the random numbers of this instant, one entry
    p_OC: np.ndarray  # [m]
    q_NC: np.ndarray  # wxyz
    v_OC: np.ndarray  # [m/s]
    w_NC_C: np.ndarray  # [rad/s]
    p_OT: np.ndarray  # [m]
    q_NT: np.ndarray  # wxyz
    v_OT: np.ndarray  # [m/s]
    w_NT_T: np.ndarray  # [rad/s]
    q: np.ndarray  # joint positions [rad or m]
    qd: np.ndarray  # joint rates [rad/s or m/s]
    wrench: np.ndarray  # on the end effector, at E in E (6,) [N, N m]
    lateness: np.ndarray  # of the commands that are carried out [s], one entry
    thrust: np.ndarray  # of each thruster [N]
    impulse: np.ndarray  # of each thruster since the start [N s]
    # From here on only to sensors other than those that every chaser has
    p_OCcm: np.ndarray  # centre of mass of the chaser, joints as they are, nothing deflected [m]
    v_OCcm: np.ndarray  # [m/s]
    p_OTcm: np.ndarray  # and of the target
    v_OTcm: np.ndarray
    R_NO: np.ndarray  # O from the centre of the attractor [m]; zeros without an orbit
    sun_N: np.ndarray  # direction of the Sun; zeros without one
    attractor_radius: np.ndarray  # [m], one entry
    # And these only where there is a sensor of latches
    ready: np.ndarray  # of each hold: 1 where it could close now
    closed: np.ndarray  # 1 while it is closed


def hub_views(hub: np.ndarray) -> tuple[np.ndarray, ...]:
    """Position, attitude, velocity and angular velocity in a row of the hubs' array."""
    return hub[P:Q], hub[Q:V], hub[V:W], hub[W:HUB_WIDTH]
