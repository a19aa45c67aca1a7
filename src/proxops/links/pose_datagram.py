"""Poses of a motion-capture system as datagrams: one line of JSON for a vehicle and an instant.

    {"vehicle":1,"time_s":12.34,"p_LV":[x,y,z],"q_LV":[w,x,y,z]}

`time_s` is when the cameras saw it, by the clock of the motion capture, which also paces a flight;
frames L and V as in `mavlink.frames` [m].
"""

import json
import math
from dataclasses import dataclass

from proxops.links.errors import LocalProtocolError, RemoteProtocolError
from proxops.links.mavlink.frames import Quaternion, Vector, is_unit

MAX_BYTES = 1000
KEYS = ("vehicle", "time_s", "p_LV", "q_LV")


@dataclass(frozen=True, slots=True)
class CapturedPose:
    """What the cameras saw of a vehicle."""

    vehicle: int  # 1: the target's, 2: the chaser's; also the system ids
    time_s: float
    p_LV: Vector  # [m]
    q_LV: Quaternion


def pose_datagram(pose: CapturedPose) -> bytes:
    """LocalProtocolError where a number is not one."""
    if not all(map(math.isfinite, (pose.time_s, *pose.p_LV, *pose.q_LV))):
        raise LocalProtocolError(f"a number of the pose is not finite: {pose}")
    found = {key: getattr(pose, key) for key in KEYS}
    return json.dumps(found, separators=(",", ":")).encode() + b"\n"


def read_pose_datagram(datagram: bytes) -> CapturedPose:
    """RemoteProtocolError where it is no pose."""
    if len(datagram) > MAX_BYTES:
        raise RemoteProtocolError(f"a pose of {len(datagram)} bytes: at most {MAX_BYTES} are read")
    try:
        found = json.loads(datagram)
    except (ValueError, RecursionError) as error:
        raise RemoteProtocolError(f"a pose that is no JSON: {error}") from error
    if not isinstance(found, dict) or set(found) != set(KEYS):
        raise RemoteProtocolError(f"a pose has the keys {', '.join(KEYS)}")
    if type(found["vehicle"]) is not int or not 1 <= found["vehicle"] <= 2:
        raise RemoteProtocolError(f"vehicle must be 1 or 2, found {found['vehicle']!r}")
    numbers = [_numbers([found["time_s"]], 1, "time_s")]
    numbers += [_numbers(found[key], count, key) for key, count in (("p_LV", 3), ("q_LV", 4))]
    (time_s,), (x, y, z), (w, *rest) = numbers
    q = (w, rest[0], rest[1], rest[2])
    if not is_unit(q):
        raise RemoteProtocolError(f"q_LV must be a unit quaternion, found {q}")
    return CapturedPose(found["vehicle"], time_s, (x, y, z), q)


def _numbers(found: object, count: int, key: str) -> list[float]:
    if not isinstance(found, list) or len(found) != count:
        raise RemoteProtocolError(f"{key} must have {count} numbers, found {found!r}")
    if any(type(each) not in (int, float) for each in found):
        raise RemoteProtocolError(f"{key} must have {count} numbers, found {found!r}")
    try:
        numbers = [float(each) for each in found]
    except OverflowError:
        numbers = [math.inf]
    if not all(map(math.isfinite, numbers)):
        raise RemoteProtocolError(f"{key} must be finite, found {found!r}")
    return numbers
