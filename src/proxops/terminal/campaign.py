"""Campaigns as text for the terminal."""

from typing import Any

from rich.table import Table
from rich.text import Text

from proxops.campaigns import Campaign
from proxops.campaigns.paired import Pairs
from proxops.campaigns.result import NOT_DISPERSED, Spread
from proxops.campaigns.seeds import seeds_text
from proxops.campaigns.worst import why_worst
from proxops.terminal.console import result_console
from proxops.terminal.run import AMBER, STYLE, draws_table


def show_campaign(campaign: Campaign) -> None:
    """Prints how many cases passed, what the requirements came to and why cases failed."""
    console = result_console()
    console.print()
    if campaign.spreads:
        console.print(_requirements(campaign))
    if campaign.indices:
        console.print(_indices(campaign))
    if campaign.causes:
        console.print(_seeds("\ncauses of failed cases", "cause", campaign.causes))
    if campaign.warnings:
        table = _seeds("\nwarnings", "warning", campaign.warnings)
        console.print(table, style=AMBER)
    if not campaign.is_dispersed:
        console.print(f"\n{NOT_DISPERSED}", style=AMBER, soft_wrap=True)
    if campaign.worst is not None:
        console.print(worst_line(campaign, campaign.worst), soft_wrap=True)
        if campaign.is_search:
            console.print(draws_table("", campaign.draw_texts(campaign.worst)))
    warned = campaign.warned_count
    style = AMBER if campaign.passed and warned else STYLE.get(campaign.outcome, "yellow")
    verdict = Text(campaign.headline, style=style)
    flown, passed = len(campaign.cases), campaign.passed_count
    of = f" of {campaign.asked}" if campaign.interrupted else ""
    counts = f", {flown}{of} cases, {passed} passed"
    counts += f", {warned} of them with warnings" if warned else ""
    share = f": {campaign.probability}" if flown else ""
    wanted = f"; {100 * campaign.at_least:g} % must pass" if campaign.at_least < 1.0 else ""
    line = Text.assemble(f"\n{campaign.name}: ", verdict, counts, share, wanted)
    console.print(line, soft_wrap=True)


def show_pairs(pairs: Pairs) -> None:
    """Prints what a change does to the same cases."""
    console = result_console()
    title = f"\nwith the change, {pairs.count} pairs of cases"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("requirement")
    for name in ("pairs", "mean difference", "95 %", "largest", "seed"):
        table.add_column(name, justify="right")
    table.add_column("unit")
    for each in pairs.differences:
        numbers = (each.mean, each.low, each.high, each.largest)
        mean, low, high, largest = ("-" if n is None else f"{n:+.4g}" for n in numbers)
        seed = "-" if each.largest_seed is None else str(each.largest_seed)
        row = (Text(each.name), str(each.pairs), mean, f"{low} to {high}", largest, seed, each.unit)
        table.add_row(*row)
    console.print(table)
    mended, broken = len(pairs.mended), len(pairs.broken)
    words = f"\n{mended} pass with the change only, {broken} without it only"
    words += f" (by chance alone: {100 * pairs.chance:.2g} %)" if mended + broken else ""
    console.print(Text(words), soft_wrap=True)


def worst_line(campaign: Campaign, worst: dict[str, Any]) -> Text:
    """The worst case with its seed, and why it is the worst."""
    return Text(f"\nworst case: seed {worst['seed']}, {why_worst(worst, campaign.cases)}")


def _requirements(campaign: Campaign) -> Table:
    table = Table(title="requirements", title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("requirement")
    table.add_column("")
    for name in ("limit", "worst", "seed", "5 %", "median", "95 %"):
        table.add_column(name, justify="right")
    table.add_column("unit")
    table.add_column("failed", justify="right")
    table.add_column("met [%]", justify="right")
    for each in campaign.spreads:
        seed = "-" if each.worst_seed is None else str(each.worst_seed)
        quantiles = (None,) * 3 if campaign.is_search else (each.low, each.median, each.high)
        worst, *rest = ("-" if n is None else f"{n:.4g}" for n in (each.worst, *quantiles))
        table.add_row(
            Text(each.name),
            each.comparison,
            f"{each.limit:.4g}",
            *(worst, seed, *rest),
            each.unit,
            Text(_failures(each), style=STYLE["failed" if each.failed else "passed"]),
            "{:.1f} to {:.1f}".format(*(100.0 * bound for bound in each.met))
            if campaign.sampled
            else "-",
        )
    return table


def _failures(spread: Spread) -> str:
    """How many cases failed, and how many of them because they have no value to compare."""
    missing = f" ({spread.not_reached} not reached)" if spread.not_reached else ""
    return f"{spread.failed}{missing}"


def _indices(campaign: Campaign) -> Table:
    """Sobol indices."""
    title = "\nSobol indices: shares of the variance"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("requirement")
    table.add_column("dispersion")
    for name in ("first", "95 %", "total", "95 %"):
        table.add_column(name, justify="right")
    for each in campaign.indices:
        first, total = (
            "{:.2f} to {:.2f}".format(*b) for b in (each.first_bounds, each.total_bounds)
        )
        names = (Text(each.requirement), Text(each.dispersion))
        table.add_row(*names, f"{each.first:.2f}", first, f"{each.total:.2f}", total)
    return table


def _seeds(title: str, kind: str, found: dict[str, list[int]]) -> Table:
    """Cases by outcome and cause."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("cases", justify="right")
    table.add_column(kind)
    table.add_column("seeds")
    for text, seeds in found.items():
        table.add_row(str(len(seeds)), Text(text), seeds_text(seeds))
    return table
