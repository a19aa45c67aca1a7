"""How far the commands that the paper integrates get from those taken from the plant."""

from collections.abc import Mapping

import numpy as np

from proxops.facility.robot_cell.as_published import SIGNALS
from proxops.results.run import Difference, Run, Signal

EQUATIONS = {"target": "(11)", "chaser": "(18)"}


def drift_rows(rehearsal: Run) -> list[Difference]:
    """A row for each, largest and root mean square; none where M is the target itself."""
    names = {signal.name for signal in rehearsal.signals()}
    rows = []
    for signal in (Signal(*row) for row in SIGNALS):
        if signal.name not in names:
            continue
        _, _, craft, what = signal.name.split(".")
        label = f"published {EQUATIONS[craft]} {'attitude' if what == 'turn' else craft}"
        if craft == "target" and _bends(rehearsal):
            label += ", rigid"
        rows.append(_row(label, signal.unit, *rehearsal[signal.name]))
    return rows


def _bends(rehearsal: Run) -> bool:
    """Whether the target has appendages: of their motion (11) knows nothing."""
    scenario = rehearsal.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, Mapping) else None
    return bool(mission["target"].get("appendages")) if mission else False


def _row(name: str, unit: str, t: np.ndarray, drift: np.ndarray) -> Difference:
    size = np.linalg.norm(drift, axis=1)
    worst = int(np.argmax(size))
    rms = float(np.sqrt(np.mean(size**2)))
    largest = float(size[worst])
    return Difference(name, unit, largest, float(t[worst]), rms, 0.0, largest, 0.0)
