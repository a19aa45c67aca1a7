"""Hosts on which servers and commands run: this computer, or network namespaces joined by a cable.

Namespaces are made by iproute2, which takes root; they are removed afterwards.  Nothing of them can
be reached from outside, and nothing outside from them.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

_ADDRESSES = ("10.77.0.1", "10.77.0.2")


@dataclass(frozen=True)
class Host:
    """Where its servers listen, and the words before a command that is to run on it."""

    address: str = "127.0.0.1"
    enter: tuple[str, ...] = ()


HERE = Host()


@dataclass(frozen=True)
class Cable:
    """What joins two hosts: the end of a pair of virtual network devices, in the second of them."""

    host: Host
    device: str

    def cut(self) -> None:
        """Nothing goes through any more, and nobody is told."""
        self._set("down")

    def mend(self) -> None:
        """As before."""
        self._set("up")

    def _set(self, state: str) -> None:
        subprocess.run([*self.host.enter, "ip", "link", "set", self.device, state], check=True)


def why_no_hosts() -> str:
    """Why there can be no namespaces here; empty if there can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    if shutil.which("ip") is None:
        return "network namespaces take iproute2, which is not installed"
    name = f"proxops-{os.getpid()}-probe"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"no network namespace can be made: {made.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return ""


@contextmanager
def two_hosts() -> Iterator[tuple[Host, Host, Cable]]:
    """Two namespaces and the cable between them."""
    names = [f"proxops-{os.getpid()}-{which}" for which in "ab"]
    devices = [f"px{os.getpid()}{which}" for which in "ab"]
    hosts = [
        Host(address, ("ip", "netns", "exec", name))
        for address, name in zip(_ADDRESSES, names, strict=True)
    ]
    with ExitStack() as stack:
        for name in names:
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "del", name)
        _ip("link", "add", devices[0], "netns", names[0], "type", "veth",
            "peer", "name", devices[1], "netns", names[1])  # fmt: skip
        for host, name, device in zip(hosts, names, devices, strict=True):
            _ip("-n", name, "address", "add", f"{host.address}/24", "dev", device)
            for each in ("lo", device):
                _ip("-n", name, "link", "set", each, "up")
        yield hosts[0], hosts[1], Cable(hosts[1], devices[1])


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
