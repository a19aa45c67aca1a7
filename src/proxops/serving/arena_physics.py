"""A server of an arena's physics for ArduPilot's firmware: JSON over UDP, in lock-step."""

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from ipaddress import ip_address
from select import select
from time import monotonic_ns

from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.facility.arena.served import ServedPhysics
from proxops.links.errors import RemoteProtocolError
from proxops.links.physics_server import PhysicsServer
from proxops.links.pose_datagram import pose_datagram
from proxops.links.udp import Address, UdpLink

INSTANCE = 10  # by how much the ports of the firmware's next instance are higher
HIGHEST_PORT = 65535
WAIT_S = 0.2
STATUS_NS = NS_PER_S
ANY_PORT = 0


@dataclass(frozen=True)
class Listening:
    """Where a server listens, and to whom."""

    host: str = "127.0.0.1"
    port: int = 9002  # of the first vehicle
    only_from: str | None = None  # another machine than this one
    poses: Address = ("127.0.0.1", 14555)  # who is sent what motion capture sees


def check_listening(where: Listening, vehicles: int) -> None:
    """Rejects addresses that are none, and other machines unless they are named."""
    for host in (where.host, where.only_from or where.host):
        try:
            ip_address(host)
        except ValueError:
            raise InputError(f"write an address as 127.0.0.1, found {host!r}") from None
    if not ip_address(where.host).is_loopback and where.only_from is None:
        raise InputError(
            f"--host {where.host}: name the one machine that may ask with --only-from ADDRESS, or "
            "leave both out: then only this machine is answered"
        )
    last = where.port + INSTANCE * (vehicles - 1)
    if not 1 <= where.port <= HIGHEST_PORT or last > HIGHEST_PORT:
        highest = HIGHEST_PORT - INSTANCE * (vehicles - 1)
        raise InputError(
            f"--port {where.port}: choose one from 1 to {highest}: vehicles are {INSTANCE} apart"
        )


def serve(
    physics: ServedPhysics,
    vehicles: int,
    where: Listening,
    say: Callable[[str], None],
    goes_on: Callable[[], bool] = lambda: True,
) -> None:
    """Serves until Ctrl-C, or until `goes_on` says no."""
    check_listening(where, vehicles)
    server, status = PhysicsServer(physics, vehicles), _Status(physics, say)
    with ExitStack() as stack:
        links = [
            stack.enter_context(
                UdpLink((where.host, where.port + INSTANCE * i), None, where.only_from)
            )
            for i in range(vehicles)
        ]
        family = "::1" if ip_address(where.poses[0]).version == 6 else "127.0.0.1"
        own = (family, ANY_PORT) if ip_address(where.poses[0]).is_loopback else (where.host, 0)
        poses = stack.enter_context(UdpLink(own, where.poses))
        ports = " and ".join(f"{host}:{port}" for host, port in (link.address for link in links))
        say(f"physics at {ports}; poses go to {where.poses[0]}:{where.poses[1]}; Ctrl-C ends it")
        while goes_on():
            waiting = select(links, [], [], WAIT_S)[0]
            now_ns = monotonic_ns()
            for which, link in enumerate(links):
                if link in waiting:
                    _take(server, which, link, now_ns)
            for which in server.check(now_ns):
                links[which].peer = None  # a firmware that starts anew has another port
            for which, answer in server.data_to_send():
                links[which].send([answer])
            poses.send([pose_datagram(pose) for pose in physics.poses()])
            for text in server.happened():
                say(text)
            status.show(server, sum(link.strangers for link in links), now_ns)


def _take(server: PhysicsServer, which: int, link: UdpLink, now_ns: int) -> None:
    unknown = not server.takes_part(which)
    for packet in link.receive():
        try:
            server.receive(which, packet, now_ns)
        except RemoteProtocolError:
            if unknown and not server.takes_part(which):
                link.peer = None  # it is no firmware: the next one may be


class _Status:
    """A line a second, written over the last one, where somebody looks."""

    def __init__(self, physics: ServedPhysics, say: Callable[[str], None]) -> None:
        self._physics, self._say = physics, say
        self._shown_ns, self._time_s = monotonic_ns(), 0.0
        self._looked_at = sys.stderr.isatty()

    def show(self, server: PhysicsServer, strangers: int, now_ns: int) -> None:
        """Time of the physics, how fast it goes, heights, what was dropped."""
        since = now_ns - self._shown_ns
        if not self._looked_at or since < STATUS_NS:
            return
        pace = (self._physics.time_s - self._time_s) * NS_PER_S / since
        self._shown_ns, self._time_s = now_ns, self._physics.time_s
        heights = ", ".join(
            f"{height:.2f} m" if server.takes_part(which) else "no firmware"
            for which, height in enumerate(self._physics.heights)
        )
        line = f"{self._time_s:.1f} s, {pace:.2f} x real time; vehicles at {heights}"
        if server.rejected or strangers:
            line += f"; dropped {server.rejected} packets, {strangers} of strangers"
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
