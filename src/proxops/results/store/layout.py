"""Rows as bytes: where the values of a row stand in the messages that carry it.

Signals that share the first part of their name travel in one protobuf message.  All sizes are
constant, so the message records of a row, one per topic, are one constant string of bytes with
numbers at fixed places: whole blocks of rows are packed and unpacked by NumPy.
"""

import math
import re
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.results.run import Signal

CHUNK_BYTES = 2**20
_MAX_SIGNALS = 10_000
_MAX_WIDTH = 100_000
_MAX_TIME_S = 1.8e10  # log times are 64-bit nanoseconds

_MESSAGE = 0x05  # opcode of a message record
_RECORD_HEAD = 9  # opcode, length
_MESSAGE_HEAD = 22  # channel, sequence, log time, publish time
_SEQUENCE = _RECORD_HEAD + 2
_LOG_TIME = _SEQUENCE + 4
_PUBLISH_TIME = _LOG_TIME + 8

# Protobuf wire types
_FIXED64 = 1
_LENGTH_DELIMITED = 2


class Field(NamedTuple):
    """A signal in its message."""

    name: str
    number: int
    signal: Signal
    column: int  # where its values begin in a row


class Topic(NamedTuple):
    """A group of signals: its name, the name of its message type, and its fields."""

    name: str
    type_name: str
    fields: tuple[Field, ...]


class Layout:
    """The messages of a row, from the signal table alone."""

    def __init__(self, signals: tuple[Signal, ...]) -> None:
        _check(signals)
        self.signals = signals
        self.topics = _topics(signals)
        self.width = 1 + sum(signal.width for signal in signals)
        self.offsets: list[int] = []  # of each topic's message record within the row
        self._values: list[tuple[str, slice]] = []
        template = bytearray()
        numbers: dict[str, tuple[object, int]] = {}
        for channel, topic in enumerate(self.topics, start=1):
            at = len(template)
            self.offsets.append(at)
            numbers[f"sequence {channel}"] = ("<u4", at + _SEQUENCE)
            numbers[f"log {channel}"] = ("<u8", at + _LOG_TIME)
            numbers[f"publish {channel}"] = ("<u8", at + _PUBLISH_TIME)
            template += bytes(_RECORD_HEAD + _MESSAGE_HEAD) + _tag(1, _FIXED64)
            numbers[f"t {channel}"] = ("<f8", len(template))
            template += bytes(8)
            for field in topic.fields:
                width = field.signal.width
                if width == 0:
                    continue
                template += _value_head(field)
                numbers[f"={field.signal.name}"] = (("<f8", (width,)), len(template))
                columns = slice(field.column, field.column + width)
                self._values.append((f"={field.signal.name}", columns))
                template += bytes(8 * width)
            length = len(template) - at - _RECORD_HEAD
            struct.pack_into("<BQH", template, at, _MESSAGE, length, channel)
        self.row_bytes = len(template)
        self.chunk_rows = max(1, CHUNK_BYTES // self.row_bytes)
        self._template = np.frombuffer(bytes(template), np.uint8)
        self._dtype = np.dtype(
            {
                "names": list(numbers),
                "formats": [kind for kind, _ in numbers.values()],
                "offsets": [offset for _, offset in numbers.values()],
                "itemsize": self.row_bytes,
            }
        )

    def check(self, rows: np.ndarray) -> None:
        """Raises InputError unless the rows can be recorded."""
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise InputError(f"rows of shape {rows.shape}, where (n, {self.width}) was expected")
        t = rows[:, 0]
        good = (t >= 0.0) & (t < _MAX_TIME_S)
        if not good.all():
            raise InputError(f"a row at t = {t[~good][0]} s cannot be recorded")

    def pieces(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """The rows in portions of at most one chunk."""
        for first in range(0, len(rows), self.chunk_rows):
            yield rows[first : first + self.chunk_rows]

    def encode(self, rows: np.ndarray, first: int) -> np.ndarray:
        """Message records of rows, bytes (n, row_bytes); `first` is the first row's number."""
        block = np.empty((len(rows), self.row_bytes), np.uint8)
        block[:] = self._template
        view = block.view(self._dtype)[:, 0]
        sequence = np.arange(first, first + len(rows)) & 0xFFFFFFFF
        log_time = nanoseconds(rows[:, 0])
        for channel in range(1, len(self.topics) + 1):
            view[f"sequence {channel}"] = sequence
            view[f"log {channel}"] = log_time
            view[f"publish {channel}"] = log_time
            view[f"t {channel}"] = rows[:, 0]
        for name, columns in self._values:
            view[name] = rows[:, columns]
        return block

    def decode(self, block: np.ndarray, rows: np.ndarray) -> None:
        """Unpacks message records (n, row_bytes) into rows (n, width)."""
        view = block.view(self._dtype)[:, 0]
        rows[:, 0] = view["t 1"]
        for name, columns in self._values:
            rows[:, columns] = view[name]


def nanoseconds(t: np.ndarray) -> np.ndarray:
    """Log times [ns] of times [s]."""
    with np.errstate(invalid="ignore", over="ignore"):  # garbage has any log time
        return np.rint(t * 1e9).astype(np.uint64)


def _check(signals: tuple[Signal, ...]) -> None:
    if not signals:
        raise InputError("a recording needs at least one signal")
    if len(signals) > _MAX_SIGNALS:
        raise InputError(f"{len(signals)} signals, where at most {_MAX_SIGNALS} can be recorded")
    seen: set[str] = set()
    width = 0
    for signal in signals:
        if not signal.name or signal.name in seen:
            raise InputError(f"the signal name {signal.name!r} is empty or given twice")
        seen.add(signal.name)
        width += math.prod(signal.shape)
        if width > _MAX_WIDTH:
            raise InputError(f"more than {_MAX_WIDTH} values a row cannot be recorded")


def _topics(signals: tuple[Signal, ...]) -> tuple[Topic, ...]:
    groups: dict[str, list[tuple[str, Signal, int]]] = {}
    column = 1
    for signal in signals:
        group, _, rest = signal.name.partition(".")
        groups.setdefault(group, []).append((rest or "value", signal, column))
        column += signal.width
    return tuple(
        Topic(name, type_name, _fields(members))
        for (name, members), type_name in zip(groups.items(), _identifiers(groups), strict=True)
    )


def _fields(members: list[tuple[str, Signal, int]]) -> tuple[Field, ...]:
    # Time is field 1 of every message, so its name is taken.
    names = _identifiers(["t", *(rest for rest, _, _ in members)])[1:]
    return tuple(
        Field(name, number, signal, column)
        for number, (name, (_, signal, column)) in enumerate(
            zip(names, members, strict=True), start=2
        )
    )


def _identifiers(paths: Iterable[str]) -> list[str]:
    """Protobuf names for paths.

    Two names must differ by more than case and underscores, which JSON names drop.
    """
    uses: dict[str, int] = {}
    names = []
    for path in paths:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", path)
        stem = f"_{stem}" if stem[:1].isdigit() else stem or "_"
        name = stem
        while _folded(name) in uses:
            uses[_folded(stem)] += 1
            name = f"{stem}_{uses[_folded(stem)]}"
        uses[_folded(name)] = 1
        names.append(name)
    return names


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _value_head(field: Field) -> bytes:
    if field.signal.shape == ():
        return _tag(field.number, _FIXED64)
    return _tag(field.number, _LENGTH_DELIMITED) + _varint(8 * field.signal.width)


def _tag(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
