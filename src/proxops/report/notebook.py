"""Missions, runs, campaigns and checks as notebooks show them: HTML that brings its own style.

Colours come from the notebook (`currentColor`, and tints of verdicts), so they suit light and dark
ones.
"""

import io
from collections.abc import Sequence
from html import escape

from rich.console import Console

from proxops.campaigns import Campaign
from proxops.campaigns.worst import why_worst
from proxops.feasibility.answers import Feasibility
from proxops.feasibility.flight_answers import FlightFeasibility
from proxops.report import tables
from proxops.report.picture import pictures, start_pictures
from proxops.report.verdict_text import last_time, verdict_of
from proxops.results.run import Requirement, Run, Signal
from proxops.results.summary import sections, summary
from proxops.scenario.load import Scenario
from proxops.terminal.check import show_check
from proxops.terminal.flight_check import show_flight_check

MANY_WARNINGS = 5  # of a run; more are counted
OPEN_SECTIONS = ("chaser", "target", "at the start")  # of a mission; the others are folded away
CONSOLE_WIDTH = 110  # columns of a check
STYLE = """
.proxops { --line: color-mix(in srgb, currentColor 25%, transparent); }
.proxops table { color: inherit; border-collapse: collapse; margin: .3em 0 .8em; font-variant-numeric: tabular-nums; }
.proxops th, .proxops td { text-align: left; padding: .15em .9em .15em 0; border-bottom: 1px solid var(--line); background: none; vertical-align: top; }
.proxops .number { text-align: right; white-space: nowrap; }
.proxops .banner { border-left: .4em solid; padding: .1em .8em; margin: .4em 0; }
.proxops .banner p, .proxops .banner ul { margin: .2em 0; }
.proxops .badge { font-weight: 600; }
.proxops .good { color: #0a8f63; } .proxops .bad { color: #d03b30; } .proxops .warn { color: #b07800; }
.proxops .scene { display: flex; flex-wrap: wrap; gap: .5em; }
.proxops .scene figure { margin: 0; width: 16em; }
.proxops .scene svg { width: 100%; height: auto; }
.proxops .scene text { font-size: 12px; fill: currentColor; }
.proxops figcaption, .proxops .soft { opacity: .75; font-size: .9em; }
.proxops summary { cursor: pointer; }
.proxops pre { background: none; color: inherit; line-height: 1.25; white-space: pre-wrap; }
"""  # noqa: E501


def scenario_html(scenario: Scenario) -> str:
    """What a mission is at its start: a picture, then its sections; the longer ones folded."""
    found = summary(scenario, checked=False)
    case = "" if found["case"] is None else f", case {found['case']}"
    parts = [f"<p><strong>{escape(found['name'] + case)}</strong>: {escape(found['title'])}</p>"]
    parts.append(start_pictures(scenario))
    for section in sections(found):
        open_ = " open" if section.title in OPEN_SECTIONS else ""
        rows = tables.pairs(section.rows)
        parts.append(f"<details{open_}><summary>{escape(section.title)}</summary>{rows}</details>")
    return _styled(parts)


def run_html(run: Run) -> str:
    """The verdict and why, pictures of start and end, requirements, warnings."""
    verdict = verdict_of(run)
    warned = [f"{each.t_s:.2f} s: {each.detail}" for each in run.warnings]
    if len(warned) > MANY_WARNINGS:
        more = len(warned) - MANY_WARNINGS
        warned = [*warned[:MANY_WARNINGS], f"and {more} more: run.warnings"]
    head = f"{run.title}: {verdict.word}, {last_time(run):g} s"
    size = f"{len(run.rows)} rows of {len(run.table)} signals: run.signals(), run[name]"
    return _styled(
        [
            tables.banner(head, verdict.mood, verdict.why, warned),
            pictures(run),
            tables.requirements(run.requirements) if run.requirements else "",
            f'<p class="soft">{escape(size)}</p>',
        ]
    )


def requirements_html(items: Sequence[Requirement]) -> str:
    """A table with value, limit, unit and margin."""
    return _styled([tables.requirements(items) if items else "<p>no requirements</p>"])


def signals_html(items: Sequence[Signal]) -> str:
    """A table with name, unit, frame and shape."""
    rows = [
        (
            f"<code>{escape(each.name)}</code>",
            escape(each.unit),
            escape(each.frame),
            " × ".join(map(str, each.shape)),
            escape(each.title),
        )
        for each in items
    ]
    return _styled([tables.table(("signal", "unit", "frame", "shape", "title"), rows)])


def campaign_html(campaign: Campaign) -> str:
    """How many passed, what the requirements came to, the worst case, causes."""
    worst = campaign.worst
    said = [f"{campaign.passed_count} of {len(campaign.cases)} passed: {campaign.probability}."]
    if worst is not None:
        said.append(f"Worst case: seed {worst['seed']}, {why_worst(worst, campaign.cases)}.")
    mood = "good" if campaign.passed else "warn" if campaign.interrupted else "bad"
    heads = ("requirement", "", "limit", "worst", "seed", "median", "unit", "failed")
    rows = [
        (
            escape(each.name),
            escape(each.comparison),
            tables.number(each.limit),
            tables.number(each.worst),
            "–" if each.worst_seed is None else str(each.worst_seed),
            tables.number(each.median),
            escape(each.unit),
            str(each.failed),
        )
        for each in campaign.spreads
    ]
    parts = [tables.banner(f"{campaign.name}: {campaign.headline}", mood, said)]
    parts += [tables.table(heads, rows, numbers=(2, 3, 4, 5, 7))] if rows else []
    return _styled(parts)


def check_html(found: Feasibility | FlightFeasibility) -> str:
    """What `proxops check` prints."""
    console = Console(record=True, file=io.StringIO(), width=CONSOLE_WIDTH, highlight=False)
    if isinstance(found, Feasibility):
        show_check(found, console)
    else:
        show_flight_check(found, console)
    return _styled([console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")])


def _styled(parts: Sequence[str]) -> str:
    return f'<div class="proxops"><style>{STYLE}</style>{"".join(parts)}</div>'
