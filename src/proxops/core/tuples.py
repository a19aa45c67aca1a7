"""Arrays of three or four numbers as the tuples that compiled code and parameters take."""

from collections.abc import Iterable


def tuple3(values: Iterable[float]) -> tuple[float, float, float]:
    """Three numbers."""
    x, y, z = (float(value) for value in values)
    return x, y, z


def tuple4(values: Iterable[float]) -> tuple[float, float, float, float]:
    """Four numbers."""
    w, x, y, z = (float(value) for value in values)
    return w, x, y, z
