"""Poses of a motion-capture system, byte by byte."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.links.properties import calmly

from proxops.links.errors import LocalProtocolError, RemoteProtocolError
from proxops.links.pose_datagram import CapturedPose, pose_datagram, read_pose_datagram

POSE = CapturedPose(2, 12.5, (1.0, -2.0, 3.0), (1.0, 0.0, 0.0, 0.0))
GOLDEN = b'{"vehicle":2,"time_s":12.5,"p_LV":[1.0,-2.0,3.0],"q_LV":[1.0,0.0,0.0,0.0]}\n'


def test_golden_bytes():
    assert pose_datagram(POSE) == GOLDEN
    assert read_pose_datagram(GOLDEN) == POSE


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (b'"vehicle":2', b'"vehicle":3', "vehicle must be 1 or 2"),
        (b'"vehicle":2', b'"vehicle":true', "vehicle must be 1 or 2"),
        (b"12.5", b"NaN", "time_s must be finite"),
        (b"12.5", b"1" + b"0" * 400, "time_s must be finite"),
        (b"-2.0", b'"x"', "p_LV must have 3 numbers"),
        (b"[1.0,-2.0,3.0]", b"[1.0]", "p_LV must have 3 numbers"),
        (b"[1.0,0.0", b"[2.0,0.0", "unit quaternion"),
        (b'"time_s":12.5,', b"", "has the keys"),
        (b"{", b"[", "no JSON"),
        (b"}", b" " * 2000 + b"}", "at most 1000"),
    ],
)
def test_what_is_no_pose_is_said(old, new, word):
    with pytest.raises(RemoteProtocolError, match=word):
        read_pose_datagram(GOLDEN.replace(old, new, 1))


def test_no_number_that_is_none_is_sent():
    with pytest.raises(LocalProtocolError, match="not finite"):
        pose_datagram(CapturedPose(1, 0.0, (math.nan, 0.0, 0.0), POSE.q_LV))


@calmly
@given(st.binary(max_size=200))
def test_garbage_never_crashes(datagram):
    with pytest.raises(RemoteProtocolError):
        read_pose_datagram(datagram)
