"""Controllers and extensions from files that the user names."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from proxops.core.errors import InputError
from proxops.core.text import nearest, nearest_file
from proxops.onboard.user.exceptions import blaming


def from_file(text: str) -> Any:
    """What FILE:NAME names: a class, an instance or a Compiled, checked where it is used.  The file
    is run."""
    file, name = _split(text)
    module = run_file(Path(file), f"--controller {text}")
    if not hasattr(module, name):
        defined = [key for key in vars(module) if not key.startswith("_")]
        raise InputError(f"--controller {text}: {file} has no {name!r}{nearest(name, defined)}")
    return getattr(module, name)


def absolute(text: str) -> str:
    """FILE:NAME that means the same in any folder."""
    file, name = _split(text)
    return f"{Path(file).resolve()}:{name}"


def _split(text: str) -> tuple[str, str]:
    file, colon, name = text.rpartition(":") if isinstance(text, str) else ("", "", "")
    if not (colon and file and name):
        raise InputError(f"--controller {text}: must be FILE:NAME, as in my.py:MyController")
    return file, name


def run_file(path: Path, where: str) -> ModuleType:
    """The module in a file, which is run; `where` says who asked for it."""
    if not path.is_file():
        beside = [str(each) for each in path.parent.glob("*.py")]
        raise InputError(f"{where}: there is no file {path}{nearest_file(str(path), beside)}")
    spec = importlib.util.spec_from_file_location(f"user_{path.stem}", path.resolve())
    if spec is None or spec.loader is None:
        raise InputError(f"{where}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as for any module: its classes can be found by their names
    sys.path.insert(0, str(path.resolve().parent))  # it may import what stands beside it
    with blaming(where):
        spec.loader.exec_module(module)
    return module
