"""Branches that lanes do not share.

All lanes go one way.  Where a test differs between lanes, the first lane decides, and the branch is
counted: whoever steps a group of cases looks at the count, throws the step away if it has changed,
and repeats it case by case in scalar code.
"""

import re
from typing import Any

import llvmlite.ir as ir
import numpy as np

_WORD, _BYTE = ir.IntType(64), ir.IntType(8)
MAX_BRANCHES = 4096
# How often lanes differed at each branch; compiled code holds the addresses
COUNTS = np.zeros(MAX_BRANCHES, dtype=np.int64)
_NAMES: list[str] = []  # the function that each branch is in


def all_agree(builder: Any, mask: Any) -> Any:
    """The truth of the first lane; counts where others differ from it."""
    number = len(_NAMES)
    if number >= MAX_BRANCHES:
        raise RuntimeError(f"more than {MAX_BRANCHES} branches on lanes: raise MAX_BRANCHES")
    _NAMES.append(_plain(builder.function.name))
    bits = builder.bitcast(mask, ir.IntType(mask.type.count))
    none = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, 0))
    every = builder.icmp_signed("==", bits, ir.Constant(bits.type, -1))
    differ = builder.not_(builder.or_(none, every))
    place = ir.Constant(_WORD, int(COUNTS.ctypes.data) + 8 * number)
    count = builder.inttoptr(place, _WORD.as_pointer())
    builder.store(builder.add(builder.load(count), builder.zext(differ, _WORD)), count)
    return builder.trunc(bits, ir.IntType(1))


def _plain(mangled: str) -> str:
    """module.function of a name as the compiler has it: each part behind its length."""
    parts, rest = [], mangled.removeprefix("_ZN")
    while match := re.match(r"\d+", rest):
        end = match.end() + int(match[0])
        parts.append(rest[match.end() : end])
        rest = rest[end:]
    return ".".join(parts[-2:])


def differed() -> int:
    """How often lanes differed so far."""
    return int(COUNTS[: len(_NAMES)].sum())


def differed_in() -> dict[str, int]:
    """The same by function."""
    found: dict[str, int] = {}
    for name, count in zip(_NAMES, COUNTS[: len(_NAMES)], strict=True):
        if count:
            found[name] = found.get(name, 0) + int(count)
    return found


def forget() -> None:
    """Counts from zero again."""
    COUNTS[:] = 0
