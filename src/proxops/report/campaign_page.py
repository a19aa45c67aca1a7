"""The report of a campaign: whether it passed, what decides that, and the case to look at."""

import shlex
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from proxops.campaigns import Campaign
from proxops.campaigns.indices import Index
from proxops.campaigns.result import NOT_DISPERSED, Spread
from proxops.campaigns.seeds import seeds_text
from proxops.campaigns.sensitivity import Draw, Driver, values_of
from proxops.campaigns.worst import why_worst
from proxops.report import tables
from proxops.report.choice import Choice, Variable, choice_data, choice_html
from proxops.report.histogram import histogram, meets
from proxops.report.page import MAX_SAMPLES, Page
from proxops.report.search_path import search_path

SCATTER = "scatter"
LEAST_CASES = 500  # in the scatter, however many variables there are
MOOD = {"passed": "good", "failed": "bad", "interrupted": "warn"}
NO_REPLAY = "proxops.simulate(scenario.dispersed({seed}))"


def campaign_page(campaign: Campaign) -> str:
    """The whole file."""
    mission = campaign.provenance.get("scenario", {}).get("mission", {})
    page = Page(f"{campaign.name}: {campaign.headline}", str(mission.get("title", "")))
    spreads, drivers, draws = campaign.spreads, campaign.drivers, campaign.draws
    values = {each.name: values_of(campaign.cases, each.name) for each in spreads}
    page.add(_banner(campaign))
    page.heading("Worst case")
    page.add(_worst(campaign))
    if campaign.is_search:
        page.figures([search_path(campaign)])
    page.heading("Requirements")
    page.add(_requirements(spreads, campaign))
    page.figures([histogram(each, values[each.name]) for each in spreads if each.worst is not None])
    if campaign.is_search:  # it crowds into a corner: ranks and chance say nothing there
        page.heading("Requirements and draws")
    else:
        page.heading("What drives each requirement")
        page.add(_drivers(drivers, draws, spreads))
    if draws and any(each.worst is not None for each in spreads):
        choice = _choice(campaign, values, draws)
        page.add(choice_html(choice, SCATTER) + _shown(choice, campaign))
        page.embed(SCATTER, choice_data(choice))
    if campaign.indices:
        page.heading("Sobol indices")
        page.add(_indices(campaign.indices))
    page.heading("Failures by cause")
    page.add(_causes(campaign))
    if campaign.warnings:
        page.heading("Warnings")
        page.add(_seeds("warning", campaign.warnings))
    page.heading("Provenance")
    page.add(_provenance(campaign))
    return page.html()


def replay(campaign: Campaign, seed: int) -> str:
    """The command that flies a case of the campaign again, with recording and report."""
    if campaign.folder is None:
        return NO_REPLAY.format(seed=seed)
    folder = str(campaign.folder.resolve())
    return shlex.join(["proxops", "replay", folder, str(seed), "--report"])


def _banner(campaign: Campaign) -> str:
    flown, asked = len(campaign.cases), campaign.asked
    of = f" of {asked}" if campaign.interrupted else ""
    why = [f"{campaign.passed_count} of {flown}{of} cases passed: {campaign.probability}."]
    low, _ = campaign.interval
    wanted = f"{100 * campaign.at_least:g} %"
    if campaign.interrupted:
        why.append("It was interrupted; the same command resumes it.")
    elif campaign.sampled and campaign.passed and low < campaign.at_least < 1.0:
        why.append(
            f"{wanted} must pass, and did. Whether {wanted} of all possible cases pass is not "
            f"certain: the interval begins at {100 * low:.1f} %. More cases narrow it."
        )
    elif campaign.is_search:
        why.append("A search heads for cases that fail: the share that passes says nothing.")
    else:
        why.append(f"{wanted} must pass.")
    if not campaign.is_dispersed:
        why.append(NOT_DISPERSED)
    if campaign.warned_count:
        why.append(f"{campaign.warned_count} cases passed with warnings.")
    mood = MOOD[campaign.outcome]
    doubtful = campaign.warned_count or not campaign.is_dispersed
    mood = "warn" if mood == "good" and doubtful else mood
    return tables.banner(campaign.headline, mood, why)


