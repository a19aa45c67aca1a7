"""What the project says of itself agrees with itself."""

import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

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


def test_changelog_and_citation_are_of_this_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newest = re.search(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    cited = dict(
        re.findall(r"^([a-z-]+): (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    )
    assert (cited["version"], cited["date-released"]) == newest.groups()
    assert cited["version"] == version


def test_the_extra_all_has_every_extra_of_users():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    (every,) = extras["all"]
    named = set(re.fullmatch(r"proxops\[(.*)\]", every)[1].split(","))
    assert named == set(extras) - {"all", "docs", "peers", "site", "test"}


def test_the_sdist_has_every_file_of_the_project():
    git = ("git", "-C", str(ROOT), "ls-files")
    listed = subprocess.run(git, capture_output=True, text=True, check=False)
    if listed.returncode or not (ROOT / ".git").exists():
        pytest.skip("no clone: nothing to compare with")
    grafted, included = set(), set()
    for line in (ROOT / "MANIFEST.in").read_text().splitlines():
        command, *words = line.split()
        if command == "graft":
            grafted |= set(words)
        elif command == "include":
            included |= set(words)
    files = listed.stdout.splitlines()
    left_out = [
        name for name in files if name not in included and name.split("/")[0] not in grafted
    ]
    assert left_out == []


def test_what_is_shipped_goes_into_the_wheel():
    """Data files beside the code are matched by the patterns of package-data."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    package = ROOT / "src" / "proxops"
    matched = {path for glob in table["package-data"]["proxops"] for path in package.glob(glob)}
    files = {
        path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert {path for path in files if path.suffix != ".py"} - matched == set()


def test_the_license_is_named_in_its_current_form():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    assert all((ROOT / name).is_file() for name in project["license-files"])
