"""The autopilot's end of the link, for a virtual vehicle.  Owns no socket and reads no clock.

It answers as ArduCopter 4.7 does where the arena depends on it: whom it obeys, what it refuses and
why, when it holds, when it lands; its parameters decide, and its defaults are as careless as the
real ones.  docs/mavlink.md lists what is not imitated.
"""

from dataclasses import replace
from typing import Protocol

from proxops.core.clock import NS_PER_S, to_ns
from proxops.links.mavlink.content import Mode, Pose, SetOrigin, Target, VehicleState
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.framing import Framing, Message, Statistics
from proxops.links.mavlink.messages import (
    NS_PER_MS,
    NS_PER_US,
    STREAMS,
    origin_fields,
    read_origin,
    read_pose,
    read_target,
)
from proxops.links.mavlink.order import Sequence, Stamps
from proxops.links.mavlink.signing import Signing

DEFAULTS = {
    "GUID_TIMEOUT": 3.0,
    "GUID_OPTIONS": 0.0,
    "FS_GCS_ENABLE": 0.0,
    "FS_GCS_TIMEOUT": 5.0,
    "FS_DR_ENABLE": 2.0,
    "FS_THR_ENABLE": 1.0,
    "FS_EKF_ACTION": 1.0,
    "FS_OPTIONS": 16.0,
    "MAV_OPTIONS": 0.0,
    "MAV_GCS_SYSID": 255.0,
    "MAV_GCS_SYSID_HI": 0.0,
    "WP_SPD": 10.0,
    "WP_SPD_UP": 2.5,
    "WP_SPD_DN": 1.5,
    "LAND_SPD_MS": 0.5,
    "EK3_SRC1_POSXY": 3.0,
    "EK3_SRC1_POSZ": 1.0,
    "EK3_SRC1_YAW": 1.0,
    "EK3_SRC1_VELXY": 3.0,
    "EK3_SRC1_VELZ": 3.0,
    "VISO_TYPE": 0.0,
    "VISO_DELAY_MS": 10.0,
    "ARMING_SKIPCHK": 0.0,
}
LAND_ACTION = 5.0  # of FS_GCS_ENABLE
POSE_FAILSAFE_S = 8.0  # until the real one notices that poses have stopped (measured)
POSE_HEALTHY_S = 0.3
HEARTBEAT_NS = to_ns(1.0)
ALERT, WARNING, INFO = 1, 4, 6  # severities


class Vehicle(Protocol):
    """What flies.  Vectors in L and V; the autopilot decides when, the vehicle how."""

    def arm(self) -> str | None:
        """Starts the motors; else says why not."""
        ...

    def disarm(self) -> None: ...

    def take_off(self, height_m: float) -> None: ...

    def set_target(self, target: Target) -> None: ...

    def set_pose(self, pose: Pose) -> None:
        """A measurement of the motion capture, for the estimator."""
        ...

    def hold(self) -> None:
        """Stops and keeps its position."""
        ...

    def land(self) -> None: ...

    def state(self) -> VehicleState: ...