def _worst(campaign: Campaign) -> str:
    worst = campaign.worst
    if worst is None:
        return '<p class="soft">No case was flown.</p>'
    rows = [
        ("seed", str(worst["seed"])),
        ("outcome", worst["outcome"]),
        ("why", why_worst(worst, campaign.cases)),
    ]
    rows += tables.drawn(campaign.draw_texts(worst))
    return (
        f"{tables.pairs(rows)}<p>To fly it again, bit for bit, with recording and report:</p>"
        f"<pre>{escape(replay(campaign, worst['seed']))}</pre>"
    )


def _requirements(spreads: Sequence[Spread], campaign: Campaign) -> str:
    if not spreads:
        return '<p class="soft">No case has any.</p>'
    heads = ("requirement", "failed", "worst", "", "limit", "unit", "of seed", "5 %", "median")
    rows = [
        (
            escape(each.name),
            tables.badge(str(each.failed), "bad" if each.failed else "good"),
            tables.number(each.worst),
            escape(each.comparison),
            tables.number(each.limit),
            escape(each.unit if each.unit != "1" else ""),
            "–" if each.worst_seed is None else str(each.worst_seed),
            *(
                "–" if campaign.is_search else tables.number(value)
                for value in (each.low, each.median, each.high)
            ),
            "{:.1f} to {:.1f}".format(*(100.0 * bound for bound in each.met))
            if campaign.sampled
            else "–",
        )
        for each in spreads
    ]
    return tables.table((*heads, "95 %", "met [%]"), rows, numbers=(1, 2, 4, 6, 7, 8, 9, 10))


def _drivers(drivers: Sequence[Driver], draws: Sequence[Draw], spreads: Sequence[Spread]) -> str:
    if not drivers or not draws:
        return '<p class="soft">Nothing was dispersed, or nothing is required.</p>'
    across = {draw.name: i for i, draw in enumerate(draws)}
    up = {each.name: i for i, each in enumerate(_with_values(spreads))}
    rows = []
    for each in drivers:
        if each.draw is None:
            what, rho = "too few cases, or values that do not vary", "–"
        else:
            what = _button(each, across[each.draw], up[each.requirement])
            rho = tables.number(each.correlation, "+.2f")
            rho += "" if each.clear else f" {tables.badge('unclear', 'warn')}"
        rows.append((escape(each.requirement), what, rho, str(each.cases)))
    heads = ("requirement", "dispersion", "correlation", "cases")
    return (
        f"{tables.table(heads, rows, numbers=(2, 3))}"
        '<p class="caption">The draw with the strongest rank correlation (Spearman); +1: the value '
        "grows with it. Unclear: chance alone gives one as strong in more than 5\u00a0% of "
        "campaigns. Ranks see only what rises or falls throughout: the plot shows everything "
        "else.</p>"
    )


def _indices(indices: Sequence[Index]) -> str:
    rows = [
        (
            escape(each.requirement),
            escape(each.dispersion),
            tables.number(each.first, ".2f"),
            "{:.2f} to {:.2f}".format(*each.first_bounds),
            tables.number(each.total, ".2f"),
            "{:.2f} to {:.2f}".format(*each.total_bounds),
        )
        for each in indices
    ]
    heads = ("requirement", "dispersion", "first", "95 %", "total", "95 %")
    return (
        f"{tables.table(heads, rows, numbers=(2, 3, 4, 5))}"
        '<p class="caption">Shares of the variance of a requirement\'s values. First: what would '
        "vanish if this dispersion alone were known; they add up to 1 where effects add. Total: "
        "what would be left if all others were known.</p>"
    )


def _button(driver: Driver, across: int, up: int) -> str:
    return (
        f'<button type="button" class="link" data-choice="{SCATTER}" data-x="{across}" '
        f'data-y="{up}">{escape(driver.draw or "")}</button>'
    )


