"""Bytes over a socket of this machine."""

import socket

import pytest

from proxops.core.errors import InputError
from proxops.links.udp import UdpLink, parse_link

ANY = ("127.0.0.1", 0)


def wait_for(link: UdpLink, count: int) -> list[bytes]:
    """On loopback a datagram is there as soon as it is sent, but for the kernel's queues."""
    got: list[bytes] = []
    for _ in range(10_000):
        got += link.receive()
        if len(got) >= count:
            break
    return got


def test_datagrams_go_both_ways():
    with UdpLink(ANY) as station, UdpLink(ANY, peer=station.address) as vehicle:
        vehicle.send([b"one", b"two"])
        assert wait_for(station, 2) == [b"one", b"two"]
        assert station.peer == vehicle.address
        station.send([b"three"])
        assert wait_for(vehicle, 1) == [b"three"]


def test_only_the_first_that_writes_is_listened_to():
    with UdpLink(ANY) as station, UdpLink(ANY, peer=station.address) as vehicle:
        vehicle.send([b"one"])
        assert wait_for(station, 1) == [b"one"]
        with UdpLink(ANY, peer=station.address) as stranger:
            stranger.send([b"land"])
            vehicle.send([b"two"])
            assert wait_for(station, 1) == [b"two"]
            station.receive()
        assert station.strangers == 1


def test_without_a_peer_nothing_is_sent_and_nothing_is_waited_for():
    with UdpLink(ANY) as station:
        station.send([b"lost"])
        assert station.receive() == []


def test_a_peer_that_is_gone_is_no_error():
    with UdpLink(ANY) as gone:
        address = gone.address
    with UdpLink(ANY, peer=address) as link:
        for _ in range(3):
            link.send([b"anybody"])
            assert link.receive() == []


def test_a_port_in_use_is_said():
    with UdpLink(ANY) as first, pytest.raises(InputError, match="choose another port"):
        UdpLink(first.address)


def test_other_machines_must_be_named():
    with pytest.raises(InputError, match="name the peer"):
        UdpLink(("0.0.0.0", 0))
    UdpLink(("0.0.0.0", 0), peer=("192.0.2.1", 14550)).close()


def test_a_flood_is_taken_in_parts():
    with UdpLink(ANY) as station, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as flood:
        for _ in range(300):
            flood.sendto(b"x", station.address)
        assert len(station.receive()) <= 256


def test_links_are_written_as_addresses():
    assert parse_link("udp://127.0.0.1:14550") == ("127.0.0.1", 14550)
    assert parse_link("udp://[::1]:14550") == ("::1", 14550)


@pytest.mark.parametrize(
    "link",
    ["virtual", "tcp://127.0.0.1:5760", "udp://127.0.0.1", "udp://host:1", "udp://1.2.3.4:99999"],
)
def test_what_is_no_link_is_said(link):
    with pytest.raises(InputError, match="write the link as udp://"):
        parse_link(link)
