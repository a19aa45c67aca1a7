"""Time outside kernels: whole nanoseconds, so that rates which divide meet however long the run."""

import math

NS_PER_S = 1e9  # dividing by it gives the nearest float; multiplying by 1e-9 would not
FOREVER = 2**63 - 1  # later than any run [ns]


def to_ns(seconds: float) -> int:
    """Nanoseconds; infinity is FOREVER."""
    return FOREVER if math.isinf(seconds) else round(seconds * NS_PER_S)


def is_integer_ns(seconds: float) -> bool:
    """Whether a time is a whole number of nanoseconds, but for the rounding of its digits."""
    exact = seconds * NS_PER_S
    return abs(exact - round(exact)) <= max(1e-3, 1e-15 * exact)
