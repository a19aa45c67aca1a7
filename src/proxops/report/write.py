"""Pages onto the disk, whole or not at all."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from proxops.campaigns import Campaign
from proxops.core.errors import InputError, OutputError
from proxops.core.plot import Figure
from proxops.report.campaign_page import campaign_page
from proxops.report.compare_page import compare_page
from proxops.report.page import GENERATOR
from proxops.report.picture import start_file
from proxops.report.run_page import run_page
from proxops.report.validation_page import validation_page
from proxops.results.run import Run
from proxops.results.store.folder import write_text, writing
from proxops.scenario.load import Scenario
from proxops.validation import Validation

HEAD = 400  # bytes in which a page or picture of ours names its maker
MARK = re.compile(rf'(<meta name="generator" content|data-generator)="{GENERATOR}'.encode())


def write_run(run: Run, file: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Writes the report of a run; an earlier page of ours is replaced."""
    path = checked(file, overwrite)
    _put(path, run_page(run))


def write_campaign(
    campaign: Campaign, file: str | os.PathLike[str], *, overwrite: bool = False
) -> None:
    """Writes the report of a campaign; an earlier page of ours is replaced."""
    path = checked(file, overwrite)
    _put(path, campaign_page(campaign))


def write_comparison(
    a: Run,
    b: Run,
    file: str | os.PathLike[str],
    *,
    names: tuple[str, str] | None = None,
    overwrite: bool = False,
) -> None:
    """Writes two runs side by side; `names` tell them apart, else those of their scenarios."""
    path = checked(file, overwrite)
    _put(path, compare_page(a, b, names or (a.name, b.name)))


def write_validation(
    validation: Validation,
    figures: Sequence[Figure],
    file: str | os.PathLike[str],
    *,
    overwrite: bool = False,
) -> None:
    """Writes published numbers beside ours, with the figures redrawn."""
    path = checked(file, overwrite)
    _put(path, validation_page(validation, figures))


def write_picture(
    scenario: Scenario, file: str | os.PathLike[str], *, overwrite: bool = False
) -> None:
    """Writes a picture of a mission's start as SVG; an earlier one of ours is replaced."""
    path = checked(file, overwrite)
    if path.suffix != ".svg":
        raise InputError(f"picture {path.name}: must end in .svg, which browsers open")
    _put(path, start_file(scenario))


def checked(file: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """The path, if a page may be written there."""
    path = Path(file).absolute()
    with writing(path):
        if path.is_dir():
            raise OutputError(f"{path}: is a folder; no report was written")
        if path.exists() and not overwrite and not _ours(path):
            raise OutputError(
                f"{path}: exists and is not of proxops; --overwrite replaces it "
                "(overwrite=True); nothing was written"
            )
    return path


def _ours(path: Path) -> bool:
    with open(path, "rb") as file:
        return MARK.search(file.read(HEAD)) is not None


def _put(path: Path, html: str) -> None:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, html)
