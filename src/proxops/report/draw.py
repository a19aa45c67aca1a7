"""Figures as the plain data that plotly.js draws, and their legends as HTML."""

import base64
import json
from html import escape
from typing import Any

import numpy as np

from proxops.core.plot import (
    AREA,
    BARS,
    BOLD,
    COLUMNS,
    DASHED,
    MARKS,
    POINTS,
    RINGS,
    TICKS,
    Curve,
    Figure,
    Level,
)
from proxops.report.theme import COLOURS
from proxops.results.decimate import decimate

# Rounding of single precision, as a share of what a curve spans, that no screen shows
UNSEEN = 1e-5
THICK = 2.5  # [px]
DENSE, THIN = 800, 1.0  # curves of more samples are drawn thin [px], or they hide each other
SYMBOLS = {
    POINTS: ("circle", 7),
    RINGS: ("circle-open", 13),
    TICKS: ("line-ns-open", 16),
    MARKS: ("circle", 6),
}
ROW_PX, PLOT_PX = 26, 300
LONGEST_TITLE = 36  # letters beside a plot


def embedded(figure: Figure, max_points: int) -> str:
    """A figure with at most so many samples a curve, as JSON that may stand inside HTML."""
    data = {
        "data": [_trace(curve, number, max_points) for number, curve in enumerate(figure.curves)],
        "layout": _layout(figure),
        "linked": figure.linked,
    }
    return safe_json(data)


def safe_json(data: Any) -> str:
    """JSON without a character that could end the script element around it."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def packed(values: np.ndarray) -> dict[str, str]:
    """Numbers as plotly.js unpacks them, in single precision where nobody could see it."""
    wide = np.ascontiguousarray(values, dtype="<f8")
    with np.errstate(over="ignore"):
        narrow = wide.astype("<f4")
    finite = wide[np.isfinite(wide)]
    span = float(np.ptp(finite)) if len(finite) else 0.0
    lost = np.abs(narrow[np.isfinite(wide)].astype(float) - finite).max(initial=0.0)
    kept = narrow if np.isfinite(lost) and lost <= UNSEEN * span else wide
    return {"dtype": kept.dtype.str[1:], "bdata": base64.b64encode(kept.tobytes()).decode()}


def height(figure: Figure) -> int:
    """How tall it is drawn [px]."""
    if figure.rows:
        return 64 + ROW_PX * len(figure.rows)
    return 2 * PLOT_PX if figure.equal else PLOT_PX


def legend(figure: Figure) -> str:
    """The curves' names beside strokes of their looks; a button each, which hides the curve."""
    if figure.rows:
        return ""
    items = []
    for number, curve in enumerate(figure.curves):
        look = f"c{colour_of(curve, number)} {curve.kind}"
        if _again(curve, number):
            look += " dashed"
        items.append(
            f'<li><button type="button" data-curve="{number}" aria-pressed="true">'
            f'<i class="{look}"></i>{escape(curve.label)}</button></li>'
        )
    for label in dict.fromkeys(level.label for level in (*figure.levels, *figure.instants)):
        items.append(f'<li><i class="level"></i>{escape(label)}</li>')
    return f'<ul class="legend">{"".join(items)}</ul>' if len(items) > 1 else ""


def colour_of(curve: Curve, number: int) -> int:
    """Its place in the palette."""
    return (number if curve.colour is None else curve.colour) % COLOURS


def _again(curve: Curve, number: int) -> bool:
    """Whether its colour comes for the second time, so that its stroke must differ."""
    return (number if curve.colour is None else curve.colour) // COLOURS % 2 == 1


def plain_text(words: str) -> str:
    """Words that plotly.js must not take for markup."""
    return escape(words, quote=False)


def _axis(title: str) -> str:
    """An upright title, in two lines where one would be longer than the axis."""
    name, bracket, unit = title.rpartition(" [")
    if len(title) <= LONGEST_TITLE or not name:
        return plain_text(title)
    return f"{plain_text(name)}<br>{plain_text(bracket.strip() + unit)}"


