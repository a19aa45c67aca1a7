"""Our kernels compiled for lanes: the functions as they stand, with arrays of lanes for arrays."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba

from proxops.core import jit
from proxops.core.by_address import numbers_of
from proxops.core.compiling import Closing
from proxops.core.lanes import operations  # noqa: F401  # registers them
from proxops.core.lanes.branches import counts


class _Store(jit.LanesStore):
    """Where branches are counted, code that does not count is of no use."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return None if counts() else super().load_overload(sig, target_context)


def _stored(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    dispatcher = jit._compiled(function, pipeline_class=Closing, **options)
    if jit.CACHE is not None:
        dispatcher._cache = _Store(function, jit.CACHE)
    return dispatcher


def lane_kernel(function: Callable[..., Any]) -> Any:
    """A kernel as those of proxops.core.jit."""
    return _stored(function, jit._COMMON)


def lane_entry(function: Any, *examples: Any, returns_number: bool = False) -> int:
    """As proxops.core.jit.entry_of: the address at which a pluggable function is called that is
    compiled for what these are pinned as, or for these types; it returns a status, or a number as
    they have them."""
    kinds = [
        each if isinstance(each, numba.types.Type) else numba.typeof(each) for each in examples
    ]
    returns = numbers_of(kinds) if returns_number else numba.types.int64
    return _entry(function, returns, tuple(kinds))


@cache
def _entry(function: Any, returns: Any, kinds: tuple[Any, ...]) -> int:
    options = {name: value for name, value in jit._COMMON.items() if name != "no_cfunc_wrapper"}
    dispatcher = _stored(function.py_func, jit._NO_ENTRY | options)
    dispatcher.compile(returns(*kinds))
    made = dispatcher.overloads[kinds]
    _KEPT.append(dispatcher)
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


_KEPT: list[Any] = []  # whose addresses are in use
