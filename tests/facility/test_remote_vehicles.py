"""Vehicles outside of this process: virtual autopilots at the other end of a wire."""

import numpy as np
import pytest

import proxops
from proxops.assembly.arena import arena_of, fence_of, mapping_of
from proxops.core.by_address import pinned
from proxops.core.errors import InputError, StoppedError
from proxops.core.interrupt import Interrupted, listening
from proxops.facility.arena.guard import GUARD, LINK, NOTHING, REASON
from proxops.facility.arena.guarded import fly_guarded, stand
from proxops.facility.arena.lab import Drawn, arena_lab, in_blocks
from proxops.facility.arena.link import ArenaLink
from proxops.facility.arena.memory import CHARGE, LANDED
from proxops.facility.arena.procedure import prepare, put_away, standing_places
from proxops.facility.arena.reasons import why_ended
from proxops.facility.arena.remote_vehicles import RemoteVehicles
from proxops.facility.arena.stations import audited, stations_of, statistics_of
from proxops.facility.arena.vehicle import flight
from proxops.facility.arena.watch import OFF_COURSE
from proxops.links.arena_wire import ArenaWire, parse_links
from proxops.links.mavlink import events
from proxops.links.mavlink.autopilot import DEFAULTS
from proxops.links.mavlink.content import Mode, Target
from proxops.links.udp import UdpLink
from proxops.scenario.schema.arena import InArena
from proxops.sim import recorded_run
from proxops.sim.worlds.flown import ArenaWorld
from proxops.sim.worlds.linked import close
from tests.facility.arena_cases import CYCLES, circle, shipped
from tests.links.counterpart import Counterpart, FakeWire, OnSockets
from tests.links.flying import FakeVehicle

TIMES, TARGETS = circle(30.0, turns=0.2)
ZERO = (0.0, 0.0, 0.0)


class Remote:
    """An arena whose vehicles are elsewhere, on a fake wire."""

    def __init__(self, make=Counterpart, before=lambda: None, changed=lambda arena: arena) -> None:
        given = shipped()
        arena = changed(arena_of(given))
        self.drawn = Drawn(0, 4000 * CYCLES)
        state = flight(arena, TARGETS[0, :, :3], np.zeros(2))
        fence = fence_of(given)
        self.lab = arena_lab(arena, state, mapping_of(given, InArena()), fence, self.drawn)
        self.lab.commands[:] = TARGETS[0]
        self.other = make(standing_places(self.lab)[0])
        self.wire = FakeWire(self.other, before)
        self.link = ArenaLink(self.lab, RemoteVehicles(self.lab, self.wire))

    def begin(self):
        return prepare(self.lab, self.drawn, self.link)

    def fly(self, targets):
        states = in_blocks(fly_guarded, self.lab, self.drawn, targets, CYCLES)
        self.link.raise_failure()
        return states


@pytest.fixture(scope="module")
def flew():
    remote = Remote()
    before = remote.begin()
    states = remote.fly(TARGETS[:600])
    return remote, before, states, put_away(remote.lab, remote.drawn, remote.link)


def test_both_are_audited_armed_flown_and_landed(flew):
    remote, before, _, after = flew
    names = [state.name for state in (*before, *after)]
    assert names == [
        "audit", "arm", "take off", "move to start", "engage", "stop", "land", "disarm"
    ]  # fmt: skip
    assert {state.verdict for state in (*before, *after)} == {"passed"}
    assert (remote.lab.flight.modes == LANDED).all()
    assert remote.lab.ended[REASON] == NOTHING
    for vehicle in remote.other.vehicles:
        assert vehicle.calls[:2] == ["arm", "take_off"]
        assert vehicle.calls[-2:] == ["land", "disarm"]


def test_what_is_recorded_is_what_motion_capture_saw_at_that_instant(flew):
    _, _, states, _ = flew
    # vehicles are at their newest target: late by the 20 ms of a step, less 10 ms by which a pose
    # is moved on; at 0.38 m/s that is below 12 mm, and a jump would be more
    apart = np.linalg.norm(states[1:, 1, :3] - TARGETS[1:600, 1, :3], axis=1)
    assert apart.max() < 0.012
    speed = np.linalg.norm(states[500:, 1, 3:6], axis=1)
    assert speed == pytest.approx(np.linalg.norm(TARGETS[500:600, 1, 3:6], axis=1), rel=0.02)
    assert np.isnan(states[:, :, 13:]).all()  # nobody measures thrusts


