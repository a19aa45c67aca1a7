"""Hostile frames have no effect beyond a held position; whom the vehicle obeys."""

import math
import struct

import pytest
from tests.links.flying import Flight, audited_parameters, target
from tests.links.hostile import attack_station, attack_vehicle
from tests.links.wire_format import frame

from proxops.links.mavlink.content import Mode, Phase

KINDS = 8
COUNT = 3_000  # 100 000 each way: python -m tests.links.hostile 100000


@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
@pytest.mark.parametrize("attack", [attack_vehicle, attack_station])
def test_hostile_frames_have_no_effect_beyond_a_held_position(attack, signed):
    assert len(attack(COUNT, 7, signed)) == KINDS


def test_the_attack_would_see_an_effect(monkeypatch):
    # The same frames, with the order of frames and of stamps not looked at
    monkeypatch.setattr("proxops.links.mavlink.order.Sequence.accept", lambda *_: True)
    monkeypatch.setattr("proxops.links.mavlink.order.Stamps.accept", lambda *_: True)
    with pytest.raises(AssertionError, match="moved the vehicle"):
        attack_vehicle(COUNT, 7, signed=False)


def position_target(system: int, p=(5.0, 0.0, -1.0), mask=0x800, kind=1, when_ms=2**31):
    """A target from elsewhere, with everything right but its sender."""
    return frame(
        "SET_POSITION_TARGET_LOCAL_NED",
        when_ms,
        *p,
        *(0.0,) * 8,
        mask,
        1,
        1,
        kind,
        system=system,
        sequence=200,
    )


def test_a_stranger_is_obeyed_unless_the_parameter_forbids_it():
    flight = Flight().fly()
    flight.autopilot.receive(position_target(system=42), flight.now_ns)
    assert flight.vehicle.targets == []
    assert flight.autopilot.statistics.strangers == 1
    flight.autopilot.parameters["MAV_OPTIONS"] = 0.0  # as delivered
    flight.autopilot.receive(position_target(system=42), flight.now_ns)
    assert flight.vehicle.targets[-1].p_LV == (5.0, 0.0, 1.0)


def test_frames_for_another_vehicle_are_not_for_this_one():
    flight = Flight().fly()
    other = frame(
        "COMMAND_LONG", *(0.0,) * 7, 21, 7, 1, 0, sequence=(flight.to_vehicle[-1][4] + 1) % 256
    )
    flight.autopilot.receive(other, flight.now_ns)
    assert flight.autopilot.mode is Mode.GUIDED


def test_a_stranger_does_not_talk_to_the_ground_station():
    flight = Flight().connect()
    flight.run(0.2)
    before = flight.station.phase
    armed = frame("HEARTBEAT", 9, 13, 3, 128, 4, 3, system=7, component=1)
    assert flight.station.receive(armed, flight.now_ns) == []
    assert flight.station.phase is before
    assert flight.station.statistics.strangers == 1


@pytest.mark.parametrize(
    "spoilt",
    [
        position_target(255, p=(math.nan, 0.0, -1.0)),
        position_target(255, p=(0.0, math.inf, -1.0)),
        position_target(255, kind=8),  # relative to the body
        position_target(255, mask=0xDC7),
    ],
)
def test_a_target_of_another_kind_holds(spoilt):
    parameters = audited_parameters()
    flight = Flight(parameters=parameters).fly()
    following = bytearray(spoilt)
    flight.autopilot._orders.clear()
    flight.autopilot.receive(bytes(following), flight.now_ns)
    assert flight.vehicle.calls[-1] == "hold"
    assert flight.vehicle.targets == []


def pose(frames=(20, 12), covariance=(0.0,) * 21, q=(1.0, 0.0, 0.0, 0.0), x=1.0):
    return frame(
        "ODOMETRY",
        10**9,
        *(x, 0.0, 0.0),
        *q,
        *(0.0,) * 6,
        *covariance,
        *(0.0,) * 21,
        *frames,
        0,
        6,
        100,
    )


@pytest.mark.parametrize(
    ("datagram", "used"),
    [
        (pose(), True),
        (pose(covariance=(math.nan,) * 21), True),
        (pose(covariance=(math.nan,) + (0.0,) * 20), False),
        (pose(frames=(1, 8)), False),  # LOCAL_NED and BODY_NED
        (pose(q=(0.0, 0.0, 0.0, 0.0)), False),
        (pose(x=math.nan), False),
    ],
)
def test_poses_that_the_autopilot_drops(datagram, used):
    flight = Flight(poses=False)
    flight.autopilot.receive(datagram, 0)
    assert len(flight.vehicle.poses) == used


def test_nan_in_telemetry_is_not_believed():
    flight = Flight().connect()
    flight.run(0.2)
    number = (flight.to_station[-1][4] + 1) % 256
    spoilt = frame(
        "LOCAL_POSITION_NED",
        2**31,
        *struct.unpack("<6f", b"\0\0\xc0\x7f" * 6),
        sequence=number,
        system=1,
        component=1,
    )
    assert flight.station.receive(spoilt, flight.now_ns) == []


def test_a_flight_over_a_wire_that_loses_one_in_five_frames():
    flight = Flight()
    keep = lambda data: sum(data) % 5 != 0  # noqa: E731
    receive_up, receive_down = flight.autopilot.receive, flight.station.receive
    flight.autopilot.receive = lambda d, t: receive_up(d, t) if keep(d) else None
    flight.station.receive = lambda d, t: receive_down(d, t) if keep(d) else []
    flight.fly()
    flight.circle(2.0)
    assert flight.station.phase is Phase.FLYING
    assert math.dist(flight.vehicle.p, target((0.0, 0.0, 0.0)).p_LV) > 1.5
    assert flight.autopilot.statistics.lost > 0
    flight.station.land()
    flight.run(4.0)
    assert flight.vehicle.calls[-1] == "disarm"
