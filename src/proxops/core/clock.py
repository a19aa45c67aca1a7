"""Time outside kernels: whole nanoseconds, so that rates which divide meet however long the run."""

import math

NS_PER_S = 1e9  # dividing by it gives the nearest float; multiplying by 1e-9 would not
FOREVER = 2**63 - 1  # later than any run [ns]


def to_ns(seconds: float) -> int:
    """Nanoseconds; infinity is FOREVER."""
    return FOREVER if math.isinf(seconds) else round(seconds * NS_PER_S)


def clean_rates_near(rate_hz: float) -> tuple[float, float]:
    """The nearest rates below and above whose periods are whole nanoseconds with few digits
    [Hz]."""
    ten = 10.0 ** math.floor(math.log10(rate_hz))  # beside a power of ten that is rounded
    factors = (0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.25, 8.0, 10.0, 12.5)
    steps = [factor * ten for factor in factors]
    return (
        max(each for each in steps if each <= rate_hz),
        min(each for each in steps if each >= rate_hz),
    )


def ragged_rate(rate_hz: float) -> str | None:
    """What is wrong with a rate whose period is no whole number of nanoseconds, and what to take;
    None if nothing is."""
    if is_integer_ns(1.0 / rate_hz):
        return None
    low, high = clean_rates_near(rate_hz)
    return (
        f"take {low:g} or {high:g} Hz, or another whole period; that of {rate_hz:.12g} Hz, "
        f"{1.0 / rate_hz:.12g} s, is not a whole number of ns"
    )


def is_integer_ns(seconds: float) -> bool:
    """Whether a time is a whole number of nanoseconds, but for the rounding of its digits."""
    exact = seconds * NS_PER_S
    return abs(exact - round(exact)) <= max(1e-3, 1e-15 * exact)
