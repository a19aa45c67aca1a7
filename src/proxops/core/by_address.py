"""Named tuples that compiled functions take by address: a word instead of hundreds.

A model or state of the loop holds hundreds of arrays, and a call that hands it on by value copies
all their descriptions.  `pinned(tuple)` writes them to memory once; compiled code reads a field
where it uses it.  Fields that hold named tuples themselves, and `large` ones, are handed on by
address again, others by value.

What is pinned keeps the arrays it was made of alive, and holds what its numbers were then.
"""

from collections import namedtuple
from collections.abc import Mapping
from functools import lru_cache
from struct import Struct
from typing import Any, TypeVar

import llvmlite.ir as ir
import numba
import numpy as np
from numba.core import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

_BYTES = ir.IntType(8).as_pointer()
_INDEX = ir.IntType(32)
_WORD = 8  # bytes
_AS_FLOAT, _AS_WORD = Struct("=d").pack, Struct("=q").unpack
_OF_TYPE = 0x403  # flags of an array that its type depends on: layout, and whether it is writeable
JIT_IS_OFF = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


class Pinned:
    """A named tuple in memory."""

    def __init__(self, value: Any) -> None:
        self.value = value
        words: list[int] = []
        self.ref = _ref_of(value, _write(value, words))
        self._words = np.array(words, dtype=np.int64)
        self.address = int(self._words.ctypes.data)


def pinned(value: Any) -> Any:
    """What to hand to a kernel for a named tuple; itself where nothing is compiled."""
    return value if JIT_IS_OFF else Pinned(value)


def named_tuple(name: str, values: Mapping[str, Any]) -> Any:
    """A named tuple with fields that are known at run time only."""
    return _class_of(name, tuple(values))(**values)


@lru_cache(maxsize=256)
def _class_of(name: str, fields: tuple[str, ...]) -> Any:
    """The same class for the same fields: to Numba another class is another type."""
    return namedtuple(name, fields)


def _write(value: Any, words: list[int]) -> Any:
    """Appends the words that stand for a value in compiled code, see numba.core.datamodel; returns
    a key that values of the same type share."""
    kind = type(value)
    if isinstance(value, tuple):
        return (kind, *[_write(each, words) for each in value])
    if isinstance(value, np.ndarray):
        if value.itemsize != _WORD:
            raise TypeError(f"arrays of {value.dtype} cannot be pinned")
        # nobody counts references, nobody owns it; then count, width, place, shape and strides
        words += (0, 0, value.size, _WORD, value.ctypes.data, *value.shape, *value.strides)
        return value.dtype, value.ndim, value.flags.num & _OF_TYPE
    if isinstance(value, bool):
        raise TypeError("a bool cannot be pinned: write 0 or 1")
    if isinstance(value, int | np.integer):
        words.append(int(value))
    elif isinstance(value, float):
        words += _AS_WORD(_AS_FLOAT(value))
    else:
        raise TypeError(f"{kind.__name__} cannot be pinned")
    return kind