def _with_values(spreads: Sequence[Spread]) -> list[Spread]:
    return [each for each in spreads if each.worst is not None]


def _choice(campaign: Campaign, values: Mapping[str, np.ndarray], draws: Sequence[Draw]) -> Choice:
    """First the requirement with most values beyond its limit, against what drives it."""
    spreads = _with_values(campaign.spreads)
    kept = _kept(campaign, len(spreads) + len(draws))
    cases = [campaign.cases[i] for i in kept]
    up = [
        Variable(
            each.name, f"{each.name} [{each.unit or '1'}]", values[each.name][kept], each.limit
        )
        for each in spreads
    ]
    across = [Variable(draw.name, draw.title, draw.values[kept]) for draw in draws]
    met = [int(meets(each, values[each.name]).sum()) for each in spreads]
    there = [int(np.isfinite(values[each.name]).sum()) for each in spreads]
    first = max(range(len(spreads)), key=lambda i: there[i] - met[i])
    driver = next(each for each in campaign.drivers if each.requirement == spreads[first].name)
    names = [draw.name for draw in draws]
    notes = [
        f"seed {case['seed']}" + (f", {case['cause']}" if case["cause"] else "") for case in cases
    ]
    passed = np.array([case["passed"] for case in cases])
    start = names.index(driver.draw) if driver.draw else 0
    return Choice(across, up, (start, first), passed, notes)


def _kept(campaign: Campaign, variables: int) -> np.ndarray:
    """Which cases the scatter shows: failed ones first, then evenly among the others."""
    room = max(LEAST_CASES, MAX_SAMPLES // variables)
    passed = np.array([case["passed"] for case in campaign.cases])
    failed, others = np.flatnonzero(~passed), np.flatnonzero(passed)
    failed = failed[:: -(-len(failed) // room) or 1]
    left = room - len(failed)
    others = others[np.linspace(0, len(others) - 1, min(left, len(others))).astype(int)]
    return np.union1d(failed, others)


def _shown(choice: Choice, campaign: Campaign) -> str:
    if len(choice.passed) == len(campaign.cases):
        return ""
    return (
        f'<p class="caption">{len(choice.passed)} of {len(campaign.cases)} cases are drawn: failed '
        "ones first, the others evenly by seed.</p>"
    )


def _causes(campaign: Campaign) -> str:
    if not campaign.causes:
        return '<p class="soft">No case failed.</p>'
    rows = []
    for cause, seeds in campaign.causes.items():
        detail = campaign.case(seeds[0])["detail"]
        example = f"<details><summary>seed {seeds[0]}</summary>{escape(detail)}"
        example += f"<pre>{escape(replay(campaign, seeds[0]))}</pre></details>"
        rows.append((str(len(seeds)), escape(cause), _seeds_html(seeds), example))
    heads = ("cases", "cause", "seeds", "an example")
    return tables.table(heads, rows, numbers=(0,), words=(1, 3))


def _seeds_html(seeds: Sequence[int]) -> str:
    """Seeds that break into lines between ranges, not within one."""
    return escape(seeds_text(seeds)).replace("-", "&#8209;").replace(",", ",<wbr>")


def _seeds(kind: str, found: Mapping[str, Sequence[int]]) -> str:
    rows = [(str(len(seeds)), escape(text), _seeds_html(seeds)) for text, seeds in found.items()]
    return tables.table(("cases", kind, "seeds"), rows, numbers=(0,), words=(1,))


def _provenance(campaign: Campaign) -> str:
    made = campaign.provenance
    rows = [("cases", seeds_text([case["seed"] for case in campaign.cases]))]
    if campaign.folder is not None:
        rows.append(("folder", str(campaign.folder.resolve())))
    if made.get("facility"):
        rows.append(("facility", str(made["facility"].get("name", ""))))
    if made.get("controller"):
        rows.append(("controller", str(made["controller"])))
    rows += [("extension", str(file)) for file in made.get("scenario", {}).get("extensions", {})]
    rows += [(str(name), str(word)) for name, word in made.get("versions", {}).items()]
    return tables.pairs(rows)
