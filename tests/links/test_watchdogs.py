"""What each end does when the other, the pose or the targets stop."""

import pytest
from tests.links.flying import ZERO, FakeVehicle, Flight, permit_all, target

from proxops.links.mavlink import events
from proxops.links.mavlink.autopilot import POSE_FAILSAFE_S
from proxops.links.mavlink.content import Mode, Phase
from proxops.links.mavlink.ground_station import GroundStation


def seconds_until(flight: Flight, kind: type) -> float:
    start = flight.now_ns
    flight.until(kind)
    return (flight.now_ns - start) / 1e9


def test_a_lost_pose_begins_a_landing_within_half_a_second():
    flight = Flight().fly()
    flight.circle(1.0)
    flight.poses = False
    start = flight.now_ns
    while "land" not in flight.vehicle.calls:
        flight.circle(0.02)
    # 0.2 s of patience, one cycle to see it and send
    assert 0.2 < (flight.now_ns - start) / 1e9 <= 0.24
    assert any(isinstance(event, events.PoseLost) for event in flight.happened)
    flight.until(events.Disarmed)


def test_a_pose_that_comes_in_time_does_not_land():
    flight = Flight().fly()
    for _ in range(20):  # one pose in 200 ms
        flight.poses = False
        flight.run(0.18)
        flight.poses = True
        flight.step()
    assert flight.station.phase is Phase.FLYING
    assert flight.vehicle.calls == ["arm", "take_off"]


def test_when_targets_end_the_vehicle_is_held_at_the_last_one():
    flight = Flight().fly()
    flight.circle(1.0)
    last = flight.vehicle.targets[-1]
    assert last.v_LV != ZERO
    delay_s = seconds_until(flight, events.TargetsEnded)
    assert 0.08 <= delay_s <= 0.12
    flight.run(2.0)
    held = flight.vehicle.targets[-1]
    assert (held.p_LV, held.v_LV, held.a_LV) == (last.p_LV, ZERO, ZERO)
    assert "hold" not in flight.vehicle.calls  # the vehicle's own time-out was not needed
    ended = [event for event in flight.happened if isinstance(event, events.TargetsEnded)]
    assert len(ended) == 1
    flight.circle(0.2)  # and goes on when they come again
    assert flight.vehicle.targets[-1].v_LV != ZERO


def test_targets_during_a_landing_are_not_sent():
    flight = Flight().fly()
    flight.circle(0.5)
    flight.station.land()
    count = len(flight.vehicle.targets)
    assert not flight.station.send_target(target((1.0, 0.0, 1.0)), flight.now_ns)
    flight.run(0.5)
    assert len(flight.vehicle.targets) == count


def test_landing_is_repeated_until_the_vehicle_does():
    flight = Flight().fly()
    flight.autopilot.parameters["FS_GCS_ENABLE"] = 0.0
    flight.up = False
    flight.station.land()
    flight.run(1.9)
    assert "land" not in flight.vehicle.calls
    flight.up = True
    flight.run(0.6)
    assert "land" in flight.vehicle.calls


def test_a_silent_vehicle_is_lost_and_commanded_to_land():
    flight = Flight().fly()
    flight.down = False
    lost = flight.until(events.LinkLost)
    assert 3.0 < lost.silence_s < 3.1
    flight.run(0.1)
    assert flight.vehicle.calls[-1] == "land"
    flight.down = True
    flight.until(events.Connected)
    flight.run(2.0)
    assert flight.station.phase is Phase.READY


def test_a_vehicle_lost_on_the_ground_is_audited_anew():
    flight = Flight().prepare()
    flight.down = False
    flight.until(events.LinkLost)
    assert flight.station.phase is Phase.SEARCHING
    assert flight.station.audit is None
    flight.down = True
    flight.prepare()
    assert flight.station.phase is Phase.READY


def test_a_low_battery_lands():
    flight = Flight(vehicle=FakeVehicle(battery=0.5)).fly()
    flight.vehicle.battery = 0.19
    assert flight.until(events.BatteryLow).battery == 0.19
    flight.run(0.1)
    assert flight.vehicle.calls[-1] == "land"


def test_a_vehicle_that_lands_by_itself_is_not_given_targets():
    flight = Flight().fly()
    flight.circle(0.2)
    flight.autopilot._land(flight.now_ns, "Battery Failsafe")
    count = len(flight.vehicle.targets)
    flight.run(0.1)
    assert flight.station.phase is Phase.LANDING
    assert not flight.station.send_target(target((1.0, 0.0, 1.0)), flight.now_ns)
    assert len(flight.vehicle.targets) == count
    texts = [event.text for event in flight.happened if isinstance(event, events.StatusText)]
    assert "Battery Failsafe" in texts


def test_a_station_that_starts_anew_can_land_what_flies():
    flight = Flight().fly()
    flight.station = GroundStation(permit_all)
    flight.connect()
    assert flight.station.phase is Phase.CONNECTED
    flight.station.land()
    flight.until(events.Disarmed)
    assert flight.vehicle.calls[-2:] == ["land", "disarm"]
    assert flight.station.phase is Phase.CONNECTED  # not audited


# --- the autopilot's own failsafes, as its parameters have them


def alone(**parameters: float) -> Flight:
    """In flight with a station that has fallen silent."""
    flight = Flight().fly()
    flight.circle(0.5)
    flight.autopilot.parameters |= parameters
    flight.up = False
    return flight


@pytest.mark.parametrize("timeout_s", [0.3, 3.0])
def test_the_vehicle_holds_when_targets_stop_for_its_time_out(timeout_s):
    flight = alone(GUID_TIMEOUT=timeout_s, FS_GCS_ENABLE=0.0)
    flight.run(timeout_s - 0.04)
    assert "hold" not in flight.vehicle.calls
    flight.run(0.1)
    assert flight.vehicle.calls[-1] == "hold"


def test_the_vehicle_lands_2_s_after_the_last_heartbeat():
    flight = alone()
    flight.run(1.4)  # heartbeats come every half second
    assert flight.autopilot.mode is Mode.GUIDED
    flight.run(0.7)
    assert flight.autopilot.mode is Mode.LAND


def test_without_the_failsafe_a_silent_station_changes_nothing():
    flight = alone(FS_GCS_ENABLE=0.0)
    flight.run(POSE_FAILSAFE_S - 0.5)
    assert flight.autopilot.mode is Mode.GUIDED
    flight.run(1.0)  # then the estimator fails
    assert flight.autopilot.mode is Mode.LAND
