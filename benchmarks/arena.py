"""How many times faster than real time two vehicles with their autopilots fly.

python -m benchmarks.arena
"""

import sys
import time

from tests.facility.arena_cases import PERIOD, circle, fly, shipped

FLIGHTS = 5


def main() -> None:
    """CPU time of a circle of 30 s, three turns, on one core."""
    _, targets = circle(30.0)
    fly(shipped(), targets[:10])  # compiles
    lasts = PERIOD * len(targets)
    for seed in range(FLIGHTS):
        begins = time.process_time()
        fly(shipped(), targets, seed)
        speed = lasts / (time.process_time() - begins)
        sys.stdout.write(f"{speed:.0f} times real time\n")


if __name__ == "__main__":
    main()
