"""A number type for Numba that holds one double of each of several cases: a vector register.

A processor's SIMD instructions do the same to each double of a register; the doubles are its lanes.
Where Numba types our kernels with these numbers instead of doubles, the unchanged source computes
that many cases at once.  Tests of lanes are masks, one bit a lane; what a branch does with them is
in `branches`.
"""

from collections.abc import Sequence
from typing import Any

import llvmlite.ir as ir
from numba.core import types
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.imputils import lower_cast
from numba.core.typeconv.castgraph import Conversion

from proxops.core.jit import LANES as MARK

DOUBLE, BIT, WHOLE = ir.DoubleType(), ir.IntType(1), ir.IntType(64)


class Lanes(types.Type):
    """A double of each case."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"{MARK}{width})")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A number that all cases share becomes lanes where it meets some."""
        return self if isinstance(other, types.Float | types.Integer) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Likewise."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


class Mask(types.Type):
    """A truth of each case."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Mask({width})")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A truth that all cases share becomes a mask where it meets one."""
        return self if isinstance(other, types.Boolean) else None

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Likewise."""
        return Conversion.safe if isinstance(other, types.Boolean) else None


@register_default(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(DOUBLE, fe_type.width))


@register_default(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(BIT, fe_type.width))


def spread(builder: Any, value: Any, width: int) -> Any:
    """The same value in every lane."""
    kind = ir.VectorType(value.type, width)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(WHOLE, 0))
    first = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), first)


def constant(value: float, width: int) -> Any:
    """A number in every lane."""
    return ir.Constant(ir.VectorType(DOUBLE, width), [float(value)] * width)


@lower_cast(types.Float, Lanes)
@lower_cast(types.Integer, Lanes)
def _spread_number(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return spread(builder, context.cast(builder, value, fromty, types.float64), toty.width)


@lower_cast(types.Boolean, Mask)
def _spread_truth(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return spread(builder, value, toty.width)


# --- named tuples ---------------------------------------------------------------------------------

# A function may return one of lanes here and one of plain numbers there; Numba unifies plain tuples
# only.


def _same_fields(one: Any, other: Any) -> bool:
    """Whether these are the same named tuples, lanes among them; others are left to Numba."""
    if not isinstance(other, types.BaseNamedTuple) or MARK not in f"{one} {other}":
        return False
    return bool(one.instance_class is getattr(other, "instance_class", None))


def named_tuple_of(kinds: Sequence[Any], kind: Any) -> Any:
    """The type of a named tuple with fields of these types."""
    if len(set(kinds)) == 1:
        return types.NamedUniTuple(kinds[0], len(kinds), kind)
    return types.NamedTuple(kinds, kind)


def _unify(self: Any, typingctx: Any, other: Any) -> Any:
    if not _same_fields(self, other):
        return None
    pairs = zip(self.types, other.types, strict=True)
    kinds = [typingctx.unify_pairs(*each) for each in pairs]
    return None if None in kinds else named_tuple_of(kinds, self.instance_class)


def _can_convert_to(self: Any, typingctx: Any, other: Any) -> Any:
    if not _same_fields(self, other):
        return types.BaseTuple.can_convert_to(self, typingctx, other)
    pairs = zip(self.types, other.types, strict=True)
    kinds = [typingctx.can_convert(*each) for each in pairs]
    return None if None in kinds else max(kinds)


def _cast_named(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    entries = [
        context.cast(builder, builder.extract_value(value, at), *pair)
        for at, pair in enumerate(zip(fromty.types, toty.types, strict=True))
    ]
    return context.make_tuple(builder, toty, entries)


_named: Any
for _named in (types.NamedUniTuple, types.NamedTuple):
    _named.unify, _named.can_convert_to = _unify, _can_convert_to
    for _to in (types.NamedUniTuple, types.NamedTuple):
        lower_cast(_named, _to)(_cast_named)
