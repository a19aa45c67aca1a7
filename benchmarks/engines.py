"""The engines that are installed here, and those that are not."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.peers.model import Chain
from benchmarks.peers.tumble import Engine
from benchmarks.timing import say

OURS = "proxops"


@dataclass(frozen=True)
class Entry:
    """An engine under measurement."""

    key: str
    name: str
    version: str
    make: Callable[[Chain, float], Engine]
    goal: float | None  # how many times faster than it our step shall be


_PEERS = (
    (OURS, "ProxopsPeer", None),
    ("mujoco", "MujocoPeer", 2.5),
    ("pinocchio", "PinocchioPeer", 10.0),
    ("drake", "DrakePeer", 8.0),
    ("basilisk", "BasiliskPeer", 10.0),
)


def installed() -> tuple[list[Entry], list[str]]:
    """Engines that can be imported, ours first, and the keys of those that cannot."""
    entries, missing = [], []
    for key, name, goal in _PEERS:
        try:
            peer = getattr(importlib.import_module(f"benchmarks.peers.{key}_peer"), name)
        except ImportError as error:
            if key == OURS:
                raise
            say(f"{key} is not measured: {error}")
            missing.append(key)
            continue
        entries.append(Entry(key, peer.name, peer.version, peer, goal))
    return entries, missing
