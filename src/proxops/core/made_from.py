"""What a compiled function is made of: its code, that of all it calls, and every constant in them.

A stored kernel may be used as long as this has not changed.  Numba itself looks at the caller's
file only, and would run a stored kernel with a callee as it was before it was edited.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

_OURS = __name__.partition(".")[0]


def digest_of(function: FunctionType) -> str:
    """The same for two functions that compile to the same, whatever else their files hold."""
    found: dict[int, FunctionType] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if id(each) not in found:
            found[id(each)] = each
            waiting += _own(each)[1]
    parts = sorted(_own(each)[0] for each in found.values())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def _own(function: FunctionType) -> tuple[str, tuple[FunctionType, ...]]:
    """A digest of a function's code and of the constants that it refers to, and what it calls."""
    called: list[FunctionType] = []
    name, code = f"{function.__module__}.{function.__qualname__}", function.__code__
    tokens = [name, *_code(code, function.__doc__)]
    tokens.append(repr(function.__defaults__))
    for what, value in _referred(function):
        tokens.append(f"{what} {_token(value, called)}")
    text = "\n".join(tokens)
    return f"{name} {hashlib.sha256(text.encode()).hexdigest()}", tuple(called)


def _code(code: CodeType, docstring: str | None = None) -> Iterator[str]:
    """Instructions, names and constants; the text of the docstring does not count."""
    documented = docstring is not None and docstring in code.co_consts[:1]
    constants = code.co_consts[1:] if documented else code.co_consts
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
    for each in constants:
        if isinstance(each, CodeType):
            yield from _code(each)
        else:
            yield repr(each)


def _names(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*(_names(each) for each in inner))


def _referred(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Globals and cells by name; of a module or class, whatever may be meant of it."""
    names = _names(function.__code__)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    values = {name: cell.cell_contents for name, cell in cells}
    values |= {name: function.__globals__[name] for name in names & function.__globals__.keys()}
    for name, value in sorted(values.items()):
        yield name, value
        if isinstance(value, ModuleType | type):
            for inner in sorted(names & vars(value).keys()):
                yield f"{name}.{inner}", vars(value)[inner]


def _token(value: Any, called: list[FunctionType]) -> str:
    """What stands for a value; functions of ours are noted as called."""
    function = getattr(value, "py_func", None) or getattr(value, "_defn", None) or value
    if isinstance(function, FunctionType):
        if function.__module__.partition(".")[0] == _OURS or function is not value:
            called.append(function)
        return "function"
    if isinstance(value, type):
        return f"{value.__qualname__} {getattr(value, '_fields', '')}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, tuple | list):
        return f"({', '.join(_token(each, called) for each in value)})"
    if isinstance(value, bool | int | float | complex | str | bytes | None | np.generic):
        return repr(value)
    if isinstance(value, BuiltinFunctionType | ModuleType):
        return value.__name__
    return type(value).__qualname__
