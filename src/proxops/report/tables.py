"""Tables as HTML; every text is escaped, every number has as many digits as people read."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from proxops.results.boost import Quantity
from proxops.results.compared import CONTACT_HEADS, READABLE, Fidelity, PortReport, port_figures
from proxops.results.ledger import balances, judged
from proxops.results.run import Requirement, Run, form_of
from proxops.scenario.dispersion_text import DrawText, texts_of_case
from proxops.validation import Validation

MANY, MILLIONS = 1e4, 1e8  # between these, numbers are written out
MOOD = {
    "passed": "good",
    "closed": "good",
    "agrees": "good",
    "not-reached": "warn",
    "not judged": "warn",
}


def badge(word: str, mood: str = "") -> str:
    """A word in the colour of what it means."""
    return f'<span class="badge {mood or MOOD.get(word, "bad")}">{escape(word)}</span>'


def banner(title: str, mood: str, why: Sequence[str], warned: Sequence[str] = ()) -> str:
    """A verdict that cannot be missed, with the sentences that say why."""
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in why)
    if warned:
        items = "".join(f"<li>{escape(text)}</li>" for text in warned)
        said += f"<p>Warnings:</p><ul>{items}</ul>"
    return f'<div class="banner {mood}" role="status"><strong>{escape(title)}</strong>{said}</div>'


def drawn(draws: Iterable[DrawText]) -> list[tuple[str, str]]:
    """Rows of what was drawn for a case."""
    return [
        (
            f"drawn: {each.name}",
            f"{each.key} {each.change}: {each.value}"
            + (" (at its bound)" if each.at_bound else ""),
        )
        for each in draws
    ]


def drawn_for(run: Run) -> list[tuple[str, str]]:
    """The same of a dispersed run."""
    return drawn(texts_of_case(run.provenance["scenario"]["case"])) if run.draws else []


def number(value: float | None, form: str = ".4g") -> str:
    """A number as text; a dash for none."""
    if value is None:
        return "–"
    if not math.isfinite(value):
        return str(value)
    if MANY <= abs(value) < MILLIONS and form.endswith("g"):
        sign, _, digits = form[:-1].rpartition(".")
        behind = max(0, int(digits) - len(str(int(abs(value)))))
        form = f"{sign},.{behind}f"
    return format(value, form).replace("-", "−").replace(",", "\u202f")


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    numbers: Sequence[int] = (),
    words: Sequence[int] = (),
    kind: str = "",
) -> str:
    """A table of cells that are HTML already; the columns in `numbers` are set to the right, those
    in `words` have room for sentences.  `kind` is how a phone lays it out."""
    classes = dict.fromkeys(numbers, ' class="number"') | dict.fromkeys(words, ' class="words"')

    def cells(tag: str, row: Sequence[str]) -> str:
        kind = [classes.get(i, "") for i in range(len(row))]
        return "".join(f"<{tag}{kind[i]}>{cell}</{tag}>" for i, cell in enumerate(row))

    laid_out = f' class="{kind}"' if kind else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    head = cells("th", [escape(word) for word in heads])
    content = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="table"><table{laid_out}>{content}</table></div>'


def requirements(items: Sequence[Requirement]) -> str:
    """Every requirement with its verdict."""
    heads = ("status", "requirement", "value", "", "limit", "unit", "margin")
    rows = [
        (
            badge(item.status),
            escape(item.name),
            number(item.value, form_of(item)),
            escape(item.comparison),
            number(item.limit, form_of(item)),
            escape(item.unit if item.unit != "1" else ""),
            number(item.margin, "+.3g"),
        )
        for item in items
    ]
    return table(heads, rows, numbers=(2, 4, 6), kind="lines")


def ledger(run: Run) -> str:
    """Every balance of a run with its residual."""
    rows = [
        (
            badge(("closed" if balance.closed else "open") if judged(run) else "not judged"),
            balance.name,
            number(balance.residual if judged(run) else None, ".1e"),
            number(balance.limit, ".0e"),
        )
        for balance in balances(run.ledger)
    ]
    return table(("status", "balance", "residual", "limit"), rows, numbers=(2, 3))


def boost(figures: Iterable[Quantity]) -> str:
    """The figures of a boost."""
    rows = [
        (each.name, number(each.value), escape(each.unit), escape(each.note)) for each in figures
    ]
    return table(("figure", "value", "unit", "when"), rows, numbers=(1,))


def fidelity(found: Fidelity) -> str:
    """How far a rehearsal is from the orbit."""
    rows = []
    for row in found.rows:
        factor, unit = READABLE.get(row.unit, (1.0, row.unit))
        late = number(1e3 * row.late_s if row.late_s > 0.0 else None, ".1f")
        values = [number(factor * value, ".3g") for value in (row.largest, row.rms, row.aligned)]
        rows.append([escape(row.name), values[0], number(row.at_s, ".2f"), values[1], late,
                     values[2], escape(unit)])  # fmt: skip
    heads = ("quantity", "largest", "at [s]", "rms", "delay [ms]", "without delay", "unit")
    where = f"{found.facility}, {found.representation}, compared with the same mission in orbit."
    shown = table(heads, rows, numbers=range(1, 6))
    causes = _causes(found) if found.causes else ""
    port = _port(found.port) if found.port is not None else ""
    return f'<p class="soft">{escape(where)}</p>{shown}{causes}{port}'


def _port(found: PortReport) -> str:
    """What every contact feels and bears, the energy given, and the drift of control."""
    loops = [
        [escape(each.name), number(each.mass_kg), number(each.stiffness_N_m)]
        + [number(1e3 * value, ".3g") for value in (each.lateness_s, each.critical_s, each.spare_s)]
        for each in found.contacts
    ]
    rows = [[escape(name), number(value, ".3g"), unit] for name, value, unit in port_figures(found)]
    contacts = table(CONTACT_HEADS, loops, numbers=range(1, 6)) if loops else ""
    return contacts + table(("at most", "value", "unit"), rows, numbers=(1,))


def _causes(found: Fidelity) -> str:
    """The largest differences without each effect of the facility."""
    rows = []
    for row, *others in zip(found.rows, *(cause.rows for cause in found.causes), strict=False):
        factor, unit = READABLE.get(row.unit, (1.0, row.unit))
        cells = [number(factor * each.largest, ".3g") for each in (row, *others)]
        rows.append([escape(row.name), *cells, escape(unit)])
    heads = ("largest difference", "as it is", *(f"no {cause.name}" for cause in found.causes))
    return table((*heads, "unit"), rows, numbers=range(1, len(heads)))


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Names and what they stand for, both texts."""
    body = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows
    )
    return f'<div class="table"><table><tbody>{body}</tbody></table></div>'


def validation(found: Validation) -> str:
    """Every published number beside ours."""
    heads = ("", "quantity", "published", "ours", "within", "unit", "status", "how, or why")
    rows = [
        (
            badge("agrees") if row.passed else badge("differs", "bad" if row.gated else "warn"),
            f"{escape(row.text)}<br><code>{escape(row.id)}</code>",
            number(row.published),
            number(row.ours),
            number(row.tolerance),
            escape(row.unit if row.unit != "1" else ""),
            escape(row.status),
            escape(row.reason),
        )
        for row in found.rows
    ]
    return table(heads, rows, numbers=(2, 3, 4), words=(1, 7))
