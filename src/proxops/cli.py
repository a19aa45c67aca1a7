"""The commands, in the order in which help lists them.  Heavy imports stay inside them:
`proxops --help` must answer at once."""

import os
import sys
from typing import Annotated

import typer

from proxops.commands import campaigns, installation, laboratory, missions, recordings
from proxops.commands.common import EXIT_INPUT, EXIT_INTERRUPTED, EXIT_INVALID
from proxops.core.errors import ProxopsError
from proxops.interrupt import listening

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def common(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Rehearse on-orbit servicing: simulate a chaser with arms, a target and their orbit."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("proxops"))
        raise typer.Exit


app.command("list")(missions.list_scenarios)
for command in (
    missions.run,
    laboratory.rehearse,
    laboratory.check,
    campaigns.campaign,
    recordings.report,
    recordings.export,
    recordings.view,
    recordings.recover,
    missions.schema,
    installation.validate,
    installation.warmup,
):
    app.command()(command)


def main() -> None:
    """Runs a command; faults become one message and an exit code, never a traceback."""
    try:
        with listening(owned=True):
            app()
    except ProxopsError as error:
        typer.echo(f"proxops: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("proxops: interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.exit(EXIT_INPUT)
    except Exception as error:
        if os.environ.get("PROXOPS_DEBUG"):
            raise
        typer.echo(
            f"proxops: internal fault: {type(error).__name__}: {error}\n"
            "  This is a bug in proxops.  PROXOPS_DEBUG=1 shows where it happened.",
            err=True,
        )
        sys.exit(EXIT_INVALID)
