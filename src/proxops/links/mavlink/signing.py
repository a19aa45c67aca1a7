"""Signatures of MAVLink 2 frames: who does not have the key can neither forge nor replay one.

    signature = SHA-256(key ‖ frame ‖ link ‖ time)[:6],   13 bytes behind the frame with link, time

`time` counts 10 µs since 2015 and never repeats.  pymavlink signs, and this checks: its own check
remembers the time of a frame *before* it looks at the signature, so that one forged frame from
the future would shut out the true sender.
"""

import hashlib
import hmac
from dataclasses import dataclass, field

from proxops.links.errors import LocalProtocolError

SIZE = 13
KEY_SIZE = 32
NS_PER_TICK = 10_000
MINUTE = 6_000_000  # ticks


@dataclass(slots=True)
class Signing:
    """A key that both ends have, and the time of the machine's clock zero, in ticks since 2015."""

    key: bytes = field(repr=False)
    start: int = 0
    _sent: int = -1
    _seen: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.key) != KEY_SIZE:
            raise LocalProtocolError(
                f"give a signing key of {KEY_SIZE} bytes: this one has {len(self.key)}"
            )

    def next_time(self, now_ns: int) -> int:
        """Time of the next frame [ticks]: that of the clock, and later than the one before."""
        self._sent = max(self._sent + 1, self.start + now_ns // NS_PER_TICK)
        return self._sent

    def accept(self, frame: bytes, sender: tuple[int, int], now_ns: int) -> bool:
        """Whether a whole frame with its signature is signed with the key, and new."""
        link = frame[-SIZE]
        time = int.from_bytes(frame[-SIZE + 1 : -6], "little")
        oldest = self._seen.get((link, *sender), self.start + now_ns // NS_PER_TICK - MINUTE)
        if time <= oldest:
            return False
        if not hmac.compare_digest(hashlib.sha256(self.key + frame[:-6]).digest()[:6], frame[-6:]):
            return False
        self._seen[(link, *sender)] = time
        return True
