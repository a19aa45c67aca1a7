"""Commands on a facility: rehearse a mission there, and check whether it can."""

from pathlib import Path
from typing import Annotated

import typer

from proxops.cli.common import (
    EXIT_BY_OUTCOME,
    EXIT_FAILED,
    AsJson,
    Changes,
    ControllerName,
    Disperse,
    ExtensionFiles,
    OverwriteRun,
    ScenarioName,
    WithReport,
    conclude,
    free_folder,
    load_controller,
    load_scenario,
    print_json,
    run_name,
    warn_before,
)

RepresentationName = Annotated[str, typer.Option(help="relative, absolute or target-fixed.")]
NominalName = Annotated[
    str,
    typer.Option(
        metavar="unforced|constant-rate|FILE.csv",
        help="Nominal motion of the relative representation.",
    ),
]


def rehearse(
    scenario: ScenarioName,
    facility: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A shipped facility, or a file.")
    ] = "oos-sim",
    representation: RepresentationName = "relative",
    nominal: NominalName = "unforced",
    ablate: Annotated[
        bool, typer.Option(help="Rehearse again without each effect of the facility.")
    ] = True,
    no_contact: Annotated[
        bool, typer.Option("--no-contact", help="The same motion without contact.")
    ] = False,
    speed: Annotated[
        float, typer.Option(help="Speed relative to the mission's; below 1 with --no-contact only.")
    ] = 1.0,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="virtual|udp://HOST:PORT",
            help="Fly an arena over MAVLink, virtual or listening at that port (extra: arena).",
        ),
    ] = None,
    set_: Changes = None,
    disperse: Disperse = None,
    controller: ControllerName = None,
    extension: ExtensionFiles = None,
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

    proxops rehearse touch --facility ideal --representation target-fixed --no-ablate

    proxops rehearse touch --no-contact --speed 0.25

    proxops rehearse arena-circle --facility flight-arena --link virtual

    proxops rehearse arena-circle --facility flight-arena --link udp://127.0.0.1:14550
    """
    from proxops import api

    loaded = load_scenario(scenario, set_, disperse, extension)
    own = load_controller(controller)
    name = f"{run_name(loaded)}-on-{Path(facility).stem}"
    folder = out or (Path("runs") / name if overwrite else free_folder(name))
    if own is None:
        warn_before(loaded)
    result = api.rehearse(
        loaded,
        facility,
        controller=own,
        representation=representation,
        nominal=nominal,
        ablate=ablate,
        no_contact=no_contact,
        speed=speed,
        link=link,
        progress=True,
        out=folder,
        overwrite=overwrite,
    )
    folder = result.folder or folder
    conclude(result, folder, report=report, json=json)
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


def check(
    scenario: ScenarioName,
    facility: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A shipped facility, or a file.")
    ],
    representation: RepresentationName = "relative",
    nominal: NominalName = "unforced",
    optimise_start: Annotated[
        bool,
        typer.Option("--optimise-start", help="Also search for the best start pose in the lab."),
    ] = False,
    scale: Annotated[
        bool,
        typer.Option("--scale", help="Look for sizes and paces that fit a flight arena as well."),
    ] = False,
    set_: Changes = None,
    controller: ControllerName = None,
    extension: ExtensionFiles = None,
    json: AsJson = False,
) -> None:
    """Check whether a facility can reproduce a mission: for how long, what ends it, what is left.

    [bold]Examples[/bold]

    proxops check envisat-unforced --facility oos-sim

    proxops check envisat-unforced --facility oos-sim --representation absolute --optimise-start

    proxops check arena-approach --facility flight-arena --optimise-start --scale
    """
    from proxops import api
    from proxops.feasibility.flight import FlightFeasibility

    found = api.check(
        load_scenario(scenario, set_, extension=extension),
        facility=facility,
        controller=load_controller(controller),
        representation=representation,
        nominal=nominal,
        optimise_start=optimise_start,
        scale=scale,
        progress=True,
    )
    if json:
        print_json(found.as_dict())
    elif isinstance(found, FlightFeasibility):
        from proxops.terminal.flight_check import show_flight_check

        show_flight_check(found)
    else:
        from proxops.terminal.check import show_check

        show_check(found)
    raise typer.Exit(0 if found.feasible else EXIT_FAILED)
