"""Functions that are computed case by case: searches, whose every step is another in each case.

Such a function reads the arrays of lanes as they are: those of one case are every so many numbers.
"""

from typing import Any

import llvmlite.ir as ir
from numba.core import types
from numba.extending import intrinsic

from proxops.core.by_address import Ref
from proxops.core.jit import Inner, part
from proxops.core.lanes.branches import has_parted
from proxops.core.lanes.number import DOUBLE, WHOLE, Lanes, named_tuple_of

_BYTES = ir.IntType(8).as_pointer()


def case_by_case(function: Inner) -> None:
    """In lanes, this function of our own that returns a number is called once for each case."""

    @part
    def together(*arguments: Any) -> Any:
        found = _nothing_yet(arguments)
        for lane in range(_width_of(arguments)):
            if not _has_parted(lane):  # a search for nonsense may take long
                found = _with_case(found, lane, function(*_of_case(arguments, lane)))
        return found

    function.of_cases = together


def each_case(function: Inner) -> None:
    """The same of one that returns nothing."""

    @part
    def together(*arguments: Any) -> None:
        for lane in range(_width_of(arguments)):
            if not _has_parted(lane):
                function(*_of_case(arguments, lane))

    function.of_cases = together


_Tuple: Any = types.BaseTuple
_Named: Any = types.BaseNamedTuple


def _width(kind: Any) -> int:
    """Of the lanes in a type, 0 if there are none."""
    if isinstance(kind, Lanes):
        return kind.width
    if isinstance(kind, types.Array):
        return _width(kind.dtype)
    if isinstance(kind, Ref):
        return _width(kind.kind)
    if isinstance(kind, _Tuple):
        return max((_width(each) for each in kind.types), default=0)
    return 0


def share_of(kind: Any) -> Any:
    """The type of one case's share; what is known by address is handed on by value."""
    if isinstance(kind, Lanes):
        return types.float64
    if isinstance(kind, types.Array) and isinstance(kind.dtype, Lanes):
        return types.Array(types.float64, kind.ndim, "A")
    if isinstance(kind, Ref):
        return share_of(kind.kind)
    if isinstance(kind, _Named):
        return named_tuple_of([share_of(each) for each in kind.types], kind.instance_class)
    if isinstance(kind, _Tuple):
        return types.Tuple.from_types([share_of(each) for each in kind.types])
    return kind


def _taken(context: Any, builder: Any, kind: Any, value: Any, lane: Any) -> Any:
    """One case's share of a value."""
    if isinstance(kind, Lanes):
        return builder.extract_element(value, lane)
    if isinstance(kind, types.Array) and isinstance(kind.dtype, Lanes):
        return _array_of(context, builder, kind, value, lane)
    if isinstance(kind, Ref):
        whole = builder.bitcast(value, context.get_data_type(kind.kind).as_pointer())
        return _taken(context, builder, kind.kind, builder.load(whole), lane)
    if isinstance(kind, _Tuple):
        shares = [
            _taken(context, builder, each, builder.extract_value(value, at), lane)
            for at, each in enumerate(kind.types)
        ]
        return context.make_tuple(builder, share_of(kind), shares)
    return value


def _array_of(context: Any, builder: Any, kind: Any, value: Any, lane: Any) -> Any:
    """The same memory, seen from one lane: its numbers are as far apart as all lanes take."""
    whole = context.make_array(kind)(context, builder, value)
    share = context.make_array(share_of(kind))(context, builder)
    for name in ("meminfo", "parent", "nitems", "shape", "strides"):
        setattr(share, name, getattr(whole, name))
    share.itemsize = ir.Constant(share.itemsize.type, 8)
    first = builder.bitcast(whole.data, DOUBLE.as_pointer())
    share.data = builder.gep(first, [lane])
    return share._getvalue()


@intrinsic
def of_case(typingctx: Any, values: Any, lane: Any) -> Any:
    """One case's share of all these arguments."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _taken(context, builder, values, *args)

    return share_of(values)(values, types.int64), codegen


@intrinsic
def width_of(typingctx: Any, values: Any) -> Any:
    """How many lanes there are."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(WHOLE, _width(values))

    return types.int64(values), codegen


@intrinsic
def nothing_yet(typingctx: Any, values: Any) -> Any:
    """Zero in every lane."""
    kind = Lanes(_width(values))

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(ir.VectorType(DOUBLE, kind.width), None)

    return kind(values), codegen


@intrinsic
def with_case(typingctx: Any, lanes: Any, lane: Any, number: Any) -> Any:
    """The lanes, with this number in one of them."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.insert_element(args[0], args[2], args[1])

    return lanes(lanes, types.int64, types.float64), codegen


# What type checkers take for their definitions
_has_parted: Any = has_parted
_of_case: Any = of_case
_width_of: Any = width_of
_nothing_yet: Any = nothing_yet
_with_case: Any = with_case
