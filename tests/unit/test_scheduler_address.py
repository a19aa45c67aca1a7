"""Addresses of schedulers that cannot be are rejected in words."""

import pytest

from proxops.campaigns import Scheduler
from proxops.campaigns.reach import reach
from proxops.core.errors import InputError, LinkLostError


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_a_port_that_there_is_not_is_rejected(port: str) -> None:
    """The system takes the lowest 16 bits of it: another port, and whoever listens there."""
    with pytest.raises(InputError, match=f"PORT from 1 to 65535, found 'tcp://127.0.0.1:{port}'"):
        Scheduler(f"tcp://127.0.0.1:{port}")


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:\u0663\u0663", "tcp://:8786", "tcp://[]:8786", "tcp://a:80\n"]
)
def test_an_address_without_host_or_port_is_rejected(address: str) -> None:
    with pytest.raises(InputError, match="must be tcp://HOST:PORT or tls://HOST:PORT"):
        Scheduler(address)


@pytest.mark.parametrize("host", ["a..b", 70 * "x"])
def test_a_host_that_no_name_can_be_is_said(host: str) -> None:
    with pytest.raises(LinkLostError, match=f"scheduler tcp://{host}:8786: cannot be reached: "):
        reach(Scheduler(f"tcp://{host}:8786"))
