"""Reads named parameters of the vehicle: a few requests at a time, repeated when unanswered."""

from dataclasses import dataclass, field

from proxops.core.clock import to_ns
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.framing import Message

AT_A_TIME = 8  # what ArduPilot queues is limited
PATIENCE_NS = to_ns(0.5)
ATTEMPTS = 4


@dataclass(slots=True)
class _Request:
    attempts: int = 0
    due_ns: int = 0


@dataclass(slots=True)
class ParameterReader:
    """`messages` are the requests due now; `found` fills with answers; `done` when all have come
    or are given up."""

    vehicle: tuple[int, int]  # system, component
    names: tuple[str, ...]
    found: dict[str, float] = field(default_factory=dict)
    _open: dict[str, _Request] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._open = {name: _Request() for name in self.names}

    @property
    def done(self) -> bool:
        return not self._open

    def messages(self, now_ns: int) -> list[Message]:
        """Requests to send now."""
        for name in [n for n, r in self._open.items() if r.attempts >= ATTEMPTS]:
            if now_ns >= self._open[name].due_ns:
                del self._open[name]
        due = []
        for name, request in list(self._open.items())[:AT_A_TIME]:
            if request.attempts < ATTEMPTS and now_ns >= request.due_ns:
                request.attempts += 1
                request.due_ns = now_ns + PATIENCE_NS
                due.append(
                    mavlink.MAVLink_param_request_read_message(*self.vehicle, name.encode(), -1)
                )
        return due

    def answer(self, name: str, value: float) -> None:
        """A PARAM_VALUE has come."""
        if self._open.pop(name, None) is not None:
            self.found[name] = value

    def absent(self, name: str) -> None:
        """A PARAM_ERROR has come: the vehicle has no such parameter."""
        self._open.pop(name, None)
