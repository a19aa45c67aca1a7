"""Rows pass from a run to its onlooker without the run ever waiting."""

import socket
import threading

import numpy as np
import pytest
from tests.unit.viewer_cases import short_run

from proxops import viewer
from proxops.core.errors import InputError
from proxops.viewer.mailbox import Mailbox

WIDTH = 2000


def test_the_newest_row_replaces_those_that_nobody_took():
    box = Mailbox(3)
    assert box.count() == 0
    for start in range(0, 1000, 10):
        box.write(np.arange(start, start + 10)[:, None] * np.ones(3))
    assert box.count() == 1000
    assert box.first().tolist() == [0.0, 0.0, 0.0]
    assert box.newest().tolist() == [999.0, 999.0, 999.0]


def test_no_rows_change_nothing():
    box = Mailbox(3)
    box.write(np.zeros((0, 3)))
    assert box.count() == 0


def test_a_row_that_is_half_written_is_not_given_out_and_nobody_waits_for_it():
    box = Mailbox(3)
    box.write(np.ones((1, 3)))
    box._counters[0] += 1  # as while a row is being written
    assert box.newest() is None
    box.write(np.full((1, 3), 2.0))
    box._counters[0] += 1
    assert box.newest().tolist() == [2.0, 2.0, 2.0]


def test_a_reader_beside_a_writer_sees_whole_rows_only():
    box = Mailbox(WIDTH)
    done = threading.Event()

    def write():
        for number in range(3000):
            box.write(np.full((1, WIDTH), float(number)))
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = []
    while not done.is_set():
        row = box.newest()
        if row is not None:
            assert (row == row[0]).all()
            seen.append(row[0])
    writer.join()
    assert seen == sorted(seen)
    assert box.newest()[0] == 2999.0


def test_a_port_that_is_taken_gives_way_to_the_next_free_one():
    from proxops.viewer.server import free_port

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port("127.0.0.1", port) > port


def test_an_address_that_is_not_ours_is_refused_by_name():
    from proxops.viewer.server import free_port

    with pytest.raises(InputError, match=r"--host 203\.0\.113\.7"):
        free_port("203.0.113.7", 8080)


def test_without_viser_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(viewer, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"folder: .*python.* -m pip install .*\[viewer\]"):
        viewer.needs_viser()


def test_exports_and_live_views_work_more_than_once_a_process(tmp_path):
    pytest.importorskip("viser")
    run = short_run("free-tumble", duration=0.1)
    written = [tmp_path / name for name in ("one.html", "two.html")]
    for file in written:
        assert viewer.export(run, file).startswith(f"wrote {file}")
    assert written[0].read_bytes() == written[1].read_bytes()
    for _ in range(2):
        viewer.live("free-tumble", print, port=0).close()
