"""Commands to the vehicle, one at a time: sent, acknowledged or repeated, refused with reasons.

COMMAND_ACK names the kind of command only, so that one command at a time is under way.
"""

from collections import deque
from dataclasses import dataclass, field

from proxops.core.clock import to_ns
from proxops.links.mavlink.content import (
    Arm,
    Command,
    Disarm,
    Land,
    RequestMessage,
    SetMode,
    StreamMessage,
    TakeOff,
)
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.framing import Message

PATIENCE_NS = to_ns(0.5)  # until a command is repeated
ATTEMPTS = 4  # landing is repeated for ever
REASONS_NS = to_ns(0.3)  # texts that say why may come after the refusal

_RESULTS = {
    mavlink.MAV_RESULT_TEMPORARILY_REJECTED: "temporarily rejected",
    mavlink.MAV_RESULT_DENIED: "denied: a value is not valid",
    mavlink.MAV_RESULT_UNSUPPORTED: "not supported",
    mavlink.MAV_RESULT_FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended; `refusal` is None where it was accepted."""

    command: Command
    refusal: str | None = None


@dataclass(slots=True)
class CommandQueue:
    """`due` is the command to send now, `acknowledge` takes answers, `outcomes` says how they
    ended."""

    _waiting: deque[Command] = field(default_factory=deque)
    _attempts: int = 0  # of the first in line
    _due_ns: int = 0
    _refusal: str | None = None
    _reasons: list[str] = field(default_factory=list)
    _outcomes: list[Outcome] = field(default_factory=list)

    def push(self, command: Command) -> None:
        self._waiting.append(command)

    def interrupt(self, command: Command) -> None:
        """Puts a command in place of all that wait."""
        self._waiting.clear()
        self._waiting.append(command)
        self._start()

    def cancel_landing(self) -> None:
        """The vehicle has landed: nothing is left to command."""
        if self._waiting and isinstance(self._waiting[0], Land):
            self.drop()

    def due(self, now_ns: int) -> tuple[Command, int] | None:
        """The command to send now and how often it was sent before."""
        if self._refusal is not None and now_ns >= self._due_ns:
            self._end("; ".join(dict.fromkeys([self._refusal, *self._reasons])))
        if not self._waiting or now_ns < self._due_ns:
            return None
        if self._attempts >= ATTEMPTS and not isinstance(self._waiting[0], Land):
            self._end(f"not acknowledged, sent {self._attempts} times")
            return self.due(now_ns)
        self._attempts += 1
        self._due_ns = now_ns + PATIENCE_NS
        return self._waiting[0], self._attempts - 1

    def drop(self) -> None:
        """Takes out the first in line without an outcome."""
        self._waiting.popleft()
        self._start()

    def acknowledge(self, number: int, result: int, now_ns: int) -> None:
        """A COMMAND_ACK has come; one of a command that is not under way means nothing."""
        if not self._waiting or not self._attempts or self._refusal is not None:
            return
        if number != _number_and_values(self._waiting[0])[0]:
            return
        if result == mavlink.MAV_RESULT_ACCEPTED:
            self._end(None)
        elif result == mavlink.MAV_RESULT_IN_PROGRESS:
            self._attempts = 1
            self._due_ns = now_ns + PATIENCE_NS
        elif isinstance(self._waiting[0], Land):
            pass  # is repeated
        else:
            self._refusal = _RESULTS.get(result, f"refused with result {result}")
            self._due_ns = now_ns + REASONS_NS

    def add_reason(self, text: str) -> None:
        """A warning of the vehicle: a reason, if a command is under way."""
        if self._waiting and self._attempts:
            self._reasons.append(text)

    def outcomes(self) -> list[Outcome]:
        """Those since the last call."""
        outcomes, self._outcomes = self._outcomes, []
        return outcomes

    def _end(self, refusal: str | None) -> None:
        self._outcomes.append(Outcome(self._waiting.popleft(), refusal))
        self._start()

    def _start(self) -> None:
        self._attempts, self._due_ns, self._refusal = 0, 0, None
        self._reasons = []


def command_message(command: Command, vehicle: tuple[int, int], confirmation: int) -> Message:
    """The COMMAND_LONG of a command."""
    number, values = _number_and_values(command)
    return mavlink.MAVLink_command_long_message(
        *vehicle, number, min(confirmation, 255), *values, *(0.0,) * (7 - len(values))
    )


def _number_and_values(command: Command) -> tuple[int, tuple[float, ...]]:
    match command:
        case SetMode(mode):
            custom = float(mavlink.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED)
            return mavlink.MAV_CMD_DO_SET_MODE, (custom, float(mode))
        case Arm():
            return mavlink.MAV_CMD_COMPONENT_ARM_DISARM, (1.0,)
        case Disarm():
            return mavlink.MAV_CMD_COMPONENT_ARM_DISARM, (0.0,)
        case TakeOff(height_m):
            return mavlink.MAV_CMD_NAV_TAKEOFF, (0.0,) * 6 + (height_m,)
        case Land():
            return mavlink.MAV_CMD_NAV_LAND, ()
        case RequestMessage(number):
            return mavlink.MAV_CMD_REQUEST_MESSAGE, (float(number),)
        case StreamMessage(number, period_s):
            return mavlink.MAV_CMD_SET_MESSAGE_INTERVAL, (float(number), period_s * 1e6)
