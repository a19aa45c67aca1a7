"""The sockets of an arena's links: one for each vehicle, one for the poses of motion capture."""

from contextlib import ExitStack
from select import select
from time import monotonic_ns
from urllib.parse import urlsplit

from proxops.core.errors import InputError
from proxops.links.udp import Address, UdpLink, parse_link

VEHICLES = 2
APART = 10  # ports of the vehicles, as of the firmware's instances
POSES = 5  # port of the poses above the first vehicle's
HIGHEST_PORT = 65535


def parse_links(text: str) -> tuple[Address, ...]:
    """Where both vehicles and motion capture are listened to, from `LINK[,LINK[,POSES]]`: the
    second vehicle is ten ports above the first, poses come five above it, unless they are given."""
    given = text.split(",")
    if len(given) > VEHICLES + 1:
        raise InputError(f"link: write at most {VEHICLES + 1} addresses, found {len(given)}")
    found = [parse_link(each.strip()) for each in given]
    host, port = found[0]
    defaults = [(host, port), (host, port + APART), (host, port + POSES)]
    found += defaults[len(found) :]
    if len(set(found)) < len(found):
        raise InputError(f"link: give every address once, found {text!r}")
    if max(each[1] for each in found) > HIGHEST_PORT:
        raise InputError(f"link: choose a lower port: {found[1][1]} is above {HIGHEST_PORT}")
    return tuple(found)


def is_address(link: str) -> bool:
    """Whether a link names sockets."""
    return urlsplit(link).scheme == "udp"


class ArenaWire:
    """Open sockets."""

    def __init__(self, addresses: tuple[Address, ...]) -> None:
        with ExitStack() as stack:
            self._links = [stack.enter_context(UdpLink(address)) for address in addresses]
            self._open = stack.pop_all()
        host, port = addresses[-1]
        self.poses_at = f"udp://{host}:{port}"

    def wait(self, seconds: float) -> tuple[list[tuple[int, bytes]], list[bytes]]:
        """What has come, at the latest after so long: datagrams of vehicles, datagrams of poses."""
        ready = select(self._links, [], [], seconds)[0]
        *vehicles, poses = self._links
        come = [
            (which, datagram)
            for which, link in enumerate(vehicles)
            if link in ready
            for datagram in link.receive()
        ]
        return come, poses.receive() if poses in ready else []

    def send(self, which: int, datagrams: list[bytes]) -> None:
        self._links[which].send(datagrams)

    def now_ns(self) -> int:
        return monotonic_ns()

    def close(self) -> None:
        self._open.close()
