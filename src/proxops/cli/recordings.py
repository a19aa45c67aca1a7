"""Commands on recorded runs: a page, a table, a scene, what is left of a cut one."""

from pathlib import Path
from typing import Annotated

import typer

from proxops.cli.common import (
    REPORT,
    AsJson,
    ExtensionFiles,
    Host,
    NoOpen,
    Overwrite,
    Port,
    RunFolder,
    echo,
    show,
    write_report,
)
from proxops.core.errors import InputError


def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN|CAMPAIGN", help="The folder of a run or a campaign.")
    ],
    other: Annotated[
        Path | None, typer.Argument(metavar="[RUN2]", help="A run to compare it with.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Page to write.",
            show_default="RUN/report.html, or RUN-against-RUN2.html here",
        ),
    ] = None,
    overwrite: Overwrite = False,
    extension: ExtensionFiles = None,
) -> None:
    """Write a page with verdict and plots of a run or a campaign, to open in any browser.

    [bold]Examples[/bold]

    proxops report runs/free-tumble

    proxops report runs/free-tumble runs/free-tumble-2

    proxops report runs/touch-campaign
    """
    from proxops import api
    from proxops import report as pages
    from proxops.campaigns.stored import is_campaign, open_campaign

    for folder in filter(None, (run, other)):
        if other is not None and is_campaign(folder):
            raise InputError(f"{folder}: is a campaign; only two runs can be compared")
    if is_campaign(run):
        write_report(open_campaign(run), out or run / REPORT, overwrite=overwrite)
        return
    if other is None:
        found = api.look(run, extension or ())
        write_report(found, out or run / REPORT, overwrite=overwrite)
        if any(event.name == "recording-cut" for event in found.events):
            echo(f"the run was cut short; `proxops recover {run}` completes its recording")
        return
    if run.resolve() == other.resolve():
        raise InputError(f"{run} and {other} are the same run: nothing to compare")
    names = (run.resolve().name, other.resolve().name)
    file = out or Path(f"{names[0]}-against-{names[1]}.html")
    looked = [api.look(each, extension or ()) for each in (run, other)]
    pages.write_comparison(looked[0], looked[1], file, names=names, overwrite=overwrite)
    typer.echo(f"report: {file}", err=True)


def export(
    run: RunFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .parquet or .csv")],
    overwrite: Overwrite = False,
) -> None:
    """Write the signals of a run as Parquet or CSV, or the cases of a campaign as Parquet.

    [bold]Examples[/bold]

    proxops export runs/free-tumble tumble.parquet

    proxops export runs/touch-campaign cases.parquet
    """
    from proxops.campaigns.stored import is_campaign, open_campaign
    from proxops.results import store

    if is_campaign(run):
        open_campaign(run).export(file, overwrite=overwrite)
        typer.echo(f"wrote {file}", err=True)
        return
    store.export(store.open(run), file, overwrite=overwrite)
    typer.echo(f"wrote {file}", err=True)


def view(
    run: RunFolder,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_open: NoOpen = False,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an offline scene (.html) instead.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace that file.")] = False,
) -> None:
    """Show a run as a scene in the browser, with its timeline and plots.

    [bold]Examples[/bold]

    proxops view runs/free-tumble

    proxops view runs/free-tumble --export tumble.html
    """
    from proxops import viewer
    from proxops.results import store

    opened = store.open(run)
    if export is not None:
        echo(viewer.export(opened, export, overwrite=overwrite))
        return
    viewer.view(opened, echo, host=host, port=port, browser=not no_open)


def recover(run: RunFolder, json: AsJson = False, extension: ExtensionFiles = None) -> None:
    """Complete a recording that was cut short (killed, power lost), keeping what is readable.

    One that was to replace a run is completed in the folder `unfinished` of that run, which stays.

    [bold]Example[/bold]

    proxops recover runs/free-tumble
    """
    from proxops import api

    found = api.recover(run, extension or ())
    show(found, found.folder or run, json)
