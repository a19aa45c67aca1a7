"""Runs and validations as text for the terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.results.advice import advice
from proxops.results.boost import BoostReport, boost_of, figures_of
from proxops.results.compared import READABLE, Fidelity
from proxops.results.fidelity import compared_part
from proxops.results.ledger import balances, judged
from proxops.results.run import Run, form_of
from proxops.results.verdict import collided
from proxops.scenario.dispersion_text import DrawText, texts_of_case
from proxops.terminal.console import result_console
from proxops.terminal.controller import controller_table
from proxops.terminal.port import show_port
from proxops.terminal.procedure import link_table, procedure_table
from proxops.validation import Row, Validation

AMBER = "bold yellow"
SHOWN_OF_A_KIND = 6  # events of one kind that are printed; the recording has them all
STYLE = {"passed": "green", "failed": "red", "invalid": "red", "not-reached": "yellow"}
MOOD_STYLE = {"good": "bold green", "warn": AMBER, "bad": "bold red", "none": "bold"}


def show_run(run: Run, folder: Path) -> None:
    """Prints requirements, ledger, what happened, where the files are; the verdict last."""
    console = result_console()
    console.print()
    if run.requirements:
        console.print(_requirements(run))
    console.print(_ledger(run))
    if run.draws:
        console.print(draws_table("\ndispersed", texts_of_case(run.provenance["scenario"]["case"])))
    report = boost_of(run)
    if report is not None:
        console.print(_boost(report))
    if run.fidelity is not None:
        console.print(_fidelity(run.fidelity, compared_part(run)))
        if run.fidelity.causes:
            console.print(_causes(run.fidelity))
        if run.fidelity.port is not None:
            show_port(console, run.fidelity.port)
    if run.controller is not None:
        console.print(controller_table(run.controller))
    if run.procedure:
        console.print(procedure_table(run.procedure))
    if run.links:
        console.print(link_table(run.links))
    _show_events(console, run)
    _show_warnings(console, run)
    collision = collided(run)
    if collision is not None and run.outcome == "failed":
        line = f"\ncollision at {collision.t_s:.3f} s: {collision.detail}"
        console.print(line, style=STYLE["failed"], markup=False, soft_wrap=True)
    for abort in run.aborts:
        line = f"\nway out at {abort.t_s:.1f} s: {abort.said}"
        console.print(line, style=AMBER, markup=False, soft_wrap=True)
    if advice(run):
        console.print(f"\n{advice(run)}", markup=False)
    console.print(f"\nrecording: {folder}", soft_wrap=True, markup=False)
    end = run.rows[-1, 0] if len(run.rows) else 0.0
    verdict = Text(run.headline, style=MOOD_STYLE[run.mood])
    last = Text.assemble(f"{run.title}: ", verdict, f", {end:g} s simulated")
    console.print(last, soft_wrap=True)


def _show_warnings(console: Console, run: Run) -> None:
    """Prints every warning: they decide whether a verdict is worth its colour."""
    if run.warnings:
        console.print("\nwarnings", style="italic")
    for event in run.warnings:
        line = f"  {event.t_s:10.3f} s  {event.detail}"
        console.print(line, style=AMBER, markup=False, soft_wrap=True)


def _show_events(console: Console, run: Run) -> None:
    """Prints what happened: of each kind, of each contact and hold, the first few, and how often it
    came again."""
    seen: dict[str, list[float]] = {}
    happened = [event for event in run.events if event.name not in ("phase", "warning")]
    if happened:
        console.print("\nevents", style="italic")
    for event in happened:
        times = seen.setdefault(event.kind, [])
        times.append(event.t_s)
        if len(times) <= SHOWN_OF_A_KIND:
            line = f"  {event.t_s:10.3f} s  {event.name}: {event.detail}"
            console.print(line, markup=False, soft_wrap=True)
    for kind, times in seen.items():
        more = len(times) - SHOWN_OF_A_KIND
        if more > 0:
            console.print(f"  and {more} more {kind}, the last at {times[-1]:.3f} s", markup=False)


def _requirements(run: Run) -> Table:
    table = Table(title="requirements", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("requirement", "value", "", "limit", "unit", "margin", "status"):
        table.add_column(name, justify="right" if name in ("value", "limit", "margin") else "left")
    for item in run.requirements:
        table.add_row(
            Text(item.name),
            "-" if item.value is None else format(item.value, form_of(item)),
            item.comparison,
            format(item.limit, form_of(item)),
            item.unit if item.unit != "1" else "",
            "-" if item.margin is None else f"{item.margin:+.3g}",
            Text(item.status, style=STYLE[item.status]),
        )
    return table


def _fidelity(fidelity: Fidelity, part: str) -> Table:
    """Differences from the orbit; `part` says of how much of the mission, if not of all."""
    title = f"\nfidelity: {fidelity.facility}, {fidelity.representation}, relative to orbit"
    title += f"; {part}" if part else ""
    title += ", at seconds of the mission"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("quantity", "largest", "at [s]", "rms", "delay [ms]", "without delay", "unit"):
        table.add_column(Text(name), justify="left" if name in ("quantity", "unit") else "right")
    for row in fidelity.rows:
        factor, unit = READABLE.get(row.unit, (1.0, row.unit))
        table.add_row(
            row.name,
            f"{factor * row.largest:.3g}",
            f"{row.at_s:.2f}",
            f"{factor * row.rms:.3g}",
            f"{1e3 * row.late_s:.1f}" if row.late_s > 0.0 else "-",
            f"{factor * row.aligned:.3g}",
            unit,
        )
    return table


def _causes(fidelity: Fidelity) -> Table:
    title = "\nlargest differences without one effect"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("quantity")
    table.add_column("as it is", justify="right")
    for cause in fidelity.causes:
        table.add_column(f"no {cause.name}", justify="right")
    table.add_column("unit")
    for row, *others in zip(fidelity.rows, *(cause.rows for cause in fidelity.causes), strict=True):
        factor, unit = READABLE.get(row.unit, (1.0, row.unit))
        cells = [f"{factor * each.largest:.3g}" for each in (row, *others)]
        table.add_row(row.name, *cells, unit)
    return table


def draws_table(title: str, draws: Sequence[DrawText]) -> Table:
    """What was drawn for a case."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("dispersion", "key", "change", "value"):
        table.add_column(name)
    for each in draws:
        bound = ", at its bound" if each.at_bound else ""
        cells = (each.name, each.key, each.change + bound, each.value)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _boost(report: BoostReport) -> Table:
    table = Table(
        title="\nboost, from one second after its start to its end",
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
    )
    for name in ("figure", "value", "unit", ""):
        table.add_column(name, justify="right" if name == "value" else "left")

    for figure in figures_of(report):
        table.add_row(figure.name, f"{figure.value:.4g}", figure.unit, figure.note)
    return table


