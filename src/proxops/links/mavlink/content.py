"""What crosses the link, in our frames and units: L and V as in `frames`, SI, radians."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from proxops.links.mavlink.frames import Quaternion, Vector


class Mode(IntEnum):
    """Flight modes of ArduCopter that the arena uses; the values are its custom modes."""

    STABILIZE = 0
    GUIDED = 4
    LAND = 9


class Phase(Enum):
    """Where a flight stands, as the ground station knows it."""

    SEARCHING = "searching"  # no heartbeat of the vehicle
    CONNECTED = "connected"  # heartbeats; parameters not audited, or not as wanted
    READY = "ready"  # audited, disarmed
    ARMED = "armed"
    FLYING = "flying"  # take-off accepted
    LANDING = "landing"  # commanded by the operator, a watchdog or the vehicle itself


@dataclass(frozen=True, slots=True)
class Target:
    """Where the vehicle is to be, and how it moves there."""

    p_LV: Vector  # [m]
    v_LV: Vector  # [m/s]
    a_LV: Vector  # [m/s²]
    yaw: float  # of V's x axis about L's z [rad]


@dataclass(frozen=True, slots=True)
class Pose:
    """What motion capture measured."""

    p_LV: Vector  # [m]
    q_LV: Quaternion
    v_LV: Vector  # components in L [m/s]
    w_LV_V: Vector  # [rad/s]


@dataclass(frozen=True, slots=True)
class VehicleState:
    """What the vehicle says of itself."""

    p_LV: Vector  # [m]
    v_LV: Vector  # components in L [m/s]
    q_LV: Quaternion
    w_LV_V: Vector  # [rad/s]
    landed: bool
    battery: float | None = None  # left, 0 to 1; None: not measured


@dataclass(frozen=True, slots=True)
class SetMode:
    """Changes the autopilot's flight mode."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class Arm:
    """Starts the motors."""


@dataclass(frozen=True, slots=True)
class Disarm:
    """Stops the motors."""


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Climbs to a height and stays there."""

    height_m: float  # above the origin


@dataclass(frozen=True, slots=True)
class Land:
    """Lands where the vehicle is."""


@dataclass(frozen=True, slots=True)
class SetOrigin:
    """Where on Earth the origin of L is thought to be: the autopilot's filter needs some place."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """Has a message sent once."""

    number: int  # of the message


@dataclass(frozen=True, slots=True)
class StreamMessage:
    """Has a message sent every period."""

    number: int  # of the message
    period_s: float


Command = SetMode | Arm | Disarm | TakeOff | Land | RequestMessage | StreamMessage
