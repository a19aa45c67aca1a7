"""What is done with numbers and truths of several cases: arithmetic, comparisons, functions.

Rarer functions are computed lane by lane.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba.core import types
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.tupleobj import tuple_eq

from proxops.core.compiling import look_again
from proxops.core.jit import LANES as MARK
from proxops.core.lanes.branches import leader, way_of_leader
from proxops.core.lanes.number import WHOLE, Lanes, Mask, constant, spread
from proxops.core.select import any_of, select

# --- typing ---------------------------------------------------------------------------------------


def _width(args: Any) -> int:
    """Of the lanes among these types, 0 if there are none or others than numbers with them."""
    found = 0
    for each in args:
        if isinstance(each, Lanes):
            found = each.width
        elif not isinstance(each, types.Float | types.Integer):
            return 0
    return found


def _declare(function: Any, returns: Callable[[int], Any], counts: tuple[int, ...]) -> None:
    """Types calls of a built-in function with so many arguments, of which some are lanes."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            width = 0 if kws or len(args) not in counts else _width(args)
            return signature(returns(width), *[Lanes(width)] * len(args)) if width else None


# --- arithmetic, comparisons, functions -----------------------------------------------------------


def _binary(function: Any, instruction: str) -> None:
    _declare(function, Lanes, (2,))

    @lower_builtin(function, Lanes, Lanes)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)


_function: Any
for _function, _instruction in (
    (operator.add, "fadd"), (operator.iadd, "fadd"), (operator.sub, "fsub"),
    (operator.isub, "fsub"), (operator.mul, "fmul"), (operator.imul, "fmul"),
    (operator.truediv, "fdiv"), (operator.itruediv, "fdiv"),
):  # fmt: skip
    _binary(_function, _instruction)


def _comparison(function: Any, sign: str) -> None:
    _declare(function, Mask, (2,))

    @lower_builtin(function, Lanes, Lanes)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        order = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
        return order(sign, *args)


