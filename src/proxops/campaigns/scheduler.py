"""Where a dask scheduler listens, and how it is spoken to."""

import os
from dataclasses import dataclass

from proxops.core.errors import InputError

_LAST_PORT, _DIGITS = 65535, 5


@dataclass(frozen=True)
class Scheduler:
    """Address of a scheduler, `tcp://HOST:PORT`, or `tls://HOST:PORT` with three files in PEM."""

    address: str
    ca: str | None = None  # certificate of the authority that scheduler and workers must have
    cert: str | None = None  # our own, by that authority
    key: str | None = None  # that belongs to it

    def __post_init__(self) -> None:
        protocol, _, rest = self.address.partition("://")
        port = rest.rpartition(":")[2]
        is_port = port.isascii() and port.isdecimal()
        if protocol not in ("tcp", "tls") or not is_port or not self.host:
            raise InputError(
                f"--scheduler: must be tcp://HOST:PORT or tls://HOST:PORT, found {self.address!r}"
            )
        if len(port) > _DIGITS or not 0 < self.port <= _LAST_PORT:
            raise InputError(
                f"--scheduler: must have a PORT from 1 to {_LAST_PORT}, found {self.address!r}"
            )
        files = {"--tls-ca": self.ca, "--tls-cert": self.cert, "--tls-key": self.key}
        missing = [name for name, file in files.items() if file is None]
        if self.secure and missing:
            raise InputError(f"--scheduler {self.address}: TLS needs {' and '.join(missing)}")
        if not self.secure and len(missing) < len(files):
            raise InputError(
                f"--scheduler {self.address}: certificates are for tls://, which was not given"
            )
        for name, file in files.items():
            if file is not None and not os.access(file, os.R_OK):
                raise InputError(f"{name} {file}: cannot be read")

    @property
    def secure(self) -> bool:
        """Whether it is spoken to by TLS."""
        return self.address.startswith("tls://")

    @property
    def host(self) -> str:
        return self.address.partition("://")[2].rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])
