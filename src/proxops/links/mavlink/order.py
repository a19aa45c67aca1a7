"""Which frames of a sender are new: by their sequence numbers, by their time stamps."""

from dataclasses import dataclass

from proxops.core.clock import FOREVER, to_ns

RESYNCHRONISE_NS = to_ns(1.0)  # silence after which any sequence number begins anew
LATE_NS = to_ns(0.2)  # more delay than the least one seen


@dataclass(slots=True)
class Sequence:
    """Sequence numbers (0 to 255, then 0 again) of one sender.

    A frame 1 to 127 ahead of the last one is new, those between were lost; any other is a
    duplicate, a replay or late.
    """

    lost: int = 0
    _last: int | None = None
    _at_ns: int = 0

    def accept(self, number: int, now_ns: int) -> bool:
        """Whether the frame is new; remembers it if so."""
        if self._last is not None and now_ns - self._at_ns <= RESYNCHRONISE_NS:
            ahead = (number - self._last) % 256
            if not 1 <= ahead <= 127:
                return False
            self.lost += ahead - 1
        self._last, self._at_ns = number, now_ns
        return True


@dataclass(slots=True)
class Stamps:
    """Time stamps [ns] that one sender puts into one kind of message, on a clock of its own.

    A message is new if its stamp is later than all before, and in time if its delay exceeds the
    least one seen by at most `LATE_NS`; how far the clocks are apart does not matter.
    """

    restart_ns: int = FOREVER  # silence after which any stamp begins anew
    _last_ns: int | None = None
    _at_ns: int = 0
    _least_delay_ns: int = FOREVER

    def accept(self, stamp_ns: int, now_ns: int) -> bool:
        """Whether the message is new and in time; remembers it if so."""
        if self._last_ns is not None and now_ns - self._at_ns > self.restart_ns:
            self._last_ns, self._least_delay_ns = None, FOREVER
        if self._last_ns is not None and stamp_ns <= self._last_ns:
            return False
        delay_ns = now_ns - stamp_ns
        self._least_delay_ns = min(self._least_delay_ns, delay_ns)
        if delay_ns - self._least_delay_ns > LATE_NS:
            return False
        self._last_ns, self._at_ns = stamp_ns, now_ns
        return True
