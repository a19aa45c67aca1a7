"""The check of a flight as text for the terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.feasibility.flight import FlightFeasibility

HEADS = ("limit", "value", "", "limit", "unit", "at [s]", "status")


def show_flight_check(found: FlightFeasibility) -> None:
    """Prints the verdict, warnings and every limit."""
    console = Console(highlight=False)
    head = f"{found.scenario} on {found.facility}, hill: "
    if found.feasible:
        rest = f", the whole {found.duration_s:g} s in {found.flight_s:g} s of flight"
        console.print(Text.assemble(head, Text("FEASIBLE", style="green"), rest), soft_wrap=True)
    else:
        first = min(
            (each for each in found.limits if each.fails_at_s is not None),
            key=lambda each: each.fails_at_s or 0.0,
        )
        rest = f", ends after {found.lasts_s:.4g} s of {found.duration_s:g} s: {first.name}"
        console.print(Text.assemble(head, Text("NOT FEASIBLE", style="red"), rest), soft_wrap=True)
    for warning in found.warnings:
        console.print(Text(f"  note: {warning}", style="yellow"), soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for name in HEADS:
        table.add_column(name, justify="right" if name in ("value", "at [s]") else "left")
    for each in found.limits:
        status = Text("kept", style="green") if each.passed else Text("broken", style="red")
        numbers = (f"{each.value:.4g}", each.comparison, f"{each.limit:.4g}", each.unit)
        table.add_row(each.name, *numbers, f"{each.t_s:.4g}", status)
    console.print(table)
    console.print(f"\nbow of the relative path: {found.bow_m:.3g} m")
