"""The ways of both spacecraft, and of vehicles that fly them, over a run, with few points."""

import numpy as np

from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import CRAFTS, NOMINAL
from proxops.viewer.scene import Look

POINTS = 240
POSITIONS = {"chaser": "chaser.p_HC", "target": "target.p_HT"}
IN_ARENA = ("lab.p_LTl", "lab.p_LCl", *(f"lab.vehicles.{craft}.p_ref" for craft in CRAFTS))


class Track:
    """Positions in H or L, thinned, as seen from what is followed."""

    def __init__(self, hardware: Hardware, rows: np.ndarray) -> None:
        self._flown = hardware.arena is not None
        names = [*POSITIONS.values(), *(IN_ARENA if self._flown else ())]
        self._columns = {name: hardware.columns[name] for name in names}
        self.taken = 0  # how often
        self.take(rows)

    def take(self, rows: np.ndarray) -> None:
        """Keeps every so many of these rows, instead of those before."""
        kept = np.unique(np.linspace(0, max(len(rows) - 1, 0), POINTS).astype(int))
        self._t = rows[kept, 0] if len(rows) else np.zeros(0)
        self._p = {
            name: rows[kept, columns] if len(rows) else np.zeros((0, 3))
            for name, columns in self._columns.items()
        }
        self.taken += 1

    def path(self, signal: str, t: float, look: Look) -> tuple[np.ndarray, int]:
        """Points (n, 3) of a position signal in the scene [m], and how many are not after t [s];
        none for what is followed itself."""
        origin, count = POSITIONS.get(look.follow), int(np.searchsorted(self._t, t, side="right"))
        if signal in IN_ARENA:
            return self._p[signal], count
        if look.follow == NOMINAL and self._flown:  # the Hill frame, which stands still in L
            R = np.array([look.X_SM.rotate(axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))])
            return look.size * self._p[signal] @ R + np.array(look.X_SM.p), count
        if origin == signal or look.follow == NOMINAL:  # which the way turns with
            return np.zeros((0, 3)), 0
        points = self._p[signal] - self._p[origin] if origin else self._p[signal]
        return points, count
