"""What a facility did before, during and after a rehearsal, as text for the terminal."""

from rich.table import Table
from rich.text import Text

from proxops.core.link_statistics import HEADS, LinkStatistics
from proxops.core.states import PASSED, FacilityState


def procedure_table(states: tuple[FacilityState, ...]) -> Table:
    """One line a state."""
    table = Table(
        title="\nfacility, in its own seconds", title_justify="left", box=None, padding=(0, 2, 0, 0)
    )
    for name in ("state", "at [s]", "lasts [s]", "clear [mm]", "verdict", "between"):
        right = name in ("at [s]", "lasts [s]", "clear [mm]")
        table.add_column(Text(name), justify="right" if right else "left")
    for state in states:
        table.add_row(
            state.name,
            f"{state.start_s:.2f}",
            f"{state.lasts_s:.2f}",
            f"{1e3 * state.clearance_m:.0f}",
            Text(state.verdict, style="green" if state.verdict == PASSED else "red"),
            Text(_short(state.between)),
        )
    return table


def link_table(links: tuple[LinkStatistics, ...]) -> Table:
    """Frames to and from each vehicle."""
    table = Table(title="\nlinks", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in HEADS:
        table.add_column(Text(name), justify="left" if name == HEADS[0] else "right")
    for link in links:
        table.add_row(*map(Text, link.cells))
    return table


def _short(between: str) -> str:
    """Robots by their mock-ups: a line is short."""
    for name in ("target", "chaser"):
        between = between.replace(f"of the {name}'s robot", f"({name})")
    return between
