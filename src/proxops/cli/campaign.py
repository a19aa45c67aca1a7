"""The commands that fly many dispersed cases of a mission, and one of them again."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from proxops.cli.common import (
    EXIT_BY_OUTCOME,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_INVALID,
    REPORT,
    AsJson,
    Changes,
    ControllerName,
    ExtensionFiles,
    OverwriteRun,
    ScenarioName,
    WithReport,
    conclude,
    echo,
    free_folder,
    load_scenario,
    print_json,
    run_name,
    write_report,
)
from proxops.core.errors import InputError


def campaign(
    scenario: ScenarioName,
    seeds: Annotated[
        str, typer.Option(metavar="0-99", help="Seeds of the cases, such as 0-99 or 3,17,20-24.")
    ] = "0-99",
    facility: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Facility on which to rehearse each case; in orbit if not given.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes.", show_default="one per processor"),
    ] = None,
    at_least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the cases that must pass.")
    ] = 1.0,
    set_: Changes = None,
    controller: ControllerName = None,
    extension: ExtensionFiles = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder for the cases; a folder with cases of the same campaign is resumed.",
            show_default="runs/NAME-campaign, ...",
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Write a page with plots beside the cases.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Fly many cases of a scenario, each dispersed as its \\[dispersions] say, and count.

    Exits with 0 if enough cases pass, with 1 if not.

    [bold]Examples[/bold]

    proxops campaign touch --seeds 0-99 --set 'dispersions.mass={key="target.mass_kg", scale=0.1}'

    proxops campaign mission.toml --facility oos-sim --at-least 0.95 --out out/campaign

    proxops campaign mission.toml --controller my.py:MyController --report

    proxops run mission.toml --disperse 17
    """
    from proxops import api

    asked = parse_seeds(seeds)
    loaded = load_scenario(scenario, set_, extension=extension)
    if not loaded.mission.dispersions:
        echo(f"{loaded.name} has no [dispersions]: only the seed of its noise differs")
    folder = out or free_folder(f"{loaded.name}-campaign")
    found = api.campaign(
        loaded,
        asked,
        facility,
        controller=controller,
        workers=workers,
        at_least=at_least,
        progress=True,
        out=folder,
    )
    if json:
        print_json(found.summary() | {"folder": str(folder)})
    else:
        from proxops.terminal.campaign import show_campaign

        show_campaign(found)
        echo(f"cases: {folder}")
        if found.worst is not None:
            words = ["proxops", "replay", str(folder), str(found.worst["seed"])]
            echo(f"fly the worst case again: {shlex.join(words)}")
        if not report:
            echo(f"page with plots: {shlex.join(['proxops', 'report', str(folder)])}")
    if report:
        write_report(found, folder / REPORT, overwrite=True)
    if found.interrupted:
        echo(f"interrupted; the same command with --out {folder} resumes it")
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(0 if found.passed else EXIT_FAILED)


def replay(
    campaign: Annotated[Path, typer.Argument(metavar="CAMPAIGN", help="Folder of a campaign.")],
    seed: Annotated[int, typer.Argument(metavar="SEED", min=0, help="Which of its cases.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the recording.", show_default="runs/NAME-case-SEED, ..."),
    ] = None,
    overwrite: OverwriteRun = False,
    report: WithReport = False,
    json: AsJson = False,
) -> None:
    """Fly one case of a campaign again, recorded, and compare it with the campaign's bit by bit.

    [bold]Example[/bold]

    proxops replay runs/touch-campaign 17 --report
    """
    from proxops.campaigns.prepared import prepare
    from proxops.campaigns.stored import open_campaign
    from proxops.cli.campaign_worker import fly

    stored = open_campaign(campaign)
    expected = stored.case(seed)["hash"]
    prepared = prepare(stored.provenance)
    case = prepared.scenario.dispersed(seed)
    folder = out or free_folder(run_name(case))
    result = fly(prepared, case, progress=True, out=folder, overwrite=overwrite)
    conclude(result, result.folder or folder, report=report, json=json)
    if expected is not None and result.outcome != "interrupted":
        if result.hash != expected:
            echo(
                f"differs from case {seed} of {campaign}: another version of proxops or of a "
                "library, or another kind of machine"
            )
            raise typer.Exit(EXIT_INVALID)
        echo(f"equal to case {seed} of {campaign}, bit for bit")
    raise typer.Exit(EXIT_BY_OUTCOME[result.outcome])


def parse_seeds(text: str) -> list[int]:
    """Seeds of `0-99`, `3,17,20-24`."""
    from proxops.campaigns.fly import MAX_CASES

    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        digits = (first, last) if dash else (first,)
        if not all(each.isdecimal() and len(each) < 20 for each in digits):
            raise InputError(f"--seeds {text[:60]!r}: must be like 0-99 or 3,17,20-24")
        begin, end = int(first), int(last if dash else first)
        if end < begin or end - begin >= MAX_CASES:
            raise InputError(
                f"--seeds {part[:60]!r}: must increase, over {MAX_CASES} seeds or fewer"
            )
        seeds |= dict.fromkeys(range(begin, end + 1))
    return list(seeds)
