"""The check of a flight as text for the terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.feasibility.flight_answers import FlightFeasibility
from proxops.feasibility.flight_scale import FlightScales
from proxops.feasibility.flight_start import FlightStart

ANALYSIS = (
    "v × λτ, a × λτ², w × τ, n × τ, angles as they are; mass does not enter while nothing touches, "
    "and an error e in the arena is e/λ in orbit"
)
TOO_SLOW = "step_s must be τ × 0.02 s, or a half, quarter or eighth of it"
HEADS = ("limit", "value", "", "limit", "unit", "mission [s]", "status")


def show_flight_check(found: FlightFeasibility, console: Console | None = None) -> None:
    """Prints the verdict, warnings and every limit."""
    console = console or Console(highlight=False)
    head = f"{found.scenario} on {found.facility}, hill: "
    if found.feasible:
        rest = f", the whole {found.duration_s:g} s in {found.flight_s:g} s of flight"
        console.print(Text.assemble(head, Text("FEASIBLE", style="green"), rest), soft_wrap=True)
    else:
        first = "" if found.first is None else found.first.name
        rest = f", ends after {found.lasts_s:.4g} s of {found.duration_s:g} s: {first}"
        console.print(Text.assemble(head, Text("NOT FEASIBLE", style="red"), rest), soft_wrap=True)
    for warning in found.warnings:
        console.print(Text(f"  note: {warning}", style="yellow"), soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for name in HEADS:
        table.add_column(name, justify="right" if name in ("value", "mission [s]") else "left")
    for each in found.limits:
        status = Text("kept", style="green") if each.passed else Text("broken", style="red")
        numbers = (f"{each.value:.4g}", each.comparison, f"{each.limit:.4g}", each.unit)
        table.add_row(each.name, *numbers, f"{each.t_s:.4g}", status)
    console.print(table)
    console.print(f"\nbow of the relative path: {found.bow_m:.3g} m")
    left = found.torque_without_rotor_N_m
    goes_on = "flies on" if left > 0.0 else "falls: no torque is left one way about an axis"
    console.print(f"a vehicle that loses a rotor {goes_on}")
    if found.start is not None:
        _show_start(console, found.start)
    if found.scales is not None:
        _show_scales(console, found.scales)


def _show_start(console: Console, start: FlightStart) -> None:
    console.print(
        f"\nmost room: {start.room_m:.2f} m to walls and between vehicles, "
        f"{start.before_m:.2f} m as given\n  {start.as_changes()}",
        soft_wrap=True,
    )


def _show_scales(console: Console, scales: FlightScales) -> None:
    """Sizes and paces that fit, and why those are the two that there are."""
    console.print(f"\nscales, lengths × λ and τ times faster: {ANALYSIS}", soft_wrap=True)
    low, high = scales.smallest, scales.largest
    console.print(
        f"  λ from {low.value:.3g} ({low.by}) to {high.value:.3g} ({high.by})", soft_wrap=True
    )
    for each in scales.paces:
        slow, fast = each.slowest, each.fastest
        text = (
            f"  λ = {each.length_scale:.3g}: τ from {slow.value:.3g} ({slow.by}) to "
            f"{fast.value:.3g} ({fast.by})"
        )
        console.print(Text(text, style="" if each.exists else "red"), soft_wrap=True)
    best = scales.suggested
    if best is None:
        console.print(Text("  no size and pace fit", style="red"))
        return
    paces = ", ".join(f"{pace:g}" for pace in scales.at_step)
    own = f"of a step_s of {scales.step_s:g} s those are τ = {paces}" if paces else TOO_SLOW
    console.print(f"  largest that does: λ = {best.length_scale:.3g}; {own}", soft_wrap=True)
