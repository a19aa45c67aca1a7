"""What the vehicle has said of itself, as the ground station knows it."""

import math
from dataclasses import dataclass, field

from proxops.core.clock import NS_PER_S, to_ns
from proxops.links.mavlink import events
from proxops.links.mavlink.content import Mode, SetOrigin, VehicleState
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.frames import Quaternion, Vector, flip_attitude, flip_vector, is_unit
from proxops.links.mavlink.framing import Message
from proxops.links.mavlink.messages import NS_PER_MS, read_origin, read_position
from proxops.links.mavlink.order import Stamps

RESTART_NS = to_ns(1.0)  # silence after which a vehicle may have started anew, its clock with it


@dataclass(slots=True)
class ClockOffset:
    """How far the vehicle's clock is ahead of ours, by the answer with the shortest way.

    offset = t_vehicle - (t_asked + t_answered) / 2,   wrong by half the round trip at most
    """

    offset_ns: int | None = None
    round_trip_ns: int | None = None
    _asked_ns: int | None = None

    def ask(self, now_ns: int) -> Message:
        self._asked_ns = now_ns
        return mavlink.MAVLink_timesync_message(0, now_ns)

    def answer(self, message: Message, now_ns: int) -> None:
        """An answer; one to another question means nothing."""
        if message.ts1 != self._asked_ns:
            return
        round_trip_ns = now_ns - message.ts1
        self._asked_ns = None
        if self.round_trip_ns is None or round_trip_ns <= self.round_trip_ns:
            self.round_trip_ns = round_trip_ns
            self.offset_ns = message.tc1 - (message.ts1 + now_ns) // 2


@dataclass(slots=True)
class Reported:
    """The newest of everything; `update` reads one message."""

    lost: bool = False
    armed: bool = False
    mode_number: int | None = None
    origin: SetOrigin | None = None
    battery: float | None = None
    landed: bool = True
    clock: ClockOffset = field(default_factory=ClockOffset)
    _q_LV: Quaternion = (1.0, 0.0, 0.0, 0.0)
    _w_LV_V: Vector = (0.0, 0.0, 0.0)
    _position_stamps: Stamps = field(default_factory=lambda: Stamps(RESTART_NS))
    _attitude_stamps: Stamps = field(default_factory=lambda: Stamps(RESTART_NS))

    @property
    def mode(self) -> Mode | None:
        """None: not known, or one that the arena does not use."""
        return Mode(self.mode_number) if self.mode_number in tuple(Mode) else None

    def update(self, message: Message, now_ns: int) -> events.Event | None:
        kind = message.get_type()
        if kind == "LOCAL_POSITION_NED":
            return self._on_position(message, now_ns)
        elif kind == "ATTITUDE_QUATERNION":
            self._on_attitude(message, now_ns)
        elif kind == "EXTENDED_SYS_STATE":
            self.landed = message.landed_state == mavlink.MAV_LANDED_STATE_ON_GROUND
        elif kind == "SYS_STATUS":
            left = message.battery_remaining  # [%], -1 where it is not measured
            self.battery = left / 100.0 if left >= 0 else None
        elif kind == "GPS_GLOBAL_ORIGIN":
            self.origin = read_origin(message)
            return events.OriginKnown(self.origin)
        elif kind == "TIMESYNC":
            self.clock.answer(message, now_ns)
        return None

    def _on_position(self, message: Message, now_ns: int) -> events.Event | None:
        read = read_position(message)
        if read is None or not self._position_stamps.accept(
            message.time_boot_ms * NS_PER_MS, now_ns
        ):
            return None
        return events.Telemetry(
            VehicleState(*read, self._q_LV, self._w_LV_V, self.landed, self.battery)
        )

    def _on_attitude(self, message: Message, now_ns: int) -> None:
        q = flip_attitude((message.q1, message.q2, message.q3, message.q4))
        w = flip_vector((message.rollspeed, message.pitchspeed, message.yawspeed))
        if not all(map(math.isfinite, (*q, *w))) or not is_unit(q):
            return
        if self._attitude_stamps.accept(message.time_boot_ms * NS_PER_MS, now_ns):
            self._q_LV, self._w_LV_V = q, w

    @property
    def round_trip_s(self) -> float | None:
        """The shortest one seen."""
        round_trip_ns = self.clock.round_trip_ns
        return None if round_trip_ns is None else round_trip_ns / NS_PER_S
