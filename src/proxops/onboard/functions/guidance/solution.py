"""A plan as the convex guidance gives it back."""

from dataclasses import dataclass

import numpy as np

from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.prediction import Orbit


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A plan, or why there is none; numbers are NaN where the status is not usable."""

    orbit: Orbit
    status: Status
    times: np.ndarray  # nodes [s]: (N + 1,)
    states: np.ndarray  # [p; v] at the nodes, in H [m, m/s]: (N + 1, 6)
    thrust: np.ndarray  # of each thruster while it burns [m/s2]: (N, k); ideal thrust: |u|, (N, 1)
    acceleration: np.ndarray  # u in H while it burns [m/s2]: (N, 3)
    burn: np.ndarray  # how long, from each node on [s]: (N,)
    delta_v: float  # Σ ∫ a dt [m/s]
    slack: np.ndarray  # largest: beyond the corridor [m], the speed [m/s], the sphere [m]
    miss: np.ndarray  # last state less the goal [m, m/s]: (6,)
    iterations: int  # of the solver, in all passes
