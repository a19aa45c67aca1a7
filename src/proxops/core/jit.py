"""The only module that touches Numba's settings.

Numba's disk cache does not notice an edited callee in another file.  Ours names what it stores by
all that it is made of (core.made_from), so that an edit compiles what contains it and nothing else.
"""

import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.registry import CPUDispatcher
from numba.core.types import unliteral

from proxops.core.by_address import JIT_IS_OFF as JIT_IS_OFF
from proxops.core.by_address import address_of, by_value, invoke, invoke_number, type_of
from proxops.core.by_address import large as large
from proxops.core.compiling import Carrying, Closing, Users
from proxops.core.kernel_store import KernelStore, all_stored, open_folder

_settings: Any = numba.config  # its attributes are made at run time
_log = logging.getLogger("proxops")
_PACKAGE = Path(__file__).resolve().parents[1]
_CACHES_KEPT = 3
_DIGITS = 16  # of a hash in a name
LANES = "Lanes("  # in the name of every type that holds several cases, see core.lanes


# Compiled functions stand in these rooms and loops, and take constants and callees from them only
# (a test reads the sources and says so).
KERNEL_ROOMS = (
    "core", "bus", "physics", "plant", "sensors", "actuators", "onboard", "facility",
)  # fmt: skip
KERNEL_LOOPS = (
    "sim/collisions.py", "sim/entries.py", "sim/events.py", "sim/lanes/together.py",
    "sim/loop.py", "sim/pace.py", "sim/recorded_safety.py", "sim/rows.py", "sim/sense.py",
    "sim/stages.py", "sim/state.py", "sim/worlds/arena.py", "sim/worlds/orbit.py",
    "sim/worlds/rendered.py", "sim/worlds/robot_cell.py",
)  # fmt: skip


def source_hash() -> str:
    """Of every source file of the package, and of the compiler."""
    return _hash(_PACKAGE.rglob("*.py"))


@lru_cache(maxsize=1)
def kernel_hash() -> str:
    """Of every source file that compiled code is made of, and of the compiler."""
    rooms = (path for room in KERNEL_ROOMS for path in (_PACKAGE / room).rglob("*.py"))
    return _hash((*rooms, *(_PACKAGE / loop for loop in KERNEL_LOOPS)))


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for path in sorted(paths):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:_DIGITS]


def _settings_hash() -> str:
    """Of what changes all compiled code: how functions are compiled and arguments handed on, the
    compiler."""
    names = ("jit.py", "compiling.py", "by_address.py", "select.py")
    return _hash(_PACKAGE / "core" / name for name in names)


@lru_cache(maxsize=1)
def lanes_hash() -> str:
    """Of what changes code for lanes besides."""
    return _hash((_PACKAGE / "core" / "lanes").glob("*.py"))


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proxops" / "kernels"


def _prune(root: Path, current: Path) -> None:
    """Removes the oldest caches: each edit of a kernel would otherwise leave one behind."""
    others = sorted(
        (path for path in root.iterdir() if path.is_dir() and path != current),
        key=lambda path: path.stat().st_mtime,
    )
    for path in others[: max(0, len(others) - _CACHES_KEPT + 1)]:
        shutil.rmtree(path, ignore_errors=True)


def _open_cache() -> Path | None:
    """The directory of compiled kernels, or None (with one warning) where none can be written, or
    where others could write it."""
    if _settings.CACHE_DIR:  # the user's own NUMBA_CACHE_DIR, shared with other packages
        root = Path(_settings.CACHE_DIR) / "proxops"
    else:
        try:
            root = _user_cache()
        except RuntimeError:  # no home directory
            _log.warning("no home directory: kernels are compiled again in every process")
            return None
    try:
        directory = open_folder(root, _settings_hash())
    except OSError as error:
        _log.warning("kernels are compiled again in every process: %s", error)
        return None
    with suppress(OSError):  # another process may be doing the same
        _prune(root, directory)
    return directory


CACHE = _open_cache()


def is_warm(kernels: str = "run") -> bool:
    """Whether nothing is left to compile for a run, or for what else is named: an earlier process
    has compiled and stored its kernels from the sources as they are, or none are compiled."""
    return JIT_IS_OFF or (CACHE is not None and os.path.exists(_mark(CACHE, kernels)))


def _mark(folder: Path, kernels: str) -> Path:
    return folder / f"warm-{kernels}-{kernel_hash()}"


_MARKED: set[str] = set()  # by this process: the folder is searched once, not after every run


def mark_warm(kernels: str = "run") -> None:
    """Remembers that these kernels are stored; not where nothing was compiled, since the next
    process may compile."""
    if CACHE is not None and kernels not in _MARKED and all_stored() and not JIT_IS_OFF:
        _MARKED.add(kernels)
        with suppress(OSError):  # it is only a note for the next start
            for old in CACHE.glob(f"warm-{kernels}-{'?' * _DIGITS}"):
                old.unlink()
            _mark(CACHE, kernels).touch()


_COMMON: dict[str, Any] = {
    "nogil": True,
    "no_cfunc_wrapper": True,  # entries for C: nobody calls them, and each takes time to compile
    "error_model": "numpy",
    # Without Numba's run time a kernel cannot allocate: an array expression in a step is a compile
    # error, and the reference counts that made a tenth of a step are gone.  The price: a function
    # cannot return a view of an array, so views are written where they are used.
    "_nrt": False,
    # a b + c with one rounding instead of two, as C compilers do by default: a tenth of a step.
    # Nothing else that "fast math" stands for: no reordering, NaN and infinity stay what they are.
    "fastmath": {"contract"},
}


# Functions that kernels call have no entry for Python: each would take as long to compile as they.
_NO_ENTRY: dict[str, Any] = {"no_cpython_wrapper": True}


