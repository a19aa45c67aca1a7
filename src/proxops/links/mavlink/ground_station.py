"""The ground station of one vehicle.  Owns no socket and reads no clock.

The autopilot does not protect the arena: with its default parameters it flies on when targets or
heartbeats stop.  So this end audits its parameters before it arms, lands when the pose is lost,
holds when targets end, and lets nothing out that the guard has not permitted.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from proxops.core.clock import NS_PER_S, to_ns
from proxops.links.errors import LocalProtocolError
from proxops.links.mavlink import events
from proxops.links.mavlink.audit import Audit, Limits, audit, rules
from proxops.links.mavlink.commands import CommandQueue, command_message
from proxops.links.mavlink.content import (
    Arm,
    Command,
    Disarm,
    Land,
    Mode,
    Phase,
    Pose,
    RequestMessage,
    SetMode,
    SetOrigin,
    StreamMessage,
    TakeOff,
    Target,
)
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.frames import is_unit
from proxops.links.mavlink.framing import Framing, Message, Statistics
from proxops.links.mavlink.messages import origin_fields, pose_message, target_message
from proxops.links.mavlink.order import Sequence
from proxops.links.mavlink.parameter_reader import ParameterReader
from proxops.links.mavlink.reported import Reported
from proxops.links.mavlink.signing import Signing

Guard = Callable[[Command | Target | SetOrigin], str | None]  # None: permitted; else why not

STREAMS = (
    StreamMessage(mavlink.MAVLINK_MSG_ID_LOCAL_POSITION_NED, 0.02),
    StreamMessage(mavlink.MAVLINK_MSG_ID_ATTITUDE_QUATERNION, 0.02),
    StreamMessage(mavlink.MAVLINK_MSG_ID_EXTENDED_SYS_STATE, 0.2),
    StreamMessage(mavlink.MAVLINK_MSG_ID_SYS_STATUS, 0.5),
)
WARNING = 4  # severity of a text that may be a reason
AIRBORNE = (Phase.ARMED, Phase.FLYING)  # watchdogs act
ARMING_NS = to_ns(2.5)  # after which two heartbeats would have said that a vehicle is armed


@dataclass(frozen=True, slots=True)
class Station:
    """Who talks to whom, how often, and how long this end is patient."""

    system: int = 255
    component: int = 190
    vehicle: tuple[int, int] = (1, 1)  # system, component
    heartbeat_s: float = 0.5
    time_sync_s: float = 1.0
    target_period_s: float = 0.02
    pose_period_s: float = 0.02  # ArduPilot uses one pose in 20 ms
    max_pose_age_s: float = 0.2
    max_target_age_s: float = 0.1
    max_silence_s: float = 3.0  # of the vehicle's heartbeats, one a second
    min_battery: float = 0.2


class GroundStation:
    """Datagrams and the time [ns] go in; events and datagrams come out.

    The time is of any clock that does not go back.  A call that the phase forbids raises
    LocalProtocolError and sends nothing.
    """

    def __init__(
        self,
        guard: Guard,
        limits: Limits | None = None,
        station: Station | None = None,
        signing: Signing | None = None,
    ) -> None:
        self.station = station or Station()
        limits = limits or Limits()
        self.rules = rules(replace(limits, station_system=self.station.system))
        self.phase = Phase.SEARCHING
        self.audit: Audit | None = None
        self.reported = Reported()
        self._guard = guard
        self._framing = Framing(self.station.system, self.station.component, signing)
        self._order = Sequence()
        self._queue = CommandQueue()
        self._reader: ParameterReader | None = None
        self._events: list[events.Event] = []
        self._heartbeat_due_ns = 0
        self._time_sync_due_ns = 0
        self._heard_ns = 0
        self._pose_ns: int | None = None  # of the newest pose
        self._pose_sent_ns: int | None = None
        self._target: Target | None = None
        self._target_ns = 0  # when it was given
        self._target_sent_ns: int | None = None
        self._held = False
        self._took_off = False  # since it was armed
        self._arm_sent_ns: int | None = None  # while heartbeats may not show its effect yet
        self.max_pose_age_s = 0.0  # while armed

    # --- what the operator does

    def read_and_audit(self) -> None:
        """Reads the parameters of the audit; `Audited` follows."""
        self._require("audit parameters", Phase.CONNECTED, Phase.READY)
        self.phase, self.audit = Phase.CONNECTED, None
        self._reader = ParameterReader(
            self.station.vehicle, tuple(rule.name for rule in self.rules)
        )

    def set_origin(self, origin: SetOrigin, now_ns: int) -> None:
        """Gives the vehicle's estimator a place on Earth; `OriginKnown` follows."""
        self._require("set the origin", Phase.CONNECTED, Phase.READY)
        if not (abs(origin.latitude_deg) <= 90.0 and abs(origin.longitude_deg) <= 180.0):
            raise LocalProtocolError(f"give a latitude and longitude on Earth, not {origin}")
        if not abs(origin.altitude_m) <= 1e5:
            raise LocalProtocolError(f"give an altitude of at most 100 km, not {origin.altitude_m}")
        if self._permits(origin):
            self._send(
                mavlink.MAVLink_set_gps_global_origin_message(
                    self.station.vehicle[0], *origin_fields(origin), 0
                ),
                now_ns,
            )
            self._queue.push(RequestMessage(mavlink.MAVLINK_MSG_ID_GPS_GLOBAL_ORIGIN))

    def set_mode(self, mode: Mode) -> None:
        """Asks for a flight mode; LocalProtocolError before the vehicle is connected."""
        self._require("set the mode", Phase.CONNECTED, Phase.READY, *AIRBORNE)
        self._queue.push(SetMode(mode))

    def arm(self, now_ns: int) -> None:
        """Arms, once the audit has passed, the mode is guided, the origin known, the pose fresh."""
        if self.audit is None or not self.audit.passed:
            problems = "; ".join(self.audit.problems) if self.audit else "call read_and_audit first"
            raise LocalProtocolError(f"not armed, the parameters are not as wanted: {problems}")
        self._require("arm", Phase.READY)
        if self.reported.mode is not Mode.GUIDED:
            raise LocalProtocolError("not armed: set the mode to GUIDED first")
        if self.reported.origin is None:
            raise LocalProtocolError("not armed: set the origin first")
        age_s = self._pose_age_s(now_ns)
        if age_s > self.station.max_pose_age_s:
            raise LocalProtocolError(
                f"not armed: send poses first, the newest is {age_s:.3g} s old "
                f"and at most {self.station.max_pose_age_s:g} s are tolerated"
            )
        if self.reported.battery is not None and self.reported.battery < self.station.min_battery:
            raise LocalProtocolError(
                f"not armed: charge the battery, {self.reported.battery:.0%} is left "
                f"and {self.station.min_battery:.0%} is needed"
            )
        self._took_off = False
        self._queue.push(Arm())

    def take_off(self, height_m: float) -> None:
        """Asks an armed vehicle to climb to a height above its origin [m]."""
        self._require("take off", Phase.ARMED)
        if not (math.isfinite(height_m) and height_m > 0.0):
            raise LocalProtocolError(f"take off to a height above 0 m, not {height_m} m")
        self._queue.push(TakeOff(height_m))

    def send_target(self, target: Target, now_ns: int) -> bool:
        """Whether it was sent: not once the flight has ended, not without the guard, not faster
        than 50 Hz (a new target then waits for the next call)."""
        if self._took_off and self.phase is not Phase.FLYING:
            return False
        self._require("fly to a target", Phase.FLYING)
        message = target_message(target, self.station.vehicle, now_ns)
        if not self._held and self._too_soon(
            self._target_sent_ns, self.station.target_period_s, now_ns
        ):
            return False
        if self.reported.mode is not Mode.GUIDED or not self._permits(target):
            return False
        self._send(message, now_ns)
        self._target, self._target_ns, self._target_sent_ns = target, now_ns, now_ns
        self._held = False
        return True

    def send_pose(self, pose: Pose, now_ns: int) -> None:
        """Gives the newest pose; one in 20 ms is sent on."""
        if not is_unit(pose.q_LV):
            raise LocalProtocolError(f"q_LV must be a unit quaternion, found {pose.q_LV}")
        message = pose_message(pose, now_ns)
        if not self._too_soon(self._pose_sent_ns, self.station.pose_period_s, now_ns):
            self._send(message, now_ns)
            self._pose_sent_ns = now_ns
        self._pose_ns = now_ns

    def land(self) -> None:
        """Lands in place, also a vehicle that somebody else flies; repeated until it does."""
        if self.phase is Phase.SEARCHING:
            raise LocalProtocolError("cannot land while searching: no vehicle has answered yet")
        self._land()

    def disarm(self) -> None:
        """Disarms on the ground; in the air the vehicle refuses."""
        self._require("disarm", Phase.ARMED, Phase.LANDING)
        self._queue.push(Disarm())

    # --- bytes and time

    @property
    def may_be_armed(self) -> bool:
        """Whether it is armed, or a command to arm may take effect that no heartbeat shows yet."""
        return self.reported.armed or self._arm_sent_ns is not None

    @property
    def statistics(self) -> Statistics:
        """Frames received, lost and rejected so far."""
        return replace(self._framing.statistics, lost=self._order.lost)

    def data_to_send(self) -> list[bytes]:
        """Datagrams since the last call."""
        return self._framing.data_to_send()

    def receive(self, datagram: bytes, now_ns: int) -> list[events.Event]:
        """Takes what has come; says what happened."""
        for message in self._framing.receive(datagram, now_ns):
            sender = (message.get_srcSystem(), message.get_srcComponent())
            if sender != self.station.vehicle:
                self._framing.statistics.strangers += 1
            elif not self._order.accept(message.get_seq(), now_ns):
                self._framing.statistics.stale += 1
            else:
                self._framing.statistics.received += 1
                self._handle(message, now_ns)
        return self._drain()

    def check(self, now_ns: int) -> list[events.Event]:
        """Sends what is due, looks at every watchdog; to be called at least every 20 ms."""
        if now_ns >= self._heartbeat_due_ns:
            self._heartbeat_due_ns = now_ns + to_ns(self.station.heartbeat_s)
            self._send(
                mavlink.MAVLink_heartbeat_message(
                    mavlink.MAV_TYPE_GCS,
                    mavlink.MAV_AUTOPILOT_INVALID,
                    0,
                    0,
                    mavlink.MAV_STATE_ACTIVE,
                    3,
                ),
                now_ns,
            )
        if self.phase is not Phase.SEARCHING:
            if now_ns >= self._time_sync_due_ns:
                self._time_sync_due_ns = now_ns + to_ns(self.station.time_sync_s)
                self._send(self.reported.clock.ask(now_ns), now_ns)
            self._check_silence(now_ns)
        for watchdog in (self._check_pose, self._check_targets, self._check_battery):
            if self.phase in AIRBORNE:
                watchdog(now_ns)
        self._read_parameters(now_ns)
        self._send_commands(now_ns)
        return self._drain()

    # --- watchdogs

    def _check_silence(self, now_ns: int) -> None:
        silence_s = (now_ns - self._heard_ns) / NS_PER_S
        if silence_s <= self.station.max_silence_s or self.reported.lost:
            return
        self.reported.lost = True
        self._events.append(events.LinkLost(silence_s))
        if self.phase in AIRBORNE:
            self._land()
        elif self.phase is not Phase.LANDING:
            self._forget()

    def _check_pose(self, now_ns: int) -> None:
        age_s = self._pose_age_s(now_ns)
        self.max_pose_age_s = max(self.max_pose_age_s, age_s)
        if age_s > self.station.max_pose_age_s:
            self._events.append(events.PoseLost(age_s))
            self._land()

    def _check_targets(self, now_ns: int) -> None:
        age_s = (now_ns - self._target_ns) / NS_PER_S
        if self._target is None or age_s <= self.station.max_target_age_s:
            return
        if not self._held:
            self._held = True
            self._events.append(events.TargetsEnded(age_s))
        still = replace(self._target, v_LV=(0.0, 0.0, 0.0), a_LV=(0.0, 0.0, 0.0))
        if self._too_soon(self._target_sent_ns, self.station.target_period_s, now_ns):
            return
        if self._permits(still):
            self._send(target_message(still, self.station.vehicle, now_ns), now_ns)
            self._target_sent_ns = now_ns

    def _check_battery(self, _: int) -> None:
        battery = self.reported.battery
        if battery is not None and battery < self.station.min_battery:
            self._events.append(events.BatteryLow(battery))
            self._land()

    def _land(self) -> None:
        self.phase = Phase.LANDING
        self._target = None
        self._queue.interrupt(Land())

    # --- what has come

    def _handle(self, message: Message, now_ns: int) -> None:
        kind = message.get_type()
        if kind == "HEARTBEAT":
            self._on_heartbeat(message, now_ns)
        elif kind == "COMMAND_ACK":
            if message.target_system in (0, self.station.system):
                self._queue.acknowledge(message.command, message.result, now_ns)
                self._conclude()
        elif kind == "PARAM_VALUE":
            self._on_parameter(message.param_id, message.param_value)
        elif kind == "PARAM_ERROR":
            if self._reader is not None:
                self._reader.absent(message.param_id)
        elif kind == "STATUSTEXT":
            if message.severity <= WARNING:
                self._queue.add_reason(message.text)
            self._events.append(events.StatusText(message.severity, message.text))
        elif kind == "TIMESYNC" and message.tc1 == 0:
            self._send(mavlink.MAVLink_timesync_message(now_ns, message.ts1), now_ns)
        else:
            event = self.reported.update(message, now_ns)
            if event is not None:
                self._events.append(event)

    def _on_heartbeat(self, message: Message, now_ns: int) -> None:
        self._heard_ns = now_ns
        if self.phase is Phase.SEARCHING or self.reported.lost:
            self.reported.lost = False
            self._events.append(events.Connected())
        if self.phase is Phase.SEARCHING:
            self.phase = Phase.CONNECTED
            for stream in STREAMS:
                self._queue.push(stream)
        armed = bool(message.base_mode & mavlink.MAV_MODE_FLAG_SAFETY_ARMED)
        if armed != self.reported.armed:
            self.reported.armed = armed
            self._events.append(events.Armed() if armed else events.Disarmed())
        if self._arm_sent_ns is not None and (armed or now_ns - self._arm_sent_ns > ARMING_NS):
            self._arm_sent_ns = None
        if armed and self.phase is Phase.READY:
            self.phase = Phase.ARMED if self.reported.landed else Phase.FLYING
        elif not armed and self.phase in (*AIRBORNE, Phase.LANDING):
            self.phase = Phase.READY if self.audit and self.audit.passed else Phase.CONNECTED
            self._target = None
            self._queue.cancel_landing()
        self._on_mode(message.custom_mode)

    def _on_mode(self, number: int) -> None:
        if number == self.reported.mode_number:
            return
        self.reported.mode_number = number
        self._events.append(events.ModeChanged(number, self.reported.mode))
        if self.phase in AIRBORNE and self.reported.mode is Mode.LAND:
            self.phase = Phase.LANDING
            self._target = None

    def _on_parameter(self, name: str, value: float) -> None:
        if self._reader is not None:
            self._reader.answer(name, value)
        if self.audit is None or all(
            rule.name != name or rule.agrees(value) for rule in self.rules
        ):
            return
        self.audit = None
        self._events.append(events.AuditRevoked(name, value))
        if self.phase is Phase.READY:
            self.phase = Phase.CONNECTED

    # --- what goes out

    def _read_parameters(self, now_ns: int) -> None:
        if self._reader is None:
            return
        for message in self._reader.messages(now_ns):
            self._send(message, now_ns)
        if self._reader.done:
            self.audit = audit(self.rules, self._reader.found)
            self._reader = None
            if self.audit.passed and self.phase is Phase.CONNECTED:
                self.phase = Phase.READY
            self._events.append(events.Audited(self.audit))

    def _send_commands(self, now_ns: int) -> None:
        due = self._queue.due(now_ns)
        self._conclude()
        if due is None:
            return
        command, sent_before = due
        if self._permits(command):
            self._send(command_message(command, self.station.vehicle, sent_before), now_ns)
            if isinstance(command, Arm):
                self._arm_sent_ns = now_ns
        elif not isinstance(command, Land):  # landing is tried again
            self._queue.drop()

    def _conclude(self) -> None:
        for outcome in self._queue.outcomes():
            if outcome.refusal is not None:
                self._events.append(events.Refused(outcome.command, outcome.refusal))
                continue
            self._events.append(events.Accepted(outcome.command))
            if isinstance(outcome.command, TakeOff) and self.phase is Phase.ARMED:
                self.phase, self._took_off = Phase.FLYING, True

    def _permits(self, command: Command | Target | SetOrigin) -> bool:
        reason = self._guard(command)
        if reason is not None:
            self._events.append(events.Blocked(command, reason))
        return reason is None

    def _send(self, message: Message, now_ns: int) -> None:
        self._framing.send(message, now_ns)

    def _drain(self) -> list[events.Event]:
        happened, self._events = self._events, []
        return happened

    def _forget(self) -> None:
        self.phase, self.audit, self._reader = Phase.SEARCHING, None, None
        self.reported = Reported(lost=True)
        self._queue = CommandQueue()

    def _pose_age_s(self, now_ns: int) -> float:
        return math.inf if self._pose_ns is None else (now_ns - self._pose_ns) / NS_PER_S

    @staticmethod
    def _too_soon(sent_ns: int | None, period_s: float, now_ns: int) -> bool:
        """Whether less than a period has passed; a tenth of it is left to the caller's jitter."""
        return sent_ns is not None and now_ns - sent_ns < to_ns(0.9 * period_s)

    def _require(self, what: str, *phases: Phase) -> None:
        if self.phase not in phases:
            raise LocalProtocolError(
                f"cannot {what} while {self.phase.value}: "
                f"possible while {' or '.join(phase.value for phase in phases)}"
            )
