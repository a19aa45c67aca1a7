"""The ways of both spacecraft over a run, with few points."""

import numpy as np

from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import NOMINAL
from proxops.viewer.scene import Look

POINTS = 240
POSITIONS = {"chaser": "chaser.p_HC", "target": "target.p_HT"}


class Track:
    """Positions in H, thinned, as seen from what is followed."""

    def __init__(self, hardware: Hardware, rows: np.ndarray) -> None:
        self._columns = {name: hardware.columns[name] for name in POSITIONS.values()}
        self.take(rows)

    def take(self, rows: np.ndarray) -> None:
        """Keeps every so many of these rows, instead of those before."""
        kept = np.unique(np.linspace(0, max(len(rows) - 1, 0), POINTS).astype(int))
        self._t = rows[kept, 0] if len(rows) else np.zeros(0)
        self._p = {
            name: rows[kept, columns] if len(rows) else np.zeros((0, 3))
            for name, columns in self._columns.items()
        }

    def path(self, signal: str, t: float, look: Look) -> tuple[np.ndarray, int]:
        """Points (n, 3) of a position signal in the scene [m], and how many are not after t [s];
        none for what is followed itself."""
        origin = POSITIONS.get(look.follow)
        if origin == signal or look.follow == NOMINAL:  # which the way turns with
            return np.zeros((0, 3)), 0
        points = self._p[signal] - self._p[origin] if origin else self._p[signal]
        return points, int(np.searchsorted(self._t, t, side="right"))
