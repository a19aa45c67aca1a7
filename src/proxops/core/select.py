"""A choice without a branch: what cases that are computed together can do, and a branch cannot."""

from typing import Any

from numba.core import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature


def select(test: Any, a: Any, b: Any) -> Any:
    """The number a where the test holds, else b.  Both are computed, so both must be harmless; for
    two alternatives of a few operations that takes no longer than a branch."""
    return a if test else b


def any_of(test: Any) -> Any:
    """Whether the test holds in any of the cases that are computed together; of one case, in it.
    What costs more than a few operations is computed only then, before a `select`."""
    return test


@infer_global(select)
class _Select(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if not isinstance(args[0], types.Boolean):
            return None
        kind = self.context.unify_types(*args[1:])
        return None if kind is None else signature(kind, types.boolean, kind, kind)


@lower_builtin(select, types.Boolean, types.Any, types.Any)
def _lower_select(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(*args)


@infer_global(any_of)
class _AnyOf(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        one = isinstance(args[0], types.Boolean)
        return signature(types.boolean, types.boolean) if one else None


@lower_builtin(any_of, types.Boolean)
def _lower_any_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]
