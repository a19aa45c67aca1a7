"""Two virtual autopilots and a motion capture at the other end of a wire, for tests."""

import select
import threading
from collections.abc import Callable

from tests.links.flying import LEVEL, FakeVehicle, audited_parameters

from proxops.core.clock import to_ns
from proxops.links.mavlink.autopilot import Autopilot
from proxops.links.pose_datagram import CapturedPose, pose_datagram
from proxops.links.udp import UdpLink

PERIOD_S = 0.01  # of the motion capture


class Counterpart:
    """Vehicles that are where their targets are, and what cameras see of them."""

    def __init__(self, places, parameters=None, vehicles=None) -> None:
        self.vehicles = vehicles or [FakeVehicle(p=tuple(map(float, each))) for each in places]
        parameters = parameters or audited_parameters()
        self.autopilots = [
            Autopilot(vehicle, parameters, system=i + 1) for i, vehicle in enumerate(self.vehicles)
        ]
        self.time_s = 100.0  # whatever the clock of the cameras shows
        self.blind = self.silent = False
        self.seen: tuple[int, ...] = (0, 1)  # vehicles in the view of the cameras

    def step(self, come: list[list[bytes]]) -> tuple[list[list[bytes]], list[bytes]]:
        """Takes datagrams for each vehicle; theirs and poses, 10 ms later."""
        self.time_s += PERIOD_S
        now_ns, out = to_ns(self.time_s), []
        for vehicle, autopilot, datagrams in zip(self.vehicles, self.autopilots, come, strict=True):
            for datagram in datagrams:
                autopilot.receive(datagram, now_ns)
            vehicle.advance(PERIOD_S)
            autopilot.check(now_ns)
            answers = autopilot.data_to_send()
            out.append([] if self.silent else answers)
        poses = [
            pose_datagram(CapturedPose(i + 1, self.time_s - PERIOD_S, vehicle.p, LEVEL))
            for i, vehicle in enumerate(self.vehicles)
            if i in self.seen
        ]
        return out, [] if self.blind else poses


class FakeWire:
    """A wire without sockets, whose other end is a counterpart; every look is 10 ms of it."""

    poses_at = "udp://127.0.0.1:14555"

    def __init__(self, counterpart: Counterpart, before: Callable[[], None] = lambda: None) -> None:
        self.counterpart, self._before = counterpart, before
        self._out: list[list[bytes]] = [[], []]
        self._wall_ns = 0
        self.closed = False

    def wait(self, seconds: float) -> tuple[list[tuple[int, bytes]], list[bytes]]:
        if seconds == 0.0:
            return [], []
        self._before()
        self._wall_ns += to_ns(PERIOD_S)
        out, self._out = self._out, [[], []]
        come, poses = self.counterpart.step(out)
        return [(which, each) for which in range(2) for each in come[which]], poses

    def send(self, which: int, datagrams: list[bytes]) -> None:
        self._out[which] += datagrams

    def now_ns(self) -> int:
        return self._wall_ns

    def close(self) -> None:
        self.closed = True


class OnSockets:
    """The counterpart in a thread, on sockets of this machine; it goes on by 10 ms with each
    datagram that comes, or after a while without one."""

    def __init__(self, counterpart: Counterpart, addresses) -> None:
        self._counterpart, self._on = counterpart, True
        self._links = [UdpLink(("127.0.0.1", 0), peer=address) for address in addresses]
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "OnSockets":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._on = False
        self._thread.join()
        for link in self._links:
            link.close()

    def _run(self) -> None:
        *vehicles, cameras = self._links
        while self._on:
            select.select(vehicles, [], [], 0.02)
            out, poses = self._counterpart.step([link.receive() for link in vehicles])
            for link, datagrams in zip(vehicles, out, strict=True):
                link.send(datagrams)
            cameras.send(poses)
