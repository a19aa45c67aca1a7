"""Generated messages from what crosses the link, and back: here our frames become NED and FRD."""

import math
from collections.abc import Callable

from proxops.links.mavlink.content import Pose, SetOrigin, Target, VehicleState
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.frames import (
    Vector,
    flip_attitude,
    flip_vector,
    flip_yaw,
    inverse,
    is_unit,
    rotate,
)
from proxops.links.mavlink.framing import Message

TARGET_MASK = 0x800  # position, velocity, acceleration and yaw count; the yaw rate does not
NS_PER_MS = 1_000_000
NS_PER_US = 1_000
POSITION_SIGMA_M = 1e-3
ATTITUDE_SIGMA_RAD = 2e-3
VELOCITY_SIGMA_M_S = 0.05
RATE_SIGMA_RAD_S = 0.05


def _milliseconds(now_ns: int) -> int:
    return (now_ns // NS_PER_MS) % 2**32


def target_message(target: Target, vehicle: tuple[int, int], now_ns: int) -> Message:
    """SET_POSITION_TARGET_LOCAL_NED; ArduPilot never acknowledges it."""
    return mavlink.MAVLink_set_position_target_local_ned_message(
        _milliseconds(now_ns),
        *vehicle,
        mavlink.MAV_FRAME_LOCAL_NED,
        TARGET_MASK,
        *flip_vector(target.p_LV),
        *flip_vector(target.v_LV),
        *flip_vector(target.a_LV),
        flip_yaw(target.yaw),
        0.0,
    )


def read_target(message: Message) -> Target | None:
    """None where it is not a target of the one kind that the arena uses, with finite numbers."""
    if message.coordinate_frame != mavlink.MAV_FRAME_LOCAL_NED or message.type_mask != TARGET_MASK:
        return None
    target = Target(
        p_LV=flip_vector((message.x, message.y, message.z)),
        v_LV=flip_vector((message.vx, message.vy, message.vz)),
        a_LV=flip_vector((message.afx, message.afy, message.afz)),
        yaw=flip_yaw(message.yaw),
    )
    numbers = (*target.p_LV, *target.v_LV, *target.a_LV, target.yaw)
    return target if all(map(math.isfinite, numbers)) else None


def pose_message(pose: Pose, now_ns: int) -> Message:
    """ODOMETRY in LOCAL_FRD and BODY_FRD, which is all that ArduPilot takes; the covariance is
    filled, so that no field is ever NaN."""
    v_V = rotate(inverse(pose.q_LV), pose.v_LV)
    return mavlink.MAVLink_odometry_message(
        now_ns // NS_PER_US,
        mavlink.MAV_FRAME_LOCAL_FRD,
        mavlink.MAV_FRAME_BODY_FRD,
        *flip_vector(pose.p_LV),
        flip_attitude(pose.q_LV),
        *flip_vector(v_V),
        *flip_vector(pose.w_LV_V),
        _covariance(POSITION_SIGMA_M, ATTITUDE_SIGMA_RAD),
        _covariance(VELOCITY_SIGMA_M_S, RATE_SIGMA_RAD_S),
        0,
        mavlink.MAV_ESTIMATOR_TYPE_MOCAP,
        100,
    )


def read_pose(message: Message) -> Pose | None:
    """None where ArduPilot would drop it, or where a number is not one."""
    frames = (message.frame_id, message.child_frame_id)
    if frames != (mavlink.MAV_FRAME_LOCAL_FRD, mavlink.MAV_FRAME_BODY_FRD):
        return None
    unknown = {math.isnan(each) for each in message.pose_covariance}
    if len(unknown) > 1:
        return None  # neither all NaN nor all filled
    q_LV = flip_attitude(tuple(message.q))
    v_V = flip_vector((message.vx, message.vy, message.vz))
    rates = flip_vector((message.rollspeed, message.pitchspeed, message.yawspeed))
    position = flip_vector((message.x, message.y, message.z))
    if not all(map(math.isfinite, (*position, *q_LV, *v_V, *rates))) or not is_unit(q_LV):
        return None
    return Pose(p_LV=position, q_LV=q_LV, v_LV=rotate(q_LV, v_V), w_LV_V=rates)


def _covariance(first_sigma: float, second_sigma: float) -> list[float]:
    """Upper right triangle, row by row, of diag(σ₁², σ₁², σ₁², σ₂², σ₂², σ₂²)."""
    triangle = [0.0] * 21
    for at, sigma in zip(
        (0, 6, 11, 15, 18, 20), (first_sigma,) * 3 + (second_sigma,) * 3, strict=True
    ):
        triangle[at] = sigma**2
    return triangle


def _position_message(state: VehicleState, now_ns: int) -> Message:
    return mavlink.MAVLink_local_position_ned_message(
        _milliseconds(now_ns), *flip_vector(state.p_LV), *flip_vector(state.v_LV)
    )


def _attitude_message(state: VehicleState, now_ns: int) -> Message:
    return mavlink.MAVLink_attitude_quaternion_message(
        _milliseconds(now_ns), *flip_attitude(state.q_LV), *flip_vector(state.w_LV_V)
    )


def _landed_message(state: VehicleState, _: int) -> Message:
    landed = mavlink.MAV_LANDED_STATE_ON_GROUND if state.landed else mavlink.MAV_LANDED_STATE_IN_AIR
    return mavlink.MAVLink_extended_sys_state_message(mavlink.MAV_VTOL_STATE_UNDEFINED, landed)


def _battery_message(state: VehicleState, _: int) -> Message:
    left = -1 if state.battery is None else round(100.0 * state.battery)
    return mavlink.MAVLink_sys_status_message(0, 0, 0, 0, 0, -1, left, 0, 0, 0, 0, 0, 0)


# What the vehicle says of its state, by message number.
STREAMS: dict[int, Callable[[VehicleState, int], Message]] = {
    mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED: _position_message,
    mavlink.MAVLINK_MSG_ID_ATTITUDE_QUATERNION: _attitude_message,
    mavlink.MAVLINK_MSG_ID_EXTENDED_SYS_STATE: _landed_message,
    mavlink.MAVLINK_MSG_ID_SYS_STATUS: _battery_message,
}


def read_position(message: Message) -> tuple[Vector, Vector] | None:
    """Position [m] and velocity [m/s] in L; None where a number is not one."""
    position = flip_vector((message.x, message.y, message.z))
    velocity = flip_vector((message.vx, message.vy, message.vz))
    return (position, velocity) if all(map(math.isfinite, (*position, *velocity))) else None


def origin_fields(origin: SetOrigin) -> tuple[int, int, int]:
    """Latitude, longitude [1e-7 deg] and altitude [mm]."""
    return (
        round(origin.latitude_deg * 1e7),
        round(origin.longitude_deg * 1e7),
        round(origin.altitude_m * 1e3),
    )


def read_origin(message: Message) -> SetOrigin:
    """Where on Earth the origin is, in degrees and metres."""
    return SetOrigin(message.latitude / 1e7, message.longitude / 1e7, message.altitude / 1e3)
