"""Commands beside an arena, as a user types them."""

import pytest
from tests.facility.test_lua_mixer import SHIPPED
from typer.testing import CliRunner

from proxops.cli.main import app
from proxops.core.errors import InputError


def run(*words: str):
    return CliRunner().invoke(app, ["arena", *words])


def test_the_mixer_is_printed_or_written(tmp_path):
    assert run("mixer").stdout == SHIPPED.read_text()
    file = tmp_path / "mixer.lua"
    assert run("mixer", "--out", str(file)).exit_code == 0
    assert file.read_text() == SHIPPED.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("serve", "arena-circle", "--host", "0.0.0.0"), "--only-from ADDRESS"),
        (("serve", "arena-circle", "--port", "70000"), "choose one from 1 to 65525"),
        (("serve", "arena-circle", "--poses", "nowhere"), "write the link as udp://"),
        (("serve", "arena-circle", "--facility", "oos-sim"), "name a flight arena"),
        (("serve", "no-such-mission"), "no-such-mission"),
        (("mixer", "--facility", "oos-sim"), "name a flight arena"),
    ],
)
def test_what_cannot_be_is_said(words, message):
    found = run(*words)
    assert isinstance(found.exception, InputError)
    assert message in str(found.exception)
