"""The commands that fly many dispersed cases of a mission, and one of them again."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proxops.cli.campaign_options import CaseChoice, Fliers, Flight, Results
from proxops.cli.common import (
    EXIT_BY_OUTCOME,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_INVALID,
    REPORT,
    AsJson,
    OverwriteRun,
    ScenarioName,
    WithReport,
    conclude,
    echo,
    free_folder,
    print_json,
    run_name,
    write_report,
)
from proxops.cli.options import grouped

if TYPE_CHECKING:
    from proxops.campaigns import Campaign
    from proxops.campaigns.paired import Pairs

CHANGED = "changed"  # folder in that of a campaign: the same cases with a change


@grouped
def campaign(
    scenario: ScenarioName,
    flight: Flight,
    cases: CaseChoice,
    fliers: Fliers,
    results: Results,
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

    asked = cases.asked
    options = cases.to_dict() | fliers.to_dict()
    options |= {"controller": flight.controller, "at_least": results.at_least, "progress": True}
    loaded = flight.load(scenario)
    changed = flight.load(scenario, cases.against) if cases.against else None
    recorded = results.recorded(options["design"].numbers(loaded.mission, asked))
    if not loaded.mission.dispersions:
        echo(f"{loaded.name} has no [dispersions]: only the seed of its noise differs")
    folder = results.out or free_folder(f"{loaded.name}-campaign")
    found = api.campaign(loaded, asked, flight.facility, **options, out=folder)
    _write_table(found, folder)
    if recorded is not None and not found.interrupted:
        _record(found, folder, recorded)
    pairs, interrupted = None, found.interrupted
    if changed is not None and not interrupted:
        again = cases.as_flown(len(found.cases))
        options |= {"until_width": None}
        other = api.campaign(changed, again, flight.facility, **options, out=folder / CHANGED)
        pairs, interrupted = found.compared_with(other), other.interrupted
    if results.json:
        compared = {} if pairs is None else {"pairs": pairs.to_dict()}
        print_json(found.summary() | {"folder": str(folder)} | compared)
    else:
        _show(found, pairs, folder, results.report)
    if results.report:
        write_report(found, folder / REPORT, overwrite=True)
    if interrupted:
        echo(f"interrupted; the same command with --out {folder} resumes it")
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(0 if found.passed else EXIT_FAILED)


def _write_table(found: "Campaign", folder: Path) -> None:
    """Writes the cases as a table beside them, where that is possible."""
    from proxops.campaigns.table import TABLE, can_write

    if can_write():
        found.export(folder / TABLE, overwrite=True)
    else:
        echo(f"no {TABLE}: pip install pyarrow, then proxops export {folder} FILE.parquet")


def _record(found: "Campaign", folder: Path, which: str | list[int]) -> None:
    """Flies cases again, recorded in folders of their own; those that are there already stay, but
    not those of another design."""
    from proxops.campaigns.ask import ask_in
    from proxops.campaigns.prepared import prepare
    from proxops.cli.campaign_worker import fly
    from proxops.results.store.folder import SUMMARY

    if isinstance(which, list):
        seeds = which
    elif which == "failed":
        seeds = [case["seed"] for case in found.cases if not case["passed"]]
    else:
        seeds = [] if found.worst is None else [found.worst["seed"]]
    prepared = prepare(found.provenance)
    there = {case["seed"] for case in found.cases}
    for seed in seeds:
        if seed not in there:  # fewer cases were enough
            echo(f"case {seed} is not recorded: it was not flown")
            continue
        flown, path = found.case(seed), folder / f"case-{seed}"
        if flown["hash"] is None:
            echo(f"case {seed} is not recorded: {flown['cause']}")
        elif not ((path / SUMMARY).exists() and _hash_of(path / SUMMARY) == flown["hash"]):
            case = ask_in(flown).case_of(prepared.scenario)
            fly(prepared, case, progress=True, out=path, overwrite=path.exists())
            echo(f"recording: {path}")


def _hash_of(summary: Path) -> object:
    """That of the run with this summary."""
    from proxops.results.store.plain import read_object

    return read_object(summary).get("hash")


def _show(found: "Campaign", pairs: "Pairs | None", folder: Path, report: bool) -> None:
    """Prints a campaign, and what may be done with it."""
    from proxops.terminal.campaign import show_campaign, show_pairs

    show_campaign(found)
    if pairs is not None:
        show_pairs(pairs)
    echo(f"cases: {folder}")
    if found.worst is not None:
        words = ["proxops", "replay", str(folder), str(found.worst["seed"])]
        echo(f"fly the worst case again: {shlex.join(words)}")
    if not report:
        echo(f"page with plots: {shlex.join(['proxops', 'report', str(folder)])}")


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
    from proxops.campaigns.ask import ask_in
    from proxops.campaigns.prepared import prepare
    from proxops.campaigns.stored import open_campaign
    from proxops.cli.campaign_worker import fly

    stored = open_campaign(campaign)
    flown = stored.case(seed)
    expected = flown["hash"]
    prepared = prepare(stored.provenance)
    case = ask_in(flown).case_of(prepared.scenario)
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