for _function, _sign in (
    (operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"),
    (operator.ge, ">="), (operator.eq, "=="), (operator.ne, "!="),
):  # fmt: skip
    _comparison(_function, _sign)


@infer_global(operator.ne)
@infer_global(operator.eq)
class _CompareMasks(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        width = next((each.width for each in args if isinstance(each, Mask)), 0)
        return signature(Mask(width), *[Mask(width)] * 2) if width else None


@lower_builtin(operator.ne, Mask, Mask)
def _lower_differ(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.xor(*args)


@infer_global(operator.and_)
@infer_global(operator.or_)
class _CombineMasks(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        width = next((each.width for each in args if isinstance(each, Mask)), 0)
        known = all(isinstance(each, Mask | types.Boolean) for each in args)
        return signature(Mask(width), *[Mask(width)] * 2) if width and known else None


@lower_builtin(operator.and_, Mask, Mask)
def _lower_and(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.and_(*args)


@lower_builtin(operator.or_, Mask, Mask)
def _lower_or(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.or_(*args)


@lower_builtin(operator.eq, Mask, Mask)
def _lower_same(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(builder.xor(*args))


_declare(operator.neg, Lanes, (1,))


@lower_builtin(operator.neg, Lanes)
def _lower_neg(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fneg(args[0])


@infer_global(operator.not_)
class _Not(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0], args[0]) if isinstance(args[0], Mask) else None


@lower_builtin(operator.not_, Mask)
def _lower_not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _llvm(builder: Any, name: str, *args: Any) -> Any:
    """A function of LLVM's that knows vectors."""
    kind = args[0].type
    name = f"llvm.{name}.v{kind.count}f64"
    known = builder.module.globals.get(name)
    function = known or ir.Function(builder.module, ir.FunctionType(kind, [kind] * len(args)), name)
    return builder.call(function, args)


def _vector_function(function: Any, name: str) -> None:
    _declare(function, Lanes, (1,))

    @lower_builtin(function, Lanes)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _llvm(builder, name, *args)


for _function, _name in (
    (math.sqrt, "sqrt"), (abs, "fabs"), (math.fabs, "fabs"),
    (math.floor, "floor"), (math.ceil, "ceil"),
):  # fmt: skip
    _vector_function(_function, _name)


def _extreme(function: Any, sign: str) -> None:
    """max and min as Python has them: the later one only where it is larger, or smaller."""
    _declare(function, Lanes, (2, 3))

    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        best = args[0]
        for each in args[1:]:
            best = builder.select(builder.fcmp_ordered(sign, each, best), each, best)
        return best

    lower_builtin(function, Lanes, Lanes)(_lower)
    lower_builtin(function, Lanes, Lanes, Lanes)(_lower)


_extreme(max, ">")
_extreme(min, "<")


@infer_global(select)
class _Select(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        test, *choice = args
        widths = [each.width for each in args if isinstance(each, Lanes | Mask)]
        if not widths or not isinstance(test, Mask | types.Boolean):
            return None
        masks = any(isinstance(each, Mask | types.Boolean) for each in choice)
        kind = Mask(widths[0]) if masks else Lanes(widths[0])
        return signature(kind, Mask(widths[0]), kind, kind)


@lower_builtin(select, Mask, types.Any, types.Any)
def _lower_select(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(*args)


@infer_global(any_of)
class _AnyOf(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, args[0]) if isinstance(args[0], Mask) else None


@lower_builtin(any_of, Mask)
def _lower_any_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = ir.IntType(args[0].type.count)
    return builder.icmp_unsigned("!=", builder.bitcast(args[0], bits), ir.Constant(bits, 0))


_declare(math.isfinite, Mask, (1,))
_declare(math.isinf, Mask, (1,))
_declare(np.isnan, Mask, (1,))


@lower_builtin(np.isnan, Lanes)
def _lower_isnan(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.fcmp_unordered("uno", args[0], args[0])


@lower_builtin(math.isfinite, Lanes)
def _lower_isfinite(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    limit = constant(math.inf, sig.args[0].width)
    return builder.fcmp_ordered("<", _llvm(builder, "fabs", args[0]), limit)


@lower_builtin(math.isinf, Lanes)
def _lower_isinf(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    limit = constant(math.inf, sig.args[0].width)
    return builder.fcmp_ordered("==", _llvm(builder, "fabs", args[0]), limit)


# --- sine and cosine ------------------------------------------------------------------------------

# x = k π/2 + r, |r| <= π/4: polynomials of Cephes, off by less than an ulp; π/2 in three parts of
# which products with k < 2²⁵ are exact.
_PARTS = 1.57079625129699707031, 7.54978941586159635335e-8, 5.39030285815811905290e-15
_SINE = (
    1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
    -1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1,
)  # fmt: skip
_COSINE = (
    -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
    2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2,
)  # fmt: skip


def _polynomial(builder: Any, coefficients: tuple[float, ...], z: Any) -> Any:
    width = z.type.count
    total = constant(coefficients[0], width)
    for each in coefficients[1:]:
        total = builder.fadd(builder.fmul(total, z), constant(each, width))
    return total


def _sine(builder: Any, x: Any, quarters: int) -> Any:
    """sin(x + quarters π/2)."""
    width = x.type.count
    k = _llvm(builder, "rint", builder.fmul(x, constant(2.0 / math.pi, width)))
    r = x
    for part in _PARTS:
        r = builder.fsub(r, builder.fmul(k, constant(part, width)))
    z = builder.fmul(r, r)
    odd = builder.fmul(builder.fmul(r, z), _polynomial(builder, _SINE, z))
    sine = builder.fadd(r, odd)
    even = builder.fmul(builder.fmul(z, z), _polynomial(builder, _COSINE, z))
    half = builder.fmul(constant(0.5, width), z)
    cosine = builder.fadd(builder.fsub(constant(1.0, width), half), even)
    wholes = ir.VectorType(WHOLE, width)
    turn = builder.add(builder.fptosi(k, wholes), ir.Constant(wholes, [quarters] * width))

    def has(bit: int) -> Any:
        masked = builder.and_(turn, ir.Constant(wholes, [bit] * width))
        return builder.icmp_signed("!=", masked, ir.Constant(wholes, [0] * width))

    size = builder.select(has(1), cosine, sine)
    return builder.select(has(2), builder.fneg(size), size)


def _sine_function(function: Any, quarters: int) -> None:
    _declare(function, Lanes, (1,))

    @lower_builtin(function, Lanes)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _sine(builder, args[0], quarters)


_sine_function(math.sin, 0)
_sine_function(math.cos, 1)


# --- functions that are computed lane by lane -----------------------------------------------------


def _one_by_one(function: Any, count: int) -> None:
    _declare(function, Lanes, (count,))

    @lower_builtin(function, *[Lanes] * count)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        known = context.typing_context.resolve_value_type(function)
        scalar = known.get_call_type(context.typing_context, (types.float64,) * count, {})
        compute = context.get_function(known, scalar)
        context.add_linking_libs(getattr(compute, "libs", ()))
        result = ir.Constant(args[0].type, ir.Undefined)
        for lane in range(sig.args[0].width):
            at = ir.Constant(WHOLE, lane)
            one = compute(builder, [builder.extract_element(each, at) for each in args])
            result = builder.insert_element(result, one, at)
        return result


for _function, _count in (
    (math.atan2, 2), (operator.pow, 2), (math.asin, 1), (math.acos, 1), (math.atan, 1),
    (math.tan, 1), (math.exp, 1), (math.expm1, 1), (math.log, 1), (math.asinh, 1),
    (math.sinh, 1), (math.cosh, 1), (math.copysign, 2), (math.fmod, 2),
):  # fmt: skip
    _one_by_one(_function, _count)


# --- what is that of the lane that leads ----------------------------------------------------------


@infer_global(operator.truth)
class _Truth(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, args[0]) if isinstance(args[0], Mask) else None


@lower_builtin(bool, Mask)
@lower_builtin(operator.truth, Mask)
def _lower_truth(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return way_of_leader(builder, args[0])


@lower_cast(Mask, types.Boolean)
def _cast_mask(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return way_of_leader(builder, value)


@infer_global(int)
class _Int(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        lanes = len(args) == 1 and isinstance(args[0], Lanes | Mask)
        return signature(types.int64, args[0]) if lanes else None


@lower_builtin(int, Mask)
def _lower_int_of_mask(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.zext(way_of_leader(builder, args[0]), WHOLE)


@lower_builtin(operator.eq, types.UniTuple, types.UniTuple)
def _lower_tuples_equal(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """As Numba's; of lanes it is true only where all are equal, and lanes that differ are not
    counted: kernels compare vectors only with zero, to skip work that would change nothing."""
    if sig.args[0].count != sig.args[1].count or MARK not in f"{sig.args}":
        return tuple_eq(context, builder, sig, args)
    same: Any = None
    for at in range(sig.args[0].count):
        pair = [builder.extract_value(each, at) for each in args]
        kinds = [each.dtype for each in sig.args]
        one = context.generic_compare(builder, operator.eq, kinds, pair)
        same = one if same is None else builder.and_(same, one)
    bits = ir.IntType(same.type.count)
    return builder.icmp_signed("==", builder.bitcast(same, bits), ir.Constant(bits, -1))


@lower_builtin(int, Lanes)
def _lower_int(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = args[0]
    one = builder.extract_element(value, leader(builder))
    same = builder.fcmp_ordered("==", value, spread(builder, one, value.type.count))
    way_of_leader(builder, same)
    return builder.fptosi(one, WHOLE)


look_again()  # kernels for one case may have been compiled before this was imported
