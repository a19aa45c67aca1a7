"""Which pages a server answers: its own, opened under a name that nobody else can take.

A page of any site that is open in the same browser may connect to a server on this machine.  The
browser says in `Origin` where the page is from, and in `Host` under which name it found the server:

    Host      localhost, an address, or a name of this machine: a foreign name may have been made to
              lead here (DNS rebinding), an address cannot
    Origin    the same name and port as Host; only programs that are no browser send none
"""

import contextlib
import http
import ipaddress
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import websockets.asyncio.server
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

_starting = threading.Lock()


@contextlib.contextmanager
def own_pages_only(host: str) -> Iterator[None]:
    """Servers that viser starts in the meantime refuse requests of other pages.

    viser has no setting for it, so the function by which it opens the socket is wrapped.
    """
    serve = websockets.asyncio.server.serve
    names = {host.lower(), "localhost", socket.gethostname().lower()}
    guarded = False

    def serve_own_pages(*args: Any, process_request: Callable[..., Any], **options: Any) -> Any:
        nonlocal guarded
        guarded = True

        def answer(connection: Any, request: Request) -> Any:
            reason = refusal(request.headers, names)
            return process_request(connection, request) if reason is None else _rejected(reason)

        return serve(*args, process_request=answer, **options)

    with _starting:
        websockets.asyncio.server.serve = serve_own_pages  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets.asyncio.server.serve = serve  # type: ignore[misc]
    if not guarded:
        raise RuntimeError("this version of viser opens its socket in another way: not served")


def refusal(headers: Headers, names: set[str]) -> str | None:
    """Why a request is refused; None if it is not."""
    hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
    if len(hosts) != 1 or len(origins) > 1:
        return "must name one Host, and at most one Origin"
    host, origin = hosts[0].lower(), origins[0].lower() if origins else None
    if not _leads_here(host, names):
        return "Host must be localhost, an address or the name of this machine"
    if origin is not None and urlsplit(origin).netloc != host:
        return "the page is from another origin"
    return None


def _leads_here(host: str, names: set[str]) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname
        if name is None or name in names:
            return name is not None
        ipaddress.ip_address(name)
    except ValueError:  # neither a name of ours nor an address
        return False
    return True


def _rejected(reason: str) -> Response:
    body = f"refused: {reason}\n".encode()
    headers = Headers({"Content-Type": "text/plain", "Content-Length": str(len(body))})
    headers["Connection"] = "close"
    return Response(http.HTTPStatus.FORBIDDEN, "Forbidden", headers, body)
