"""The report of one run."""

import json
from collections.abc import Mapping
from html import escape
from shlex import quote
from typing import Any

import numpy as np

from proxops.core.errors import ProxopsError
from proxops.core.plot import Curve, Figure, Level
from proxops.report import tables
from proxops.report.burns import delta_v_table, leg_table
from proxops.report.page import Page
from proxops.report.picture import pictures
from proxops.report.rehearsal_sections import add_fidelity_note, add_rehearsal
from proxops.report.sections import Drawn, sections_of
from proxops.report.timeline import event_table, phase_table, rare_instants, timeline
from proxops.report.vbar import overlays_of, path_figures
from proxops.report.verdict_text import last_time, verdict_of
from proxops.results.boost import boost_of, figures_of
from proxops.results.ledger import ENERGY_CLOSED, MOMENTUM_CLOSED, judged, residuals
from proxops.results.provenance import extension_files
from proxops.results.run import Run

LEAST_RESIDUAL = 1e-18  # lowest value on the logarithmic axis; rounding is above it
OPEN_PLOTS = 6  # of a section; more are folded away
LONGEST_TEXT = 20_000  # letters of one text of the scenario
SCENARIO = 'proxops.Scenario.from_dict(made["scenario"])'
REPLAY = (
    'import proxops; run = proxops.open("FOLDER"{files}); made = run.provenance; '
    "again = proxops.simulate({scenario}{own}); "
    "assert again.hash == run.hash"
)
REPLAY_ON_FACILITY = (
    'import proxops; run = proxops.open("FOLDER"{files}); made = run.provenance; '
    "again = proxops.rehearse({scenario}, "
    'made["facility"], representation=made["representation"], nominal=made["nominal"], '
    'no_contact=made["no_contact"], speed=made["speed"], link=made.get("link"){own}); '
    "assert again.hash == run.hash"
)


# Runs that blew up are reported as well: their numbers may be anything.
@np.errstate(all="ignore")
def run_page(run: Run) -> str:
    """The whole file: verdict first, then what it hangs on, then everything that was recorded."""
    page = Page(
        f"{run.title}: {run.headline}",
        scenario_title(run),
        span=(0.0, last_time(run) or 1.0),
        phases=[(phase.start_s, phase.end_s) for phase in run.phases],
        instants=rare_instants(run),
    )
    page.add(banner(run))
    page.add(pictures(run))
    page.heading("Requirements")
    if run.outcome == "invalid":
        page.add("<p>The run is invalid, so none of these verdicts is valid.</p>")
    page.add(
        tables.requirements(run.requirements)
        if run.requirements
        else '<p class="soft">The scenario has none.</p>'
    )
    if run.fidelity is not None:
        page.heading("Fidelity")
        add_fidelity_note(page, run)
        page.add(tables.fidelity(run.fidelity))
    if "facility" in run.provenance:
        add_rehearsal(page, run)
    page.heading("Timeline")
    page.figures([timeline(run)])
    if len(run.phases) > 1:
        page.add(phase_table(run))
    page.add(event_table(run))
    for drawn in sections_of(run):
        page.heading(drawn.title)
        if drawn.title == "Thrusters and boost":
            page.add(delta_v_table(run))
            page.add(leg_table(run))
            page.add(_boost(run))
        path = path_figures(run, overlays_of(run)) if drawn.title == "Relative motion" else []
        page.figures([*path, *drawn.figures], OPEN_PLOTS)
        page.add(constants(drawn))
    page.heading("Ledger")
    page.add(tables.ledger(run))
    page.figures(_residuals(run))
    page.heading("Provenance")
    page.add(provenance(run))
    page.add(sampling(page, len(run.rows)))
    return page.html()


def banner(run: Run, name: str = "") -> str:
    """The verdict, and why; after the name of the run if there are several."""
    verdict = verdict_of(run)
    title = f"{name}: {verdict.word}" if name else verdict.word
    return tables.banner(title, verdict.mood, verdict.why, [event.detail for event in run.warnings])


def scenario_title(run: Run) -> str:
    """What the scenario says of itself."""
    scenario = run.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, Mapping) else None
    return str(mission.get("title", "")) if isinstance(mission, Mapping) else ""


