"""A saved run comes back bit for bit, any MCAP tool reads it, and nothing false passes for one."""

import json
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap.writer import Writer
from mcap_protobuf.decoder import DecoderFactory
from tests.unit.record_cases import PROVENANCE, TABLE, rows_of, run_of, same_bits

from proxops.core.errors import InputError
from proxops.results import store
from proxops.results.run import Signal


@pytest.fixture
def saved(tmp_path):
    """A saved run of several chunks and its folder."""
    run = run_of(rows_of(3000))
    store.save(run, tmp_path / "out" / "run")
    return run, tmp_path / "out" / "run"


def test_a_saved_run_comes_back_bit_for_bit(saved):
    run, folder = saved
    back = store.open(folder)
    assert same_bits(back.rows, run.rows)
    assert back.hash == run.hash
    assert (back.name, back.provenance, back.table) == (run.name, run.provenance, run.table)
    assert back.summary() == run.summary()


def test_a_folder_holds_the_recording_and_its_summary_only(saved):
    run, folder = saved
    assert sorted(path.name for path in folder.iterdir()) == ["run.mcap", "summary.json"]

    def reject(word):
        raise AssertionError(f"{word} is not JSON")

    text = (folder / "summary.json").read_text()
    summary = json.loads(text, parse_constant=reject)
    assert summary["hash"] == run.hash
    assert summary["outcome"] == "failed"


