"""A user's function is compiled before the run: what is wrong with it is reported as its own."""

import re
from pathlib import Path
from typing import Any

from numba import typeof
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

from proxops.core.errors import ControllerError
from proxops.onboard.user.exceptions import blaming, place_of

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACE = re.compile(r'File "([^"]+)", line (\d+):')
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
            raise ControllerError(f"{name}: {_format_numba_error(error, function)}") from None


def _format_numba_error(error: NumbaError, function: Any) -> str:
    text = _COLOURS.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    what = next((line for line in lines if line and not line.startswith(_FRAME)), "")
    if what.endswith(":"):  # what it could not find an implementation for
        what = " ".join([what, *[line for line in lines if line.startswith(">>>")][:1]])
    own = Path(function.py_func.__code__.co_filename).name
    places = [number for file, number in _PLACE.findall(text) if Path(file).name == own]
    place = f"  {own}:{places[-1]}" if places else "".join(place_of(function))
    return f"cannot be compiled: {what}\n{place}"
