"""Inner functions of kernels can be called from Python; what takes long to make is shared."""

from functools import cache
from typing import Any

import pytest

from proxops.core import jit
from tests.scenarios.flown import LONG


@cache
def _kernel_of(inner: jit.Inner) -> Any:
    return jit.kernel(inner.py_func)


def _call(inner: jit.Inner, *args: Any, **kwargs: Any) -> Any:
    """An inner function, called from Python: a kernel of its own, stored as others are."""
    return _kernel_of(inner)(*args, **kwargs)


jit.Inner.__call__ = _call


@pytest.hookimpl(tryfirst=True)  # before groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share what takes long go to one process, so that it is made once: kernels that
    their module compiles, and what it makes for all of them.  Runs of scenarios find their kernels
    stored, and may go anywhere.  Groups with slow tests begin, so that no process waits at the end
    for one that has just begun such a group."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            module = item.module.__name__
            if not module.startswith("tests.scenarios.") or _makes_for_all(item):
                item.add_marker(pytest.mark.xdist_group(module))
        if _group(item) in LONG:
            item.add_marker(pytest.mark.slow)
    slow = {_group(item) for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: _group(item) not in slow)


def _group(item: pytest.Item) -> str:
    """Of tests that run in one process."""
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark else item.nodeid


def _makes_for_all(item: pytest.Item) -> bool:
    """Whether a test uses a fixture of its module."""
    made = item._fixtureinfo.name2fixturedefs.values()
    return any(each[-1].scope == "module" for each in made)
