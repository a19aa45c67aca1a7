"""Several firmwares in lock-step with one physics: on a fake wire, then on sockets."""

import threading

import numpy as np
import pytest
from tests.links.firmware import RATE_HZ, Firmware

from proxops.assembly.arena import arena_of, load_arena
from proxops.core.errors import InputError
from proxops.facility.arena.served import ServedPhysics
from proxops.links.errors import RemoteProtocolError
from proxops.links.json_physics import MotorCommands, PhysicsState, motor_commands_packet
from proxops.links.physics_server import SILENCE_NS, PhysicsServer
from proxops.links.udp import UdpLink
from proxops.serving.arena_physics import INSTANCE, Listening, check_listening, serve

ZERO = (0.0, 0.0, 0.0)


class Counting:
    """A physics that counts its steps."""

    def __init__(self) -> None:
        self.time, self.log = 0, []

    def restart(self, which):
        self.log.append(f"restart {which}")

    def stop(self, which):
        self.log.append(f"stop {which}")

    def command(self, which, pulse_us):
        self.log.append(f"command {which} {pulse_us[0]}")

    def advance(self, rate_hz):
        self.time += 1
        self.log.append(f"advance {rate_hz}")

    def state(self, which):
        return PhysicsState(self.time, ZERO, ZERO, (float(which), 0, 0), (1, 0, 0, 0), ZERO)


def ask(frame: int, pulse_us: int = 1500, rate_hz: int = RATE_HZ) -> bytes:
    return motor_commands_packet(MotorCommands(rate_hz, frame, (pulse_us,) * 16))


def test_a_step_is_taken_once_all_have_asked_and_all_are_answered():
    physics = Counting()
    server = PhysicsServer(physics, 2)
    server.receive(0, ask(0), 0)
    assert [which for which, _ in server.data_to_send()] == [0]  # the other takes no part yet
    server.receive(1, ask(0), 0)
    assert server.data_to_send() == []
    server.receive(0, ask(1, 1600), 1)
    assert [which for which, _ in server.data_to_send()] == [0, 1]
    assert physics.log[-3:] == ["command 0 1600", "command 1 1500", "advance 1200"]
    assert server.steps == 2


def test_a_repeated_question_has_the_same_answer_and_takes_no_step():
    physics = Counting()
    server = PhysicsServer(physics, 1)
    server.receive(0, ask(0), 0)
    first = server.data_to_send()
    server.receive(0, ask(0), 1)
    assert server.data_to_send() == first
    assert physics.time == 1


def test_one_that_waits_for_another_and_asks_again_is_not_answered_twice():
    server = PhysicsServer(Counting(), 2)
    server.receive(0, ask(0), 0)
    server.receive(1, ask(0), 0)
    server.data_to_send()
    server.receive(1, ask(0), 1)  # waits for vehicle 1, and asks again
    assert server.data_to_send() == []
    server.receive(0, ask(1), 1)
    assert [which for which, _ in server.data_to_send()] == [0, 1]


def test_a_firmware_that_starts_anew_finds_its_vehicle_where_it_began():
    physics = Counting()
    server = PhysicsServer(physics, 1)
    for frame in (0, 1, 2, 0):
        server.receive(0, ask(frame), 0)
    assert physics.log.count("restart 0") == 2


def test_an_old_packet_moves_nothing():
    physics = Counting()
    server = PhysicsServer(physics, 1)
    for frame in (0, 1, 2, 1):
        server.receive(0, ask(frame), 0)
    assert physics.time == 3
    assert server.rejected == 1


def test_one_that_is_silent_stops_its_rotors_and_the_other_goes_on():
    physics = Counting()
    server = PhysicsServer(physics, 2)
    server.receive(0, ask(0), 0)
    server.receive(1, ask(0), 0)
    server.receive(0, ask(1), 0)
    server.data_to_send()
    server.receive(0, ask(2), SILENCE_NS)  # waits for vehicle 2
    assert server.data_to_send() == []
    assert server.check(SILENCE_NS + 1) == [1]
    assert [which for which, _ in server.data_to_send()] == [0]
    assert "stop 1" in physics.log
    assert server.happened()[-1] == "vehicle 2: silent, its rotors stop"
    server.receive(1, ask(1), SILENCE_NS + 2)  # it was busy: its vehicle is not put back
    assert server.takes_part(1)
    assert physics.log.count("restart 1") == 1


def test_garbage_is_no_packet_and_no_sign_of_life():
    server = PhysicsServer(Counting(), 1)
    with pytest.raises(RemoteProtocolError):
        server.receive(0, b"\x1a\x48 not a packet", 0)
    assert not server.takes_part(0)
    assert server.rejected == 1


@pytest.mark.parametrize(
    ("where", "word"),
    [
        (Listening(host="0.0.0.0"), "--only-from ADDRESS"),
        (Listening(host="somewhere"), "write an address as 127.0.0.1"),
        (Listening(port=65530), "choose one from 1 to 65525"),
        (Listening(port=0), "choose one from 1"),
    ],
)
def test_addresses_that_are_none_and_other_machines_are_rejected_in_words(where, word):
    with pytest.raises(InputError, match=word):
        check_listening(where, 2)


# --- our vehicles, on sockets

PLACES = np.array([[0.0, -5.0, 0.0], [1.8, 0.0, 0.0]])


