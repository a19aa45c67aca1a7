"""Runs on disk: recorded while they happen, opened, recovered, exported.

A run is a folder of two files.  `run.mcap` holds everything: provenance, signal table, rows and
verdicts; `summary.json` repeats the verdicts for people and scripts, is written last, and says by
its presence that the recording is complete.

Loaded on first use: a case of a campaign is not recorded.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proxops.results.store.recorder import Recorder
    from proxops.results.store.runs import look, recover, save
    from proxops.results.store.runs import open_run as open
    from proxops.results.store.tables import export

__all__ = ["Recorder", "export", "look", "open", "recover", "save"]

_PLACES = {
    "Recorder": ("recorder", "Recorder"),
    "export": ("tables", "export"),
    "look": ("runs", "look"),
    "open": ("runs", "open_run"),
    "recover": ("runs", "recover"),
    "save": ("runs", "save"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _PLACES[name]
    return getattr(import_module(f"{__name__}.{module}"), there)
