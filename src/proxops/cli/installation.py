"""Commands on the installation: whether its numbers are right, and its kernels compiled."""

from pathlib import Path
from typing import Annotated

import typer

from proxops.cli.common import (
    EXIT_FAILED,
    AsJson,
    Overwrite,
    print_json,
)
from proxops.core.errors import InputError

# Missions whose kernels are compiled ahead, and what these are called
WARMED = {"free-tumble": "run", "envisat-capture": "run-capture"}
REHEARSED = {"touch": "rehearsal"}
FACILITY = "oos-sim"


def validate(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A publication: capture, deorbit, flexible, multirotor, relative, rendezvous",
        ),
    ],
    report: Annotated[
        bool, typer.Option("--report", help="Write a page with the figures redrawn.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="That page.", show_default="NAME-validation.html"),
    ] = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Compare published numbers with ours; fails if one that must agree does not.

    [bold]Example[/bold]

    proxops validate flexible

    proxops validate deorbit --report
    """
    from proxops import api, validation
    from proxops.terminal.progress import working

    validation.check(name)
    page = out or Path(f"{name}-validation.html") if report or out else None
    if page is not None:
        from proxops import report as pages

        pages.checked(page, overwrite)  # a minute of work is not lost to a file in the way
    with working(f"{name}: computing every number, 10 s to 2 min; more where kernels must compile"):
        table = api.validate(name)
        figures = validation.figures(name) if page is not None else ()
    if json:
        print_json(table.as_dict())
    else:
        from proxops.terminal.run import show_validation

        show_validation(table)
    if page is not None:
        pages.write_validation(table, figures, page, overwrite=overwrite)
        typer.echo(f"report: {page}", err=True)
    raise typer.Exit(0 if table.passed else EXIT_FAILED)


def warmup() -> None:
    """Compile the kernels now (once per installation), so that the first run starts at once."""
    from proxops import api
    from proxops.core import jit

    if jit.JIT_IS_OFF:
        raise InputError("unset NUMBA_DISABLE_JIT: with it nothing is compiled")
    kernels = (*WARMED.values(), *REHEARSED.values())
    if all(map(jit.is_warm, kernels)):
        typer.echo("kernels are compiled already", err=True)
        return
    moment = {"duration_s": 0.1, "phases": {"warmup": {"until_s": 0.1, "step_s": 0.001}}}
    rates = {"control_rate_hz": 1000.0, "record_rate_hz": 100.0}
    for name in (*WARMED, *REHEARSED):
        scenario = api.load(name).replace({"time": moment | rates, "requirements": {}})
        if name in WARMED:
            api.simulate(scenario, progress=True)
        else:
            api.rehearse(scenario, FACILITY, progress=True)
    typer.echo(
        "kernels are compiled and stored"
        if all(map(jit.is_warm, kernels))
        else "kernels are compiled, but could not be stored: every process compiles its own",
        err=True,
    )
