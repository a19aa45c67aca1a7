"""Tests that share what takes long run in one process (tests/conftest.py)."""

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="one process runs all tests")
def test_the_scheduler_knows_the_group_of_a_test(request):
    """pytest-xdist reads it from the name of the test, where it writes it.  A version of pytest
    that keeps it from writing shows in no result, only in twice the time."""
    assert request.node.nodeid.endswith(f"@{__name__}")
