"""Our kernels compiled for lanes: the functions as they stand, with arrays of lanes for arrays."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from numba.core import types

from benchmarks.lanes.number import MARK, Lanes
from proxops.core import jit
from proxops.core.compiling import Closing
from proxops.core.kernel_store import KernelStore

# Types by name, for entries whose arguments are no named tuples
VECTOR, TABLE, NUMBER = "vector", "table", "number"


# Kernels that ours call are stored on disk; for lanes they hold addresses of this process.
_load, _save = KernelStore.load_overload, KernelStore.save_overload


def _load_scalar(self: Any, sig: Any, target_context: Any) -> Any:
    return None if MARK in repr(sig) else _load(self, sig, target_context)


def _save_scalar(self: Any, sig: Any, data: Any) -> None:
    if MARK not in repr(sig):
        _save(self, sig, data)


_stores: Any = KernelStore
_stores.load_overload, _stores.save_overload = _load_scalar, _save_scalar


def lane_kernel(function: Callable[..., Any]) -> Any:
    """A kernel as those of proxops.core.jit, but stored nowhere."""
    return jit._compiled(function, pipeline_class=Closing, **jit._COMMON)


def write_lane_entry(entries: np.ndarray, called: Any, width: int, *examples: Any) -> None:
    """As proxops.core.jit.write_entry: writes the address of a function `at_entry` that is called
    with arguments of these types, VECTOR, TABLE or NUMBER by name."""
    named = {
        VECTOR: types.Array(Lanes(width), 1, "C"),
        TABLE: types.Array(Lanes(width), 2, "C"),
        NUMBER: types.float64,
    }
    kinds = tuple(named.get(each, each) if isinstance(each, str) else each for each in examples)
    returns = types.float64 if called.returns_number else types.int64
    entries[called.number] = _entry(called.function, returns, kinds)


def lane_entry(function: Any, *examples: Any) -> int:
    """As proxops.core.jit.entry_of: the address at which a function is called that is compiled for
    what these are pinned as."""
    return _entry(function, types.int64, tuple(map(numba.typeof, examples)))


@cache
def _entry(function: Any, returns: Any, kinds: tuple[Any, ...]) -> int:
    options = {name: value for name, value in jit._COMMON.items() if name != "no_cfunc_wrapper"}
    source = function.py_func
    dispatcher = jit._compiled(source, pipeline_class=Closing, **jit._NO_ENTRY, **options)
    dispatcher.compile(returns(*kinds))
    made = dispatcher.overloads[kinds]
    _KEPT.append(dispatcher)
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


_KEPT: list[Any] = []  # whose addresses are in use