def test_odometry_carries_the_poses_that_came(flew):
    remote, _, _, _ = flew
    poses = remote.other.vehicles[1].poses
    assert len(poses) > 600
    assert max(pose.p_LV[2] for pose in poses) == pytest.approx(3.0, abs=1e-6)


def test_a_vehicle_with_the_parameters_of_the_factory_is_not_armed():
    remote = Remote(lambda places: Counterpart(places, dict(DEFAULTS)))
    with pytest.raises(StoppedError, match="cannot audit: vehicle 1: set GUID_TIMEOUT"):
        remote.begin()
    assert remote.other.vehicles[0].calls == []


def test_a_vehicle_that_refuses_to_arm_is_quoted_and_the_other_is_disarmed():
    def one_refuses(places):
        vehicles = [FakeVehicle(p=tuple(map(float, place))) for place in places]
        vehicles[1].refusal = "Gyros inconsistent"
        return Counterpart(places, vehicles=vehicles)

    remote = Remote(one_refuses)
    remote.link.vehicles.patience_s = 3.0
    with pytest.raises(StoppedError, match=r"cannot arm: vehicle 2: .*PreArm: Gyros inconsistent"):
        remote.begin()
    remote.link.close()
    assert remote.wire.closed
    assert not any(autopilot.armed for autopilot in remote.other.autopilots)


def test_a_vehicle_that_stands_elsewhere_is_not_flown():
    remote = Remote(lambda places: Counterpart(np.add(places, [0.5, 0.0, 0.0])))
    with pytest.raises(StoppedError, match=r"put vehicle 1 at .* motion capture sees it at"):
        remote.begin()


def test_without_motion_capture_the_port_is_named():
    remote = Remote()
    remote.other.blind = True
    with pytest.raises(StoppedError, match=r"no pose of vehicle 1 and 2 .*127.0.0.1:14555"):
        remote.begin()


@pytest.mark.parametrize("what", ["blind", "silent"])
def test_a_motion_capture_or_a_vehicle_that_is_lost_lands_both(what):
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:100])
    setattr(remote.other, what, True)
    remote.fly(TARGETS[100 : 100 + 50 * 5])
    assert remote.lab.ended[REASON] == LINK
    lost = events.PoseLost if what == "blind" else events.LinkLost
    assert any(isinstance(event, lost) for _, event in remote.link.happened)
    assert all("land" in vehicle.calls for vehicle in remote.other.vehicles)
    oldest = max(link.max_pose_age_s for link in statistics_of(remote.link.stations))
    assert (0.2 < oldest < 0.25) == (what == "blind")


def test_a_vehicle_that_does_not_go_where_it_is_sent_lands_both():
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:500])
    remote.other.vehicles[1].set_target = lambda _: None
    remote.fly(TARGETS[500:])
    assert remote.lab.ended[REASON] == OFF_COURSE
    assert "the chaser's vehicle is 0.5" in why_ended(remote.lab)
    assert all("land" in vehicle.calls for vehicle in remote.other.vehicles)


def test_a_vehicle_that_disarms_in_the_air_lands_the_other():
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:50])
    remote.other.autopilots[0].armed = False
    remote.fly(TARGETS[50:150])
    assert remote.lab.ended[REASON] == LINK
    assert "land" in remote.other.vehicles[1].calls


def test_a_vehicle_that_a_pilot_takes_over_is_his_and_the_other_lands():
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:50])
    remote.other.autopilots[0].mode = Mode.STABILIZE
    remote.fly(TARGETS[50:150])
    assert remote.lab.ended[REASON] == LINK
    assert "land" in remote.other.vehicles[1].calls
    assert "land" not in remote.other.vehicles[0].calls


def test_once_the_guard_has_stopped_both_nothing_follows_but_the_landing():
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:100])
    beyond = TARGETS[100:400].copy()
    beyond[:, 1, 0] += 20.0
    remote.fly(beyond)
    assert remote.lab.ended[REASON] == GUARD
    for vehicle in remote.other.vehicles:
        assert "land" in vehicle.calls
        assert vehicle.targets[-1].p_LV[2] == pytest.approx(3.0, abs=0.01)  # held where it stopped


def test_a_link_that_is_closed_in_the_air_lands_both_and_says_that_it_waits(caplog):
    remote = Remote()
    remote.begin()
    assert caplog.messages == []
    poses = [len(vehicle.poses) for vehicle in remote.other.vehicles]
    close(remote.link)
    for vehicle, before in zip(remote.other.vehicles, poses, strict=True):
        assert vehicle.calls[-2:] == ["land", "disarm"]
        assert len(vehicle.poses) > before + 10  # until it stands
    (said,) = caplog.messages
    assert "poses are sent to them until they stand, for at most 60 s" in said


