"""The contact of a rehearsal as text for the terminal."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.results.compared import CONTACT_HEADS, PortReport, port_figures

LATE = "yellow"


def show_port(console: Console, port: PortReport) -> None:
    """Prints mass, delay and margin of every contact, the energy given and the drift."""
    if port.contacts:
        console.print(_contacts(port))
    table = Table(
        title="\nenergy at the contact", title_justify="left", box=None, padding=(0, 2, 0, 0)
    )
    for name in ("at most", "value", "unit"):
        table.add_column(name, justify="right" if name == "value" else "left")
    for name, value, unit in port_figures(port):
        table.add_row(name, f"{value:.3g}", unit)
    console.print(table)


def _contacts(port: PortReport) -> Table:
    table = Table(title="\ncontacts", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in CONTACT_HEADS:
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
