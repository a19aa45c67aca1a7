"""What comes with the package, by name; listing it reads nothing as a scenario."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable


def _shipped(folder: str, suffix: str) -> dict[str, Traversable]:
    root = files("proxops.scenario") / "library" / folder
    found = {
        item.name.removesuffix(suffix): item
        for item in root.iterdir()
        if item.name.endswith(suffix)
    }
    return dict(sorted(found.items()))


def shipped_missions() -> dict[str, Traversable]:
    """Scenario files that come with the package, by name."""
    return _shipped("missions", ".toml")


def shipped_facilities() -> dict[str, Traversable]:
    """Facility files that come with the package, by name."""
    return _shipped("facilities", ".toml")


def shipped_arms() -> dict[str, Traversable]:
    """URDF files that come with the package, by name."""
    return _shipped("arms", ".urdf")


def shipped_histories() -> dict[str, Traversable]:
    """CSV files that come with the package, by name."""
    return _shipped("histories", ".csv")


def shipped() -> dict[str, str]:
    """Titles of the shipped missions, by name."""
    return _titles(shipped_missions())


def shipped_labs() -> dict[str, str]:
    """Titles of the shipped facilities, by name."""
    return _titles(shipped_facilities())


def _titles(items: Mapping[str, Traversable]) -> dict[str, str]:
    return {
        name: str(tomllib.loads(item.read_text("utf-8"))["title"]) for name, item in items.items()
    }
