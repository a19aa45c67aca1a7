"""How properties are tried: the same examples every time, however busy the machine is."""

from hypothesis import HealthCheck, settings

calmly = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=60
)
