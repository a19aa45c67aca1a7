"""The contact of a rehearsal as text for the terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.run import Port

LATE = "yellow"


def show_port(console: Console, port: Port) -> None:
    """Prints what every contact feels and bears, the energy given, and the drift of control."""
    if port.contacts:
        console.print(_contacts(port))
    table = Table(title="\nport", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in ("at most", "value", "unit"):
        table.add_column(name, justify="right" if name == "value" else "left")
    table.add_row("energy generated at the contact", f"{port.contact_J:.3g}", "J")
    if port.held_J > 0.0:
        table.add_row("of which it held at the start", f"{port.held_J:.3g}", "J")
    table.add_row("energy added by the facility", f"{port.facility_J:.3g}", "J")
    if port.control != "off":
        table.add_row(f"drift of a mock-up, control {port.control}", *_length(port.mock_up_m))
        table.add_row("its turn", *_angle(port.mock_up_rad))
        table.add_row("drift of a model", *_length(port.model_m))
        table.add_row("its turn", *_angle(port.model_rad))
    console.print(table)


def _contacts(port: Port) -> Table:
    table = Table(title="\ncontacts", title_justify="left", box=None, padding=(0, 2, 0, 0))
    heads = (
        "contact",
        "mass [kg]",
        "stiffness [N/m]",
        "late by [ms]",
        "critical [ms]",
        "spare [ms]",
    )
    for name in heads:
        table.add_column(Text(name), justify="left" if name == "contact" else "right")
    for each in port.contacts:
        spare = Text(f"{1e3 * each.spare_s:+.3g}", style="" if each.spare_s >= 0.0 else LATE)
        table.add_row(
            Text(each.name),
            f"{each.mass_kg:.4g}",
            f"{each.stiffness_N_m:.4g}",
            f"{1e3 * each.lateness_s:.3g}",
            f"{1e3 * each.critical_s:.3g}",
            spare,
        )
    return table


def _length(metres: float) -> tuple[str, str]:
    return f"{1e3 * metres:.3g}", "mm"


def _angle(radians: float) -> tuple[str, str]:
    return f"{1e3 * radians:.3g}", "mrad"
