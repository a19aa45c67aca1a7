"""Published numbers against ours, and the publication's figures redrawn from our data."""

from collections.abc import Sequence

from proxops.core.plot import Figure
from proxops.report import tables
from proxops.report.page import Page
from proxops.validation import Validation

MEANING = (
    ("follows", "from the publication's own data; must agree"),
    ("calibrated", "follows after one stated calibration; must agree"),
    ("does-not-follow", "computed without tuning; differs for the reason given"),
    ("hardware", "measured on hardware; simulated here"),
    ("identity", "algebra or arithmetic of the stated data gives it: it checks the code alone"),
    ("setting", "timers of the shipped mission set it, after the publication's timeline"),
)


def validation_page(found: Validation, figures: Sequence[Figure]) -> str:
    """The whole file."""
    gated = [row for row in found.rows if row.gated]
    word = "passed" if found.passed else "failed"
    page = Page(f"{found.name}: comparison with published numbers", "Computed by proxops validate.")
    missed = ", ".join(row.id for row in gated if not row.passed)
    why = found.counts() + (f"; {missed} must agree and do not." if missed else ".")
    others = [row for row in found.rows if not row.gated]
    if others:
        near = sum(row.passed for row in others)
        why += f" Of {len(others)} others {near or 'none'} agree; the table says why."
    page.add(tables.banner(word.upper(), tables.MOOD.get(word, "bad"), (why,)))
    page.heading("Figures")
    page.figures(figures)
    page.heading("Numbers")
    page.add(tables.validation(found))
    page.add(tables.pairs(MEANING))
    return page.html()
