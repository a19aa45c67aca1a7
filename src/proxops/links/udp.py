"""Datagrams over UDP: on this machine unless another is named, and of one peer only."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from proxops.core.errors import InputError

MAX_DATAGRAM = 65_535
MAX_WAITING = 256  # datagrams taken at a time: a flood does not stop the caller

Address = tuple[str, int]


def parse_link(link: str) -> Address:
    """Where to listen, from `udp://127.0.0.1:14550`."""
    parts = urlsplit(link)
    try:
        port, host = parts.port, ip_address(parts.hostname or "")
    except ValueError:
        port, host = None, None
    if parts.scheme != "udp" or host is None or not port or parts.path not in ("", "/"):
        raise InputError(f"write the link as udp://127.0.0.1:14550, found {link!r}")
    return str(host), port


class UdpLink:
    """A bound socket with one peer: the first that writes, or the one given.

    A first writer counts only if it is on this machine, or at the address `only_from`; a vehicle
    elsewhere must be named.
    """

    def __init__(
        self, listen: Address, peer: Address | None = None, only_from: str | None = None
    ) -> None:
        host, port = listen
        if not ip_address(host).is_loopback and peer is None and only_from is None:
            raise InputError(
                f"name the peer of a link at {host}: without one, only this machine (127.0.0.1) "
                "is listened to"
            )
        self._only_from = only_from
        family = socket.AF_INET6 if ip_address(host).version == 6 else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise InputError(
                f"choose another port: {host}:{port} cannot be opened ({error.strerror})"
            ) from error
        self._socket.setblocking(False)
        self.peer = peer
        self.strangers = 0  # datagrams of anybody else, dropped

    @property
    def address(self) -> Address:
        """Where this end listens."""
        host, port = self._socket.getsockname()[:2]
        return host, port

    def send(self, datagrams: list[bytes]) -> None:
        """Sends to the peer; without one yet, or without a way there, they are lost as on any
        wire."""
        if self.peer is None:
            return
        for datagram in datagrams:
            try:
                self._socket.sendto(datagram, self.peer)
            except OSError:
                continue

    def receive(self) -> list[bytes]:
        """What has come from the peer, without waiting."""
        datagrams: list[bytes] = []
        for _ in range(MAX_WAITING):
            try:
                datagram, sender = self._socket.recvfrom(MAX_DATAGRAM)
            except BlockingIOError:
                break
            except ConnectionRefusedError:  # an earlier datagram found nobody
                continue
            sender = sender[:2]
            if self.peer is None and self._may_begin(sender[0]):
                self.peer = sender
            if sender == self.peer:
                datagrams.append(datagram)
            else:
                self.strangers += 1
        return datagrams

    def _may_begin(self, host: str) -> bool:
        if self._only_from is not None:
            return host == self._only_from
        return ip_address(host).is_loopback

    def fileno(self) -> int:
        """For `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> "UdpLink":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