def test_equal_runs_give_equal_files(saved, tmp_path):
    run, folder = saved
    store.save(run, tmp_path / "again")
    for name in ("run.mcap", "summary.json"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_a_signal_is_found_by_its_name_or_itself_and_nothing_else_is_one():
    run = run_of(rows_of(3))
    for signal in run.signals():
        for found, named in zip(run[signal], run[signal.name], strict=True):
            assert same_bits(found, named)
    for wrong in (3, None, ("obsw.phase",)):
        with pytest.raises(InputError, match="a name was expected, found"):
            run[wrong]


def test_a_run_without_rows_comes_back(tmp_path):
    run = run_of(rows_of(0))
    store.save(run, tmp_path / "run")
    assert store.open(tmp_path / "run").rows.shape == run.rows.shape


def test_a_generic_decoder_reads_equal_numbers(saved):
    run, folder = saved
    samples = {signal.name: [] for signal in TABLE}
    with open(folder / "run.mcap", "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for _, channel, message, decoded in reader.iter_decoded_messages():
            # t is exact in nanoseconds up to 2^53 ns, about 104 days
            assert message.log_time == round(decoded.t * 1e9)
            for field, story in channel.metadata.items():
                signal = json.loads(story)
                assert channel.topic == signal["name"].split(".")[0]
                samples[signal["name"]].append((decoded.t, np.array(getattr(decoded, field))))
    for signal in TABLE:
        t, values = run[signal.name]
        assert np.array_equal([at for at, _ in samples[signal.name]], t)
        decoded = np.array([value for _, value in samples[signal.name]])
        assert same_bits(decoded.reshape(values.shape), np.ascontiguousarray(values))


def test_the_index_describes_the_file(saved):
    run, folder = saved
    with open(folder / "run.mcap", "rb") as file:
        reader = make_reader(file)
        summary = reader.get_summary()
        topics = {channel.topic for channel in summary.channels.values()}
        assert topics == {"chaser", "target", "obsw", "ledger", "heartbeat"}
        assert summary.statistics.message_count == len(run.rows) * len(topics)
        assert summary.statistics.chunk_count == len(summary.chunk_indexes) > 1
        names = [item.name for item in reader.iter_metadata()]
        assert names == ["proxops.results.run", "proxops.provenance", "proxops.summary"]
        window = list(
            reader.iter_messages(topics=["target"], starting_at=10**9, ending_before=2 * 10**9)
        )
        assert [message.sequence for _, _, message in window] == list(range(1000, 2000))


def test_message_indexes_point_at_their_messages(saved):
    _, folder = saved
    chunk = None
    pointed = 0
    with open(folder / "run.mcap", "rb") as file:
        for item in StreamReader(file, emit_chunks=True, validate_crcs=True).records:
            if type(item).__name__ == "Chunk":
                chunk = item.data
            elif type(item).__name__ == "MessageIndex":
                for log_time, offset in item.records:
                    opcode, _, channel, _, stamp = struct.unpack_from("<BQHIQ", chunk, offset)
                    assert (opcode, channel, stamp) == (5, item.channel_id, log_time)
                    pointed += 1
    assert pointed == 3000 * 5


def test_signals_whose_protobuf_names_collide_stay_apart(tmp_path):
    names = ["a.b.c", "a.b_c", "a.bC", "a.t", "a.1", "a.x-y", "a.x.y", "a-b.q", "a.b_c_2", "a_b.q"]
    table = tuple(Signal(name, "m", "", (2,)) for name in names)
    rows = np.arange(1.0 + 2 * len(names))[np.newaxis, :]
    run = replace(run_of(rows), table=table, rows=rows)
    store.save(run, tmp_path / "run")
    assert same_bits(store.open(tmp_path / "run").rows, rows)
    seen = {}
    with open(tmp_path / "run" / "run.mcap", "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for _, channel, _, decoded in reader.iter_decoded_messages():
            for field, story in channel.metadata.items():
                seen[json.loads(story)["name"]] = list(getattr(decoded, field))
    assert seen == {name: list(run[name][1][0]) for name in names}


def test_a_wide_signal_is_decoded(tmp_path):
    # From 16 values and from field 16 on, lengths and tags take two bytes.
    table = tuple(Signal(f"a.s{i}", "", "", (300 if i == 20 else 17,)) for i in range(40))
    rows = np.arange(1.0 + 17 * 39 + 300)[np.newaxis, :]
    run = replace(run_of(rows), table=table, rows=rows)
    store.save(run, tmp_path / "run")
    with open(tmp_path / "run" / "run.mcap", "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        ((_, _, _, decoded),) = reader.iter_decoded_messages()
    for i, signal in enumerate(table):
        assert list(getattr(decoded, f"s{i}")) == list(run[signal.name][1][0])


def rewrite(path, old, new):
    """Replaces bytes of a file by as many others and mends the checksum of the data section."""
    assert len(old) == len(new)
    data = bytearray(path.read_bytes())
    at = data.index(old)
    data[at : at + len(old)] = new
    end = data.rindex(struct.pack("<BQ", 0x0F, 4))
    data[end + 9 : end + 13] = struct.pack("<I", zlib.crc32(data[:end]))
    path.write_bytes(data)


def drop_the_end(folder):
    data = (folder / "run.mcap").read_bytes()
    (folder / "run.mcap").write_bytes(data[: len(data) // 2])


def put_a_foreign_file(folder):
    with open(folder / "run.mcap", "wb") as file:
        writer = Writer(file)
        writer.start()
        writer.finish()


def flip_a_bit(folder):
    data = bytearray((folder / "run.mcap").read_bytes())
    data[len(data) // 2] ^= 0x10
    (folder / "run.mcap").write_bytes(data)


def other_format(folder):
    entry = b"format" + struct.pack("<I", 1)
    rewrite(folder / "run.mcap", entry + b"2", entry + b"9")


def other_hash(folder):
    value = json.loads((folder / "summary.json").read_text())["hash"].encode()
    rewrite(folder / "run.mcap", value, value[::-1])
    text = (folder / "summary.json").read_bytes()
    (folder / "summary.json").write_bytes(text.replace(value, value[::-1]))


def garbled_table(folder):
    rewrite(folder / "run.mcap", b'"H", [3], ""]', b'"H", {9}, ""]')


def negative_signal(folder):
    rewrite(folder / "run.mcap", b'"rad", "", [7]', b'"rd", "", [-7]')


def wide_signal(folder):
    rewrite(folder / "run.mcap", b'"kg m2", "C", [3, 3], ""]', b'"m", "", [9999,9999], ""]')


BROKEN = {
    "missing folder": (lambda f: f.rename(f.with_name("gone")), "no such folder"),
    "no recording": (lambda f: (f / "run.mcap").unlink(), "not the folder of a run"),
    "cut short": (drop_the_end, "was cut short.*proxops recover"),
    "nothing in it": (lambda f: (f / "run.mcap").write_bytes(b""), "was cut short"),
    "foreign recording": (put_a_foreign_file, "not a recording of proxops"),
    "text": (lambda f: (f / "run.mcap").write_text("hello"), "not a recording of proxops"),
    "flipped bit": (flip_a_bit, "is damaged at byte"),
    "newer format": (other_format, "has format '9'"),
    "other rows": (other_hash, "hash in the summary"),
    "garbled table": (garbled_table, "signal table is not JSON"),
    "negative size": (negative_signal, "signal table has a bad entry"),
    "wide table": (wide_signal, "values a row"),
    "broken summary": (lambda f: (f / "summary.json").write_text('{"name": '), "is not JSON"),
    "deep summary": (lambda f: (f / "summary.json").write_text("[" * 10**5), "nested deeper"),
    "summary a list": (lambda f: (f / "summary.json").write_text("[]"), "an object was expected"),
    "other summary": (lambda f: (f / "summary.json").write_text("{}"), "does not belong"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_folder_is_refused_with_its_fault(saved, case):
    _, folder = saved
    damage, message = BROKEN[case]
    damage(folder)
    with pytest.raises(InputError, match=message) as caught:
        store.open(folder)
    assert str(folder) in str(caught.value)


def test_a_file_is_not_a_run_folder(saved):
    _, folder = saved
    with pytest.raises(InputError, match="is a file"):
        store.open(folder / "run.mcap")


def test_no_changed_byte_goes_unnoticed(tmp_path):
    store.save(run_of(rows_of(40)), tmp_path / "run")
    path = tmp_path / "run" / "run.mcap"
    data = path.read_bytes()
    rng = np.random.default_rng(3)
    for at in rng.integers(0, len(data), 200):
        changed = bytearray(data)
        changed[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        with pytest.raises(InputError):
            store.open(tmp_path / "run")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outcome": 3}, "not a string"),
        ({"events": "none"}, "no list of events"),
        ({"phases": [1]}, "no phase"),
        ({"ledger": {"closed": 1}}, "bad ledger"),
        ({"requirements": [{"name": "a", "value": "high"}]}, "bad requirement"),
        ({"requirements": [{"name": "a", "value": 10**400}]}, "bad requirement"),
    ],
)
def test_a_summary_of_the_wrong_kind_is_refused(tmp_path, change, message):
    run = run_of(rows_of(5))
    recorder = store.Recorder(tmp_path / "run", PROVENANCE, TABLE, "tumble")
    recorder.write(run.rows)
    recorder.finish(run.summary() | change)
    with pytest.raises(InputError, match=message):
        store.open(tmp_path / "run")


def test_a_whole_recording_opens_without_its_summary_and_says_so(saved, caplog):
    run, folder = saved
    (folder / "summary.json").unlink()
    assert store.open(folder).summary() == run.summary()
    assert "lacks summary.json" in caplog.text
