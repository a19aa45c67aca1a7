"""Datagrams, sequence numbers, time stamps, signatures."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.links.properties import calmly
from tests.links.wire_format import frame, rewritten

from proxops.links.errors import LocalProtocolError
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.framing import Framing
from proxops.links.mavlink.order import LATE_NS, Sequence, Stamps
from proxops.links.mavlink.signing import MINUTE, Signing

KEY = bytes(range(32))
MS = 1_000_000


def heartbeat():
    return mavlink.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3)


def signed(now_ns=0, key=KEY, start=0, messages=1):
    framing = Framing(255, 190, Signing(key, start))
    for _ in range(messages):
        framing.send(heartbeat(), now_ns)
    return framing.data_to_send()


def test_several_frames_in_a_datagram_are_all_read():
    datagram = b"".join(frame("HEARTBEAT", 0, 6, 8, 0, 4, 3, sequence=n) for n in range(3))
    framing = Framing(1, 1)
    assert [message.get_seq() for message in framing.receive(datagram, 0)] == [0, 1, 2]


def test_a_frame_cut_short_does_not_spoil_the_next_datagram():
    whole = frame("HEARTBEAT", 0, 6, 8, 0, 4, 3)
    framing = Framing(1, 1)
    for size in range(1, len(whole)):
        assert framing.receive(whole[:size], 0) == []
        assert len(framing.receive(whole, 0)) == 1
    assert framing.statistics.corrupted == len(whole) - 1


def test_every_single_flipped_bit_is_found():
    whole = frame("SET_POSITION_TARGET_LOCAL_NED", 1, *(0.5,) * 11, 0x800, 1, 1, 1)
    framing = Framing(1, 1)
    for bit in range(8 * len(whole)):
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        assert framing.receive(bytes(spoilt), 0) == []


def test_messages_of_other_dialects_are_passed_over():
    strange = bytearray(frame("HEARTBEAT", 0, 6, 8, 0, 4, 3))
    strange[7] = 0xFF  # a message that nobody knows
    framing = Framing(1, 1)
    assert len(framing.receive(bytes(strange) + frame("HEARTBEAT", 0, 6, 8, 0, 4, 3), 0)) == 1
    assert framing.statistics.unknown == 1


def test_a_flag_that_changes_the_format_is_not_guessed_at():
    # signed, and something else that a later protocol may mean; the checksum is right
    later = rewritten(frame("HEARTBEAT", 0, 6, 8, 0, 4, 3), at=2, value=0x03) + bytes(13)
    assert Framing(1, 1).receive(later, 0) == []
    signed_only = rewritten(frame("HEARTBEAT", 0, 6, 8, 0, 4, 3), at=2, value=0x01) + bytes(13)
    assert len(Framing(1, 1).receive(signed_only, 0)) == 1


def test_no_message_leaves_with_a_number_that_does_not_fit_wherever_it_stands():
    def attitude(q):
        return mavlink.MAVLink_set_attitude_target_message(0, 1, 1, 0, q, 0.0, 0.0, 0.0, 0.5)

    framing = Framing(255, 190)
    framing.send(attitude([1, 0.0, -3.4e38, 3.4e38]), 0)
    nan, inf = math.nan, math.inf
    for q in ([1, 0.0, nan, 0.0], [1.0, inf, -inf, 0.0], [1.0, 0.0, -1e39, 1e39], [nan, 0, 0, 0]):
        with pytest.raises(LocalProtocolError, match=r"_TARGET\.q is (nan|-?inf|-1e.39)"):
            framing.send(attitude(q), 0)
    assert len(framing.data_to_send()) == framing.statistics.sent == 1


# --- order


def test_numbers_ahead_are_new_and_count_what_was_lost():
    order = Sequence()
    assert [order.accept(n, 0) for n in (250, 251, 255, 2)] == [True] * 4
    assert order.lost == 3 + 2
    assert not order.accept(2, 0)  # twice
    assert not order.accept(1, 0)  # late
    assert not order.accept((2 + 128) % 256, 0)  # behind, across the wrap


def test_after_a_second_of_silence_any_number_is_new():
    order = Sequence()
    assert order.accept(100, 0)
    assert not order.accept(50, 1000 * MS)
    assert order.accept(50, 1001 * MS)


@calmly
@given(st.lists(st.integers(0, 255), max_size=60))
def test_no_number_is_accepted_twice_in_a_row(numbers):
    order = Sequence()
    accepted = [n for n in numbers if order.accept(n, 0)]
    assert all(a != b for a, b in pairwise(accepted))


def test_stamps_must_be_newer_and_in_time_whatever_the_clocks_say():
    stamps = Stamps()
    ahead = 10**15  # the sender's clock
    assert stamps.accept(ahead, 0)
    assert stamps.accept(ahead + 20 * MS, 20 * MS)
    assert not stamps.accept(ahead + 20 * MS, 21 * MS)  # twice
    assert not stamps.accept(ahead + 10 * MS, 22 * MS)  # reordered
    assert not stamps.accept(ahead + 40 * MS, 40 * MS + LATE_NS + 1)  # late
    assert stamps.accept(ahead + 400 * MS, 400 * MS)


@calmly
@given(st.lists(st.tuples(st.integers(0, 10**12), st.integers(0, 10**12)), max_size=40))
def test_stamps_that_are_accepted_rise(pairs):
    stamps = Stamps()
    accepted = [stamp for stamp, now in pairs if stamps.accept(stamp, now)]
    assert accepted == sorted(set(accepted))


# --- signatures


def test_what_pymavlink_signs_is_accepted_once():
    (datagram,) = signed()
    receiver = Framing(1, 1, Signing(KEY))
    assert len(receiver.receive(datagram, 0)) == 1
    assert receiver.receive(datagram, 0) == []
    assert receiver.statistics.unsigned == 1


def test_frames_without_the_key_are_not_accepted():
    receiver = Framing(1, 1, Signing(KEY))
    assert receiver.receive(frame("HEARTBEAT", 0, 6, 8, 0, 4, 3), 0) == []
    assert receiver.receive(signed(key=bytes(32))[0], 0) == []
    assert receiver.statistics.unsigned == 2


def test_a_forged_frame_from_the_future_does_not_shut_out_the_sender():
    receiver = Framing(1, 1, Signing(KEY))
    assert receiver.receive(signed(key=bytes(32), start=10**12)[0], 0) == []
    assert len(receiver.receive(signed()[0], 0)) == 1


def test_frames_of_an_earlier_session_are_old():
    (before,) = signed(start=10**12)
    later = 10**12 + MINUTE + 1
    assert Framing(1, 1, Signing(KEY, later)).receive(before, 0) == []
    assert len(Framing(1, 1, Signing(KEY, later - 2)).receive(before, 0)) == 1


def test_no_two_frames_have_one_time():
    receiver = Framing(1, 1, Signing(KEY))
    accepted = [message for each in signed(messages=300) for message in receiver.receive(each, 0)]
    assert len(accepted) == 300


def test_pymavlink_reads_what_we_signed():
    reader = mavlink.MAVLink(None)
    reader.signing.secret_key = KEY
    assert reader.decode(bytearray(signed()[0])).get_type() == "HEARTBEAT"


def test_a_key_has_32_bytes_and_is_not_printed():
    with pytest.raises(LocalProtocolError, match="32 bytes: this one has 3"):
        Signing(b"abc")
    assert "key" not in repr(Signing(KEY))
