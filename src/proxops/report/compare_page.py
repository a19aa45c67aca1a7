"""Two runs side by side: verdicts, what was changed, every common signal with its difference."""

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from proxops.core.plot import Figure
from proxops.report import tables
from proxops.report.curves import component_names
from proxops.report.page import Page
from proxops.report.pairs import overlaid
from proxops.report.plan import FIRINGS, claims
from proxops.report.run_page import banner, sampling
from proxops.report.verdict_text import last_time
from proxops.results.run import Run, Signal

LONGEST_VALUE = 60  # letters of a changed value that are shown


@np.errstate(all="ignore")  # runs that blew up are compared as well
def compare_page(a: Run, b: Run, names: tuple[str, str]) -> str:
    """The whole file; `names` tell the runs apart."""
    page = Page(
        f"{names[0]} compared with {names[1]}",
        "A is drawn solid, B dashed; differences are B less A.",
        span=(0.0, max(last_time(a), last_time(b)) or 1.0),
    )
    verdicts = banner(a, f"A, {names[0]}") + banner(b, f"B, {names[1]}")
    page.add(f'<div class="pair">{verdicts}</div>')
    page.heading("Requirements")
    page.add(_requirements(a, b))
    page.heading("Changes")
    page.add(_changes(a, b))
    page.add(_times(a, b))
    common = _common(a, b) if len(a.rows) and len(b.rows) else []
    known = component_names(a)
    same, differs = [], False
    for section, plots in claims(common):
        figures: list[Figure] = []
        for plot, signals in plots:
            for signal in signals:
                made = overlaid((a, b), plot, signal, known)
                figures += made
                differs = differs or bool(made)
                if not made and plot.show != FIRINGS:
                    same.append(signal.name)
        if figures:
            page.heading(section.title)
            page.figures(figures)
    if common and not differs:
        everything = {signal.name for signal in common} == {*a, *b}
        which = "signal" if everything else "signal that both have"
        page.add(f"<p><strong>No {which} differs</strong> between the two runs.</p>")
    page.heading("Signals without a plot")
    page.add(_lists(a, b, sorted(set(same))))
    page.add(sampling(page, max(len(a.rows), len(b.rows))))
    return page.html()


def flat(value: Any, at: str = "") -> dict[str, Any]:
    """A nested mapping as dotted keys; lists are values."""
    if not isinstance(value, Mapping):
        return {at: value}
    found: dict[str, Any] = {}
    for key, item in value.items():
        found |= flat(item, f"{at}.{key}" if at else str(key))
    return found


def _requirements(a: Run, b: Run) -> str:
    first, second = ({item.name: item for item in run.requirements} for run in (a, b))
    rows = []
    for name in dict.fromkeys([*first, *second]):
        one, two = first.get(name), second.get(name)
        given = one or two
        assert given is not None
        apart = None
        if one and two and one.value is not None and two.value is not None and one.unit == two.unit:
            apart = two.value - one.value
        rows.append(
            (
                tables.badge(one.status) if one else "–",
                tables.badge(two.status) if two else "–",
                escape(name),
                tables.number(one.value if one else None),
                tables.number(two.value if two else None),
                tables.number(apart, "+.3g"),
                escape(given.comparison),
                tables.number(given.limit),
                escape(given.unit if given.unit != "1" else ""),
            )
        )
    heads = ("A", "B", "requirement", "value in A", "value in B", "difference", "", "limit", "unit")
    return tables.table(heads, rows, numbers=(3, 4, 5, 7))


def _changes(a: Run, b: Run) -> str:
    first, second = (_story(run) for run in (a, b))
    rows = [
        (f"<code>{escape(key)}</code>", _cell(first.get(key, "–")), _cell(second.get(key, "–")))
        for key in sorted({*first, *second})
        if first.get(key) != second.get(key)
    ]
    if not rows:
        return "<p>Nothing: same scenario, same seed, same versions.</p>"
    return tables.table(("key", "A", "B"), rows)


def _story(run: Run) -> dict[str, Any]:
    """Scenario and versions by dotted keys, those of the scenario as its file has them."""
    kept = {key: run.provenance.get(key) for key in ("scenario", "seed", "versions")}
    return {key.removeprefix("scenario.mission."): value for key, value in flat(kept).items()}


def _cell(value: Any) -> str:
    text = str(value)
    return escape(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…")


def _common(a: Run, b: Run) -> list[Signal]:
    theirs = {signal.name: signal for signal in b.signals()}
    return [each for each in a.signals() if theirs.get(each.name) == each]


def _times(a: Run, b: Run) -> str:
    if not len(a.rows) or not len(b.rows):
        return "<p>One of them has no row: there is nothing to compare.</p>"
    if a.rows.shape[0] == b.rows.shape[0] and np.array_equal(a.rows[:, 0], b.rows[:, 0]):
        return '<p class="soft">Both were sampled at the same times.</p>'
    end = min(last_time(a), last_time(b))
    return (
        '<p class="soft">Their sample times differ: for the differences, up to '
        f"{end:g} s, the one with more samples is interpolated at the times of the other.</p>"
    )


def _lists(a: Run, b: Run, same: list[str]) -> str:
    common = {signal.name for signal in _common(a, b)}
    said = []
    for word, found in (
        ("Equal in both", same),
        ("Only in A, or of another unit or size there", [n for n in a if n not in common]),
        ("Only in B, or of another unit or size there", [n for n in b if n not in common]),
    ):
        if found:
            items = "".join(f"<li><code>{escape(name)}</code></li>" for name in found)
            said.append(f'<p class="soft">{escape(word)}:</p><ul class="constant">{items}</ul>')
    return "".join(said) or '<p class="soft">None.</p>'
