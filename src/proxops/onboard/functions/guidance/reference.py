"""States of a plan at any time, for the tracking law and for the next plan."""

import numpy as np

from proxops.onboard.functions.guidance.prediction import effects
from proxops.onboard.functions.guidance.solution import Solution


class Reference:
    """A usable plan between its nodes, exact for the linear motion; before and after: drift."""

    def __init__(self, solution: Solution):
        self._solution = solution

    def states(self, times: np.ndarray) -> np.ndarray:
        """[p; v] in H (m, 6) [m, m/s] at m times [s]:  x(t) = A x[k] + B u[k] from node k on."""
        times = np.asarray(times, dtype=float)
        s, k = self._solution, self._interval(times)
        A, B = effects(s.orbit, s.times[k], s.burn[k], times)
        x: np.ndarray = (A @ s.states[k][:, :, None] + B @ s.acceleration[k][:, :, None])[:, :, 0]
        return x

    def acceleration(self, times: np.ndarray) -> np.ndarray:
        """u in H (m, 3) [m/s2] at times."""
        times = np.asarray(times, dtype=float)
        s, k = self._solution, self._interval(times)
        burning = (times >= s.times[k]) & (times < s.times[k] + s.burn[k])
        u: np.ndarray = s.acceleration[k] * burning[:, None]
        return u

    def fuel(self, times: np.ndarray) -> np.ndarray:
        """Spent until times (m,) [m/s]: Σ ∫ aᵢ dt from the first node on."""
        s = self._solution
        spent = np.concatenate([[0.0], np.cumsum(s.thrust.sum(axis=1) * s.burn)])
        ends = np.stack([s.times[:-1], s.times[:-1] + s.burn], axis=1).ravel()
        fuel: np.ndarray = np.interp(times, ends, np.stack([spent[:-1], spent[1:]], axis=1).ravel())
        return fuel

    def table(self, times: np.ndarray) -> np.ndarray:
        """Rows [t, p, v, u] (m, 10) for the tracking law."""
        times = np.asarray(times, dtype=float)
        return np.column_stack([times, self.states(times), self.acceleration(times)])

    def _interval(self, times: np.ndarray) -> np.ndarray:
        """Which one each time falls into."""
        s = self._solution
        return np.clip(np.searchsorted(s.times, times, side="right") - 1, 0, s.burn.size - 1)
