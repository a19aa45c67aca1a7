"""What the operator commands during a flight: scripted beforehand, or given while it goes on."""

import math
from collections.abc import Callable, Iterable

from proxops.core.errors import InputError

HOLD = "hold"  # both stop and hold their places
RETURN = "return"  # both fly to above where they took off, and land there
LAND = "land"  # both stop and land
COMMANDS = (HOLD, RETURN, LAND)

Asked = Callable[[float], str | None]


class Operator:
    """Commands at their times [s] of the flight, zero where the run begins; then whatever `asked`
    answers, who is given that time."""

    def __init__(
        self, script: Iterable[tuple[float, str]] = (), asked: Asked | None = None
    ) -> None:
        self._script, self._asked = sorted(script), asked

    @property
    def is_live(self) -> bool:
        """Whether a command may come at any time."""
        return self._asked is not None

    @property
    def next_s(self) -> float:
        """When the next scripted command comes, infinite if there is none."""
        return self._script[0][0] if self._script else math.inf

    def periods_left(self, t: float, period: float, most: int) -> int:
        """How many periods [s] after t [s] the next scripted command comes; one to `most`."""
        left = min((self.next_s - t) / period - 1e-6, most)
        return max(1, math.ceil(left))

    def command(self, t: float) -> str | None:
        """What is commanded by t [s], once; None if nothing is."""
        if self.next_s <= t + 1e-6:  # clocks add up cycles
            return self._script.pop(0)[1]
        said = None if self._asked is None else self._asked(t)
        if said is not None and said not in COMMANDS:
            raise InputError(f"operator: command {', '.join(COMMANDS)} or None, found {said!r}")
        return said
