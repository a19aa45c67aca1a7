"""What `proxops campaign` may be asked for, by subject: a dataclass is a panel of its help."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proxops.cli.common import AsJson, Changes, ControllerName, ExtensionFiles
from proxops.core.errors import InputError

if TYPE_CHECKING:
    from proxops.campaigns import Scheduler
    from proxops.scenario.load import Scenario

CHOSEN = ("failed", "worst")  # cases to record

TlsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="PEM file, for a scheduler at tls://: all three or none."),
]


@dataclass(frozen=True)
class Flight:
    """What is flown."""

    facility: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Facility on which to rehearse each case; in orbit if not given.",
        ),
    ] = None
    set_: Changes = None
    controller: ControllerName = None
    extension: ExtensionFiles = None

    def load(self, scenario: str, changes: list[str] | None = None) -> "Scenario":
        """The scenario, with more changes if there are."""
        from proxops.cli.common import load_scenario

        return load_scenario(
            scenario, [*(self.set_ or ()), *(changes or ())], extension=self.extension
        )


@dataclass(frozen=True)
class CaseChoice:
    """Which cases."""

    seeds: Annotated[
        str, typer.Option(metavar="0-99", help="Seeds of the cases, such as 0-99 or 3,17,20-24.")
    ] = "0-99"
    design: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="monte-carlo, latin-hypercube, sobol, saltelli (Sobol indices), grid, "
            "one-at-a-time, or worst-case (a search).",
        ),
    ] = "monte-carlo"
    levels: Annotated[int, typer.Option(min=2, help="Of each number in a grid.")] = 3
    batch: Annotated[
        int, typer.Option(min=1, help="Cases that a search flies at once; more take more in all.")
    ] = 2
    until_width: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="End once the 95 % interval of the share that passes is so wide, such as 0.05.",
        ),
    ] = None
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Fly each case a second time with this change, and compare both.",
        ),
    ] = None

    @property
    def asked(self) -> list[int]:
        """The seeds."""
        return parse_seeds(self.seeds)

    def as_flown(self, count: int) -> list[int]:
        """The seeds of a campaign that has flown so many cases: Monte Carlo may end early, other
        designs make their cases of all."""
        from proxops.campaigns.design import MONTE_CARLO

        return self.asked[:count] if self.design == MONTE_CARLO else self.asked

    def to_dict(self) -> dict[str, Any]:
        """As `proxops.campaign` takes them."""
        from proxops.campaigns import Design

        design = Design(self.design, self.levels, self.batch)
        if self.against and design.kind == "worst-case":
            raise InputError(
                "--against: leave out: a search goes where its own cases lead it, so there are no "
                "pairs; fly its worst case with --set, or compare cases of another --design"
            )
        return {"design": design, "until_width": self.until_width}


@dataclass(frozen=True)
class Fliers:
    """Who flies them."""

    lanes: Annotated[
        int | None,
        typer.Option(
            metavar="4|8",
            help="Cases that a worker flies at once, in SIMD lanes.",
            show_default="each by itself",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes.", show_default="one per processor"),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="tcp://HOST:PORT",
            help="Dask scheduler whose workers fly the cases, in place of processes here.",
        ),
    ] = None
    tls_ca: TlsFile = None
    tls_cert: TlsFile = None
    tls_key: TlsFile = None

    def to_dict(self) -> dict[str, Any]:
        """As `proxops.campaign` takes them."""
        return {"workers": self.workers, "scheduler": self._scheduler(), "lanes": self.lanes}

    def _scheduler(self) -> "Scheduler | None":
        from proxops.campaigns import Scheduler

        files = [
            None if each is None else str(each)
            for each in (self.tls_ca, self.tls_cert, self.tls_key)
        ]
        if self.scheduler is not None:
            return Scheduler(self.scheduler, *files)
        if any(files):
            raise InputError("--tls-ca, --tls-cert, --tls-key: are for --scheduler tls://HOST:PORT")
        return None


@dataclass(frozen=True)
class Results:
    """What comes of them."""

    at_least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the cases that must pass.")
    ] = 1.0
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder for the cases; a folder with cases of the same campaign is resumed.",
            show_default="runs/NAME-campaign, ...",
        ),
    ] = None
    record: Annotated[
        str | None,
        typer.Option(
            metavar="failed|worst|SEEDS",
            help="Fly these cases again at the end, and record them in case-SEED of the folder.",
        ),
    ] = None
    report: Annotated[
        bool, typer.Option("--report", help="Write a page with plots beside the cases.")
    ] = False
    json: AsJson = False

    def recorded(self, numbers: Collection[int]) -> str | list[int] | None:
        """Which cases to record, of those with these seeds: one of `CHOSEN`, seeds, or none."""
        from proxops.campaigns.seeds import seeds_text

        if self.record is None or self.record in CHOSEN:
            return self.record
        wanted = parse_seeds(self.record, "--record")
        others = set(wanted).difference(numbers)
        if others:
            raise InputError(
                f"--record: {seeds_text(list(others))}: no cases of this campaign, which are "
                f"{seeds_text(list(numbers))}"
            )
        return wanted


def parse_seeds(text: str, option: str = "--seeds") -> list[int]:
    """Seeds of `0-99`, `3,17,20-24`, as that option was given."""
    from proxops.campaigns.fly import MAX_CASES

    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        digits = (first, last) if dash else (first,)
        if not all(each.isdecimal() and len(each) < 20 for each in digits):
            raise InputError(f"{option} {text[:60]!r}: must be like 0-99 or 3,17,20-24")
        begin, end = int(first), int(last if dash else first)
        if end < begin or end - begin >= MAX_CASES:
            raise InputError(
                f"{option} {part[:60]!r}: must increase, over {MAX_CASES} seeds or fewer"
            )
        seeds |= dict.fromkeys(range(begin, end + 1))
    return list(seeds)
