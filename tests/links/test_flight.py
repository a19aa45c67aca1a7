"""Two machines on a fake wire: a whole flight, and what is refused."""

import math
from dataclasses import replace

import pytest
from tests.links.flying import LEVEL, ORIGIN, ZERO, FakeVehicle, Flight, target

from proxops.links.errors import LocalProtocolError
from proxops.links.mavlink import events
from proxops.links.mavlink.autopilot import DEFAULTS
from proxops.links.mavlink.content import (
    Arm,
    Disarm,
    Land,
    Mode,
    Phase,
    Pose,
    SetMode,
    SetOrigin,
    StreamMessage,
    TakeOff,
    Target,
)
from proxops.links.mavlink.dialect import mavlink
from proxops.links.mavlink.reported import ClockOffset

KEYS = [None, bytes(range(32))]


@pytest.mark.parametrize("key", KEYS, ids=["unsigned", "signed"])
def test_a_flight_from_the_ground_to_the_ground(key):
    flight = Flight(key=key)
    flight.fly()
    assert flight.vehicle.p == pytest.approx((0.0, 0.0, 1.0))
    flight.circle(6.0)
    flown = flight.vehicle.targets
    assert len(flown) == 300  # 50 Hz, none lost
    assert all(math.hypot(*each.p_LV[:2]) == pytest.approx(1.8, abs=1e-6) for each in flown)
    assert len(flight.vehicle.poses) == pytest.approx(flight.now_ns / 20e6, abs=2)
    flight.station.land()
    flight.until(events.Disarmed)
    assert flight.vehicle.calls == ["arm", "take_off", "land", "disarm"]
    assert flight.station.phase is Phase.READY
    named = [type(event) for event in flight.happened]
    for kind in (events.Refused, events.Blocked, events.PoseLost, events.LinkLost):
        assert kind not in named
    for machine in (flight.station, flight.autopilot):
        lost = machine.statistics
        assert (lost.corrupted, lost.stale, lost.strangers, lost.unsigned) == (0, 0, 0, 0)


