"""Recorded runs: opened, looked at, completed; with extensions, whose code no recording holds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from proxops.core.errors import InputError
from proxops.results import store
from proxops.results.provenance import extension_files
from proxops.results.run import Run, Signal
from proxops.scenario.load import Scenario


def open(folder: str | PathLike[str], extensions: Iterable[Any] = ()) -> Run:
    """The run that was recorded into a folder, bit for bit.  A recording does not hold the code of
    extensions: to replay, check or view a run that has some, they are given again, as to `load`.

    >>> run.save("out/run", overwrite=True)
    >>> proxops.open("out/run")
    Run('free-tumble', passed, 3501 rows, 40 signals)
    """
    return _with_extensions(store.open(folder), extensions)


def look(folder: str | PathLike[str], extensions: Iterable[Any] = ()) -> Run:
    """The run of a folder, or what is readable of one that was cut short; nothing is written."""
    return _with_extensions(store.look(folder, _judging(extensions)), extensions)


def recover(folder: str | PathLike[str], extensions: Iterable[Any] = ()) -> Run:
    """Completes a recording that was cut short, keeping every row that can be read; `folder` of the
    run says where it is."""
    return store.recover(folder, _judging(extensions))


def _with_extensions(run: Run, given: Iterable[Any]) -> Run:
    """The run with the extensions that it was flown with at hand."""
    given = _listed(given)
    if not given:
        return run
    from proxops.assembly.extensions import extensions_of_run

    recorded = extension_files(run.provenance)
    return replace(run, extensions=extensions_of_run(given, recorded))


def _judging(
    given: Iterable[Any],
) -> Callable[[str, Mapping[str, Any], tuple[Signal, ...], np.ndarray], Run]:
    """A function that judges the rows of a recording that was cut."""

    def judged(
        name: str, provenance: Mapping[str, Any], signals: tuple[Signal, ...], rows: np.ndarray
    ) -> Run:
        from proxops.assembly.extensions import extensions_of_run
        from proxops.results.verdict import judge

        stored = provenance.get("scenario")
        if not isinstance(stored, Mapping):
            raise InputError(f"{name}: its provenance holds no scenario, so it cannot be judged")
        extensions = extensions_of_run(_listed(given), extension_files(provenance))
        scenario = Scenario.from_dict(stored).extended(extensions)
        run = judge(scenario, signals, rows, events=None)
        return replace(run, provenance=provenance, extensions=extensions)

    return judged


def _listed(extensions: Iterable[Any]) -> list[Any]:
    """One file may be given by itself."""
    return [extensions] if isinstance(extensions, str | PathLike) else list(extensions)
