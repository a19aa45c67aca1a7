"""Playback of a whole run: any instant of it can be drawn."""

import numpy as np

from proxops.core.errors import InputError
from proxops.viewer.hardware import Hardware
from proxops.viewer.poses import Kinematics, Poses


class Playback:
    """Rows of a run with the attitude of the Hill frame at each."""

    def __init__(self, hardware: Hardware, rows: np.ndarray) -> None:
        finite = np.isfinite(rows).all(axis=1)
        if not finite.any():
            raise InputError("this run has no row that could be drawn")
        self.rows = rows[finite]  # a run that broke down ends with what cannot be drawn
        self._kinematics = Kinematics(hardware, self.rows[0])
        self._q_HN = self._kinematics.attitudes(self.rows[:, 0])

    @property
    def end(self) -> float:
        """Time of the last row [s]."""
        return float(self.rows[-1, 0])

    def at(self, t: float) -> tuple[np.ndarray, Poses]:
        """The last row not after t [s], and every frame in H there."""
        number = max(0, int(np.searchsorted(self.rows[:, 0], t + 1e-9, side="right")) - 1)
        return self.rows[number], self._kinematics.at(self.rows[number], self._q_HN[number])

    def poses(self, row: np.ndarray) -> Poses:
        """Every frame in H at a row that need not be one of these."""
        return self._kinematics.at(row, self._kinematics.attitudes(row[:1])[0])