def test_a_flight_that_was_kept_waiting_goes_on_where_the_mission_would_be():
    remote = Remote()
    remote.begin()
    remote.fly(TARGETS[:550])
    vehicle = remote.other.vehicles[1]
    kept, so_far = vehicle.p, len(vehicle.targets)
    for _ in range(20):  # 0.2 s of the cameras, in which nobody sends
        _, poses = remote.other.step([[], []])
        for datagram in poses:
            remote.link.vehicles._take_pose(datagram)
    remote.fly(TARGETS[550:575])
    # the first target is as much farther as 0.377 m/s make of that, and of a step
    gone = np.linalg.norm(np.subtract(vehicle.targets[so_far].p_LV, kept))
    assert gone == pytest.approx(0.377 * 0.22, abs=0.377 * 0.015)
    assert not any(isinstance(event, events.TargetsEnded) for _, event in remote.link.happened)
    assert vehicle.p == pytest.approx(TARGETS[574, 1, :3], abs=0.377 * 0.025)


def free_port() -> int:
    with UdpLink(("127.0.0.1", 0)) as free:
        return free.address[1]


@pytest.mark.slow
def test_a_rehearsal_over_sockets_records_what_was_flown(tmp_path):
    short = {"time.duration_s": 2.0, "time.phases.circle.until_s": 2.0}
    scenario = proxops.load("arena-circle").replace(short)
    link = f"udp://127.0.0.1:{free_port()}"
    places = [[0.0, 0.0, 0.0], [1.8, -0.565, 0.0]]
    with OnSockets(Counterpart(places), parse_links(link)):
        run = proxops.rehearse(scenario, "flight-arena", link=link, out=tmp_path / "run")
    names = [state.name for state in run.procedure]
    assert names[:3] == ["audit", "arm", "take off"]
    assert names[-3:] == ["stop", "land", "disarm"]
    assert run.outcome in ("passed", "failed")  # the thread may be late
    assert run.provenance["link"] == link
    p = proxops.open(tmp_path / "run")["lab.p_LCl"][1]
    assert np.abs(np.linalg.norm(p[:, :2], axis=1) - 1.8).max() < 0.1


def test_a_port_in_use_is_said():
    with UdpLink(("127.0.0.1", 0)) as taken:
        port = taken.address[1]
        with pytest.raises(InputError, match="choose another port"):
            ArenaWire(parse_links(f"udp://127.0.0.1:{port}"))
    ArenaWire(parse_links(f"udp://127.0.0.1:{port}")).close()  # nothing was left open


def test_links_of_both_vehicles_and_of_poses():
    assert parse_links("udp://127.0.0.1:14550") == (
        ("127.0.0.1", 14550), ("127.0.0.1", 14560), ("127.0.0.1", 14555)
    )  # fmt: skip
    three = "udp://127.0.0.1:1001, udp://127.0.0.1:1002, udp://127.0.0.1:1003"
    assert [port for _, port in parse_links(three)] == [1001, 1002, 1003]


@pytest.mark.parametrize(
    ("link", "word"),
    [
        ("udp://127.0.0.1:1,udp://127.0.0.1:1", "give every address once"),
        (",".join(f"udp://127.0.0.1:{port}" for port in range(1, 5)), "at most 3 addresses"),
        ("udp://127.0.0.1:65530", "choose a lower port"),
    ],
)
def test_links_that_cannot_be_are_said(link, word):
    with pytest.raises(InputError, match=word):
        parse_links(link)


def test_a_link_that_is_closed_before_a_heartbeat_shows_the_arming_lands_both():
    remote = Remote()

    def interrupted():
        accepted = all("arm" in vehicle.calls for vehicle in remote.other.vehicles)
        if accepted and not any(each.reported.armed for each in remote.link.stations):
            raise KeyboardInterrupt

    remote.wire._before = interrupted
    with pytest.raises(KeyboardInterrupt):
        remote.begin()
    assert not any(each.reported.armed for each in remote.link.stations)
    remote.wire._before = lambda: None
    remote.link.close()
    assert not any(autopilot.armed for autopilot in remote.other.autopilots)
    assert not any(each.may_be_armed for each in remote.link.stations)
    assert remote.wire.closed


