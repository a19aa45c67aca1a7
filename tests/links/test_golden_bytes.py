"""What leaves each end, byte by byte, compared with frames written by hand and recorded ones.

`python -m tests.links.test_golden_bytes` records the flight anew, after a change on purpose.
"""

import math
import struct
from pathlib import Path

import pytest
from tests.links.flying import ORIGIN, Flight, permit_all, target
from tests.links.wire_format import LAYOUTS, frame, x25

from proxops.links.mavlink.commands import command_message
from proxops.links.mavlink.content import (
    Arm,
    Disarm,
    Land,
    Mode,
    Pose,
    SetMode,
    StreamMessage,
    TakeOff,
)
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.framing import Framing
from proxops.links.mavlink.ground_station import GroundStation
from proxops.links.mavlink.messages import pose_message, target_message

VEHICLE = (1, 1)
NOW_NS = 12_345_678_000


def sent(message, now_ns=NOW_NS):
    framing = Framing(255, 190)
    framing.send(message, now_ns)
    (datagram,) = framing.data_to_send()
    return datagram


def test_the_checksum_is_that_of_the_standard():
    assert x25(b"123456789") == 0x6F91  # check value of CRC-16/MCRF4XX


def test_checksum_bytes_and_sizes_are_those_of_the_dialect():
    for name, (number, extra, layout) in LAYOUTS.items():
        message = mavlink.mavlink_map[number]
        assert (message.msgname, message.crc_extra) == (name, extra)
        assert message.unpacker.size == struct.calcsize(layout)


def test_heartbeat_of_the_ground_station():
    station = GroundStation(permit_all)
    station.check(0)
    (datagram,) = station.data_to_send()
    assert datagram == frame("HEARTBEAT", 0, 6, 8, 0, 4, 3)
    assert datagram.hex() == "fd09000000ffbe0000000000000006080004033d48"


def test_target():
    wanted = target((1.0, 2.0, 3.0), (0.25, 0.5, 0.75), (-0.125, 0.0625, 1.5), yaw=0.5)
    assert sent(target_message(wanted, VEHICLE, NOW_NS)) == frame(
        "SET_POSITION_TARGET_LOCAL_NED",
        12_345,  # ms
        *(1.0, -2.0, -3.0),
        *(0.25, -0.5, -0.75),
        *(-0.125, -0.0625, -1.5),
        *(-0.5, 0.0),
        0x800,
        *VEHICLE,
        1,  # LOCAL_NED
    )


def test_pose():
    half = math.radians(90.0) / 2.0  # to the left: its nose along L's y
    c, s = math.cos(half), math.sin(half)
    pose = Pose((1.0, 2.0, 3.0), (c, 0.0, 0.0, s), (0.0, 0.5, 0.25), (0.1, 0.2, 0.3))
    covariance = [0.0] * 21
    for at in (0, 6, 11):
        covariance[at] = 1e-6
    for at in (15, 18, 20):
        covariance[at] = 4e-6
    rates = [0.0025 if at in (0, 6, 11, 15, 18, 20) else 0.0 for at in range(21)]
    got = sent(pose_message(pose, NOW_NS))
    wanted = frame(
        "ODOMETRY",
        12_345_678,  # µs
        *(1.0, -2.0, -3.0),
        *(c, 0.0, -0.0, -s),
        *(0.5, 0.0, -0.25),  # forward, right, down
        *(0.1, -0.2, -0.3),
        *covariance,
        *rates,
        20,  # LOCAL_FRD
        12,  # BODY_FRD
        0,
        6,  # motion capture
        100,
    )
    # The velocity to the right is 0 to rounding: its own bytes are compared as a number.
    assert len(got) == len(wanted)
    right = slice(10 + 8 + 4 * 8, 10 + 8 + 4 * 9)
    assert abs(struct.unpack("<f", got[right])[0]) < 1e-7
    assert got[: right.start] == wanted[: right.start]
    assert got[right.stop : -2] == wanted[right.stop : -2]


@pytest.mark.parametrize(
    ("command", "number", "values"),
    [
        (SetMode(Mode.GUIDED), 176, (1.0, 4.0)),
        (Arm(), 400, (1.0,)),
        (Disarm(), 400, (0.0,)),
        (TakeOff(1.5), 22, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.5)),
        (Land(), 21, ()),
        (StreamMessage(32, 0.02), 511, (32.0, 20_000.0)),
    ],
)
def test_commands(command, number, values):
    padded = (*values, *(0.0,) * (7 - len(values)))
    assert sent(command_message(command, VEHICLE, 2)) == frame(
        "COMMAND_LONG", *padded, number, *VEHICLE, 2
    )


def test_origin_and_parameter_request():
    flight = Flight().connect()
    flight.station.data_to_send()
    flight.station.set_origin(ORIGIN, flight.now_ns)
    (datagram,) = flight.station.data_to_send()
    assert datagram == frame(
        "SET_GPS_GLOBAL_ORIGIN", 374_000_000, -60_000_000, 10_000, 1, 0, sequence=datagram[4]
    )
    flight.station.read_and_audit()
    flight.station.check(flight.now_ns)
    asked = next(each for each in flight.station.data_to_send() if each[7] == 20)
    assert asked == frame("PARAM_REQUEST_READ", -1, *VEHICLE, b"GUID_TIMEOUT", sequence=asked[4])


RECORDED = Path(__file__).parent / "flight.hex"


def record() -> list[str]:
    """Every datagram of a short flight: to the vehicle, then to the station."""
    flight = Flight().fly(0.5)
    flight.circle(0.2)
    flight.station.land()
    flight.run(0.8)
    ways = ((">", flight.to_vehicle), ("<", flight.to_station))
    return [f"{way} {datagram.hex()}" for way, sent in ways for datagram in sent]


def test_a_recorded_flight_is_sent_again_to_the_byte():
    assert record() == RECORDED.read_text().splitlines()


if __name__ == "__main__":
    RECORDED.write_text("\n".join(record()) + "\n")