class Autopilot:
    """Datagrams and the time [ns] go in; datagrams come out, and the vehicle is commanded."""

    def __init__(
        self,
        vehicle: Vehicle,
        parameters: dict[str, float] | None = None,
        system: int = 1,
        signing: Signing | None = None,
    ) -> None:
        self.parameters = DEFAULTS | (parameters or {})
        self.mode = Mode.STABILIZE
        self.armed = False
        self._system = system
        self._vehicle = vehicle
        self._framing = Framing(system, mavlink.MAV_COMP_ID_AUTOPILOT1, signing)
        self._orders: dict[tuple[int, int], Sequence] = {}
        self._target_stamps, self._pose_stamps = Stamps(), Stamps(to_ns(POSE_FAILSAFE_S))
        self._origin: SetOrigin | None = None
        self._streams: dict[int, tuple[int, int]] = {}  # message: period, due [ns]
        self._heartbeat_due_ns = 0
        self._station_ns: int | None = None  # its last heartbeat
        self._pose_ns: int | None = None
        self._target_ns: int | None = None  # None: nothing to wait for

    @property
    def statistics(self) -> Statistics:
        lost = sum(order.lost for order in self._orders.values())
        return replace(self._framing.statistics, lost=lost)

    def data_to_send(self) -> list[bytes]:
        """Datagrams since the last call."""
        return self._framing.data_to_send()

    def receive(self, datagram: bytes, now_ns: int) -> None:
        """Takes what has come."""
        for message in self._framing.receive(datagram, now_ns):
            sender = (message.get_srcSystem(), message.get_srcComponent())
            if not self._obeys(sender[0]):
                self._framing.statistics.strangers += 1
            elif not self._orders.setdefault(sender, Sequence()).accept(message.get_seq(), now_ns):
                self._framing.statistics.stale += 1
            elif getattr(message, "target_system", 0) in (0, self._system):
                self._framing.statistics.received += 1
                self._handle(message, now_ns)

    def check(self, now_ns: int) -> None:
        """Sends what is due, looks at every failsafe; to be called at least every 20 ms."""
        state = self._vehicle.state()
        if self.armed:
            self._check_failsafes(now_ns)
            if self.mode is Mode.LAND and state.landed:
                self._disarm(now_ns)
        if now_ns >= self._heartbeat_due_ns:
            self._heartbeat_due_ns = now_ns + HEARTBEAT_NS
            self._send_heartbeat(now_ns)
        for number, (period_ns, due_ns) in self._streams.items():
            if now_ns >= due_ns:
                self._streams[number] = (period_ns, max(due_ns + period_ns, now_ns))
                self._send(STREAMS[number](state, now_ns), now_ns)

    # --- failsafes

    def _check_failsafes(self, now_ns: int) -> None:
        if self.mode is Mode.LAND:
            return
        silence_s = _age_s(self._station_ns, now_ns)
        if (
            self.parameters["FS_GCS_ENABLE"] == LAND_ACTION
            and silence_s is not None
            and silence_s > self.parameters["FS_GCS_TIMEOUT"]
        ):
            self._land(now_ns, "GCS Failsafe")
            return
        pose_age_s = _age_s(self._pose_ns, now_ns)
        if self.parameters["FS_EKF_ACTION"] and (
            pose_age_s is None or pose_age_s > POSE_FAILSAFE_S
        ):
            self._land(now_ns, "EKF Failsafe: changed to LAND Mode")
            return
        target_age_s = _age_s(self._target_ns, now_ns)
        if target_age_s is not None and target_age_s > self.parameters["GUID_TIMEOUT"]:
            self._hold()

    def _hold(self) -> None:
        self._target_ns = None
        self._vehicle.hold()

    def _land(self, now_ns: int, why: str) -> None:
        self._say(ALERT, why, now_ns)
        self._set_mode(Mode.LAND, now_ns)

    def _set_mode(self, mode: Mode, now_ns: int) -> None:
        self._target_ns = None
        if mode is self.mode:
            return
        self.mode = mode
        if self.armed:
            self._vehicle.land() if mode is Mode.LAND else self._vehicle.hold()
        self._send_heartbeat(now_ns)

    def _disarm(self, now_ns: int) -> None:
        self.armed = False
        self._vehicle.disarm()
        self._send_heartbeat(now_ns)

    # --- what has come

    def _obeys(self, system: int) -> bool:
        """Everybody, unless bit 0 of MAV_OPTIONS is set: then the ground station alone."""
        return not int(self.parameters["MAV_OPTIONS"]) & 1 or self._is_station(system)

    def _is_station(self, system: int) -> bool:
        low, high = self.parameters["MAV_GCS_SYSID"], self.parameters["MAV_GCS_SYSID_HI"]
        return low <= system <= max(low, high)

    def _handle(self, message: Message, now_ns: int) -> None:
        kind = message.get_type()
        if kind == "HEARTBEAT":
            if self._is_station(message.get_srcSystem()):
                self._station_ns = now_ns
        elif kind == "SET_POSITION_TARGET_LOCAL_NED":
            self._on_target(message, now_ns)
        elif kind == "ODOMETRY":
            self._on_pose(message, now_ns)
        elif kind == "COMMAND_LONG":
            result = self._do(message, now_ns)
            self._send(
                mavlink.MAVLink_command_ack_message(
                    message.command,
                    result,
                    0,
                    0,
                    message.get_srcSystem(),
                    message.get_srcComponent(),
                ),
                now_ns,
            )
        elif kind == "PARAM_REQUEST_READ":
            self._answer_parameter(message, now_ns)
        elif kind == "SET_GPS_GLOBAL_ORIGIN":
            if self._origin is None:
                self._origin = read_origin(message)
        elif kind == "TIMESYNC" and message.tc1 == 0:
            self._send(mavlink.MAVLink_timesync_message(now_ns, message.ts1), now_ns)

    def _on_target(self, message: Message, now_ns: int) -> None:
        if not self.armed or self.mode is not Mode.GUIDED or self._vehicle.state().landed:
            return
        if not self._target_stamps.accept(message.time_boot_ms * NS_PER_MS, now_ns):
            self._framing.statistics.stale += 1
            return
        target = read_target(message)
        if target is None:
            self._hold()
            return
        self._target_ns = now_ns
        self._vehicle.set_target(target)

    def _on_pose(self, message: Message, now_ns: int) -> None:
        pose = read_pose(message)
        if pose is None or self.parameters["VISO_TYPE"] != 1.0:
            return
        if not self._pose_stamps.accept(message.time_usec * NS_PER_US, now_ns):
            self._framing.statistics.stale += 1
            return
        self._pose_ns = now_ns
        self._vehicle.set_pose(pose)

    def _answer_parameter(self, message: Message, now_ns: int) -> None:
        name = message.param_id
        if name not in self.parameters:
            answer = mavlink.MAVLink_param_error_message(
                message.get_srcSystem(),
                message.get_srcComponent(),
                name.encode("ascii", "replace"),
                -1,
                mavlink.MAV_PARAM_ERROR_DOES_NOT_EXIST,
            )
        else:
            answer = mavlink.MAVLink_param_value_message(
                name.encode(),
                self.parameters[name],
                mavlink.MAV_PARAM_TYPE_REAL32,
                len(self.parameters),
                list(self.parameters).index(name),
            )
        self._send(answer, now_ns)

    # --- commands: what is refused, and why

    def _do(self, message: Message, now_ns: int) -> int:
        accepted: int = mavlink.MAV_RESULT_ACCEPTED
        failed: int = mavlink.MAV_RESULT_FAILED
        refusal: str | None
        match message.command:
            case mavlink.MAV_CMD_DO_SET_MODE:
                refusal = self._change_mode(message.param1, message.param2, now_ns)
            case mavlink.MAV_CMD_COMPONENT_ARM_DISARM:
                refusal = self._change_arming(message.param1, now_ns)
            case mavlink.MAV_CMD_NAV_TAKEOFF:
                refusal = self._take_off(message.param7)
            case mavlink.MAV_CMD_NAV_LAND:
                refusal = None
                self._set_mode(Mode.LAND, now_ns)
            case mavlink.MAV_CMD_SET_MESSAGE_INTERVAL:
                refusal = self._stream(message.param1, message.param2, now_ns)
            case mavlink.MAV_CMD_REQUEST_MESSAGE:
                refusal = self._send_origin(message.param1, now_ns)
            case _:
                return int(mavlink.MAV_RESULT_UNSUPPORTED)
        if refusal is None:
            return accepted
        self._say(WARNING, refusal, now_ns)
        return failed

    def _change_mode(self, base: float, number: float, now_ns: int) -> str | None:
        if base != mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED or number not in tuple(Mode):
            return f"Mode change failed: no mode {number:g}"
        if number == Mode.GUIDED and not self._has_position(now_ns):
            return "Mode change to GUIDED failed: requires position"
        self._set_mode(Mode(int(number)), now_ns)
        return None

    def _change_arming(self, arm: float, now_ns: int) -> str | None:
        if arm == 1.0:
            return None if self.armed else self._arm(now_ns)
        if arm != 0.0:
            return "Arm: neither 0 nor 1"
        if self.armed and not self._vehicle.state().landed:
            return "Disarm: in flight"
        if self.armed:
            self._disarm(now_ns)
        return None

    def _arm(self, now_ns: int) -> str | None:
        if self.mode is not Mode.GUIDED:
            return f"Arm: {self.mode.name} mode not armable"
        if self._origin is None:
            return "PreArm: AHRS: waiting for home"
        if not self._has_position(now_ns):
            return "PreArm: Need Position Estimate"
        refusal = self._vehicle.arm()
        if refusal is not None:
            return f"PreArm: {refusal}"
        self.armed = True
        self._target_stamps = Stamps()
        self._send_heartbeat(now_ns)
        return None

    def _take_off(self, height_m: float) -> str | None:
        if self.mode is not Mode.GUIDED or not self.armed:
            return "Takeoff: not armed in GUIDED"
        state = self._vehicle.state()
        if not state.landed:
            return "Takeoff: already in flight"
        if not state.p_LV[2] < height_m < 1e3:  # false for NaN too
            return f"Takeoff: {height_m:g} m is not above the vehicle"
        self._vehicle.take_off(height_m)
        return None

    def _stream(self, number: float, period_us: float, now_ns: int) -> str | None:
        if number not in STREAMS or not 1e3 <= period_us <= 1e8:
            return "Message interval: not available"
        self._streams[int(number)] = (int(period_us) * NS_PER_US, now_ns)
        return None

    def _send_origin(self, number: float, now_ns: int) -> str | None:
        if number != mavlink.MAVLINK_MSG_ID_GPS_GLOBAL_ORIGIN or self._origin is None:
            return "Request message: not available"
        fields = origin_fields(self._origin)
        self._send(mavlink.MAVLink_gps_global_origin_message(*fields, 0), now_ns)
        return None

    # --- what goes out

    def _has_position(self, now_ns: int) -> bool:
        age_s = _age_s(self._pose_ns, now_ns)
        return age_s is not None and age_s < POSE_HEALTHY_S

    def _send_heartbeat(self, now_ns: int) -> None:
        base_mode = mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED
        if self.armed:
            base_mode |= mavlink.MAV_MODE_FLAG_SAFETY_ARMED
        self._send(
            mavlink.MAVLink_heartbeat_message(
                mavlink.MAV_TYPE_HEXAROTOR,
                mavlink.MAV_AUTOPILOT_ARDUPILOTMEGA,
                base_mode,
                int(self.mode),
                mavlink.MAV_STATE_ACTIVE if self.armed else mavlink.MAV_STATE_STANDBY,
                3,
            ),
            now_ns,
        )

    def _say(self, severity: int, text: str, now_ns: int) -> None:
        self._send(mavlink.MAVLink_statustext_message(severity, text.encode()[:50]), now_ns)

    def _send(self, message: Message, now_ns: int) -> None:
        self._framing.send(message, now_ns)


def _age_s(at_ns: int | None, now_ns: int) -> float | None:
    return None if at_ns is None else (now_ns - at_ns) / NS_PER_S