class Ref(types.Type):
    """The type of an address of a named tuple."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        super().__init__(name=f"Ref({kind.name})")


_REFS: dict[Any, Ref] = {}  # Numba takes long over the types of hundreds of arrays


def _ref_of(value: Any, key: Any) -> Ref:
    """The type of the address of a value with that key."""
    if key not in _REFS:
        _REFS[key] = Ref(numba.typeof(value))
    return _REFS[key]


def type_of(value: Any) -> Any:
    """The type that a value has in compiled code, pinned or not."""
    try:
        return _ref_of(value, _write(value, [])).kind
    except TypeError:  # it cannot be pinned
        return numba.typeof(value)


_Named: Any = types.BaseNamedTuple
_LARGE: set[Any] = set()
_T = TypeVar("_T")


def large(kind: type[_T]) -> type[_T]:
    """A named tuple of so many arrays that it is handed on by address, where it is a field of one
    that is."""
    _LARGE.add(kind)
    return kind


def _is_nested(kind: Any) -> bool:
    """Whether a named tuple holds named tuples."""
    return any(isinstance(each, _Named) for each in kind.types)


def _by_address(kind: Any) -> bool:
    """Whether a field is handed on by address."""
    if not isinstance(kind, _Named):
        return False
    return _is_nested(kind) or kind.instance_class in _LARGE


@typeof_impl.register(Pinned)
def _typeof(value: Pinned, context: Any) -> Ref:
    return value.ref


@register_model(Ref)
class _RefModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _BYTES)


@unbox(Ref)
def _unbox(typ: Any, obj: Any, context: Any) -> NativeValue:
    number = context.pyapi.object_getattr_string(obj, "address")
    address = context.pyapi.long_as_longlong(number)
    context.pyapi.decref(number)
    return NativeValue(context.builder.inttoptr(address, _BYTES))


@infer_getattr
class _RefAttributes(AttributeTemplate):
    key = Ref

    def generic_resolve(self, ref: Any, attr: str) -> Any:  # type: ignore[override]
        if attr not in ref.kind.fields:
            return None
        kind = ref.kind.types[ref.kind.fields.index(attr)]
        return Ref(kind) if _by_address(kind) else kind


@lower_getattr_generic(Ref)
def _get(context: Any, builder: Any, ref: Any, value: Any, attr: str) -> Any:
    number = ref.kind.fields.index(attr)
    kind = ref.kind.types[number]
    whole = builder.bitcast(value, context.get_data_type(ref.kind).as_pointer())
    place = builder.gep(whole, [ir.Constant(_INDEX, 0), ir.Constant(_INDEX, number)], inbounds=True)
    if _by_address(kind):
        return builder.bitcast(place, _BYTES)
    return builder.load(place)  # all at once: word by word would be a third of all code


# --- functions that are called by address --------------------------------------------------------


_UNCOMPILED: dict[int, Any] = {}  # what stands for an address where nothing is compiled


def address_of(value: Any) -> int:
    """The address of what is pinned, or what stands for it where nothing is compiled."""
    if isinstance(value, Pinned):
        return value.address
    _UNCOMPILED[id(value)] = value
    return id(value)


def numbers_of(kinds: Any) -> Any:
    """The type of number that these types have in their arrays."""
    arrays = (each.dtype for each in kinds if isinstance(each, types.Array))
    return next((each for each in arrays if not isinstance(each, types.Integer)), types.float64)


def _calling(status: Any) -> Any:
    """What calls a function by its address, with a tuple of arguments as they are, numbers as the
    arrays among them have them; it returns a status, or such a number."""

    @intrinsic
    def invoke(typingctx: Any, entry: Any, arguments: Any) -> Any:
        number, kinds = numbers_of(arguments.types), arguments.types
        taken = [number if isinstance(each, types.Float) else each for each in kinds]
        returns = status or number

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value_type = context.get_value_type
            given = [value_type(each) for each in taken]
            kind = ir.FunctionType(value_type(returns), given)
            function = builder.inttoptr(args[0], kind.as_pointer())
            each = [
                context.cast(builder, builder.extract_value(args[1], i), *pair)
                for i, pair in enumerate(zip(kinds, taken, strict=True))
            ]
            return builder.call(function, each)

        return returns(types.int64, arguments), codegen

    return invoke


@intrinsic
def _by_value(typingctx: Any, value: Any) -> Any:
    flat = isinstance(value, Ref) and not _is_nested(value.kind)
    kind = value.kind if flat else value

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not flat:
            return args[0]
        return builder.load(builder.bitcast(args[0], context.get_data_type(kind).as_pointer()))

    return kind(value), codegen


def _by_value_uncompiled(value: Any) -> Any:
    return value


# A tuple that holds no others by value, be it known by address; all else as it is
by_value: Any = _by_value_uncompiled if JIT_IS_OFF else _by_value


def _invoke_uncompiled(entry: int, arguments: tuple[Any, ...]) -> Any:
    return _UNCOMPILED[entry](*arguments)


# Calls function(*arguments), made for exactly these types; returns its status, or its number
invoke: Any = _invoke_uncompiled if JIT_IS_OFF else _calling(types.int64)
invoke_number: Any = _invoke_uncompiled if JIT_IS_OFF else _calling(None)


@intrinsic
def _call(typingctx: Any, entry: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [_BYTES] * 4)
        function = builder.inttoptr(args[0], kind.as_pointer())
        return builder.call(function, [builder.inttoptr(each, _BYTES) for each in args[1:]])

    return types.int64(*[types.int64] * 5), codegen


def _call_uncompiled(entry: int, *arguments: int) -> Any:
    return _UNCOMPILED[entry](*(_UNCOMPILED[each] for each in arguments))


# Calls a function of four arguments, all by their addresses; returns its status
call: Any = _call_uncompiled if JIT_IS_OFF else _call
