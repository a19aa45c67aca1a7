"""What the project says of itself agrees with itself."""

import tomllib
from collections import Counter
from pathlib import Path

import proxops

ROOT = Path(__file__).parents[2]


def test_every_package_is_pinned_once():
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    names = Counter(pin.split("==")[0].lower().replace("_", "-") for pin in pins)
    assert [name for name, count in names.items() if count > 1] == []
    assert all("==" in pin and "://" not in pin for pin in pins)


def test_the_version_is_the_projects():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert proxops.__version__ == project["version"]