class Inner(CPUDispatcher):
    """A compiled function that only kernels may call; Numba would crash.  (Tests do: each is then
    compiled as a kernel of its own, tests/conftest.py.)"""

    of_cases: Any = None  # what takes its place where arguments hold several cases, see core.lanes

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.py_func.__name__} can be called from kernels only, or as .py_func")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """For arguments of these types.  Numbers that are written out at the call, columns of
        tables above all, are numbers as others, else it would be compiled once for each."""
        named = {name: unliteral(kind) for name, kind in kws.items()}
        kinds = tuple(map(unliteral, args))
        if self.of_cases is not None and LANES in repr(kinds):
            return self.of_cases.get_call_template(kinds, named)
        return super().get_call_template(kinds, named)

    def get_overload(self, sig: Any) -> Any:
        """What is called for that signature."""
        if self.of_cases is not None and LANES in repr(sig):
            return self.of_cases.get_overload(sig)
        return super().get_overload(sig)


def _inner(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = _compiled(function, pipeline_class=Carrying, **_NO_ENTRY, **options, **_COMMON)
    if isinstance(dispatcher, CPUDispatcher):
        dispatcher.__class__ = Inner
    return dispatcher


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """By Numba; with NUMBA_DISABLE_JIT=1 the function itself, for a debugger."""
    made: Any = numba.njit(**options)(function)
    if not isinstance(made, CPUDispatcher):
        made.py_func = made  # as of a compiled one
    return made


class LanesStore(KernelStore):
    """Where kernels are stored: what is compiled for several cases at once is named by what changes
    such code besides."""

    def _path(self, key: Any) -> Any:
        return super()._path((key, lanes_hash()) if LANES in repr(key) else key)


def _cached(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    dispatcher = _compiled(function, pipeline_class=Closing, **options)
    if CACHE is not None and isinstance(dispatcher, CPUDispatcher):
        dispatcher._cache = LanesStore(function, CACHE)  # type: ignore[attr-defined]
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles an entry kernel: called from Python, cached on disk, runs without the GIL."""
    return _cached(function, _COMMON)


def pluggable(function: Callable[..., Any]) -> Any:
    """Compiles a function that kernels call by its address, see `entry_of`."""
    options = {name: value for name, value in _COMMON.items() if name != "no_cfunc_wrapper"}
    return _cached(function, _NO_ENTRY | options)


def at_entry(number: int, returns_number: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compiles a function by itself that kernels call by the address at `entries[number]` of its
    first argument; it returns a status, or a float64.  Kernels are compiled without it, and may
    call it once `write_entry` has written its address.  A plant as first argument comes by value,
    however the caller knows it: kernels that Python calls have it so."""

    def make(function: Callable[..., Any]) -> Any:
        calling = invoke_number if returns_number else invoke

        @helper
        def stub(first: Any, *others: Any) -> Any:
            return calling(first.entries[number], (by_value(first), *others))

        stub.number, stub.function = number, pluggable(function)
        stub.returns_number = returns_number
        return stub

    return make


def write_entry(entries: np.ndarray, called: Any, *examples: Any) -> None:
    """Writes the address of a function `at_entry` that is called with arguments of these types;
    compiles it, if it is not."""
    entry = entry_of(called.function, *examples, returns_number=called.returns_number)
    entries[called.number] = entry


def users(function: Callable[..., Any]) -> Any:
    """Compiles a pluggable function around a user's: it may allocate, and is not cached, since what
    it calls may change unnoticed.  An index beyond an array is an error."""
    options = {name: _COMMON[name] for name in ("nogil", "error_model")}
    return _compiled(function, boundscheck=True, pipeline_class=Users, **options)


@lru_cache(maxsize=16)
def compiled(function: Callable[..., Any]) -> Any:
    """A user's function compiled, if it is not: for what a `Compiled` controller calls.

    >>> @proxops.compiled
    ... def norm(v):
    ...     return (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) ** 0.5
    """
    return function if isinstance(function, CPUDispatcher) else users(function)


def entry_of(function: Any, *examples: Any, returns_number: bool = False) -> int:
    """The address at which a pluggable function, compiled for what these are pinned as, is
    called."""
    if not isinstance(function, CPUDispatcher):  # nothing is compiled
        return address_of(function)
    types = tuple(map(type_of, examples))
    if types not in function.overloads:
        returns = numba.types.float64 if returns_number else numba.types.int64
        function.compile(returns(*types))
    made: Any = function.overloads[types]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


# By kernel: the arguments that it was last called with, and its entry
_CHECKED: dict[Any, tuple[tuple[Any, ...], Any]] = {}


def enter(dispatcher: Any, works_on: tuple[Any, ...], *args: Any) -> Any:
    """Calls a kernel.  The same tuple again stands for arguments of the same types: looking at all
    of them takes longer than ten steps of the loop."""
    checked, entry = _CHECKED.get(dispatcher, ((), None))
    if checked is works_on:
        return entry(*works_on, *args)
    result = dispatcher(*works_on, *args)
    if isinstance(dispatcher, CPUDispatcher):
        made: Any
        (made,) = dispatcher.overloads.values()  # a scenario never compiles it anew
        _CHECKED[dispatcher] = works_on, made.entry_point
    return result


def part(function: Callable[..., Any]) -> Any:
    """Compiles a part of kernels: called from other kernels, which carry it in their own cache.

    A call hands every array over as seven words or more on the stack, some 20 ns in all: what runs
    in every stage of every step is therefore a `helper`, and a `part` is what is called rarely or
    from several places, since each copy of a helper costs compile time.
    """
    return _inner(function)


def helper(function: Callable[..., Any]) -> Any:
    """Compiles a named formula that LLVM folds into its caller."""
    return _inner(function, forceinline=True)
