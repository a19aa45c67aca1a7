"""A scatter plot whose two axes are chosen from lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from proxops.report.draw import PLOT_PX, packed, plain_text, safe_json

MET, FAILED = 0, 1  # colours


@dataclass(frozen=True, eq=False)
class Variable:
    """A number of every case that an axis may show."""

    name: str
    title: str  # of the axis
    values: np.ndarray  # not a number where a case has none
    limit: float | None = None


@dataclass(frozen=True, eq=False)
class Choice:
    """What can be chosen for both axes, what is seen first, and which of the cases passed."""

    across: Sequence[Variable]
    up: Sequence[Variable]
    first: tuple[int, int]
    passed: np.ndarray
    notes: Sequence[str]  # of each case, shown when it is pointed at


def choice_html(choice: Choice, name: str) -> str:
    """Two lists and the plot under them; `name` is that of its data."""
    lists = "".join(
        f'<label>{word}<select data-axis="{axis}">{_options(variables, first)}</select></label>'
        for word, axis, variables, first in (
            ("requirement", "y", choice.up, choice.first[1]),
            ("against", "x", choice.across, choice.first[0]),
        )
    )
    legend = "".join(
        f'<li><i class="c{colour} {mark}"></i>{label}</li>'
        for label, colour, mark in (
            ("case passed", MET, "points"),
            ("case failed", FAILED, "crosses"),
        )
    )
    return (
        f'<figure class="choice" id="{name}-figure"><div class="lists">{lists}</div>'
        f'<ul class="legend">{legend}<li><i class="level"></i>limit</li></ul>'
        f'<div class="plot" data-figure="{name}" style="height:{PLOT_PX + 80}px"></div></figure>'
    )


def choice_data(choice: Choice) -> str:
    """Everything that can be drawn, as JSON that may stand inside HTML."""
    parts = [np.flatnonzero(choice.passed), np.flatnonzero(~choice.passed)]
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "meta": colour,
            "marker": {"symbol": symbol, "size": 7},
            "text": [plain_text(choice.notes[i]) for i in part.tolist()],
            "hoverinfo": "x+y+text",
        }
        for part, colour, symbol in zip(parts, (MET, FAILED), ("circle", "x"), strict=True)
    ]
    axis = {"exponentformat": "power", "minexponent": 4, "automargin": True}
    layout = {"height": PLOT_PX + 80, "xaxis": axis, "yaxis": axis, "shapes": []}
    columns = {
        axis: [_column(variable, parts) for variable in variables]
        for axis, variables in (("x", choice.across), ("y", choice.up))
    }
    return safe_json({"data": traces, "layout": layout, "linked": False, "columns": columns})


def _options(variables: Sequence[Variable], first: int) -> str:
    return "".join(
        f'<option value="{i}"{" selected" if i == first else ""}>{escape(each.name)}</option>'
        for i, each in enumerate(variables)
    )


def _column(variable: Variable, parts: Sequence[np.ndarray]) -> dict[str, Any]:
    return {
        "title": plain_text(variable.title),
        "limit": variable.limit,
        "parts": [packed(variable.values[part]) for part in parts],
    }
