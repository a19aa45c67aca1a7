"""Commands on missions: which there are, fly one, what a file may say."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from proxops.cli.common import (
    EXIT_BY_OUTCOME,
    EXIT_INPUT,
    AsJson,
    Changes,
    ControllerName,
    Disperse,
    ExtensionFiles,
    Host,
    NoOpen,
    Overwrite,
    OverwriteRun,
    Port,
    ScenarioName,
    WithReport,
    conclude,
    echo,
    free_folder,
    load_controller,
    load_scenario,
    print_json,
    run_name,
    warn_before,
)

if TYPE_CHECKING:
    from proxops.scenario.load import Scenario
    from proxops.viewer.live_view import LiveView


def list_scenarios(json: AsJson = False) -> None:
    """List the shipped scenarios and facilities; with --json the scenarios alone."""
    from proxops.scenario.shipped import shipped, shipped_labs

    if json:
        print_json([{"name": name, "title": title} for name, title in shipped().items()])
        return
    from proxops.terminal.listing import show_lists

    show_lists({"scenarios": shipped(), "facilities": shipped_labs()})


def show(
    scenario: ScenarioName,
    set_: Changes = None,
    disperse: Disperse = None,
    controller: ControllerName = None,
    extension: ExtensionFiles = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", help="Also draw the start, from two sides, to scale."),
    ] = None,
    overwrite: Overwrite = False,
    json: AsJson = False,
) -> None:
    """Show what a scenario is, before any run: masses, distances, views, rates, plan, warnings.

    [bold]Examples[/bold]

    proxops show envisat-capture

    proxops show approach-1km --set chaser.mass_kg=250 --json

    proxops show envisat-capture --picture start.svg
    """
    from proxops.results.summary import summary

    loaded = load_scenario(scenario, set_, disperse, extension)
    own = load_controller(controller)
    if own is not None:
        from proxops.sim.controller.harness import Harness

        loaded = Harness(own).flies(loaded)
    found = summary(loaded)
    found["problems"] = found["problems"] or _problems(loaded, own)
    if picture is not None:
        from proxops.report import write_picture

        write_picture(loaded, picture, overwrite=overwrite)
        echo(f"picture: {picture}")
    if json:
        print_json(found)
    else:
        from proxops.terminal.summary import show_summary

        show_summary(found)
    raise typer.Exit(EXIT_INPUT if found["problems"] else 0)


def run(
    scenario: ScenarioName,
    set_: Changes = None,
    disperse: Disperse = None,
    controller: ControllerName = None,
    extension: ExtensionFiles = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the recording.", show_default="runs/NAME, or NAME-2, ..."),
    ] = None,
    overwrite: OverwriteRun = False,
    report: WithReport = False,
    live: Annotated[
        bool, typer.Option("--live", help="Show the run in the browser while it runs.")
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

    proxops run touch --set 'dispersions.mass={key="target.mass_kg", scale=0.1}' --disperse 17

    proxops run envisat-capture --controller my.py:MyController
    """
    from proxops import api

    loaded = load_scenario(scenario, set_, disperse, extension)
    own = load_controller(controller)
    name = run_name(loaded)
    folder = out or (Path("runs") / name if overwrite else free_folder(name))
    if own is None:
        warn_before(loaded)
    onlooker = _onlooker(loaded.name, host, port, not no_open) if live else None
    try:
        watch = None if onlooker is None else onlooker.open
        result = api.simulate(
            loaded, controller=own, progress=True, out=folder, overwrite=overwrite, watch=watch
        )
        folder = result.folder or folder
        conclude(result, folder, report=report, json=json)
        if onlooker is not None and sys.stderr.isatty():
            onlooker.complete(folder)
            echo("the scene stays open; Ctrl-C ends it")
            onlooker.wait()
    finally:
        if onlooker is not None:
            onlooker.close()
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


def schema(
    of: Annotated[
        Literal["scenario", "facility", "flight-arena"],
        typer.Argument(help="The kind of file."),
    ] = "scenario",
) -> None:
    """Print the JSON Schema of scenario or facility files, for editors.

    [bold]Examples[/bold]

    proxops schema > scenario.schema.json

    proxops schema facility > facility.schema.json
    """
    from proxops.scenario.file_schema import facility_schema, file_schema

    print_json(file_schema() if of == "scenario" else facility_schema(of == "flight-arena"))


def _problems(scenario: "Scenario", controller: Any) -> list[str]:
    """What a run would be rejected for, beyond what its stages say."""
    from proxops.api import ready
    from proxops.core.errors import InputError

    if scenario.mission.obsw.controller is not None and controller is None:
        return []  # which events and signals there are, only the controller says
    try:
        ready(scenario, controller)
    except InputError as error:
        return str(error).splitlines()
    return []


def _onlooker(name: str, host: str, port: int, browser: bool) -> "LiveView":
    from proxops import viewer

    return viewer.live(name, echo, host=host, port=port, browser=browser)
