"""The packets between ArduPilot's firmware and an external simulator of its physics.

The firmware sends motor commands as a binary packet and waits for one line of JSON with the state
a step later: both advance in lock-step.  Format: ArduPilot, libraries/SITL/examples/JSON.

    uint16 magic | uint16 steps a second | uint32 frame number | uint16 pulse widths [µs], 16 or 32
"""

import json
import math
import struct
from dataclasses import dataclass

from proxops.links.errors import LocalProtocolError, RemoteProtocolError

Vector = tuple[float, float, float]

CHANNELS = {18458: 16, 29569: 32}  # by magic number
_HEADER = struct.Struct("<HHI")


@dataclass(frozen=True, slots=True)
class MotorCommands:
    """What the firmware wants of its outputs in the next step."""

    rate_hz: int  # steps a second; 1/rate is the step to take
    frame: int  # one more for each step; the same again: the firmware has had no answer
    pulse_us: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhysicsState:
    """State after the step; axes north, east, down and forward, right, down."""

    time_s: float  # of the physics, from its start
    gyro: Vector  # body [rad/s]
    accelerometer: Vector  # specific force, body [m/s²]: (0, 0, -9.81) at rest
    position: Vector  # NED [m]
    attitude: tuple[float, float, float, float]  # quaternion (w, x, y, z) from body to NED
    velocity: Vector  # NED [m/s]
    remote_us: tuple[int, ...] = ()  # pulses of a remote control's channels [µs]; none: no remote


def read_motor_commands(packet: bytes) -> MotorCommands:
    """RemoteProtocolError if it is no packet of the firmware."""
    if len(packet) < _HEADER.size:
        raise RemoteProtocolError(f"a packet of {len(packet)} bytes: at least 40 are expected")
    magic, rate_hz, frame = _HEADER.unpack_from(packet)
    channels = CHANNELS.get(magic)
    if channels is None:
        expected = " or ".join(map(str, CHANNELS))
        raise RemoteProtocolError(f"magic number {magic} is not ArduPilot's: {expected}")
    size = _HEADER.size + 2 * channels
    if len(packet) != size:
        raise RemoteProtocolError(f"a packet of {len(packet)} bytes: magic {magic} has {size}")
    if rate_hz == 0:
        raise RemoteProtocolError("0 steps a second: the step would never end")
    return MotorCommands(rate_hz, frame, struct.unpack_from(f"<{channels}H", packet, _HEADER.size))


def motor_commands_packet(commands: MotorCommands) -> bytes:
    """What the firmware sends; for tests and for a firmware's stand-in."""
    magics = {channels: magic for magic, channels in CHANNELS.items()}
    magic = magics.get(len(commands.pulse_us))
    if magic is None:
        raise LocalProtocolError(f"give 16 or 32 pulse widths, not {len(commands.pulse_us)}")
    header = _HEADER.pack(magic, commands.rate_hz, commands.frame)
    return header + struct.pack(f"<{len(commands.pulse_us)}H", *commands.pulse_us)


def state_line(state: PhysicsState) -> bytes:
    """The answer to the firmware, a line with a line feed before and behind it.

    Its reader takes a value two characters behind the key, so nothing may stand between them.
    """
    numbers = (
        state.time_s,
        *state.gyro,
        *state.accelerometer,
        *state.position,
        *state.attitude,
        *state.velocity,
    )
    if not all(map(math.isfinite, numbers)):
        raise LocalProtocolError(f"a number of the physics is not finite: {state}")
    fields: dict[str, object] = {
        "timestamp": state.time_s,
        "imu": {"gyro": state.gyro, "accel_body": state.accelerometer},
        "position": state.position,
        "quaternion": state.attitude,
        "velocity": state.velocity,
    }
    if state.remote_us:
        fields["rc"] = {f"rc_{i + 1}": pulse for i, pulse in enumerate(state.remote_us)}
    return b"\n" + json.dumps(fields, separators=(",", ":")).encode() + b"\n"


@dataclass(slots=True)
class LockStep:
    """One session with the firmware: which packets begin a step, which ask again, which restart."""

    _frame: int | None = None

    def advance(self, commands: MotorCommands) -> str:
        """`step`: simulate it; `again`: send the last state again; `restart`: begin anew, as the
        firmware does with frame 0; `stale`: an old packet, which means nothing any more."""
        last = self._frame
        if last is not None and 0 < commands.frame < last:
            return "stale"
        self._frame = commands.frame
        if last is None or commands.frame < last:
            return "restart"
        return "again" if commands.frame == last else "step"