def test_what_is_sent_arrives_in_our_frames():
    flight = Flight().fly()
    sent = target((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (-0.1, -0.2, -0.3), yaw=0.5)
    flight.station.send_target(sent, flight.now_ns)
    flight.step()
    got = flight.vehicle.targets[-1]
    for one, other in zip(
        (*got.p_LV, *got.v_LV, *got.a_LV, got.yaw),
        (*sent.p_LV, *sent.v_LV, *sent.a_LV, sent.yaw),
        strict=True,
    ):
        assert one == pytest.approx(other, rel=1e-7)  # single precision
    telemetry = flight.until(events.Telemetry)
    assert telemetry.state.p_LV == pytest.approx(sent.p_LV, rel=1e-7)


def test_a_pose_arrives_with_its_velocity_in_the_lab():
    flight = Flight(poses=False).connect()
    half = math.radians(40.0) / 2.0
    q = (math.cos(half), 0.0, 0.6 * math.sin(half), 0.8 * math.sin(half))
    sent = Pose((1.0, -2.0, 0.5), q, (0.3, 0.4, -0.2), (0.01, 0.02, 0.03))
    flight.station.send_pose(sent, flight.now_ns)
    flight.step()
    (got,) = flight.vehicle.poses
    assert got.p_LV == pytest.approx(sent.p_LV, rel=1e-7)
    assert got.q_LV == pytest.approx(sent.q_LV, abs=1e-7)
    assert got.v_LV == pytest.approx(sent.v_LV, abs=1e-7)
    assert got.w_LV_V == pytest.approx(sent.w_LV_V, abs=1e-8)


def test_one_pose_in_20_ms_is_sent():
    flight = Flight(poses=False).connect()
    flight.station.data_to_send()
    before = flight.station.statistics.sent
    for at in range(100):  # 100 Hz for a second
        flight.station.send_pose(Pose(ZERO, LEVEL, ZERO, ZERO), flight.now_ns + at * 10_000_000)
    assert flight.station.statistics.sent - before == 50


def test_clocks_are_compared():
    clock = ClockOffset()
    ahead_ns = 5_000_000_000
    for asked_ns, way_ns in ((0, 30_000_000), (10**9, 2_000_000), (2 * 10**9, 90_000_000)):
        clock.ask(asked_ns)
        answer = mavlink.MAVLink_timesync_message(asked_ns + way_ns + ahead_ns, asked_ns)
        clock.answer(answer, asked_ns + 2 * way_ns)
    # equal ways there and back: exact; the shortest one counts
    assert (clock.offset_ns, clock.round_trip_ns) == (ahead_ns, 4_000_000)
    clock.answer(answer, 3 * 10**9)  # a replay
    assert clock.offset_ns == ahead_ns
    flight = Flight().connect()
    flight.run(1.5)
    assert flight.station.reported.clock.offset_ns == 0  # both have the clock of the test
    assert flight.station.reported.round_trip_s == 0.0


def test_the_vehicle_says_why_it_does_not_arm():
    flight = Flight(vehicle=FakeVehicle(refusal="Battery 1 low voltage failsafe")).prepare()
    flight.station.arm(flight.now_ns)
    refused = flight.until(events.Refused)
    assert refused == events.Refused(Arm(), "failed; PreArm: Battery 1 low voltage failsafe")
    assert flight.station.phase is Phase.READY
    assert not flight.vehicle.armed


def test_guided_mode_needs_a_position():
    flight = Flight(poses=False).connect()
    flight.station.set_mode(Mode.GUIDED)
    refused = flight.until(events.Refused)
    assert refused.command == SetMode(Mode.GUIDED)
    assert "requires position" in refused.reason


def test_a_command_that_nobody_acknowledges_is_repeated_then_given_up():
    flight = Flight().prepare()
    flight.up = False
    count = len(flight.to_vehicle)
    flight.station.arm(flight.now_ns)
    refused = flight.until(events.Refused)
    assert refused == events.Refused(Arm(), "not acknowledged, sent 4 times")
    commands = [each for each in flight.to_vehicle[count:] if each[7:10] == bytes((76, 0, 0))]
    assert len(commands) == 4


def test_disarming_in_flight_is_refused():
    flight = Flight().fly()
    flight.station.land()
    flight.run(0.1)
    flight.station.disarm()
    refused = flight.until(events.Refused)
    assert refused.command == Disarm()
    assert "in flight" in refused.reason
    flight.until(events.Disarmed)


def test_take_off_below_the_vehicle_is_refused():
    flight = Flight(vehicle=FakeVehicle(p=(0.0, 0.0, 0.0))).arm()
    flight.vehicle.p = (0.0, 0.0, -0.0)
    flight.station.take_off(1e4)
    assert "not above" in flight.until(events.Refused).reason


@pytest.mark.parametrize(
    ("act", "word"),
    [
        (lambda f: f.station.take_off(1.0), "cannot take off while searching"),
        (lambda f: f.station.read_and_audit(), "cannot audit parameters while searching"),
        (lambda f: f.station.set_mode(Mode.GUIDED), "cannot set the mode while searching"),
        (lambda f: f.station.send_target(target(ZERO), 0), "cannot fly to a target"),
        (lambda f: f.station.land(), "cannot land while searching"),
        (lambda f: f.station.disarm(), "cannot disarm while searching"),
        (lambda f: f.station.set_origin(ORIGIN, 0), "cannot set the origin while searching"),
        (lambda f: f.station.arm(0), "read_and_audit first"),
    ],
)
def test_what_the_phase_forbids_is_said_and_not_sent(act, word):
    flight = Flight()
    with pytest.raises(LocalProtocolError, match=word):
        act(flight)
    assert flight.station.data_to_send() == []


def test_arming_needs_audit_mode_origin_pose_and_battery():
    flight = Flight(poses=False).connect()
    station = flight.station

    def refused(word):
        with pytest.raises(LocalProtocolError, match=word):
            station.arm(flight.now_ns)

    refused("read_and_audit first")
    station.read_and_audit()
    flight.until(events.Audited)
    refused("GUIDED first")
    flight.poses = True
    flight.run(0.1)
    station.set_mode(Mode.GUIDED)
    flight.until(events.ModeChanged)
    refused("origin first")
    station.set_origin(ORIGIN, flight.now_ns)
    flight.until(events.OriginKnown)
    flight.poses = False
    flight.run(0.5)
    refused("0.5.* s old")
    flight.poses = True
    flight.vehicle.battery = 0.1
    flight.run(1.0)
    refused("charge the battery, 10%")


def test_parameters_that_differ_prevent_arming():
    flight = Flight(parameters=DEFAULTS | {"VISO_TYPE": 1.0}).connect()
    flight.station.read_and_audit()
    audited = flight.until(events.Audited).audit
    assert not audited.passed
    with pytest.raises(LocalProtocolError, match=r"set GUID_TIMEOUT to 0.1 to 0.5 \(is 3\)"):
        flight.station.arm(flight.now_ns)


def test_an_audited_parameter_that_changes_revokes_the_audit():
    flight = Flight().prepare()
    flight.autopilot.parameters["GUID_TIMEOUT"] = 3.0
    flight.station.read_and_audit()
    assert not flight.until(events.Audited).audit.passed
    flight.autopilot.parameters["GUID_TIMEOUT"] = 0.3
    flight.station.read_and_audit()
    flight.until(events.Audited)
    assert flight.station.phase is Phase.READY
    flight.autopilot.parameters["GUID_TIMEOUT"] = 3.0
    request = Flight().connect().station  # another reader asks, the answer is for all
    request.read_and_audit()
    request.check(flight.now_ns)
    for datagram in request.data_to_send():
        flight.autopilot._orders.clear()
        flight.autopilot.receive(datagram, flight.now_ns)
    assert flight.until(events.AuditRevoked) == events.AuditRevoked("GUID_TIMEOUT", 3.0)
    with pytest.raises(LocalProtocolError, match="read_and_audit first"):
        flight.station.arm(flight.now_ns)


def test_a_parameter_that_the_vehicle_does_not_have_is_missing():
    flight = Flight()
    del flight.autopilot.parameters["WP_SPD"]  # as before 4.7
    flight.connect()
    flight.station.read_and_audit()
    rows = {row.name: row for row in flight.until(events.Audited).audit.rows}
    assert rows["WP_SPD"].verdict == "missing"
    assert rows["WP_SPD_UP"].verdict == "agrees"


def test_parameters_are_asked_for_again_when_answers_are_lost():
    flight = Flight().connect()
    flight.run(1.0)
    flight.down = False
    flight.station.read_and_audit()
    flight.run(0.7)
    flight.down = True
    assert flight.until(events.Audited).audit.passed


# --- the guard


def test_every_command_passes_the_guard():
    seen = []
    flight = Flight(guard=lambda command: seen.append(type(command)))
    flight.fly()
    flight.circle(0.5)
    flight.station.land()
    flight.until(events.Disarmed)
    assert set(seen) >= {SetOrigin, StreamMessage, SetMode, Arm, TakeOff, Target, Land}


@pytest.mark.parametrize("kind", [SetOrigin, SetMode, Arm, TakeOff, Target, Land])
def test_what_the_guard_does_not_permit_is_not_sent(kind):
    closed = False

    def guard(command):
        return "outside the arena" if closed and isinstance(command, kind) else None

    flight = Flight(guard=guard)
    {SetOrigin: flight.connect, SetMode: flight.connect, Arm: flight.prepare}.get(
        kind, flight.arm if kind is TakeOff else flight.fly
    )()
    flight.run(0.1)
    closed = True
    calls, targets = list(flight.vehicle.calls), len(flight.vehicle.targets)
    mode = flight.autopilot.mode
    act = {
        SetOrigin: lambda: flight.station.set_origin(ORIGIN, flight.now_ns),
        SetMode: lambda: flight.station.set_mode(Mode.GUIDED),
        Arm: lambda: flight.station.arm(flight.now_ns),
        TakeOff: lambda: flight.station.take_off(1.0),
        Target: lambda: flight.station.send_target(target((9.0, 9.0, 9.0)), flight.now_ns),
        Land: lambda: flight.station.land(),
    }[kind]
    act()
    blocked = flight.until(events.Blocked)
    assert isinstance(blocked.command, kind)
    assert blocked.reason == "outside the arena"
    flight.run(1.0)
    assert flight.vehicle.calls == calls
    assert len(flight.vehicle.targets) == targets
    assert flight.autopilot.mode is mode
    assert flight.autopilot._origin is None or kind is not SetOrigin


# --- numbers that are none


NUMBERS = (math.nan, math.inf, -math.inf, 1e39)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_number_that_is_none_leaves_in_a_target(number):
    flight = Flight().fly()
    good = target((1.0, 1.0, 1.0))
    spoilt = [replace(good, yaw=number)]
    for name in ("p_LV", "v_LV", "a_LV"):
        for axis in range(3):
            vector = [0.0, 0.0, 1.0]
            vector[axis] = number
            spoilt.append(replace(good, **{name: tuple(vector)}))
    flight.station.data_to_send()
    for each in spoilt:
        with pytest.raises(LocalProtocolError, match="finite"):
            flight.station.send_target(each, flight.now_ns + 20_000_000)
    assert flight.station.data_to_send() == []
    assert flight.station.send_target(good, flight.now_ns + 20_000_000)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_number_that_is_none_leaves_in_a_pose_or_command(number):
    flight = Flight().arm()
    flight.poses = False
    flight.step()
    good = Pose(ZERO, LEVEL, ZERO, ZERO)
    for name, value in (
        ("p_LV", (number, 0.0, 0.0)),
        ("v_LV", (0.0, number, 0.0)),
        ("w_LV_V", (0.0, 0.0, number)),
        ("q_LV", (number, 0.0, 0.0, 0.0)),
    ):
        with pytest.raises(LocalProtocolError):
            flight.station.send_pose(replace(good, **{name: value}), flight.now_ns + 20_000_000)
    with pytest.raises(LocalProtocolError, match="height above 0"):
        flight.station.take_off(-1.0)
    if not math.isfinite(number):
        with pytest.raises(LocalProtocolError, match="height above 0"):
            flight.station.take_off(number)
    flight.station.data_to_send()
    assert flight.station.data_to_send() == []


def test_an_origin_off_the_earth_is_not_sent():
    flight = Flight().connect()
    for origin in (replace(ORIGIN, latitude_deg=91.0), replace(ORIGIN, longitude_deg=math.nan)):
        with pytest.raises(LocalProtocolError, match="on Earth"):
            flight.station.set_origin(origin, flight.now_ns)
    with pytest.raises(LocalProtocolError, match="altitude"):
        flight.station.set_origin(replace(ORIGIN, altitude_m=math.nan), flight.now_ns)
