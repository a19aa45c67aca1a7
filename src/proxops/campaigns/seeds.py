"""Seeds of many cases, as ranges."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

SHOWN_RANGES = 12  # of seeds in a line; --json and the folder have them all


def ranges(seeds: Iterable[int]) -> list[tuple[int, int]]:
    """First and last seed of every unbroken range, in increasing order."""
    ordered = sorted(seeds)
    cuts = [i for i, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1]
    ends = zip([0, *cuts], [*cuts, len(ordered)], strict=True)
    return [(ordered[begin], ordered[end - 1]) for begin, end in ends if begin < end]


def seeds_text(seeds: Sequence[int]) -> str:
    """Seeds as `--seeds` takes them: 3,17,20-24; the first few ranges."""
    found = ranges(seeds)
    words = [f"{a}" if a == b else f"{a}-{b}" for a, b in found[:SHOWN_RANGES]]
    return ",".join(words) + (", ..." if len(found) > SHOWN_RANGES else "")
