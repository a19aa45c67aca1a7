"""Branches that lanes do not share.

All lanes go the way of one of them, the leader.  Which of them would have gone another way is
noted: they are *parted* from the leader.  Whoever steps a group of cases looks at that, and repeats
the step of those behind a leader of their own.
"""

import re
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as ir
import numpy as np
from numba.core import types
from numba.extending import intrinsic

_WORD = ir.IntType(64)
# By these symbols compiled code, stored or not, finds which lanes are parted, a bit each, and which
# lane leads
_PARTED_SYMBOL, _LEADER_SYMBOL = "proxops_lanes_parted", "proxops_lanes_leader"
_PARTED, _LEADER = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
llvm.add_symbol(_PARTED_SYMBOL, int(_PARTED.ctypes.data))
llvm.add_symbol(_LEADER_SYMBOL, int(_LEADER.ctypes.data))

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


def _place(builder: Any, symbol: str) -> Any:
    module = builder.module
    known = module.globals.get(symbol)
    return known or ir.GlobalVariable(module, _WORD, symbol)


def leader(builder: Any) -> Any:
    """The lane that leads."""
    return builder.load(_place(builder, _LEADER_SYMBOL))


def way_of_leader(builder: Any, mask: Any) -> Any:
    """The truth of the lane that leads; notes which others differ from it."""
    kind = ir.IntType(mask.type.count)
    bits = builder.bitcast(mask, kind)
    turned = builder.lshr(bits, builder.trunc(leader(builder), kind))
    way = builder.trunc(turned, ir.IntType(1))
    differ = builder.zext(builder.xor(bits, builder.sext(way, kind)), _WORD)
    note = _place(builder, _PARTED_SYMBOL)
    before = builder.load(note)
    builder.store(builder.or_(before, differ), note)
    if _counting:  # the first: what lanes do that go a way which is not theirs says nothing
        none = builder.icmp_unsigned("==", before, _WORD(0))
        some = builder.icmp_unsigned("!=", differ, _WORD(0))
        _count(builder, builder.zext(builder.and_(none, some), _WORD))
    return way


def _count(builder: Any, differ: Any) -> None:
    number = len(_NAMES)
    if number >= len(_COUNTS):
        raise RuntimeError(f"more than {len(_COUNTS)} branches on lanes: count them in two runs")
    _NAMES.append(_plain(builder.function.name))
    address = int(_COUNTS.ctypes.data) + 8 * number
    # Named as Numba names what holds an address of this process: it is stored nowhere
    known = ir.GlobalVariable(builder.module, _WORD, f"numba.dynamic.globals.{address:x}")
    known.linkage, known.initializer = "linkonce", ir.Constant(_WORD, address)
    place = builder.inttoptr(builder.load(known), _WORD.as_pointer())
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
    """In compiled code: which lanes have parted from the leader since this was last asked, a bit
    each."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        note = _place(builder, _PARTED_SYMBOL)
        found = builder.load(note)
        builder.store(ir.Constant(_WORD, 0), note)
        return found

    return types.int64(), codegen


@intrinsic
def has_parted(typingctx: Any, lane: Any) -> Any:
    """In compiled code: whether a lane has parted from the leader; what becomes of it is thrown
    away."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        noted = builder.lshr(builder.load(_place(builder, _PARTED_SYMBOL)), args[0])
        return builder.trunc(noted, ir.IntType(1))

    return types.boolean(types.int64), codegen


@intrinsic
def let_lead(typingctx: Any, lane: Any) -> Any:
    """In compiled code: from now on all lanes go the way of this one."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[0], _place(builder, _LEADER_SYMBOL))
        return context.get_dummy_value()

    return types.void(types.int64), codegen


def parted() -> bool:
    """Whether lanes have differed since `forget`."""
    return bool(_PARTED[0])


def parted_in() -> dict[str, int]:
    """How often lanes have begun to differ since `forget`, by function; only where that is
    counted."""
    found: dict[str, int] = {}
    for name, count in zip(_NAMES, _COUNTS[: len(_NAMES)], strict=True):
        if count:
            found[name] = found.get(name, 0) + int(count)
    return found


def forget() -> None:
    """As if no lanes had differed."""
    _PARTED[0] = 0
    _COUNTS[:] = 0
