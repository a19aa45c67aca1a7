"""The MCAP file of a run in the making.

The mcap package writes one message a call, which costs more than simulating the row it holds; here
its records make the container, and chunks get their messages as blocks from the layout.
"""

import os
import struct
import zlib
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from proxops.results.run import Signal
from proxops.results.store.folder import HEAD, MAGIC, lock
from proxops.results.store.layout import Layout, Topic, nanoseconds
from proxops.results.store.plain import table_to_json, to_json

if TYPE_CHECKING:
    from mcap.records import ChunkIndex, McapRecord, MetadataIndex

FORMAT = "2"  # 1: rows of the signal table without titles, signals by their earlier names
# Names of the metadata records
RUN = "proxops.results.run"
PROVENANCE = "proxops.provenance"
SUMMARY = "proxops.summary"

_MESSAGE_INDEX = 0x07


class RunFile:
    """A growing recording: every call hands whole records to the operating system."""

    def __init__(self, path: Path, layout: Layout, name: str, provenance: Mapping[str, Any]):
        self._layout = layout
        self._rows = 0
        self._at = 0
        self._crc = 0
        self._span_ns: tuple[int, int] | None = None
        self._chunks: list[ChunkIndex] = []
        self._metadata: list[MetadataIndex] = []
        head = {"format": FORMAT, "name": name, "signals": table_to_json(layout.signals)}
        story = {key: to_json(item, f"provenance {key}") for key, item in provenance.items()}
        self._definitions = _definitions(layout)
        # Unbuffered: after a failed write there is nothing left that closing would try again.
        self._file = FileIO(path, "xb")
        try:
            lock(self._file.fileno())
            self._write(HEAD)
            self._add_metadata(RUN, head)
            self._add_metadata(PROVENANCE, story)
            self._write(packed(*self._definitions[0], *self._definitions[1]))
        except BaseException:
            self._file.close()
            raise

    def append(self, rows: np.ndarray) -> None:
        """Adds rows as one chunk with its message indexes."""
        from mcap.records import Chunk, ChunkIndex

        if len(rows) == 0:
            return
        layout = self._layout
        data = layout.encode(rows, self._rows).tobytes()
        log_time = nanoseconds(rows[:, 0])
        start, end = int(log_time.min()), int(log_time.max())
        chunk = packed(
            Chunk(
                compression="",
                data=data,
                message_start_time=start,
                message_end_time=end,
                uncompressed_crc=zlib.crc32(data),
                uncompressed_size=len(data),
            )
        )
        index, index_offsets = self._message_indexes(log_time, self._at + len(chunk))
        self._chunks.append(
            ChunkIndex(
                chunk_length=len(chunk),
                chunk_start_offset=self._at,
                compression="",
                compressed_size=len(data),
                message_end_time=end,
                message_index_length=len(index),
                message_index_offsets=index_offsets,
                message_start_time=start,
                uncompressed_size=len(data),
            )
        )
        self._write(chunk + index)
        self._rows += len(rows)
        first, last = self._span_ns or (start, end)
        self._span_ns = (min(first, start), max(last, end))

    def finish(self, summary: str) -> None:
        """Ends the file with the summary and the indexes that make it seekable."""
        from mcap.records import DataEnd

        self._add_metadata(SUMMARY, {"json": summary})
        self._write(packed(DataEnd(self._crc)))
        self._write(self._index())

    def sync(self) -> None:
        """Returns once the disk has it, so that a power cut does not take it any more."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:  # a raw write may take less than it is given
            rest = rest[self._file.write(rest) :]
        self._at += len(data)
        self._crc = zlib.crc32(data, self._crc)

    def _add_metadata(self, name: str, data: dict[str, str]) -> None:
        from mcap.records import Metadata, MetadataIndex

        record = packed(Metadata(name=name, metadata=data))
        self._metadata.append(MetadataIndex(offset=self._at, length=len(record), name=name))
        self._write(record)

    def _message_indexes(self, log_time: np.ndarray, at: int) -> tuple[bytes, dict[int, int]]:
        """Message index records of a chunk, and where each will stand; `at` is their start."""
        entries = np.empty((len(log_time), 2), "<u8")
        entries[:, 0] = log_time
        row_starts = np.arange(len(log_time), dtype=np.uint64) * np.uint64(self._layout.row_bytes)
        size = entries.nbytes
        records = []
        offsets = {}
        for channel, offset in enumerate(self._layout.offsets, start=1):
            entries[:, 1] = row_starts + np.uint64(offset)
            offsets[channel] = at
            record = struct.pack("<BQHI", _MESSAGE_INDEX, 6 + size, channel, size)
            records.append(record + entries.tobytes())
            at += len(records[-1])
        return b"".join(records), offsets

    def _index(self) -> bytes:
        """The summary section, footer and closing magic."""
        from mcap.opcode import Opcode
        from mcap.records import Footer, Statistics, SummaryOffset

        schemas, channels = self._definitions
        first, last = self._span_ns or (0, 0)
        statistics = Statistics(
            attachment_count=0,
            channel_count=len(channels),
            channel_message_counts={channel.id: self._rows for channel in channels},
            chunk_count=len(self._chunks),
            message_count=self._rows * len(channels),
            metadata_count=len(self._metadata),
            message_start_time=first,
            message_end_time=last,
            schema_count=len(schemas),
        )
        groups: list[tuple[Opcode, list[Any]]] = [
            (Opcode.SCHEMA, schemas),
            (Opcode.CHANNEL, channels),
            (Opcode.STATISTICS, [statistics]),
            (Opcode.CHUNK_INDEX, self._chunks),
            (Opcode.METADATA_INDEX, self._metadata),
        ]
        section = b""
        offsets = []
        for opcode, records in groups:
            group = packed(*records)
            start = self._at + len(section)
            offsets.append(
                SummaryOffset(group_opcode=opcode, group_start=start, group_length=len(group))
            )
            section += group
        offsets_start = self._at + len(section)
        section += packed(*offsets)
        footer = packed(
            Footer(summary_start=self._at, summary_offset_start=offsets_start, summary_crc=0)
        )[:-4]
        crc = zlib.crc32(footer, zlib.crc32(section))
        return section + footer + struct.pack("<I", crc) + MAGIC


def packed(*records: "McapRecord") -> bytes:
    """MCAP records as bytes."""
    from mcap.data_stream import RecordBuilder

    builder: Any = RecordBuilder()  # its methods carry no types
    for record in records:
        record.write(builder)
    return bytes(builder.end())


def _definitions(layout: Layout) -> tuple[list[Any], list[Any]]:
    """Schema and channel records of the topics."""
    from mcap.records import Channel, Schema

    schemas, channels = [], []
    for number, topic in enumerate(layout.topics, start=1):
        schema = Schema(
            id=number,
            data=_descriptor(topic),
            encoding="protobuf",
            name=f"proxops.{topic.type_name}",
        )
        story = {field.name: _story(field.signal) for field in topic.fields}
        channel = Channel(
            id=number,
            topic=topic.name,
            message_encoding="protobuf",
            metadata=story,
            schema_id=number,
        )
        schemas.append(schema)
        channels.append(channel)
    return schemas, channels


def _story(signal: Signal) -> str:
    story = {"name": signal.name, "unit": signal.unit, "frame": signal.frame, "shape": signal.shape}
    return to_json(story, f"signal {signal.name}")


def _descriptor(topic: Topic) -> bytes:
    """The protobuf schema of a topic: a serialized FileDescriptorSet."""
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

    files = FileDescriptorSet()
    file = files.file.add(name=f"proxops/{topic.type_name}.proto", package="proxops")
    file.syntax = "proto3"
    message = file.message_type.add(name=topic.type_name)
    scalar, vector = FieldDescriptorProto.LABEL_OPTIONAL, FieldDescriptorProto.LABEL_REPEATED
    double = FieldDescriptorProto.TYPE_DOUBLE
    message.field.add(name="t", number=1, label=scalar, type=double)
    for field in topic.fields:
        label = vector if field.signal.shape else scalar
        message.field.add(name=field.name, number=field.number, label=label, type=double)
    return bytes(files.SerializeToString())
