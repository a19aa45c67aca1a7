"""The commands that fly many dispersed cases of a mission, and one of them again."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from proxops.campaigns import Campaign
    from proxops.campaigns.paired import Pairs

CHOSEN = ("failed", "worst")  # cases to record
CHANGED = "changed"  # folder in that of a campaign: the same cases with a change

TlsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="PEM file, for a scheduler at tls://: all three or none."),
]


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
    design: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="monte-carlo, latin-hypercube, sobol, saltelli (Sobol indices), grid, "
            "one-at-a-time, or worst-case (a search).",
        ),
    ] = "monte-carlo",
    levels: Annotated[int, typer.Option(min=2, help="Of each number in a grid.")] = 3,
    batch: Annotated[
        int, typer.Option(min=1, help="Cases that a search flies at once; more take more in all.")
    ] = 2,
    until_width: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="End once the 95 % interval of the share that passes is so wide, such as 0.05.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Fly each case a second time with this change, and compare both.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes.", show_default="one per processor"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="tcp://HOST:PORT",
            help="Dask scheduler whose workers fly the cases, in place of processes here.",
        ),
    ] = None,
    tls_ca: TlsFile = None,
    tls_cert: TlsFile = None,
    tls_key: TlsFile = None,
    at_least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the cases that must pass.")
    ] = 1.0,
    lanes: Annotated[
        int | None,
        typer.Option(
            metavar="4|8",
            help="Cases of a free flight that a worker flies at once, in SIMD lanes.",
            show_default="each by itself",
        ),
    ] = None,
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
    record: Annotated[
        str | None,
        typer.Option(
            metavar="failed|worst|SEEDS",
            help="Fly these cases again at the end, and record them in case-SEED of the folder.",
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
    from proxops.campaigns import Design, Scheduler

    asked = parse_seeds(seeds)
    if record not in (None, *CHOSEN):
        parse_seeds(record, "--record")
    files = [None if each is None else str(each) for each in (tls_ca, tls_cert, tls_key)]
    if scheduler is None and any(files):
        raise InputError("--tls-ca, --tls-cert, --tls-key: are for --scheduler tls://HOST:PORT")
    loaded = load_scenario(scenario, set_, extension=extension)
    if not loaded.mission.dispersions:
        echo(f"{loaded.name} has no [dispersions]: only the seed of its noise differs")
    folder = out or free_folder(f"{loaded.name}-campaign")
    options: dict[str, Any] = {
        "controller": controller,
        "workers": workers,
        "scheduler": None if scheduler is None else Scheduler(scheduler, *files),
        "design": Design(design, levels, batch),
        "until_width": until_width,
        "at_least": at_least,
        "lanes": lanes,
        "progress": True,
    }
    found = api.campaign(loaded, asked, facility, **options, out=folder)
    _write_table(found, folder)
    if record is not None and not found.interrupted:
        _record(found, folder, record)
    pairs = None
    if against and not found.interrupted:
        changed = load_scenario(scenario, [*(set_ or ()), *against], extension=extension)
        seeds_flown = [case["seed"] for case in found.cases]
        other = api.campaign(changed, seeds_flown, facility, **options, out=folder / CHANGED)
        pairs = found.compared_with(other)
    if json:
        compared = {} if pairs is None else {"pairs": pairs.to_dict()}
        print_json(found.summary() | {"folder": str(folder)} | compared)
    else:
        _show(found, pairs, folder, report)
    if report:
        write_report(found, folder / REPORT, overwrite=True)
    if found.interrupted:
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


def _record(found: "Campaign", folder: Path, which: str) -> None:
    """Flies cases again, recorded in folders of their own; those that are there already stay."""
    from proxops.campaigns.ask import ask_in
    from proxops.campaigns.prepared import prepare
    from proxops.cli.campaign_worker import fly
    from proxops.results.store.folder import SUMMARY

    if which == "failed":
        seeds = [case["seed"] for case in found.cases if not case["passed"]]
    elif which == "worst":
        seeds = [] if found.worst is None else [found.worst["seed"]]
    else:
        seeds = parse_seeds(which, "--record")
    prepared = prepare(found.provenance)
    for seed in seeds:
        flown, path = found.case(seed), folder / f"case-{seed}"
        if flown["hash"] is None:
            echo(f"case {seed} is not recorded: {flown['cause']}")
        elif not (path / SUMMARY).exists():
            case = ask_in(flown).case_of(prepared.scenario)
            fly(prepared, case, progress=True, out=path, overwrite=path.exists())
            echo(f"recording: {path}")


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


def parse_seeds(text: str, option: str = "--seeds") -> list[int]:
    """Seeds of `0-99`, `3,17,20-24`, as that option was given."""
    from proxops.campaigns.fly import MAX_CASES

    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        digits = (first, last) if dash else (first,)
        if not all(each.isdecimal() and len(each) < 20 for each in digits):
            raise InputError(f"{option} {text[:60]!r}: must be like 0-99 or 3,17,20-24")
        begin, end = int(first), int(last if dash else first)
        if end < begin or end - begin >= MAX_CASES:
            raise InputError(
                f"{option} {part[:60]!r}: must increase, over {MAX_CASES} seeds or fewer"
            )
        seeds |= dict.fromkeys(range(begin, end + 1))
    return list(seeds)
