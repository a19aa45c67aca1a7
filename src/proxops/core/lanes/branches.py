"""Branches that lanes do not share.

All lanes go the way of the first.  Where a test differs between lanes that is noted, as *parted*:
whoever steps a group of cases looks at that, throws the step away, and repeats it case by case.
"""

import re
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as ir
import numpy as np
from numba.core import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_SYMBOL = "proxops_lanes_parted"  # by which compiled code, stored or not, finds the note
_PARTED = np.zeros(1, dtype=np.int64)
llvm.add_symbol(_SYMBOL, int(_PARTED.ctypes.data))

# For measurements: how often lanes differed in each function.  Code that counts is stored nowhere.
_COUNTS = np.zeros(4096, dtype=np.int64)
_NAMES: list[str] = []
_counting = False


def count_by_function() -> None:
    """From now on compiled code counts in which function lanes differ."""
    global _counting  # how compiled code is made
    _counting = True


def counts() -> bool:
    """Whether it does."""
    return _counting


def _note(builder: Any) -> Any:
    module = builder.module
    known = module.globals.get(_SYMBOL)
    return known or ir.GlobalVariable(module, _WORD, _SYMBOL)


def all_agree(builder: Any, mask: Any) -> Any:
    """The truth of the first lane; notes where others differ from it."""
    bits = builder.bitcast(mask, ir.IntType(mask.type.count))
    none = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 0))
    every = builder.icmp_signed("==", bits, ir.Constant(bits.type, -1))
    differ = builder.zext(builder.not_(builder.or_(none, every)), _WORD)
    note = _note(builder)
    builder.store(builder.or_(builder.load(note), differ), note)
    if _counting:
        _count(builder, differ)
    return builder.trunc(bits, ir.IntType(1))


def _count(builder: Any, differ: Any) -> None:
    number = len(_NAMES)
    if number >= len(_COUNTS):
        raise RuntimeError(f"more than {len(_COUNTS)} branches on lanes: count them in two runs")
    _NAMES.append(_plain(builder.function.name))
    place = builder.inttoptr(
        ir.Constant(_WORD, int(_COUNTS.ctypes.data) + 8 * number), _WORD.as_pointer()
    )
    builder.store(builder.add(builder.load(place), differ), place)


def _plain(mangled: str) -> str:
    """module.function of a name as the compiler has it: each part behind its length."""
    parts, rest = [], mangled.removeprefix("_ZN")
    while match := re.match(r"\d+", rest):
        end = match.end() + int(match[0])
        parts.append(rest[match.end() : end])
        rest = rest[end:]
    return ".".join(parts[-2:])


@intrinsic
def take_parted(typingctx: Any) -> Any:
    """In compiled code: 1 if lanes have differed since this was last asked, else 0."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        note = _note(builder)
        found = builder.load(note)
        builder.store(ir.Constant(_WORD, 0), note)
        return found

    return types.int64(), codegen


def parted() -> bool:
    """Whether lanes have differed since `forget`."""
    return bool(_PARTED[0])


def parted_in() -> dict[str, int]:
    """How often lanes have differed since `forget`, by function; only where that is counted."""
    found: dict[str, int] = {}
    for name, count in zip(_NAMES, _COUNTS[: len(_NAMES)], strict=True):
        if count:
            found[name] = found.get(name, 0) + int(count)
    return found


def forget() -> None:
    """As if no lanes had differed."""
    _PARTED[0] = 0
    _COUNTS[:] = 0
