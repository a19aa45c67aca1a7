"""What a recording still holds, whole or not.

Nothing in the file is believed: sizes are compared with the file's own, and rows count only if they
encode again to the very bytes they were read from.
"""

import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.results.run import Signal
from proxops.results.store.container import FORMAT, PROVENANCE, RUN, SUMMARY
from proxops.results.store.folder import HEAD, MAGIC
from proxops.results.store.layout import Layout
from proxops.results.store.plain import MAX_BYTES, from_json, table_from_json

_FOOTER, _CHUNK, _METADATA, _DATA_END = 0x02, 0x06, 0x0C, 0x0F
_CUT = "was cut short"
_RECORD = struct.Struct("<BQ")  # opcode, length
_CHUNK_HEAD = struct.Struct("<QQQIIQ")  # start, end, size, CRC, length of an empty name, length


@dataclass(frozen=True)
class Content:
    """A recording as far as it is intact; `problem` says where it stops, None for a whole one."""

    name: str
    provenance: Mapping[str, Any]
    signals: tuple[Signal, ...]
    rows: np.ndarray
    summary: dict[str, Any] | None
    problem: str | None


class NoRowsError(InputError):
    """A recording ends before its first row: there is nothing in it."""


class _DamageError(Exception):
    """The place from which the file cannot be believed."""


class _Record(NamedTuple):
    at: int
    opcode: int
    head: bytes
    body: bytes
    whole: bool


def read(path: Path) -> Content:
    """The content of a recording, up to the first fault."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            return _read(file, size)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except InputError as error:
        raise type(error)(f"{path}: {error}") from error
    except MemoryError as error:
        raise InputError(f"{path}: {size} bytes do not fit into memory") from error


def _read(file: BinaryIO, size: int) -> Content:
    head = file.read(len(HEAD))
    if not HEAD.startswith(head):
        raise InputError("is not a recording of proxops")
    metadata: dict[str, dict[str, str]] = {}
    rows: _Rows | None = None
    problem: str | None = None
    crc = zlib.crc32(head)
    try:
        for record in _records(file, size):
            if record.opcode == _CHUNK:
                if rows is None:
                    raise _DamageError("has rows before their table")
                rows.take(record)
            if not record.whole:
                raise _DamageError(f"{_CUT} at byte {size}")
            if record.opcode == _METADATA:
                name, entries = _metadata(record)
                metadata.setdefault(name, entries)
                if name == PROVENANCE and rows is None:
                    rows = _Rows(Layout(_table(metadata.get(RUN, {}))), size)
            if record.opcode == _FOOTER:
                _check_end(file, record, crc)
            if record.opcode == _DATA_END:
                if record.body != struct.pack("<I", crc):
                    raise _DamageError("is damaged: its checksum is wrong")
                crc = 0  # the index that follows has a checksum of its own
                continue
            crc = zlib.crc32(record.body, zlib.crc32(record.head, crc))
    except _DamageError as error:
        problem = str(error)
    if rows is None or (rows.count == 0 and problem is not None):
        kind = NoRowsError if problem is None or problem.startswith(_CUT) else InputError
        raise kind(f"{problem or 'is empty'}, before the first row")
    summary = None if problem else _summary(metadata)
    return Content(
        name=metadata[RUN]["name"],
        provenance={key: from_json(text, key) for key, text in metadata[PROVENANCE].items()},
        signals=rows.layout.signals,
        rows=rows.values[: rows.count],
        summary=summary,
        problem=problem,
    )


def _records(file: BinaryIO, size: int) -> Iterator[_Record]:
    """The records up to the footer; the last one may be cut."""
    at = file.tell()
    opcode = 0
    while opcode != _FOOTER:
        head = file.read(_RECORD.size)
        if len(head) < _RECORD.size:
            raise _DamageError(f"{_CUT} at byte {size}")
        opcode, length = _RECORD.unpack(head)
        left = size - at - len(head)
        if min(length, left) > MAX_BYTES:
            raise _DamageError(f"is damaged at byte {at}: a record of {length} bytes")
        body = file.read(min(length, left))
        yield _Record(at, opcode, head, body, whole=len(body) == length)
        at += len(head) + length


def _check_end(file: BinaryIO, footer: _Record, crc: int) -> None:
    """Raises _DamageError unless the footer's checksum and the closing magic end the file."""
    expected = zlib.crc32(footer.body[:-4], zlib.crc32(footer.head, crc))
    if footer.body[-4:] != struct.pack("<I", expected):
        raise _DamageError("is damaged: the checksum of its index is wrong")
    end = file.read(len(MAGIC) + 1)
    if end != MAGIC:
        cut = MAGIC.startswith(end)
        raise _DamageError(f"{_CUT} at its last byte" if cut else "has something after its end")


def _metadata(record: _Record) -> tuple[str, dict[str, str]]:
    from io import BytesIO

    from mcap.data_stream import ReadDataStream
    from mcap.exceptions import McapError
    from mcap.records import Metadata

    try:
        metadata = Metadata.read(ReadDataStream(BytesIO(record.body)))
    except (McapError, struct.error, UnicodeDecodeError) as error:
        raise _DamageError(f"is damaged at byte {record.at}: bad metadata") from error
    return metadata.name, metadata.metadata


def _table(head: dict[str, str]) -> tuple[Signal, ...]:
    if head.get("format") != FORMAT:
        found = head.get("format")
        raise InputError(f"has format {found!r}, where this version reads {FORMAT!r}")
    if "name" not in head:
        raise InputError("names no run")
    return table_from_json(head.get("signals", ""))


def _summary(metadata: dict[str, dict[str, str]]) -> dict[str, Any]:
    summary = from_json(metadata.get(SUMMARY, {}).get("json", ""), "its summary")
    if not isinstance(summary, dict):
        raise InputError("its summary is not an object")
    return summary


class _Rows:
    """The rows taken so far."""

    def __init__(self, layout: Layout, file_size: int) -> None:
        self.layout = layout
        self.count = 0
        # As many as the file could hold: memory that is never touched costs nothing.
        self.values = np.empty((file_size // layout.row_bytes, layout.width))

    def take(self, record: _Record) -> None:
        """Adds the rows of a chunk; of a cut one, those that are complete in all topics."""
        damage = _DamageError(f"is damaged at byte {record.at}")
        if len(record.body) < _CHUNK_HEAD.size:
            if record.whole:
                raise damage
            return
        _, _, size, crc, no_name, length = _CHUNK_HEAD.unpack_from(record.body)
        data = memoryview(record.body)[_CHUNK_HEAD.size :]
        row_bytes = self.layout.row_bytes
        if no_name or size != length or size % row_bytes or len(data) > size:
            raise damage
        if record.whole and (len(data) != size or zlib.crc32(data) != crc):
            raise damage
        count = len(data) // row_bytes
        block = np.frombuffer(data, np.uint8, count * row_bytes).reshape(count, row_bytes)
        rows = self.values[self.count : self.count + count]
        self.layout.decode(block, rows)
        same = (self.layout.encode(rows, self.count) == block).all(axis=1)
        intact = count if same.all() else int(same.argmin())
        self.count += intact
        if intact < count:
            raise damage