def _ledger(run: Run) -> Table:
    table = Table(title="\nledger", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("balance", "residual", "limit", "status"):
        table.add_column(name, justify="right" if name in ("residual", "limit") else "left")
    for balance in balances(run.ledger):
        residual = f"{balance.residual:.1e}" if judged(run) else "-"
        status = "passed" if balance.closed else "failed"
        word = Text("closed" if balance.closed else "OPEN", style=STYLE[status])
        if not judged(run):
            word = Text("not judged", style=STYLE["not-reached"])
        table.add_row(balance.name, residual, f"{balance.limit:.0e}", word)
    return table


def show_validation(validation: Validation) -> None:
    """Prints every published number beside ours, and why those differ that do."""
    console = Console(highlight=False)
    table = Table(box=None, padding=(0, 1, 0, 0))
    for name in ("id", "published", "ours", "within", "unit", "status", ""):
        side: Literal["left", "right"] = (
            "right" if name in ("published", "ours", "within") else "left"
        )
        table.add_column(name, justify=side, no_wrap=True)
    for row in validation.rows:
        table.add_row(
            row.id,
            f"{row.published:g}",
            f"{row.ours:.4g}",
            f"{row.tolerance:g}",
            row.unit,
            row.status,
            _agreement(row),
        )
    console.print(table)
    for reason, ids in _differing(validation).items():
        console.print(f"\n{', '.join(ids)}:\n  {reason}", soft_wrap=True)
    word = "passed" if validation.passed else "failed"
    verdict = Text(word.upper(), style=STYLE[word])
    counts = f": {validation.counts()}"
    console.print(Text.assemble(f"\n{validation.name}: ", verdict, counts), soft_wrap=True)


def _agreement(row: Row) -> Text:
    if row.passed:
        return Text("agrees", style=STYLE["passed"])
    return Text("differs", style=STYLE["failed" if row.gated else "not-reached"])


def _differing(validation: Validation) -> dict[str, list[str]]:
    """Ids of the rows that differ, by reason."""
    reasons: dict[str, list[str]] = {}
    for row in validation.rows:
        if not row.passed:
            reasons.setdefault(row.reason, []).append(row.id)
    return reasons
