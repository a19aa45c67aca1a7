"""A user's controller in a run, as text for the terminal."""

from rich.table import Table
from rich.text import Text

from proxops.results.controller_report import ControllerReport

WRONG = "yellow"


def controller_table(report: ControllerReport) -> Table:
    """Its cycles, how long they took, and what was wrong with them."""
    title = f"\ncontroller: {report.name}, {report.rate_hz:g} Hz, {report.turns} cycles"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("", "value", "unit", ""):
        table.add_column(name, justify="right" if name == "value" else "left")
    pace = report.pace
    if pace is not None:
        how = "timed by itself, after the run" if pace.alone else ""
        for name, seconds in (("p50", pace.p50_s), ("p99", pace.p99_s), ("worst", pace.worst_s)):
            table.add_row(f"time of a cycle, {name}", f"{1e3 * seconds:.3g}", "ms", how)
        late = Text(f"{1e2 * pace.overruns:.2g}", style=WRONG if pace.overruns > 0.0 else "")
        table.add_row("cycles longer than the period", late, "%", "")
    for each in report.findings:
        count = Text(str(each.turns), style=WRONG)
        first = f"first at {each.first_s:.3f} s: {each.detail}"
        table.add_row(each.kind, count, "cycles", Text(first))
    if not report.findings:
        table.add_row("commands not finite, of a wrong size or beyond limits", "0", "cycles", "")
    return table
