"""A check as text for the terminal: the verdict first, the operator's checklist last."""

import math
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from proxops.feasibility.answers import Answer, Feasibility
from proxops.feasibility.check import CLOSE
from proxops.feasibility.checklist import checklist
from proxops.feasibility.contact_delay import ContactMargin
from proxops.feasibility.margins import Standing
from proxops.terminal.console import result_console

LONG = ("ends with", "closest to")  # columns that may take several lines
RIGHT = ("lasts", "value", "limit", "margin", "at", "stiffness", "damping", "mass", "late")
NOTHING = 1e-6  # of a limit: shown as zero
OUT_OF_REACH = ("reach, arm stretched", "reach, arm folded")
THIN = 0.05  # margin below which it is shown in yellow


def show_check(found: Feasibility, console: Console | None = None) -> None:
    """Prints verdict, representations, margins, torques, contacts and the checklist."""
    console = console or result_console()

    def say(line: str | Text | Table) -> None:
        console.print(line, soft_wrap=not isinstance(line, Table), markup=False)

    say(_verdict(found))
    for warning in found.warnings:
        say(Text(f"  note: {warning}", style="yellow"))
    say(_representations(found))
    if found.asked.robots:
        say(_margins(found.asked))
    else:
        say("\nno robots: carriers follow their commands exactly, without limits")
    if found.tumble:
        say(_standings("target's tumble: limits of the on-board software", found.tumble))
    if found.asked.torques:
        title = "arm on the ground: largest torques of the whole mission"
        say(_standings(title, found.asked.torques))
    delay = found.delay
    parts = ", ".join(f"{name} {1e3 * part:.3g}" for name, part in delay._asdict().items() if part)
    say(f"\ncontact is measured late by {1e3 * delay.total:.3g} ms ({parts or 'nothing'})")
    if found.contacts:
        say(_contacts(found.contacts))
    if found.placement is not None:
        place = found.placement
        end = f"least margin {100 * place.margin:.0f} %"
        if place.limit is not None:
            going = place.going
            other = _other(going.limit, going.by_robots, going.by_guard)
            end = f"then {_limit_text(place.limit)}{other}"
        lasts = f"{place.lasts:.2f} s"
        if place.surely.lasts < place.lasts - CLOSE:
            lasts += f"; with reserve {place.surely.lasts:.2f} s"
        say(f"\nbest start pose found: lasts {lasts}, {end}\n\n{place.toml}")
    lines = checklist(found)
    if lines:
        say("\nbefore the run, confirm")
    for line in lines:
        say(f"  [ ] {line}")


def _verdict(found: Feasibility) -> Text:
    asked = found.asked
    shown_as = f"{asked.representation}{found.case.nominal.suffix}"
    head = f"{found.scenario} on {found.facility}, {shown_as}: "
    if asked.limit is None:
        rest = f", the whole {found.duration:g} s"
        return Text.assemble(head, Text("FEASIBLE", style="green"), rest)
    rest = f", ends after {asked.lasts:.2f} s of {found.duration:g} s: {_limit_text(asked.limit)}"
    if asked.beside is not None:
        rest += f"; {asked.beside.name} is close to its limit as well ({_values(asked.beside)})"
    rest += _other(asked.limit, asked.by_robots, asked.by_guard)
    return Text.assemble(head, Text("NOT FEASIBLE", style="red"), rest)


def _other(limit: Standing | None, by_robots: Standing | None, by_guard: Standing | None) -> str:
    """When the other of the two would have ended it."""
    if by_guard is not None and by_guard != limit:
        return f"; the guard would stop a rehearsal at {by_guard.t:.2f} s: {_limit_text(by_guard)}"
    if by_robots is not None and by_robots != limit:
        return f"; at {by_robots.t:.2f} s also {_limit_text(by_robots)}"
    return ""


def _limit_text(limit: Standing) -> str:
    if limit.name in OUT_OF_REACH and limit.value < 0.0:
        return f"{limit.where}, out of reach by {_number(-limit.value)} m: {limit.name}"
    values = f" ({_values(limit)})" if limit.unit else ""
    return f"{limit.where}, {limit.name}{values}"


def _values(limit: Standing) -> str:
    value, bound, unit = _shown(limit)
    return f"{value} of {bound} {unit}"


def _number(x: float) -> str:
    """Three digits, or as many as a whole number takes."""
    return f"{x:.3g}" if abs(x) < 1000.0 else f"{x:.0f}"


def _shown(limit: Standing) -> tuple[str, str, str]:
    """Value, limit and unit, angles in degrees."""
    factor = math.degrees(1.0) if limit.unit.startswith("rad") else 1.0
    unit = limit.unit.replace("rad", "deg")
    value = 0.0 if abs(limit.value) < NOTHING * abs(limit.bound) else limit.value
    return _number(factor * value), _number(factor * limit.bound), unit


def _table(title: str, *columns: str) -> Table:
    table = Table(title=f"\n{title}", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name in columns:
        side: Literal["left", "right"] = "right" if name in RIGHT else "left"
        table.add_column(name, justify=side, no_wrap=name not in LONG)
    return table


def _representations(found: Feasibility) -> Table:
    table = _table("representations", "", "lasts", "ends with")
    for answer in found.answers:
        end = "the mission" if answer.limit is None else _limit_text(answer.limit)
        end += _other(answer.limit, answer.by_robots, answer.by_guard)
        style = "green" if answer.feasible else "red"
        table.add_row(answer.representation, Text(f"{answer.lasts:.2f} s", style=style), end)
    return table


def _margins(asked: Answer) -> Table:
    rows = [least for robot in asked.robots for least in robot.margins.values()]
    rows += [asked.clearance] if asked.clearance is not None else []
    return _standings(f"least margins until {asked.lasts:.2f} s", rows)


def _standings(title: str, rows: list[Standing] | tuple[Standing, ...]) -> Table:
    table = _table(title, "", "closest to", "value", "limit", "unit", "margin", "at")
    before = ""
    for row in rows:
        style = "" if row.margin > THIN else "yellow" if row.margin > 0.0 else "red"
        table.add_row(
            "" if row.where == before else row.where,
            row.name,
            *_shown(row),
            Text(f"{100.0 * row.margin:.0f} %", style=style),
            f"{row.t:.2f} s",
        )
        before = row.where
    return table


def _contacts(contacts: tuple[ContactMargin, ...]) -> Table:
    table = _table(
        "contacts, with a rigid arm",
        "",
        "stiffness",
        "damping",
        "mass",
        "late",
        "limit",
        "margin",
    )
    for contact in contacts:
        margins = contact.margins
        table.add_row(
            contact.name,
            f"{contact.stiffness:.4g} N/m",
            f"{contact.damping:.4g} N s/m",
            f"{margins.mass:.4g} kg",
            f"{1e3 * margins.lateness:.3g} ms",
            f"{1e3 * margins.critical:.3g} ms",
            Text(f"{1e3 * margins.spare:+.3g} ms", style="" if margins.spare > 0.0 else "red"),
        )
    return table