def _trace(curve: Curve, number: int, max_points: int) -> dict[str, Any]:
    colour = colour_of(curve, number)
    trace: dict[str, Any] = {"type": "scatter", "name": plain_text(curve.label), "meta": colour}
    if curve.kind == COLUMNS:
        return _columns(curve, colour)
    if curve.kind == BARS and curve.notes:
        return {
            "type": "bar",
            "orientation": "h",
            "name": plain_text(curve.label),
            "meta": colour,
            "base": curve.x[:, 0].tolist(),
            "x": (curve.x[:, 1] - curve.x[:, 0]).tolist(),
            "y": curve.y.tolist(),
            "width": 0.7,
            "marker": {},
            "text": [plain_text(note) for note in curve.notes],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "hoverinfo": "text",
        }
    if curve.kind == BARS:
        ends = np.hstack([curve.x, np.full((len(curve.x), 1), np.nan)]).ravel()
        trace |= {"x": packed(ends), "y": packed(np.repeat(curve.y, 3)), "mode": "lines"}
        return trace | {"line": {"width": 12}, "hoverinfo": "x+name"}
    kept = np.arange(len(curve.x)) if curve.notes else _kept(curve, max_points)
    trace |= {"x": packed(curve.x[kept]), "y": packed(curve.y[kept])}
    if curve.kind in SYMBOLS:
        symbol, size = SYMBOLS[curve.kind]
        trace |= {"mode": "markers", "marker": {"symbol": symbol, "size": size}}
    else:
        dashed = curve.kind == DASHED or _again(curve, number)
        width = THIN if len(kept) > DENSE else 1.4
        width = THICK if curve.kind == BOLD else width
        trace |= {"mode": "lines", "line": {"width": width, "dash": "dash" if dashed else "solid"}}
    if curve.kind == AREA:
        trace |= {"fill": "toself", "hoverinfo": "name"}
    if curve.notes:
        trace |= {"text": [plain_text(note) for note in curve.notes], "hoverinfo": "text"}
    if curve.kind == MARKS:
        trace |= {"mode": "markers+text", "textposition": "top center", "textfont": {}}
    return trace


def _columns(curve: Curve, colour: int) -> dict[str, Any]:
    """Upright bars from edge to edge, with edges and height where one is pointed at."""
    edges = [f"{low:.4g} to {high:.4g}" for low, high in curve.x]
    counts = [f"{height:g}" for height in curve.y]
    return {
        "type": "bar",
        "name": plain_text(curve.label),
        "meta": colour,
        "x": curve.x.mean(axis=1).tolist(),
        "width": (curve.x[:, 1] - curve.x[:, 0]).tolist(),
        "y": curve.y.tolist(),
        "marker": {},
        "hovertext": [
            plain_text(f"{edge}: {count}") for edge, count in zip(edges, counts, strict=True)
        ],
        "hoverinfo": "text",
    }


def _layout(figure: Figure) -> dict[str, Any]:
    y: dict[str, Any] = {"title": {"text": _axis(figure.y), "standoff": 10}, "automargin": True}
    if figure.log:
        y |= {"type": "log", "exponentformat": "power", "dtick": 2}
    else:
        y |= {"exponentformat": "power", "minexponent": 4}
    if figure.rows:
        y |= {
            "tickvals": list(range(len(figure.rows))),
            "ticktext": [plain_text(row) for row in figure.rows],
            "range": [len(figure.rows) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        }
    if figure.equal:
        y |= {"scaleanchor": "x", "scaleratio": 1}
    x: dict[str, Any] = {"exponentformat": "power", "minexponent": 5}
    if figure.window is not None:
        across, up = (list(each) for each in figure.window)
        x["range"], y["range"] = across, up[::-1] if figure.down else up
    elif figure.down:
        y["autorange"] = "reversed"
    shapes = [_stroke(level, "x", "y") for level in figure.levels]
    shapes += [_stroke(level, "y", "x") for level in figure.instants]
    return {
        "height": height(figure),
        "xaxis": {"title": {"text": plain_text(figure.x)}} | x,
        "yaxis": y,
        "shapes": shapes,
        "barmode": "overlay",
        "uniformtext": {"mode": "hide", "minsize": 9},
    }


def _kept(curve: Curve, max_points: int) -> np.ndarray:
    """Numbers of the samples to draw; of a path, which may turn back, the extremes of both axes."""
    if np.all(np.diff(curve.x) >= 0.0):
        return decimate(curve.y, max_points)
    half = max_points // 2
    return np.union1d(decimate(curve.x, half), decimate(curve.y, half))


def _stroke(level: Level, along: str, across: str) -> dict[str, Any]:
    """A straight line at a value of one axis, along the other."""
    start, end = level.window or (0, 1)
    return {
        "type": "line",
        f"{along}ref": along if level.window else "paper",
        f"{along}0": start,
        f"{along}1": end,
        f"{across}0": level.value,
        f"{across}1": level.value,
    }
