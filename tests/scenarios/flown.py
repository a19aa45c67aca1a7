"""Shipped missions that take long to fly and that several modules look at.

Tests that look at one carry its group, so that one process flies it for all of them.
"""

from functools import cache

import pytest

import proxops

# Ten seconds and more: tests that look at them are slow (conftest.py)
LONG = (
    "approach-1km", "approach-rbar", "berthing", "berthing-ground", "fly-around-inspection",
    "moon-approach", "servicing-day", "unberthing",
)  # fmt: skip


@cache
def flown(name: str) -> proxops.Run:
    return proxops.simulate(proxops.load(name))


def group(name: str) -> pytest.MarkDecorator:
    """Of all tests that look at a mission."""
    return pytest.mark.xdist_group(name)
