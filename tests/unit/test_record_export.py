"""Exported tables hold the very numbers of the run."""

import csv
import errno
import sys

import numpy as np
import pyarrow.parquet
import pytest
from tests.unit.record_cases import WIDTH, rows_of, run_of, same_bits

from proxops.core.errors import InputError, OutputError
from proxops.results import store
from proxops.results.store import tables


def test_csv_reads_back_to_equal_numbers(tmp_path):
    run = run_of(rows_of(5000))
    store.export(run, tmp_path / "run.csv")
    with open(tmp_path / "run.csv", newline="") as file:
        head, *lines = csv.reader(file)
    assert head[:4] == ["t [s]", "chaser.p_HC[0] [m]", "chaser.p_HC[1] [m]", "chaser.p_HC[2] [m]"]
    assert head[16] == "chaser.inertia[0][1] [kg m2]"
    assert head[-1] == "heartbeat"
    values = np.array([[float(word) for word in line] for line in lines])
    assert np.array_equal(values, run.rows, equal_nan=True)
    assert np.array_equal(np.signbit(values[:, 6]), np.signbit(run.rows[:, 6]))


def test_parquet_holds_equal_bits_with_units_and_frames(tmp_path):
    run = run_of(rows_of(500))
    store.export(run, tmp_path / "run.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "run.parquet")
    assert table.num_columns == WIDTH
    assert same_bits(np.column_stack([column.to_numpy() for column in table.columns]), run.rows)
    field = table.schema.field("chaser.p_HC[2]")
    assert field.metadata[b"unit"] == b"m"
    assert field.metadata[b"frame"] == b"H"
    assert run.hash.encode() in table.schema.metadata[b"proxops.summary"]


def test_an_unknown_ending_lists_the_known_ones(tmp_path):
    with pytest.raises(InputError, match=r"'\.xlsx' is none of \.csv, \.parquet"):
        store.export(run_of(rows_of(5)), tmp_path / "run.xlsx")


def test_a_missing_pyarrow_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match="extra 'export'"):
        store.export(run_of(rows_of(5)), tmp_path / "run.parquet")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_replaced_only_when_asked(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("mine")
    run = run_of(rows_of(5))
    with pytest.raises(OutputError, match="exists already"):
        store.export(run, path)
    assert path.read_text() == "mine"
    store.export(run, path, overwrite=True)
    assert len(path.read_text().splitlines()) == 6


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_places_that_cannot_hold_a_table_are_refused(tmp_path, ending):
    run = run_of(rows_of(5))
    (tmp_path / f"folder.{ending}").mkdir()
    for path in (tmp_path / f"folder.{ending}", tmp_path / "none" / f"run.{ending}"):
        with pytest.raises(OutputError, match=ending):
            store.export(run, path, overwrite=True)


def test_a_full_disk_leaves_the_old_table(tmp_path, monkeypatch):
    path = tmp_path / "run.csv"
    path.write_text("mine")

    def full(run, part):
        part.write_text("half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(tables._WRITERS, ".csv", full)
    with pytest.raises(OutputError, match=r"run\.csv: cannot be written: No space left"):
        store.export(run_of(rows_of(5)), path, overwrite=True)
    assert [item.name for item in tmp_path.iterdir()] == ["run.csv"]
    assert path.read_text() == "mine"
