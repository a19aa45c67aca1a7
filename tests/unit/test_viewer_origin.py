"""Who gets an answer of the viewer's server: pages of its own, under a name of this machine."""

import http.client
import socket
from contextlib import closing

import pytest

viser = pytest.importorskip("viser")
from websockets.exceptions import InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from proxops.viewer import origin  # noqa: E402
from proxops.viewer.server import start, stop  # noqa: E402


@pytest.fixture(scope="module")
def port():
    """Of a server with a secret in its scene."""
    server = start("127.0.0.1", 0, "secret")
    server.scene.add_label("/secret", "the whole scene")
    yield server.get_port()
    stop(server)


def asked(port: int, **headers: str | None) -> tuple[int, bytes]:
    """Status and body of a plain request."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.putrequest("GET", "/", skip_host=True)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value.format(port=port))
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()


def received(port: int, host: str, origin: str | None) -> bytes:
    """What a web socket gets first."""
    with connect(
        f"ws://{host}:{port}",
        sock=socket.create_connection(("127.0.0.1", port), 30),  # where the name is made to lead
        origin=origin and origin.format(port=port),
        subprotocols=[f"viser-v{viser.__version__}"],
    ) as server:
        return bytes(server.recv(30))


OWN = [
    ("127.0.0.1", "http://127.0.0.1:{port}"),
    ("localhost", "http://localhost:{port}"),
    ("[::1]", "http://[::1]:{port}"),
    ("127.0.0.1", None),  # a program that is no browser
]
FOREIGN = [
    ("127.0.0.1", "http://site.example"),
    ("127.0.0.1", "http://localhost:{port}"),
    ("localhost", "http://localhost:3000"),  # another server on this machine
    ("localhost", "http://localhost.site.example:{port}"),
    ("127.0.0.1", "null"),  # a file, or a sandboxed frame
    ("127.0.0.1", "file://"),
    ("site.example", "http://site.example:{port}"),  # a name that was made to lead here
    ("localhost.site.example", None),
]


@pytest.mark.parametrize(("host", "page"), OWN)
def test_the_servers_own_page_gets_the_scene(port, host, page):
    assert received(port, host, page)
    status, body = asked(port, Host=host + ":{port}", Origin=page)
    assert status == 200
    assert body.lower().startswith(b"<!doctype html>")


@pytest.mark.parametrize(("host", "page"), FOREIGN)
def test_a_foreign_page_gets_nothing(port, host, page):
    with pytest.raises(InvalidStatus) as refused:
        received(port, host, page)
    assert refused.value.response.status_code == 403
    status, body = asked(port, Host=host + ":{port}", Origin=page)
    assert status == 403
    assert body.startswith(b"refused: ")
    assert b"secret" not in body


def test_a_request_without_a_name_is_refused(port):
    assert asked(port)[0] == 403


def test_a_server_at_a_name_answers_under_it():
    names = {"lab-pc", "localhost"}
    headers = origin.Headers({"Host": "lab-pc:8080", "Origin": "http://lab-pc:8080"})
    assert origin.refusal(headers, names) is None
    assert origin.refusal(headers, {"localhost"}) is not None
    forwarded = origin.Headers({"Host": "LOCALHOST:9000", "Origin": "http://localhost:9000"})
    assert origin.refusal(forwarded, names) is None  # by ssh, from another port
    for wrong in ("", ":80", "[::1", "user@lab-pc.example"):
        assert origin.refusal(origin.Headers({"Host": wrong}), names) is not None


def test_a_viser_that_opens_its_socket_otherwise_is_not_served():
    with (
        pytest.raises(RuntimeError, match="opens its socket in another way"),
        origin.own_pages_only("127.0.0.1"),
    ):
        pass  # nothing was opened through what is guarded
