"""The commands, in the order in which help lists them.  Heavy imports stay inside them:
`proxops --help` must answer at once."""

import errno
import os
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from proxops.cli import arena, campaign, facility, installation, missions, recordings
from proxops.cli.common import EXIT_INPUT, EXIT_INTERRUPTED, EXIT_INVALID
from proxops.cli.help import Command, Group
from proxops.core.errors import ProxopsError
from proxops.core.garbage import collect_rarely
from proxops.core.interrupt import listening

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)

app = typer.Typer(
    cls=Group,
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


app.command("list", cls=Command)(missions.list_scenarios)
for command in (
    missions.show,
    missions.run,
    facility.rehearse,
    facility.check,
    campaign.campaign,
    campaign.replay,
    recordings.report,
    recordings.export,
    recordings.view,
    recordings.recover,
    missions.schema,
    installation.validate,
    installation.warmup,
):
    app.command(cls=Command)(command)
app.add_typer(arena.arena, name="arena")


def main() -> None:
    """Runs a command; whatever ends it becomes one message and an exit code, never a traceback."""
    collect_rarely()
    try:
        with listening(owned=True):
            _run()
    except ProxopsError as error:
        _end(str(error), error.exit_code)
    except KeyboardInterrupt:
        _end("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        _end("standard output was closed: the result was not printed", EXIT_INPUT)
    except MemoryError as error:
        words = f"out of memory: {error}" if str(error) else "out of memory"
        _end(
            f"{words}\n  Reduce memory with a lower time.record_rate_hz, a shorter "
            "time.duration_s or fewer --workers.",
            EXIT_INVALID,
        )
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            where = error.filename or "standard output"
            _end(f"{where}: cannot be written: {error.strerror}", EXIT_INPUT)
        if os.environ.get("PROXOPS_DEBUG"):
            raise
        _end(
            f"internal fault: {type(error).__name__}: {error}\n"
            "  This is a bug in proxops.  PROXOPS_DEBUG=1 shows where it happened.",
            EXIT_INVALID,
        )


def _run() -> None:
    """Runs a command, and raises what ended it: Typer turns a broken pipe and a file that ends too
    early into exit code 1, which is that of a failed requirement."""
    try:
        app()
    except SystemExit as end:
        hidden: BaseException | None = end
        while hidden is not None:
            if isinstance(hidden, (BrokenPipeError, EOFError)):
                raise hidden from None
            hidden = hidden.__cause__ or hidden.__context__
        sys.stdout.flush()  # what cannot be written is said now, not as Python ends
        raise


def _end(message: str, code: int) -> NoReturn:
    """Ends the process with a message."""
    with suppress(OSError, ValueError):  # nobody may be reading there either
        typer.echo(f"proxops: {message}", err=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # Python would try again as it ends, and say so
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
