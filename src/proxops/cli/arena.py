"""Commands beside a flight arena: what real firmware needs to fly in it."""

from pathlib import Path
from typing import Annotated

import typer

from proxops.cli.common import Changes, ScenarioName, echo, load_scenario
from proxops.cli.help import Command, Group

arena = typer.Typer(cls=Group, no_args_is_help=True, rich_markup_mode="rich")

ArenaName = Annotated[
    str, typer.Option("--facility", metavar="NAME|FILE", help="A shipped flight arena, or a file.")
]


@arena.callback()
def about() -> None:
    """Serve a flight arena's physics to ArduPilot's firmware, and write its mixer."""


@arena.command(cls=Command)
def serve(
    scenario: ScenarioName,
    facility: ArenaName = "flight-arena",
    port: Annotated[
        int, typer.Option(help="Of the first vehicle; the second one is at ten more.")
    ] = 9002,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    only_from: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Another machine that may ask.")
    ] = None,
    poses: Annotated[
        str, typer.Option(metavar="LINK", help="Who is sent what motion capture sees.")
    ] = "udp://127.0.0.1:14555",
    set_: Changes = None,
) -> None:
    """Serve the physics of both vehicles to ArduPilot's firmware in the loop, in lock-step.

    Vehicles stand where the mission begins. Beside this, start two instances of the firmware, and
    rehearse the mission over a link.

    [bold]Examples[/bold]

    proxops arena serve arena-circle

    arducopter --model JSON:127.0.0.1 ...

    proxops rehearse arena-circle --facility flight-arena --link udp://127.0.0.1:14550
    """
    from proxops.assembly.arena import load_flight_arena, served_physics
    from proxops.facility.common.rows import PAIR
    from proxops.links.udp import parse_link
    from proxops.serving.arena_physics import Listening, check_listening
    from proxops.serving.arena_physics import serve as serve_physics

    where = Listening(host, port, only_from, parse_link(poses))
    check_listening(where, PAIR)
    physics = served_physics(load_scenario(scenario, set_), load_flight_arena(facility))
    serve_physics(physics, PAIR, where, echo)


@arena.command(cls=Command)
def mixer(
    facility: ArenaName = "flight-arena",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there, not to stdout.")
    ] = None,
) -> None:
    """Print the mixer of an arena's vehicles as a Lua script for ArduPilot (frame class 16).

    [bold]Example[/bold]

    proxops arena mixer --facility flight-arena --out scripts/mixer.lua
    """
    from proxops.assembly.arena import arena_of, load_flight_arena
    from proxops.facility.arena.lua_mixer import mixer_script

    given = load_flight_arena(facility)
    script = mixer_script(arena_of(given.file).vehicle, given.name)
    if out is None:
        typer.echo(script, nl=False)
    else:
        out.write_text(script)
        echo(f"wrote {out}")