def test_frames_and_delays_of_both_links_are_counted(flew):
    remote = flew[0]
    for which, link in enumerate(statistics_of(remote.link.stations)):
        station = remote.link.stations[which]
        assert link.vehicle == ("target", "chaser")[which]
        assert link.sent == station.statistics.sent > 600  # a target each, and heartbeats
        assert link.received == station.statistics.received > 600  # 50 Hz of telemetry
        assert (link.lost, link.stale, link.rejected) == (0, 0, 0)
        assert 0.0 < link.round_trip_s < 0.05
        assert link.max_pose_age_s < 0.05


def test_an_autopilot_that_expects_quicker_cameras_than_the_facility_has_is_not_armed():
    def slow_cameras(arena):
        return arena._replace(sensing=arena.sensing._replace(delay=16))  # 40 ms

    remote = Remote(changed=slow_cameras)
    with pytest.raises(StoppedError, match=r"set VISO_DELAY_MS to 35 to 45 \(is 10\)"):
        remote.begin()


def test_a_vehicle_that_drifts_while_it_takes_off_by_itself_lands():
    class Drifts(FakeVehicle):
        def advance(self, dt):
            super().advance(dt)
            if "take_off" in self.calls and "land" not in self.calls:
                self.p = (self.p[0] + 2.0 * dt, self.p[1], min(self.p[2], 0.3))

    def drifting(places):
        return Counterpart(places, vehicles=[Drifts(p=tuple(map(float, p))) for p in places])

    remote = Remote(drifting)
    with pytest.raises(StoppedError, match=r"take-off is broken off: vehicle 1 is 0\.5\d m from"):
        remote.begin()
    remote.link.close()
    assert all("land" in vehicle.calls for vehicle in remote.other.vehicles)


def test_the_charge_is_what_a_vehicle_reports(flew):
    remote = flew[0]
    assert np.isnan(remote.lab.flight.health[:, CHARGE]).all()  # these report none
    for which, station in enumerate(remote.link.stations):
        remote.link.vehicles.note(which, station.phase, False, 0.63)
    assert (remote.lab.flight.health[:, CHARGE] == 0.63).all()


def test_once_in_the_air_stations_send_no_target_to_the_floor():
    remote = Remote()
    low = Target((*TARGETS[0, 0, :2].tolist(), 0.3), ZERO, ZERO, 0.0)
    station = remote.link.stations[0]
    stand(pinned(remote.lab))
    assert station._guard(low) is None
    remote.begin()
    assert "outside the arena's box" in station._guard(low)


def test_limits_of_the_facility_are_audited():
    remote = Remote()
    limits = audited(remote.lab)
    assert (limits.speed_m_s, limits.climb_m_s) == (2.0, 1.0)
    slower = remote.lab._replace(fence=remote.lab.fence._replace(speed=0.6))
    assert (audited(slower).speed_m_s, audited(slower).climb_m_s) == (1.0, 0.5)
    reserve = arena_of(shipped(vehicle__battery__reserve=0.3)).battery
    other = remote.lab._replace(arena=remote.lab.arena._replace(battery=reserve))
    assert [each.station.min_battery for each in stations_of(other, lambda _: None)] == [0.3, 0.3]


def test_ctrl_c_inside_the_callback_of_a_link_is_raised_by_it_and_nowhere_else():
    remote = Remote()
    remote.begin()
    with listening() as ctrl_c:
        ctrl_c._shields += 1
        ctrl_c._hear(2, None)  # as if pressed where the callback begins: nothing is raised there
        ctrl_c._shields -= 1
        with pytest.raises(Interrupted):
            remote.fly(TARGETS[:3])
    remote.link.close()
    assert all(vehicle.calls[-2:] == ["land", "disarm"] for vehicle in remote.other.vehicles)


def test_what_interrupts_a_run_lands_both_before_its_recording_is_kept(monkeypatch, tmp_path):
    order = []
    kept = recorded_run._keep
    monkeypatch.setattr(recorded_run, "_keep", lambda *args: (order.append("kept"), kept(*args))[1])
    monkeypatch.setattr(ArenaLink, "close", lambda self: order.append("landed"))

    def interrupted(*args):
        raise Interrupted

    monkeypatch.setattr(ArenaWorld, "why", interrupted)
    short = {"time.duration_s": 2.0, "time.phases.circle.until_s": 2.0}
    scenario = proxops.load("arena-circle").replace(short)
    with pytest.raises(KeyboardInterrupt):
        proxops.rehearse(scenario, "flight-arena", link="virtual", out=tmp_path / "run")
    assert order[:2] == ["landed", "kept"]
