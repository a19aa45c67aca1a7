"""Runs on disk: recorded while they happen, opened, recovered, exported.

A run is a folder of two files.  `run.mcap` holds everything: provenance, signal table, rows and
verdicts; `summary.json` repeats the verdicts for people and scripts, is written last, and says by
its presence that the recording is complete.
"""

from proxops.results.store.recorder import Recorder
from proxops.results.store.runs import look, recover, save
from proxops.results.store.runs import open_run as open
from proxops.results.store.tables import export

__all__ = ["Recorder", "export", "look", "open", "recover", "save"]
