"""What happened on the link, for whoever flies."""

from dataclasses import dataclass

from proxops.links.mavlink.audit import Audit
from proxops.links.mavlink.content import Command, Mode, SetOrigin, Target, VehicleState


@dataclass(frozen=True, slots=True)
class Connected:
    """Heartbeats of the vehicle arrive, for the first time or again."""


@dataclass(frozen=True, slots=True)
class LinkLost:
    silence_s: float


@dataclass(frozen=True, slots=True)
class Audited:
    audit: Audit


@dataclass(frozen=True, slots=True)
class AuditRevoked:
    """An audited parameter has been changed to something not wanted."""

    name: str
    found: float


@dataclass(frozen=True, slots=True)
class Accepted:
    command: Command


@dataclass(frozen=True, slots=True)
class Refused:
    """The vehicle does not do it, or has not answered; with its reasons."""

    command: Command
    reason: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """Our guard does not permit it: nothing was sent."""

    command: Command | Target | SetOrigin
    reason: str


@dataclass(frozen=True, slots=True)
class Armed:
    pass


@dataclass(frozen=True, slots=True)
class Disarmed:
    pass


@dataclass(frozen=True, slots=True)
class ModeChanged:
    number: int  # ArduCopter's
    mode: Mode | None  # None: one that the arena does not use


@dataclass(frozen=True, slots=True)
class OriginKnown:
    origin: SetOrigin


@dataclass(frozen=True, slots=True)
class PoseLost:
    """No pose for too long: the vehicle is commanded to land."""

    age_s: float


@dataclass(frozen=True, slots=True)
class TargetsEnded:
    """No target for too long: the vehicle is held at the last one."""

    age_s: float


@dataclass(frozen=True, slots=True)
class BatteryLow:
    """The vehicle is commanded to land."""

    battery: float


@dataclass(frozen=True, slots=True)
class StatusText:
    severity: int  # 0 emergency to 7 debug
    text: str


@dataclass(frozen=True, slots=True)
class Telemetry:
    state: VehicleState


Event = (
    Connected
    | LinkLost
    | Audited
    | AuditRevoked
    | Accepted
    | Refused
    | Blocked
    | Armed
    | Disarmed
    | ModeChanged
    | OriginKnown
    | PoseLost
    | TargetsEnded
    | BatteryLow
    | StatusText
    | Telemetry
)