class Serving:
    """The shipped arena served in a thread, and who listens to its motion capture."""

    def __enter__(self):
        self.poses = UdpLink(("127.0.0.1", 0))
        with UdpLink(("127.0.0.1", 0)) as free:
            port = free.address[1]
        self.physics = ServedPhysics(
            arena_of(load_arena("flight-arena").file), PLACES, np.zeros(2), 0
        )
        where = Listening(port=port, poses=self.poses.address)
        self.on, self.said = True, []
        self.thread = threading.Thread(
            target=serve, args=(self.physics, 2, where, self.said.append, lambda: self.on)
        )
        self.thread.start()
        while not self.said:  # until the ports are open
            self.thread.join(0.01)
        self.firmwares = [Firmware(("127.0.0.1", port + INSTANCE * i)) for i in range(2)]
        return self

    def __exit__(self, *_):
        self.on = False
        self.thread.join()
        for each in (*self.firmwares, self.poses):
            each.close()

    def step(self, pulse_us: int = 1000) -> list[dict]:
        for each in self.firmwares:
            each.send(pulse_us)
        return [each.take() for each in self.firmwares]


@pytest.fixture(scope="module")
def flown():
    """Both stand, then climb on 1450 µs, more than the 1413 µs of a hover; strangers write."""
    with Serving() as serving:
        serving.firmwares[0].send()
        serving.firmwares[0].take()  # alone
        serving.firmwares[1].send()
        while len(serving.said) < 3:  # until it takes part
            serving.thread.join(0.01)
        serving.firmwares[0].send()
        joined = [each.take() for each in serving.firmwares]
        stand = [joined, *(serving.step() for _ in range(600))]
        stranger = Firmware(serving.firmwares[0].server)
        stranger.send(2000)
        climb = [serving.step(1450) for _ in range(600)]
        stranger.close()
        poses = []
        for _ in range(4):
            poses += serving.poses.receive()
        yield serving, stand, climb, poses


def test_a_vehicle_stands_and_its_accelerometer_shows_what_carries_it(flown):
    _, stand, _, _ = flown
    for which in range(2):
        lines = [each[which] for each in stand[300:]]
        assert (
            np.abs([line["position"][2] - 1e-3 for line in lines]).max() < 1e-5
        )  # sunk in by 1 mm
        force = np.mean([line["imu"]["accel_body"] for line in lines], axis=0)
        # 0.5 m/s² on a 400 Hz sample, √3 times that on one of 1200 Hz; three sigma of 300 of them
        assert np.abs(force - [0.0, 0.0, -9.80665]).max() < 3.0 * 0.5 * 3.0**0.5 / 300**0.5
    assert stand[0][0]["position"][1] == pytest.approx(5.0, abs=1e-6)  # y is to the left


def test_vibration_has_the_same_density_at_another_rate(flown):
    _, stand, _, _ = flown
    forces = np.array([each[1]["imu"]["accel_body"] for each in stand[300:]])
    # 900 numbers: their standard deviation is known to 1/√1800
    assert forces.std(axis=0).mean() == pytest.approx(0.5 * 3.0**0.5, rel=4.0 / 1800**0.5)


def test_both_times_are_their_own_and_go_on_by_the_step_asked_for(flown):
    _, stand, _, _ = flown
    first, second = stand[0]
    assert first["timestamp"] == pytest.approx(2 / RATE_HZ)
    assert second["timestamp"] == pytest.approx(1 / RATE_HZ)
    assert stand[1][0]["timestamp"] - first["timestamp"] == pytest.approx(1 / RATE_HZ)


def test_pulses_are_thrusts_in_shares_of_the_largest(flown):
    _, _, climb, _ = flown
    craft = load_arena("flight-arena").file.vehicle
    lift = 6 * 0.45 * craft.max_thrust_N * np.cos(np.radians(25.0)) / craft.mass_kg
    # z = ½ a (t² - 2 τ t + 2 τ²) behind a rotor's lag τ; leaves the floor a little later
    t, lag = 0.5, craft.rotor_lag_s
    risen = 0.5 * (lift - 9.80665) * (t**2 - 2.0 * lag * t + 2.0 * lag**2)
    assert -climb[-1][1]["position"][2] == pytest.approx(risen, rel=0.35)
    assert climb[-1][1]["velocity"][2] < -0.2


def test_a_stranger_is_dropped(flown):
    serving, _, climb, _ = flown
    assert len(climb) == 600
    assert serving.said[1:3] == ["vehicle 1: firmware at 1200 Hz", "vehicle 2: firmware at 1200 Hz"]


def test_poses_are_what_motion_capture_saw_ten_milliseconds_ago(flown):
    from proxops.links.pose_datagram import read_pose_datagram

    _, stand, _, datagrams = flown
    poses = [read_pose_datagram(each) for each in datagrams]
    times = [pose.time_s for pose in poses if pose.vehicle == 2]
    assert np.diff(times) == pytest.approx(0.01, abs=1.01 / RATE_HZ)
    before = [pose for pose in poses if pose.vehicle == 2 and 0.25 < pose.time_s < 0.5]
    error = np.array([pose.p_LV for pose in before]) - [1.8, 0.0, -1e-3]
    assert error.std() == pytest.approx(2e-4, rel=0.3)  # 75 numbers
    assert poses[-1].time_s < 1202 / RATE_HZ - 0.01 + 1.0 / RATE_HZ
    assert len(stand) == 601
