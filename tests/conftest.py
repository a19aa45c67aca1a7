"""Inner functions of kernels can be called from Python; what takes long to make is shared."""

from types import ModuleType

import pytest

from proxops.core import compiling

compiling.INNER.clear()

# Modules whose kernels take half a minute to compile, and that many tests use
COMPILED_FOR_MANY = ("tests.laws.touching", "tests.laws.plants", "tests.facility.planar_cell")


@pytest.hookimpl(tryfirst=True)  # before groups are read
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share what takes long go to one process, so that it is made once: kernels that
    their module compiles, and what it makes for all of them.  Runs of scenarios find their kernels
    stored, and may go anywhere."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            module = item.module
            flies = module.__name__.startswith("tests.scenarios.")
            if not flies or _makes_for_all(item):
                item.add_marker(pytest.mark.xdist_group(_kernels_of(module) or module.__name__))


def _kernels_of(module: ModuleType) -> str | None:
    """The module of kernels that a test module takes something from."""
    sources = {getattr(each, "__module__", None) for each in vars(module).values()}
    return next((name for name in COMPILED_FOR_MANY if name in sources), None)


def _makes_for_all(item: pytest.Item) -> bool:
    """Whether a test uses a fixture of its module."""
    made = item._fixtureinfo.name2fixturedefs.values()
    return any(each[-1].scope == "module" for each in made)
