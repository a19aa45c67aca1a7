"""Many flights of hostile targets, and what they keep.

    python -m benchmarks.hostile_flights 100000 [--seed 1] [--full 60]

Exit code 1 where a flight came closer than it may, was altered or did not end.
"""

import argparse
import sys

from tests.facility import hostile_flights as hostile
from tests.facility.hostile_flights import (
    ACCELERATION,
    ALTERED,
    APART,
    ENDLESS,
    ERROR,
    JERK,
    OUTSIDE,
    SEED,
    SENT,
    SPEED,
    STOPS,
)

EVERY = 5000  # flights of points between lines of progress


def said(done, found):
    """A line of progress."""
    return (
        f"{done} flights: {found[APART]:.4f} m apart at least, {1e3 * found[ERROR]:.1f} mm from "
        f"targets, {1e3 * found[OUTSIDE]:+.0f} mm outside the box of targets; of the limits speed "
        f"{found[SPEED]:.6f}, acceleration {found[ACCELERATION]:.6f}, jerk {found[JERK]:.6f}; "
        f"{found[ALTERED]:.0f} altered, {found[ENDLESS]:.0f} endless, {found[STOPS]:.0f} stops, "
        f"{found[SENT]:.0f} targets sent"
    )


def main() -> int:
    """Flies, and says what was kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--full", type=int, default=0)
    given = parser.parse_args()

    def progress(done, found):
        if done % EVERY == 0 or done == given.count:
            sys.stdout.write(said(done, found) + "\n")
            sys.stdout.flush()

    found, fence = hostile.simple_flights(given.count, given.seed, progress=progress)
    kept = found[APART] >= fence.flown_apart and found[ENDLESS] == found[ALTERED] == 0.0
    if given.full:
        found, _ = hostile.full_flights(given.full, given.seed)
        sys.stdout.write(f"whole vehicles: {said(given.full, found)}\n")
        kept = kept and found[APART] >= fence.flown_apart and found[ENDLESS] == 0.0
    sys.stdout.write(f"{'kept' if kept else 'BROKEN'}: at least {fence.flown_apart:.3f} m apart\n")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
