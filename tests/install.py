"""Builds sdist and wheel, and installs the wheel outside of the checkout on every Python at hand.

    python -m tests.install            # what CI does: the whole on this Python, imports on others
    python -m tests.install --whole    # before a release: the whole on all of them

The wheel is built from the unpacked sdist, so a file that the sdist lacks is missed here.  On this
Python the libraries are those of its own environment; a run then reads missions, arms and pages
from what was installed.  Others install their libraries; without `--whole` only those that it takes
to read missions, since kernels would be compiled for a minute on each.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MINORS = (11, 12, 13)
READING = ("numba", "pydantic", "typer", "rich")  # what reading missions takes
NOT_COPIED = (".git", ".venv", "out", "runs", "__pycache__", ".*_cache", "*.egg-info")
BACKEND = "setuptools>=77"
LOADS_ALL = """
import proxops
from proxops.scenario.load import load
from proxops.scenario.shipped import shipped
from pathlib import Path
assert not Path(proxops.__file__).is_relative_to({root!r}), proxops.__file__
print(len([load(name) for name in shipped()]), "missions load")
"""


def main() -> None:
    """Builds, then installs and tries on each Python."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--whole", action="store_true")
    whole = parser.parse_args().whole
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheel = build(place)
        for minor in MINORS:
            own = sys.version_info[:2] == (3, minor)
            python = sys.executable if own else find(minor)
            if python is None:
                say(f"Python 3.{minor}: LEFT OUT, there is none on this machine")
                continue
            home = place / f"3.{minor}"
            bin_ = environment(python, home)
            if own:
                share_libraries(home)
            else:
                every = [str(wheel)] if whole else READING
                pip(bin_, "--constraint", str(ROOT / "constraints.txt"), *every)
            pip(bin_, "--no-deps", "--force-reinstall", str(wheel))
            try_out(bin_, home, runs=own or whole)
            ran = "installed, ran a mission" if own or whole else "installed, read every mission"
            say(f"Python 3.{minor}: {ran}")
    say(f"{time.monotonic() - begun:.0f} s")


def build(place: Path) -> Path:
    """The wheel, from the sdist."""
    bin_ = environment(sys.executable, place / "build")
    pip(bin_, BACKEND)
    hook = (
        "import sys; from setuptools import build_meta as backend; "
        "print(getattr(backend, sys.argv[1])(sys.argv[2]))"
    )
    source = place / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*NOT_COPIED))
    run(str(bin_ / "python"), "-c", hook, "build_sdist", str(place), cwd=source)
    run(str(bin_ / "python"), "-c", hook, "build_wheel", str(place), cwd=unpacked(place))
    (wheel,) = place.glob("*.whl")
    say(f"built {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB) from its sdist")
    return wheel


def unpacked(place: Path) -> Path:
    """The folder that the sdist holds."""
    (archive,) = place.glob("*.tar.gz")
    safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in 3.11.2
    with tarfile.open(archive) as file:
        file.extractall(place / "unpacked", **safely)
    (inner,) = (place / "unpacked").iterdir()
    return inner


def find(minor: int) -> str | None:
    """A Python of that version."""
    found = shutil.which(f"python3.{minor}")
    for path in sorted((Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*")):
        found = str(path / "bin" / "python")
    if (
        found is not None
        and subprocess.run(
            [found, "-c", "import ensurepip, venv"], capture_output=True, check=False
        ).returncode
    ):
        return None  # Debian's Python without python3-venv
    return found


def environment(python: str, home: Path) -> Path:
    """A new environment; the folder of its programs."""
    if python == sys.executable:
        venv.create(home, with_pip=True)
    else:
        run(python, "-m", "venv", str(home))
    return home / "bin"


def share_libraries(home: Path) -> None:
    """Makes what is installed beside this Python importable, but not the project itself: an
    editable install is a .pth file, which is not followed from here."""
    (site,) = home.glob("lib/python*/site-packages")
    numpy = Path(__import__("numpy").__file__).parents[1]
    (site / "libraries.pth").write_text(f"{numpy}\n")


def try_out(bin_: Path, home: Path, *, runs: bool) -> None:
    """Uses what was installed, far from the checkout."""
    proxops, python = str(bin_ / "proxops"), str(bin_ / "python")
    assert "oos-sim" in run(proxops, "list", cwd=home)
    run(python, "-c", LOADS_ALL.format(root=str(ROOT)), cwd=home)
    if runs:
        said = run(proxops, "run", "free-tumble", "--report", cwd=home)
        assert "PASSED" in said, said
        assert (home / "runs" / "free-tumble" / "report.html").is_file()


def pip(bin_: Path, *what: str) -> None:
    """Installs into an environment."""
    run(str(bin_ / "python"), "-m", "pip", "install", "--quiet", "--no-compile", *what)


def run(*command: str, cwd: Path | None = None) -> str:
    """What a command prints; it must succeed."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environ, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def say(line: str) -> None:
    """A line of the result, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
