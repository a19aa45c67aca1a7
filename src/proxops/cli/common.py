"""What the commands share: their options, exit codes, and how results are shown."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from proxops.campaigns import Campaign
    from proxops.results.run import Run
    from proxops.scenario.load import Scenario

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

ScenarioName = Annotated[
    str, typer.Argument(metavar="NAME|FILE", help="A shipped scenario, or a file.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a saved run.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a value, e.g. target.mass_kg=9000"),
]
ControllerName = Annotated[
    str | None,
    typer.Option(
        "--controller",
        metavar="FILE:NAME",
        help="Your own controller, as in my.py:MyController; runs the file.",
    ),
]
ExtensionFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--extension",
        metavar="FILE",
        help="Your own sensors, functions on board and contact laws; runs the file.",
    ),
]
Disperse = Annotated[
    int | None,
    typer.Option(metavar="SEED", min=0, help="Run the dispersed case of this seed."),
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
    str, typer.Option(help="Address of the scene; anyone who can reach it can view the run.")
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Port of the scene; the next free one if it is taken.")
]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")]


def load_scenario(
    scenario: str,
    set_: list[str] | None,
    disperse: int | None = None,
    extension: list[Path] | None = None,
) -> "Scenario":
    """The scenario with the changes that were asked for, or that dispersed case of it."""
    from proxops.api import load
    from proxops.scenario.load import parse_set

    changes = dict(parse_set(text) for text in set_ or [])
    loaded = load(scenario, extension or ())
    loaded = loaded.replace(changes) if changes else loaded
    return loaded if disperse is None else loaded.dispersed(disperse)


def run_name(scenario: "Scenario") -> str:
    """The folder's name of a run: the scenario's, and which case of it."""
    return f"{scenario.name}-case-{scenario.case.seed}" if scenario.case else scenario.name


def load_controller(text: str | None) -> Any:
    """The controller that was asked for."""
    if text is None:
        return None
    from proxops.onboard.user.file import from_file

    return from_file(text)


def show(result: "Run", folder: Path, json: bool) -> None:
    """Prints the verdict on a run."""
    from proxops.terminal.run import show_run

    if json:
        print_json(result.summary() | {"folder": str(folder)})
    else:
        show_run(result, folder)


def conclude(result: "Run", folder: Path, *, report: bool, json: bool) -> None:
    """Writes the page of a run if asked for, and prints the verdict, which comes last."""
    try:
        if report:
            write_report(result, folder / REPORT, overwrite=True)
    finally:
        show(result, folder, json)


def warn_before(scenario: "Scenario") -> None:
    """Says what there is to warn of before anybody waits for a run."""
    from proxops.results.warnings import foreseen

    for text in foreseen(scenario):
        echo(f"warning: {text}")


def write_report(result: "Run | Campaign", file: Path, *, overwrite: bool) -> None:
    """Writes the page of a run or a campaign, and says where."""
    result.report(file, overwrite=overwrite)
    typer.echo(f"report: {file}", err=True)


def echo(message: str) -> None:
    """A message to the user, beside the result."""
    typer.echo(message, err=True)


def free_folder(name: str) -> Path:
    """runs/NAME, or runs/NAME-2, ... so that no earlier run is touched."""
    folder, count = Path("runs") / name, 1
    while folder.exists():
        count += 1
        folder = Path("runs") / f"{name}-{count}"
    return folder


def print_json(data: object) -> None:
    """Prints plain data on stdout."""
    from proxops.results.store.plain import strict, to_json

    typer.echo(to_json(strict(data), "the result", indent=2))
