"""Texts that scenarios are made of: shipped ones, and files."""

import hashlib
import os
import tomllib
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from proxops.core.errors import InputError
from proxops.core.regular_file import NotRegularError, TooLargeError, read_regular
from proxops.core.text import nearest
from proxops.scenario.bounds import bound_problems
from proxops.scenario.problems import raise_problems
from proxops.scenario.urdf_meshes import place_meshes

Reader = Callable[[str, Path], str]  # text (of a mesh: path, hash) of a name, from a folder

_LARGEST = 10_000_000  # bytes; hand-written files have a thousandth of it
_LARGEST_MESH = 1_000_000_000  # bytes


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


def read_text(path: Path) -> str:
    """A file's text."""
    data = _read(path, _LARGEST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{path}: not UTF-8 text, byte {error.start} in line {line}") from None


def _read(path: Path, largest: int) -> bytes:
    try:
        return read_regular(path, largest)
    except NotRegularError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except TooLargeError:
        raise InputError(f"{path}: larger than {largest // 1_000_000} MB") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None


def files_beside(given: str, folder: Path, suffix: str) -> list[str]:
    """Files of that kind where a path leads that is no file, written as the path is."""
    try:
        beside = Path(given).parent
        return [str(beside / each.name) for each in (folder / beside).glob(f"*{suffix}")]
    except (OSError, ValueError):  # a folder that cannot be read, a NUL in the path
        return []


def shipped_histories() -> dict[str, Traversable]:
    """CSV files that come with the package, by name."""
    return _shipped("histories", ".csv")


def read_history(name: str, folder: Path) -> str:
    """CSV text of a shipped history, or of a file seen from a folder."""
    shipped = shipped_histories()
    return shipped[name].read_text("utf-8") if name in shipped else read_text(folder / name)


def read_arm(name: str, folder: Path) -> str:
    """URDF text of a shipped arm, or of a file seen from a folder, with the paths of its meshes."""
    shipped = shipped_arms()
    if name in shipped:
        return shipped[name].read_text("utf-8")
    path = folder / name
    if not os.path.exists(path):  # unlike Path.exists: also False for names no system takes
        known = [*shipped, *files_beside(name, folder, ".urdf")]
        raise InputError(f"no shipped arm and no file {name!r}{nearest(name, known)}")
    return place_meshes(read_text(path), path.parent)


def read_craft(name: str, folder: Path) -> str:
    """URDF text of a spacecraft's file seen from a folder, with the paths of its meshes."""
    path = folder / name
    return place_meshes(read_text(path), path.parent)


def find_mesh(name: str, folder: Path) -> str:
    """Absolute path of a mesh seen from a folder: it is drawn from there, it is not stored."""
    path = os.path.abspath(folder / name)
    if not os.path.isfile(path):  # also False for names that no system takes
        raise InputError(f"no file {path!r}")
    return path


def hash_mesh(name: str, folder: Path) -> str:
    """SHA-256 of a mesh's file: a recording is drawn with that very file, or without it."""
    return hashlib.sha256(_read(folder / name, _LARGEST_MESH)).hexdigest()


def read_from(reader: Reader, name: str, folders: tuple[Path, ...]) -> str:
    """What a reader finds under that name in the first folder that has it."""
    first: InputError | None = None
    for folder in folders:
        try:
            return reader(name, folder)
        except InputError as error:
            first = first or error
    assert first is not None
    raise first


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The document in a TOML text."""
    try:
        document = tomllib.loads(text)
    except ValueError as error:  # with line and column
        raise InputError(f"{where}: not TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{where}: not TOML: nested too deeply") from None
    raise_problems(where, bound_problems(document))
    return document
