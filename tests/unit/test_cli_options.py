"""Options of a command that belong together are one parameter of it."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from proxops.cli.options import grouped


@dataclass(frozen=True)
class Speed:
    """How fast.

    More of it is not in the title.
    """

    rate_hz: Annotated[float, typer.Option(min=0.0, help="Cycles.")] = 5.0
    slow_: Annotated[bool, typer.Option("--slow")] = False


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer(rich_markup_mode="rich")

    @app.command()
    @grouped
    def fly(name: Annotated[str, typer.Argument()], speed: Speed) -> None:
        """Flies."""
        typer.echo(f"{name} {speed}")

    return app


def test_each_field_is_an_option_in_the_panel_of_its_dataclass(app: typer.Typer) -> None:
    text = CliRunner().invoke(app, ["--help"]).stdout
    assert "─ How fast ─" in text
    assert "not in the title" not in text
    after = text[text.index("How fast") :]
    assert "--rate-hz" in after
    assert "--slow" in after


def test_the_command_gets_the_dataclass(app: typer.Typer) -> None:
    run = CliRunner().invoke
    assert run(app, ["a"]).stdout == "a Speed(rate_hz=5.0, slow_=False)\n"
    assert (
        run(app, ["a", "--rate-hz", "2", "--slow"]).stdout == "a Speed(rate_hz=2.0, slow_=True)\n"
    )
    assert run(app, ["a", "--rate-hz", "-1"]).exit_code == 2
