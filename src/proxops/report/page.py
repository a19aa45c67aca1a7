"""The shell of a report: one HTML file that asks nobody for anything."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import resources
from string import Template

from plotly.offline import get_plotlyjs

from proxops.core.plot import Figure
from proxops.report.draw import embedded, height, legend, safe_json
from proxops.report.theme import GROUND, PALETTE

GENERATOR = "proxops report"
# Samples drawn on a page in all, eight bytes each before base64: 2.6 MB, beside plotly's 4.8 MB
MAX_SAMPLES = 240_000
FEW_MORE = 2  # figures that are not worth folding away
NAMED = 3  # titles of those that are
MAX_PER_CURVE, LEAST_A_CURVE = 2000, 200


@dataclass
class Page:
    """A page in the making: blocks of HTML in order, and the figures in them."""

    title: str
    subtitle: str = ""
    span: tuple[float, float] = (0.0, 1.0)  # of linked time axes [s]
    phases: Sequence[tuple[float, float]] = ()
    instants: Sequence[float] = ()
    _blocks: list[str] = field(default_factory=list)
    _headings: list[tuple[str, str]] = field(default_factory=list)
    _figures: list[Figure] = field(default_factory=list)
    _embedded: list[tuple[str, str]] = field(default_factory=list)

    def add(self, html: str) -> None:
        """Adds a block."""
        self._blocks.append(html)

    def heading(self, title: str) -> None:
        """Begins a section, named in the table of contents."""
        anchor = f"s{len(self._headings)}"
        self._headings.append((anchor, title))
        self.add(f'<h2 id="{anchor}">{escape(title)}</h2>')

    def figures(self, figures: Sequence[Figure], open_ones: int = 0) -> None:
        """Adds figures, side by side where there is room; of more than `open_ones`, if that is
        given, the rest is folded away."""
        many = 0 < open_ones < len(figures) - FEW_MORE
        first = figures[:open_ones] if many else figures
        if first:
            self.add(f'<div class="plots">{"".join(self._figure(each) for each in first)}</div>')
        if many:
            rest = figures[open_ones:]
            drawn = "".join(self._figure(each) for each in rest)
            titles = ", ".join(each.title for each in rest[:NAMED])
            more = ", ..." if len(rest) > NAMED else ""
            summary = f"<summary>{len(rest)} more plots: {escape(titles + more)}</summary>"
            self.add(f'<details class="more">{summary}<div class="plots">{drawn}</div></details>')

    def embed(self, name: str, json: str) -> None:
        """Adds data for the page's script, as `safe_json` has them."""
        self._embedded.append((name, json))

    def _figure(self, figure: Figure) -> str:
        name = f"f{len(self._figures)}"
        self._figures.append(figure)
        caption = f"<figcaption>{escape(figure.caption)}</figcaption>" if figure.caption else ""
        wide = ' class="wide"' if figure.wide else ""
        return (
            f"<figure{wide}><h3>{escape(figure.title)}</h3>{legend(figure)}"
            f'<div class="plot" data-figure="{name}" style="height:{height(figure)}px"></div>'
            f"{caption}</figure>"
        )

    def html(self) -> str:
        """The whole file."""
        scripts = {
            "theme": _file("page_theme.js"),
            "plotly": get_plotlyjs(),
            "script": _file("page.js"),
        }
        allowed = " ".join(_fingerprint(script) for script in scripts.values())
        contents = [f'<li><a href="#{at}">{escape(word)}</a></li>' for at, word in self._headings]
        return Template(_file("page.html")).substitute(
            scripts,
            generator=GENERATOR,
            policy="default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
            f"script-src {allowed}",
            title=escape(self.title),
            subtitle=escape(self.subtitle),
            css=_file("page.css") + _swatches(),
            contents="".join(contents),
            blocks="\n".join(self._blocks),
            data=self._data(),
        )

    def samples_a_curve(self) -> int:
        """How many samples of a curve are drawn at most."""
        curves = sum(len(figure.curves) for figure in self._figures)
        return max(LEAST_A_CURVE, min(MAX_PER_CURVE, MAX_SAMPLES // max(curves, 1)))

    def _data(self) -> str:
        max_points = self.samples_a_curve()
        setting = {
            "palette": PALETTE,
            "ground": GROUND,
            "span": list(self.span),
            "phases": [list(phase) for phase in self.phases],
            "instants": list(self.instants),
        }
        blocks = [("page", safe_json(setting))]
        blocks += [(f"f{i}", embedded(each, max_points)) for i, each in enumerate(self._figures)]
        blocks += self._embedded
        return "".join(
            f'<script type="application/json" id="{name}">{text}</script>\n'
            for name, text in blocks
        )


def _file(name: str) -> str:
    return resources.files("proxops.report").joinpath(name).read_text("utf-8")


def _swatches() -> str:
    """The palette for the legends."""
    rules = []
    for theme, palette in PALETTE.items():
        rules += [
            f'[data-theme="{theme}"] .c{i} {{ color: {colour}; }}'
            for i, colour in enumerate(palette)
        ]
    return "\n".join(rules)


def _fingerprint(script: str) -> str:
    """What lets a browser run this very script and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
