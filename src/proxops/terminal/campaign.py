"""Campaigns as text for the terminal."""

import sys
from collections.abc import Sequence
from itertools import pairwise

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.campaigns import Campaign
from proxops.terminal.run import AMBER, STYLE

WIDE = 160  # columns, where no terminal has fewer
SHOWN_SEEDS = 12  # stretches of seeds in a line; --json and the folder have them all


def show_campaign(campaign: Campaign) -> None:
    """Prints how many cases passed, what the requirements came to and why cases failed."""
    width = None if sys.stdout.isatty() else WIDE  # nothing cuts lines that go into a file
    console = Console(highlight=False, width=width)
    console.print()
    if campaign.spreads:
        console.print(_requirements(campaign))
    if campaign.causes:
        console.print(_seeds("\ncauses of failed cases", "cause", campaign.causes))
    if campaign.warnings:
        table = _seeds("\nwarnings", "warning", campaign.warnings)
        console.print(table, style=AMBER)
    word = "interrupted" if campaign.interrupted else "passed" if campaign.passed else "failed"
    warned = campaign.warned_count
    style = AMBER if word == "passed" and warned else STYLE.get(word, "yellow")
    headline = word.upper() if campaign.spreads or word != "passed" else "no requirements"
    verdict = Text(f"{headline}{' with warnings' if warned else ''}", style=style)
    flown, passed = len(campaign.cases), campaign.passed_count
    low, high = campaign.interval
    of = f" of {campaign.asked}" if campaign.interrupted else ""
    counts = f", {flown}{of} cases, {passed} passed"
    counts += f", {warned} of them with warnings" if warned else ""
    share = f": {100 * campaign.share:.1f} %, "
    share += f"{100 * low:.1f} to {100 * high:.1f} % with 95 % confidence"
    wanted = f"; {100 * campaign.at_least:g} % must pass" if campaign.at_least < 1.0 else ""
    line = Text.assemble(f"\n{campaign.name}: ", verdict, counts, share if flown else "", wanted)
    console.print(line, soft_wrap=True)


def stretches(seeds: Sequence[int]) -> str:
    """Seeds as a person writes them: 3, 17, 20-24; the first few stretches."""
    ordered = sorted(seeds)
    cuts = [i for i, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1]
    ends = zip([0, *cuts], [*cuts, len(ordered)], strict=True)
    runs = [(ordered[begin], ordered[end - 1]) for begin, end in ends]
    words = [f"{a}" if a == b else f"{a}-{b}" for a, b in runs[:SHOWN_SEEDS]]
    return ",".join(words) + (", ..." if len(runs) > SHOWN_SEEDS else "")


def _requirements(campaign: Campaign) -> Table:
    table = Table(title="requirements", title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("requirement")
    table.add_column("")
    for name in ("limit", "worst", "5 %", "median", "95 %"):
        table.add_column(name, justify="right")
    table.add_column("unit")
    table.add_column("failed", justify="right")
    table.add_column("met [%]", justify="right")
    for each in campaign.spreads:
        values = (each.worst, each.low, each.median, each.high)
        table.add_row(
            Text(each.name),
            each.comparison,
            f"{each.limit:.4g}",
            *("-" if value is None else f"{value:.4g}" for value in values),
            each.unit,
            Text(str(each.failed), style=STYLE["failed" if each.failed else "passed"]),
            "{:.1f} to {:.1f}".format(*(100.0 * bound for bound in each.met)),
        )
    return table


def _seeds(title: str, kind: str, found: dict[str, list[int]]) -> Table:
    """Cases by outcome and cause."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("cases", justify="right")
    table.add_column(kind)
    table.add_column("seeds")
    for text, seeds in found.items():
        table.add_row(str(len(seeds)), Text(text), stretches(seeds))
    return table
