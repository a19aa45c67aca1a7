"""A viser server that keeps to this machine and off the terminal."""

import contextlib
import errno
import io
import os
import socket
import sys
import webbrowser
from collections.abc import Callable

import viser

from proxops.core.errors import InputError
from proxops.viewer.origin import own_pages_only

_LAST_PORT = 65535
PANEL_WIDTH = 370  # pixels


class _Server(viser.ViserServer):
    """Without viser's tunnel, which would show the scene to the world: a page of any other site
    that is open in the same browser could ask for it."""

    def request_share_url(self, verbose: bool = True) -> str | None:
        return None


def start(host: str, port: int, label: str) -> viser.ViserServer:
    """A server at that address, or at the next free port."""
    port = free_port(host, port)
    silent = contextlib.redirect_stdout(io.StringIO())  # viser greets there, where our JSON goes
    with silent, own_pages_only(host):
        server = _Server(host, port, label=label, verbose=False)
    server.gui.configure_theme(dark_mode=True, show_logo=False, show_share_button=False)
    server.gui.main_panel.dock_right()
    server.gui.main_panel.set_width(PANEL_WIDTH)
    return server


def stop(server: viser.ViserServer) -> None:
    """Ends a server."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def announce(server: viser.ViserServer, echo: Callable[[str], None], browser: bool) -> None:
    """Says where the scene is, and opens the browser where there is one."""
    url = url_of(server.get_host(), server.get_port())
    echo(f"scene: {url}   (Ctrl-C ends it)")
    on_a_desktop = sys.platform in ("darwin", "win32") or any(
        name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if browser and on_a_desktop:  # elsewhere a text browser would take the terminal
        webbrowser.open(url)


def url_of(host: str, port: int) -> str:
    """Where a browser finds a server."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def free_port(host: str, port: int) -> int:
    """The first free port from that one on; 0 for any.  viser itself would look for a port for ever
    where the address is not ours."""
    for candidate in range(port, _LAST_PORT + 1):
        try:
            family = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM)[0][0]
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, candidate))
                return int(probe.getsockname()[1])
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                reason = error.strerror or str(error)
                raise InputError(f"--host {host}: cannot listen there: {reason}") from None
    raise InputError(f"--port {port}: no port from there on is free")
