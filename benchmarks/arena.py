"""How many times faster than real time two vehicles with their autopilots fly, in CPU time.

python -m benchmarks.arena
"""

import sys
import time
from collections.abc import Callable

from tests.facility.arena_cases import PERIOD, circle, fly, shipped
from tests.facility.test_arena_link import Linked

FLIGHTS = 5


def _time(name: str, flight: Callable[[], float]) -> None:
    """Prints the paces of some flights, each of which returns how long it lasts [s]."""
    paces = []
    for _ in range(FLIGHTS):
        begins = time.process_time()
        lasts = flight()
        paces.append(lasts / (time.process_time() - begins))
    sys.stdout.write(f"{name}: {min(paces):.0f} to {max(paces):.0f} times real time\n")


def main() -> None:
    """A circle of 30 s, three turns, on one core, without and with the bytes of MAVLink."""
    _, targets = circle(30.0)
    fly(shipped(), targets[:10])  # compiles

    def without() -> float:
        fly(shipped(), targets)
        return PERIOD * len(targets)

    def with_bytes() -> float:
        some = targets[:1000]  # 20 s
        Linked(targets=some).fly(some)
        return PERIOD * len(some)

    _time("without a link", without)
    _time("over the bytes of MAVLink, audit and arming included", with_bytes)


if __name__ == "__main__":
    main()
