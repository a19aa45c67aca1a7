"""Whether a scheduler answers, found out in words before dask tries: it would say "timed out"."""

import socket
import ssl

from proxops.campaigns.scheduler import Scheduler
from proxops.core.errors import InputError, LinkLostError

_PATIENCE_S = 4.0
# A message of dask's begins with its length: 64 bits, the first byte is the lowest.  The first one
# has some hundred bytes; from the first letters of another protocol it would be exabytes.
_LENGTH, _LONGEST = 8, 1 << 20


def security_context(scheduler: Scheduler) -> ssl.SSLContext:
    """TLS as dask has it: both sides show a certificate of the same authority."""
    try:
        context = ssl.create_default_context(cafile=scheduler.ca)
    except ssl.SSLError as error:
        raise InputError(f"--tls-ca {scheduler.ca}: is no certificate: {_why(error)}") from None
    context.check_hostname = False
    assert scheduler.cert is not None
    try:
        context.load_cert_chain(scheduler.cert, scheduler.key)
    except ssl.SSLError as error:
        text = f"--tls-cert {scheduler.cert}, --tls-key {scheduler.key}"
        raise InputError(f"{text}: are no certificate with its key: {_why(error)}") from None
    return context


def reach(scheduler: Scheduler) -> None:
    """InputError or LinkLostError unless a scheduler is there and speaks first, as dask's do."""
    context = security_context(scheduler) if scheduler.secure else None
    where = f"scheduler {scheduler.address}"
    try:
        with socket.create_connection((scheduler.host, scheduler.port), _PATIENCE_S) as raw:
            if context is None:
                first = _received(raw)
            else:
                with context.wrap_socket(raw, server_hostname=scheduler.host) as secured:
                    first = _received(secured)
    except ssl.SSLError as error:
        raise InputError(
            f"{where}: the certificates do not fit: {_why(error)}; scheduler, workers and this "
            "command need certificates of the same authority (--tls-ca)"
        ) from None
    except TimeoutError:
        hint = "" if scheduler.secure else "; one with TLS needs tls:// and certificates"
        raise LinkLostError(f"{where}: does not answer within {_PATIENCE_S:g} s{hint}") from None
    except OSError as error:
        raise LinkLostError(f"{where}: cannot be reached: {error.strerror or error}") from None
    except UnicodeError:  # raised before anybody is asked for it
        raise LinkLostError(f"{where}: cannot be reached: no host can have that name") from None
    if len(first) < _LENGTH:
        raise LinkLostError(f"{where}: closed the connection; is it a dask scheduler?")
    if int.from_bytes(first, "little") > _LONGEST:
        raise LinkLostError(f"{where}: does not speak as a dask scheduler, it says {first!r}")


def _received(connection: socket.socket) -> bytes:
    """The first bytes, fewer if it is closed before."""
    data = b""
    while len(data) < _LENGTH and (more := connection.recv(_LENGTH - len(data))):
        data += more
    return data


def _why(error: ssl.SSLError) -> str:
    return (error.reason or str(error)).replace("_", " ").lower()
