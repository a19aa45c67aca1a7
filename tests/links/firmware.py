"""A firmware's stand-in: asks for steps, as ArduPilot does, over a socket of this machine."""

import json
import socket
from dataclasses import dataclass, field

from proxops.links.json_physics import MotorCommands, motor_commands_packet

RATE_HZ = 1200


@dataclass
class Firmware:
    """One instance; its pulses are the same on all rotors."""

    server: tuple[str, int]
    frame: int = 0
    lines: list[dict] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(5.0)

    def send(self, pulse_us: int = 1000) -> None:
        commands = MotorCommands(RATE_HZ, self.frame, (pulse_us,) * 16)
        self.socket.sendto(motor_commands_packet(commands), self.server)

    def take(self) -> dict:
        """Waits for the answer, as the firmware does."""
        line = json.loads(self.socket.recv(65_535))
        self.lines.append(line)
        self.frame += 1
        return line

    def close(self) -> None:
        self.socket.close()
