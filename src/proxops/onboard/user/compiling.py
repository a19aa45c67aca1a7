"""A user's function is compiled before the run: what is wrong with it is reported as its own."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from numba import typeof, types
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

from proxops.core.errors import ControllerError
from proxops.core.text import nearest
from proxops.onboard.user.exceptions import blaming, place_of

_NAMED: Any = types.BaseNamedTuple
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+):')
_UNKNOWN = re.compile(r"Unknown attribute '(?P<key>\w+)' of type (?:Ref\()?(?P<of>\w+)\(")
_FRAME = ("Failed in", "During:", "File ", ">>>", "-")  # lines around what is wrong


def compile_for_loop(function: Any, name: str, arguments: tuple[Any, ...]) -> None:
    """Compiles a function for what its arguments are; where that fails, a ControllerError says why
    and at which line."""
    if not isinstance(function, CPUDispatcher):  # nothing is compiled
        return
    with blaming(name, function):
        try:
            function.compile(tuple(map(typeof, arguments)))
        except NumbaError as error:
            fields = dict(_fields_of(map(typeof, arguments)))
            said = _format_numba_error(error, function, fields)
            raise ControllerError(f"{name}: {said}") from None


def _fields_of(kinds: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the named tuples among types are called, and their fields."""
    for kind in kinds:
        named: Any = getattr(kind, "kind", kind)  # of what is handed on by address
        if isinstance(named, _NAMED):
            yield named.instance_class.__name__, named.fields
            yield from _fields_of(named.types)


def _format_numba_error(
    error: NumbaError, function: Any, fields: Mapping[str, tuple[str, ...]]
) -> str:
    """What is wrong and where; of a field that there is not, the nearest."""
    text = _COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    what = next((line for line in lines if line and not line.startswith(_FRAME)), "")
    if what.endswith(":"):  # what it could not find an implementation for
        what = " ".join([what, *[line for line in lines if line.startswith(">>>")][:1]])
    wrong = _UNKNOWN.search(what)
    if wrong is not None and wrong["of"] in fields:
        key, of = wrong["key"], wrong["of"]
        what = f"{of.lower()} has no {key!r}{nearest(key, fields[of])}"
    own = Path(function.py_func.__code__.co_filename).name
    places = [number for file, number in _PLACE.findall(text) if Path(file).name == own]
    place = f"  {own}:{places[-1]}" if places else "".join(place_of(function))
    return f"cannot be compiled: {what}\n{place}"
