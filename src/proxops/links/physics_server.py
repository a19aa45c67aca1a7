"""The physics of several vehicles for as many instances of ArduPilot's firmware, in lock-step.
Owns no socket and reads no clock.

A step is taken once every instance that takes part has asked for it, and then all are answered: so
their times stay together, and what one vehicle does to the air of another is felt in the same step.
An instance takes part from its first packet on, until it has been silent for `SILENCE_NS`: then its
rotors stop, and others go on.  Its next packet brings it back, where its vehicle is by then.
"""

from dataclasses import dataclass, field
from typing import Protocol

from proxops.core.clock import to_ns
from proxops.links.errors import RemoteProtocolError
from proxops.links.json_physics import (
    LockStep,
    MotorCommands,
    PhysicsState,
    read_motor_commands,
    state_line,
)

SILENCE_NS = to_ns(5.0)  # one that waits asks again every second; one that boots is busy


class Physics(Protocol):
    """What moves.  Vehicles by their number, from 0 on."""

    def restart(self, which: int) -> None:
        """Puts a vehicle back where it began; its time begins anew."""
        ...

    def stop(self, which: int) -> None:
        """Stops its rotors."""
        ...

    def command(self, which: int, pulse_us: tuple[int, ...]) -> None: ...

    def advance(self, rate_hz: int) -> None:
        """Brings all on by 1/rate."""
        ...

    def state(self, which: int) -> PhysicsState: ...


@dataclass(slots=True)
class _Instance:
    """One firmware."""

    lock_step: LockStep = field(default_factory=LockStep)
    asked: MotorCommands | None = None  # what it waits for
    answer: bytes | None = None  # the last one
    heard_ns: int | None = None  # None: takes no part


class PhysicsServer:
    """Packets and the time [ns] go in; answers come out, and the physics is driven."""

    def __init__(self, physics: Physics, vehicles: int) -> None:
        self._physics = physics
        self._instances = [_Instance() for _ in range(vehicles)]
        self._out: list[tuple[int, bytes]] = []
        self._said: list[str] = []
        self.steps = 0
        self.rejected = 0  # packets of nobody's firmware, and old ones

    def takes_part(self, which: int) -> bool:
        """Whether that firmware is there."""
        return self._instances[which].heard_ns is not None

    def receive(self, which: int, packet: bytes, now_ns: int) -> None:
        """Takes a packet of one firmware; RemoteProtocolError where it is none."""
        try:
            commands = read_motor_commands(packet)
        except RemoteProtocolError:
            self.rejected += 1
            raise
        instance = self._instances[which]
        meaning = instance.lock_step.advance(commands)
        if meaning == "stale":
            self.rejected += 1
            return
        instance.heard_ns = now_ns
        if meaning == "again":
            if instance.asked is None and instance.answer is not None:
                self._out.append((which, instance.answer))
            return
        if meaning == "restart":
            self._said.append(f"vehicle {which + 1}: firmware at {commands.rate_hz} Hz")
            self._physics.restart(which)
        instance.asked = commands
        self._step()

    def check(self, now_ns: int) -> list[int]:
        """Goes on without those that are silent; which have become so."""
        gone = [
            which
            for which, each in enumerate(self._instances)
            if each.heard_ns is not None and now_ns - each.heard_ns > SILENCE_NS
        ]
        for which in gone:
            self._instances[which].heard_ns = self._instances[which].asked = None
            self._physics.stop(which)
            self._said.append(f"vehicle {which + 1}: silent, its rotors stop")
        if gone:
            self._step()
        return gone

    def data_to_send(self) -> list[tuple[int, bytes]]:
        """Answers since the last call, and to whom."""
        out, self._out = self._out, []
        return out

    def happened(self) -> list[str]:
        """What there is to say since the last call."""
        said, self._said = self._said, []
        return said

    def _step(self) -> None:
        """Takes a step, if all wait for it: the shortest that one of them asks for."""
        taking = [
            (which, each) for which, each in enumerate(self._instances) if each.heard_ns is not None
        ]
        asked = [each.asked for _, each in taking if each.asked is not None]
        if not taking or len(asked) < len(taking):
            return
        for which, each in taking:
            if each.asked is not None:
                self._physics.command(which, each.asked.pulse_us)
        self._physics.advance(max(commands.rate_hz for commands in asked))
        self.steps += 1
        for which, each in taking:
            each.asked, each.answer = None, state_line(self._physics.state(which))
            self._out.append((which, each.answer))
