"""Runs and validations as pages to open: one self-contained HTML file each."""

from proxops.report.write import write_run

__all__ = ["write_run"]
