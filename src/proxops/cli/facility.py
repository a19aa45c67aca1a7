"""Commands on a facility: rehearse a mission there, and check whether it can."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from proxops.assembly.facility import FacilityGiven
    from proxops.terminal.operator import TypedCommands

RepresentationName = Annotated[str, typer.Option(help="relative, absolute or target-fixed.")]
NominalName = Annotated[
    str,
    typer.Option(
        metavar="unforced|constant-rate|FILE.csv",
        help="Nominal motion of the relative representation.",
    ),
]
FacilityChanges = Annotated[
    list[str] | None,
    typer.Option(
        "--set-facility",
        metavar="KEY=VALUE",
        help="Change a value of the facility, e.g. servo.delay_s=0.01",
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
    set_facility: FacilityChanges = None,
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
    """Rehearse a scenario on a facility, and compare it with the mission in orbit.

    [bold]Examples[/bold]

    proxops rehearse touch --facility oos-sim

    proxops rehearse touch --facility ideal --representation target-fixed --no-ablate

    proxops rehearse touch --no-contact --speed 0.25

    proxops rehearse touch --set-facility servo.delay_s=0.004

    proxops rehearse arena-circle --facility flight-arena --link virtual

    proxops rehearse arena-circle --facility flight-arena --set-facility flies=chaser

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
        _changed(facility, set_facility),
        controller=own,
        representation=representation,
        nominal=nominal,
        ablate=ablate,
        no_contact=no_contact,
        speed=speed,
        link=link,
        operator=_operator(link),
        progress=True,
        out=folder,
        overwrite=overwrite,
    )
    folder = result.folder or folder
    conclude(result, folder, report=report, json=json)
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


def _operator(link: str | None) -> "TypedCommands | None":
    """Who flies real vehicles at a terminal may type commands."""
    if link is None or not link.startswith("udp:") or not sys.stdin.isatty():
        return None
    from proxops.terminal.operator import HINT, TypedCommands

    typer.echo(HINT, err=True)
    return TypedCommands(sys.stdin)


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
    set_facility: FacilityChanges = None,
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
    from proxops.feasibility.flight_answers import FlightFeasibility

    found = api.check(
        load_scenario(scenario, set_, extension=extension),
        facility=_changed(facility, set_facility),
        controller=load_controller(controller),
        representation=representation,
        nominal=nominal,
        optimise_start=optimise_start,
        scale=scale,
        progress=True,
    )
    if not isinstance(found, FlightFeasibility):
        typed = (scenario, facility, representation, nominal)
        command = _rehearsal(typed, set_, set_facility, controller, extension)
        found = replace(found, command=command)
    if json:
        print_json(found.as_dict())
    elif isinstance(found, FlightFeasibility):
        from proxops.terminal.flight_check import show_flight_check

        show_flight_check(found)
    else:
        from proxops.terminal.check import show_check

        show_check(found)
    raise typer.Exit(0 if found.feasible else EXIT_FAILED)


def _rehearsal(
    given: tuple[str, str, str, str],
    changes: list[str] | None,
    to_facility: list[str] | None,
    controller: str | None,
    extensions: list[Path] | None,
) -> str:
    """The command that rehearses what was checked: scenario, facility, representation and nominal
    motion as they were typed, with the same changes and code."""
    scenario, facility, representation, nominal = given
    options = {
        "--facility": [facility],
        "--representation": [representation],
        "--nominal": [nominal] if nominal != "unforced" else [],
        "--set": changes or [],
        "--set-facility": to_facility or [],
        "--controller": [controller] if controller else [],
        "--extension": [str(each) for each in extensions or ()],
    }
    pairs = [(option, value) for option, values in options.items() for value in values]
    words = [word for pair in pairs for word in pair]
    return shlex.join(["proxops", "rehearse", scenario, *words])


def _changed(facility: str, set_: list[str] | None) -> "FacilityGiven":
    """The facility with the changes that were asked for."""
    if not set_:
        return facility
    from proxops.assembly.arena import change_arena, load_arena
    from proxops.assembly.facility import change_facility, load_facility
    from proxops.scenario.load import parse_set

    changes = dict(parse_set(text, "--set-facility") for text in set_)
    arena = load_arena(facility)
    if arena is not None:
        return change_arena(arena, changes).to_dict()
    return change_facility(load_facility(facility), changes).to_dict()
