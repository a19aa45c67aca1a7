"""Roll, pitch and yaw: R = R_z(yaw) R_y(pitch) R_x(roll).  Vehicles lean far less than 90 deg."""

import math

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import quat_to_rotation


@helper
def angles_of(q):
    """Roll, pitch and yaw [rad] of q_LV."""
    R = quat_to_rotation(q)
    pitch = math.asin(max(-1.0, min(1.0, -R[6])))
    return math.atan2(R[7], R[8]), pitch, math.atan2(R[3], R[0])


@helper
def attitude_of(roll, pitch, yaw):
    """q_LV."""
    a, b = math.cos(0.5 * roll), math.sin(0.5 * roll)
    c, d = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    e, f = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    return (
        a * c * e + b * d * f,
        b * c * e - a * d * f,
        a * d * e + b * c * f,
        a * c * f - b * d * e,
    )


@helper
def rate_of(pitch, yaw, rates):
    """Angular velocity in L [rad/s] of the rates of roll, pitch and yaw:

    yaw about z, pitch about the y that yaw has turned, roll about the x that both have
    """
    roll_rate, pitch_rate, yaw_rate = rates
    c, s, along = math.cos(yaw), math.sin(yaw), math.cos(pitch) * roll_rate
    return (
        c * along - s * pitch_rate,
        s * along + c * pitch_rate,
        yaw_rate - math.sin(pitch) * roll_rate,
    )
