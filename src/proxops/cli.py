"""The commands.  Heavy imports stay inside them: `proxops --help` must answer at once."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proxops.core.errors import InputError, ProxopsError

if TYPE_CHECKING:
    from proxops.run import Run
    from proxops.scenario.load import Scenario
    from proxops.viewer.live import LiveView

REPORT = "report.html"  # beside a recording
EXIT_FAILED, EXIT_INPUT, EXIT_INVALID, EXIT_STOPPED, EXIT_INTERRUPTED = 1, 2, 3, 4, 130
EXIT_BY_OUTCOME = {
    "passed": 0,
    "failed": EXIT_FAILED,
    "cut-short": EXIT_FAILED,
    "invalid": EXIT_INVALID,
    "stopped": EXIT_STOPPED,
    "interrupted": EXIT_INTERRUPTED,
}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)

ScenarioName = Annotated[
    str, typer.Argument(metavar="NAME|FILE", help="A shipped scenario, or a file.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A folder that a run was saved to.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a value, e.g. target.mass_kg=9000"),
]
OverwriteRun = Annotated[
    bool, typer.Option("--overwrite", help="Replace an earlier run in that folder.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file.")]
WithReport = Annotated[
    bool, typer.Option("--report", help="Write a page with plots beside the recording.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Host = Annotated[
    str, typer.Option(help="Address the scene is at; whoever can reach it sees the run.")
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Its port; the next free one if it is taken.")
]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")]


@app.callback(invoke_without_command=True)
def common(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Rehearse on-orbit servicing: simulate a chaser with arms, a target and their orbit."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("proxops"))
        raise typer.Exit


@app.command("list")
def list_scenarios(json: AsJson = False) -> None:
    """List the shipped scenarios."""
    from proxops.scenario.load import shipped

    if json:
        _print_json([{"name": name, "title": title} for name, title in shipped().items()])
        return
    width = max(len(name) for name in shipped())
    for name, title in shipped().items():
        typer.echo(f"{name:<{width}}  {title}")


@app.command()
def run(
    scenario: ScenarioName,
    set_: Changes = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the recording.", show_default="runs/NAME, or NAME-2, ..."),
    ] = None,
    overwrite: OverwriteRun = False,
    report: WithReport = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show it in the browser while it runs.")
    ] = False,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    no_open: NoOpen = False,
    json: AsJson = False,
) -> None:
    """Simulate a scenario, judge it and record it.

    [bold]Examples[/bold]

    proxops run free-tumble

    proxops run fly-around --set target.mass_kg=9000 --out out/heavy --json

    proxops run deorbit-boost --live
    """
    from proxops import api

    loaded = _loaded(scenario, set_)
    folder = out or (Path("runs") / loaded.name if overwrite else _free_folder(loaded.name))
    onlooker = _onlooker(loaded.name, host, port, not no_open) if live else None
    try:
        watch = None if onlooker is None else onlooker.open
        result = api.simulate(loaded, progress=True, out=folder, overwrite=overwrite, watch=watch)
        _show(result, folder, json)
        if report:
            _report(result, folder / REPORT, overwrite=True)
        if onlooker is not None and sys.stderr.isatty():
            onlooker.complete(folder)
            _tell("the scene stays; Ctrl-C ends it")
            onlooker.wait()
    finally:
        if onlooker is not None:
            onlooker.close()
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


@app.command()
def rehearse(
    scenario: ScenarioName,
    facility: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A shipped facility, or a file.")
    ] = "oos-sim",
    representation: Annotated[
        str, typer.Option(help="relative, absolute or target-fixed.")
    ] = "relative",
    causes: Annotated[
        bool, typer.Option(help="Rehearse again without each effect of the facility.")
    ] = True,
    dry: Annotated[bool, typer.Option("--dry", help="The same motion without contact.")] = False,
    speed: Annotated[
        float, typer.Option(help="Share of the mission's pace; below 1 with --dry only.")
    ] = 1.0,
    set_: Changes = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the recording.", show_default="runs/NAME-on-FACILITY, ..."),
    ] = None,
    overwrite: OverwriteRun = False,
    report: WithReport = False,
    json: AsJson = False,
) -> None:
    """Rehearse a scenario on a facility, and hold it against the mission in orbit.

    [bold]Examples[/bold]

    proxops rehearse touch --facility oos-sim

    proxops rehearse touch --facility ideal --representation target-fixed --no-causes

    proxops rehearse touch --dry --speed 0.25
    """
    from proxops import api

    loaded = _loaded(scenario, set_)
    name = f"{loaded.name}-on-{Path(facility).stem}"
    folder = out or (Path("runs") / name if overwrite else _free_folder(name))
    result = api.rehearse(
        loaded,
        facility,
        representation=representation,
        causes=causes,
        dry=dry,
        speed=speed,
        progress=True,
        out=folder,
        overwrite=overwrite,
    )
    _show(result, folder, json)
    if report:
        _report(result, folder / REPORT, overwrite=True)
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


@app.command()
def check(
    scenario: ScenarioName,
    facility: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A shipped facility, or a file.")
    ],
    representation: Annotated[
        str, typer.Option(help="relative, absolute or target-fixed.")
    ] = "relative",
    place: Annotated[
        bool, typer.Option("--place", help="Look for the best start pose in the lab as well.")
    ] = False,
    set_: Changes = None,
    json: AsJson = False,
) -> None:
    """Tell whether a facility can show a mission: for how long, what ends it, what is left.

    [bold]Examples[/bold]

    proxops check envisat-unforced --facility oos-sim

    proxops check envisat-unforced --facility oos-sim --representation absolute --place
    """
    from proxops import api

    found = api.check(
        _loaded(scenario, set_),
        facility=facility,
        representation=representation,
        place=place,
        progress=True,
    )
    if json:
        _print_json(found.as_dict())
    else:
        from proxops.tables_check import show_check

        show_check(found)
    raise typer.Exit(0 if found.feasible else EXIT_FAILED)


@app.command()
def report(
    run: RunFolder,
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
) -> None:
    """Write a page with verdict, timeline and plots of a run, to open in any browser.

    [bold]Examples[/bold]

    proxops report runs/free-tumble

    proxops report runs/free-tumble runs/free-tumble-2
    """
    from proxops import api
    from proxops import report as pages

    if other is None:
        found = api.look(run)
        _report(found, out or run / REPORT, overwrite=overwrite)
        if found.outcome == "cut-short":
            _tell(f"the run was cut short; `proxops recover {run}` completes its recording")
        return
    if run.resolve() == other.resolve():
        raise InputError(f"{run} and {other} are the same run: nothing to compare")
    names = (run.resolve().name, other.resolve().name)
    file = out or Path(f"{names[0]}-against-{names[1]}.html")
    pages.write_comparison(api.look(run), api.look(other), file, names=names, overwrite=overwrite)
    typer.echo(f"report: {file}", err=True)


@app.command()
def export(
    run: RunFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .parquet or .csv")],
    overwrite: Overwrite = False,
) -> None:
    """Write the signals of a run as Parquet or CSV.

    [bold]Example[/bold]

    proxops export runs/free-tumble tumble.parquet
    """
    from proxops import record

    record.export(record.open(run), file, overwrite=overwrite)
    typer.echo(f"wrote {file}", err=True)


@app.command()
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
    from proxops import record, viewer

    opened = record.open(run)
    if export is not None:
        _tell(viewer.export(opened, export, overwrite=overwrite))
        return
    viewer.view(opened, _tell, host=host, port=port, browser=not no_open)


@app.command()
def recover(run: RunFolder, json: AsJson = False) -> None:
    """Complete a recording that was cut short (killed, power lost), keeping what is readable.

    [bold]Example[/bold]

    proxops recover runs/free-tumble
    """
    from proxops import api

    _show(api.recover(run), run, json)


@app.command()
def schema() -> None:
    """Print the JSON Schema of scenario files, for editors.

    [bold]Example[/bold]

    proxops schema > scenario.schema.json
    """
    from proxops.scenario.schema import Mission

    _print_json(Mission.model_json_schema())


@app.command()
def validate(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A publication: deorbit, flexible, relative")
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
    """Hold published numbers against ours; fails if one that must agree does not.

    [bold]Example[/bold]

    proxops validate flexible

    proxops validate deorbit --report
    """
    from proxops import api, validation
    from proxops.progress import working

    validation.check(name)
    page = out or Path(f"{name}-validation.html") if report or out else None
    if page is not None:
        from proxops import report as pages

        pages.checked(page, overwrite)  # a minute of work is not lost to a file in the way
    with working(f"{name}: computing every number, some 10 s (30 s the first time)"):
        table = api.validate(name)
        figures = validation.figures(name) if page is not None else ()
    if json:
        _print_json(table.as_dict())
    else:
        from proxops.tables import show_validation

        show_validation(table)
    if page is not None:
        pages.write_validation(table, figures, page, overwrite=overwrite)
        typer.echo(f"report: {page}", err=True)
    raise typer.Exit(0 if table.passed else EXIT_FAILED)


@app.command()
def warmup() -> None:
    """Compile the kernels now (once per installation), so that the first run starts at once."""
    from proxops import api
    from proxops.core import jit

    if jit.is_warm():
        typer.echo("kernels are compiled already", err=True)
        return
    moment = {"duration_s": 0.1, "phases": {"warmup": {"until_s": 0.1, "step_s": 0.001}}}
    rates = {"control_rate_hz": 100.0, "record_rate_hz": 100.0}
    scenario = api.load("free-tumble").replace({"time": moment | rates})
    api.simulate(scenario, progress=True)
    typer.echo(
        "kernels are compiled and stored"
        if jit.is_warm()
        else "kernels are compiled, but could not be stored: every process compiles its own",
        err=True,
    )


def _loaded(scenario: str, set_: list[str] | None) -> "Scenario":
    """The scenario with the changes that were asked for."""
    from proxops.scenario.load import load, parse_set

    changes = dict(parse_set(text) for text in set_ or [])
    return load(scenario).replace(changes) if changes else load(scenario)


def _show(result: "Run", folder: Path, json: bool) -> None:
    from proxops.tables import show_run

    if json:
        _print_json(result.summary() | {"folder": str(folder)})
    else:
        show_run(result, folder)


def _report(result: "Run", file: Path, *, overwrite: bool) -> None:
    result.report(file, overwrite=overwrite)
    typer.echo(f"report: {file}", err=True)


def _onlooker(name: str, host: str, port: int, browser: bool) -> "LiveView":
    from proxops import viewer

    return viewer.live(name, _tell, host=host, port=port, browser=browser)


def _tell(message: str) -> None:
    typer.echo(message, err=True)


def _free_folder(name: str) -> Path:
    """runs/NAME, or runs/NAME-2, ... so that no earlier run is touched."""
    folder, count = Path("runs") / name, 1
    while folder.exists():
        count += 1
        folder = Path("runs") / f"{name}-{count}"
    return folder


def _print_json(data: object) -> None:
    from proxops.record.plain import strict, to_json

    typer.echo(to_json(strict(data), "the result", indent=2))


def main() -> None:
    """Runs a command; faults become one message and an exit code, never a traceback."""
    try:
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
