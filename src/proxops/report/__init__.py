"""Runs, campaigns and validations as pages to open: one self-contained HTML file each."""

from proxops.report.write import (
    checked,
    write_campaign,
    write_comparison,
    write_picture,
    write_run,
    write_validation,
)

__all__ = [
    "checked",
    "write_campaign",
    "write_comparison",
    "write_picture",
    "write_run",
    "write_validation",
]
