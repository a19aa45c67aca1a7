"""Datagrams to messages and back: lengths, checksums, signatures, sequence numbers, finite fields.

A frame is  FD | length | flags | flags | sequence | system | component | message (3 bytes) |
payload | checksum (2 bytes) | signature (13 bytes, where flagged);  a datagram has whole frames.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proxops.links.errors import LocalProtocolError
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.signing import SIZE as SIGNATURE_SIZE
from proxops.links.mavlink.signing import Signing

MARK = 0xFD
HEADER_SIZE = 10
CHECKSUM_SIZE = 2
SIGNED = 0x01
MAX_FLOAT = 3.4028234663852886e38  # of single precision

Message = Any  # one of the dialect's generated classes


@dataclass(slots=True)
class Statistics:
    """Frames since the link was made."""

    sent: int = 0
    received: int = 0  # and acted upon
    corrupted: int = 0  # cut short, checksum wrong, not of this protocol
    unknown: int = 0  # of a message outside the dialect: passed over
    unsigned: int = 0  # signature absent, wrong or old, where a key is set
    strangers: int = 0  # of a system that is not obeyed
    stale: int = 0  # duplicated, replayed, reordered or late
    lost: int = 0  # by the gaps between sequence numbers


class Framing:
    """One end's bytes.  Messages to send wait until `data_to_send` takes them."""

    def __init__(self, system: int, component: int, signing: Signing | None = None) -> None:
        self.statistics = Statistics()
        self._signing = signing
        self._encoder = mavlink.MAVLink(None, system, component)
        self._decoder = mavlink.MAVLink(None)
        if signing is not None:
            self._encoder.signing.secret_key = signing.key
            self._encoder.signing.sign_outgoing = True
        self._waiting: list[bytes] = []

    def send(self, message: Message, now_ns: int) -> None:
        """Puts a frame into the queue; LocalProtocolError, and nothing sent, if a field is not a
        finite number that fits."""
        _check_finite(message)
        if self._signing is not None:
            self._encoder.signing.timestamp = self._signing.next_time(now_ns)
        self._waiting.append(message.pack(self._encoder))
        self._encoder.seq = (self._encoder.seq + 1) % 256
        self.statistics.sent += 1

    def data_to_send(self) -> list[bytes]:
        """Frames since the last call, each to be sent as a datagram."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def receive(self, datagram: bytes, now_ns: int) -> list[Message]:
        """Messages of a datagram, up to where it is corrupted."""
        messages = []
        at = 0
        while at < len(datagram):
            size = _frame_size(datagram, at)
            if size is None:
                self.statistics.corrupted += 1
                break
            message = self._decode(datagram[at : at + size], now_ns)
            if message is not None:
                messages.append(message)
            at += size
        return messages

    def _decode(self, frame: bytes, now_ns: int) -> Message | None:
        try:
            message = self._decoder.decode(bytearray(frame))
        except mavlink.MAVError:
            self.statistics.corrupted += 1
            return None
        if message.get_type().startswith("UNKNOWN"):
            self.statistics.unknown += 1
            return None
        if self._signing is not None:
            sender = (message.get_srcSystem(), message.get_srcComponent())
            signed = frame[2] & SIGNED
            if not signed or not self._signing.accept(frame, sender, now_ns):
                self.statistics.unsigned += 1
                return None
        return message


def _frame_size(datagram: bytes, at: int) -> int | None:
    """Bytes of the frame that begins there; None if no whole one does."""
    if len(datagram) < at + HEADER_SIZE + CHECKSUM_SIZE or datagram[at] != MARK:
        return None
    flags = datagram[at + 2]
    if flags & ~SIGNED:
        return None  # a flag that changes the format, of a later protocol
    size = HEADER_SIZE + datagram[at + 1] + CHECKSUM_SIZE + (SIGNATURE_SIZE if flags else 0)
    return size if at + size <= len(datagram) else None


def _check_finite(message: Message) -> None:
    for name in message.get_fieldnames():
        value = getattr(message, name)
        if isinstance(value, (str, bytes)):
            continue
        numbers = value if isinstance(value, (list, tuple)) else (value,)
        if not _fit(numbers):
            each = next(each for each in numbers if not abs(each) <= MAX_FLOAT)
            raise LocalProtocolError(
                f"{message.get_type()}.{name} is {each}: not sent. Every number sent to a "
                "vehicle must be finite and fit into single precision"
            )


def _fit(numbers: Sequence[float]) -> bool:
    """Whether all are finite, as their sum is then, and none too large for single precision."""
    return math.isfinite(sum(numbers)) and max(map(abs, numbers)) <= MAX_FLOAT