def constants(drawn: Drawn) -> str:
    """The signals of a section that need no figure."""
    if not drawn.constant:
        return ""
    items = "".join(
        f"<li><code>{escape(name)}</code> = {escape(value)}</li>" for name, value in drawn.constant
    )
    return f'<p class="soft">Constant throughout:</p><ul class="constant">{items}</ul>'


def provenance(run: Run) -> str:
    """What it takes to make the same bits again."""
    versions = run.provenance.get("versions")
    rows = [("scenario", run.name), ("seed", str(run.provenance.get("seed", "not recorded")))]
    if "dispersed" in run.provenance:
        rows.append(("dispersed", f"case {run.provenance['dispersed']}"))
        rows += tables.drawn_for(run)
    facility = run.provenance.get("facility")
    if isinstance(facility, Mapping):
        rows.append(("facility", str(facility.get("name", ""))))
        rows.append(("representation", str(run.provenance.get("representation", ""))))
        nominal = run.provenance.get("nominal")
        if isinstance(nominal, Mapping):
            rows.append(("nominal motion", str(nominal.get("name", ""))))
        if run.provenance.get("no_contact"):
            rows.append(("without contact", f"at {run.speed:.0%} of its pace"))
    if isinstance(versions, Mapping):
        rows += [(str(name), str(version)) for name, version in versions.items()]
    rows += [
        ("rows", f"{len(run.rows)}, {len(run.signals())} signals, to {last_time(run):g} s"),
        ("hash", run.hash),
    ]
    own = ""
    if run.controller is not None:
        rows.insert(2, ("controller", run.controller.name))
        own = f", controller={run.controller.name}"
    lanes = run.provenance.get("lanes")
    if isinstance(lanes, int):
        rows.insert(2, ("flown in SIMD lanes", str(lanes)))
        own = f", lanes={lanes}"
    files = list(extension_files(run.provenance))
    rows += [("extension", file) for file in files]
    replay = (REPLAY if facility is None else REPLAY_ON_FACILITY).format(
        own=own,
        scenario=SCENARIO + (".extended(run.extensions)" if files else ""),
        files=f", extensions={json.dumps(files)}" if files else "",
    )
    scenario = json.dumps(_shortened(run.provenance.get("scenario", "not recorded")), indent=1)
    return (
        f"{tables.pairs(rows)}<p>To replay it bit for bit, on the same kind of machine:</p>"
        f"<pre>python -c {escape(quote(replay))}</pre>"
        f"<details><summary>The scenario</summary><pre>{escape(scenario)}</pre></details>"
    )


def sampling(page: Page, rows: int) -> str:
    """How the curves were thinned out."""
    max_count = page.samples_a_curve()
    if rows <= max_count:
        return '<p class="soft">The curves show every row that was recorded.</p>'
    return (
        f'<p class="soft">Of {rows} rows, each curve shows at most {max_count}: the lowest and the '
        "highest of every stretch, so that no peak is lost.</p>"
    )


def _shortened(value: Any) -> Any:
    """The value with files of meshes and the like cut: the recording has them whole."""
    if isinstance(value, Mapping):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]} ... {len(value)} characters in all"
    return value


def _boost(run: Run) -> str:
    try:
        found = boost_of(run)
    except (ProxopsError, KeyError):
        return ""  # a scenario of another version, or a recording without its signals
    if found is None:
        return ""
    return (
        '<p class="soft">From one second after its start to its end:</p>'
        f"{tables.boost(figures_of(found))}"
    )


def _residuals(run: Run) -> list[Figure]:
    try:
        found = residuals(run) if judged(run) else ()
    except ProxopsError:
        return []  # recorded without a ledger
    names = ("momentum", "angular momentum", "energy")
    curves = tuple(
        Curve(name, run.rows[:, 0], np.maximum(each, LEAST_RESIDUAL))
        for name, each in zip(names, found, strict=False)
    )
    return [
        Figure(
            "Residuals of the balances",
            "residual [-]",
            curves,
            caption="The ledger is closed while each stays below its limit.",
            levels=(
                Level(f"limit of momenta {MOMENTUM_CLOSED:.0e}", MOMENTUM_CLOSED),
                Level(f"limit of energy {ENERGY_CLOSED:.0e}", ENERGY_CLOSED),
            ),
            log=True,
            wide=True,
        )
    ]
