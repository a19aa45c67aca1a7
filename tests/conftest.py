"""Inner functions of kernels can be called from Python; what takes long to make is shared."""

import pytest

from proxops.core import compiling

compiling.INNER.clear()


@pytest.hookimpl(tryfirst=True)  # before groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a module that makes something once for them go to one process."""
    for item in items:
        made = getattr(item, "_fixtureinfo").name2fixturedefs.values()  # noqa: B009, not public
        shared = any(each[-1].scope == "module" for each in made)
        if shared and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))
