"""The tumble that all engines fly: a turning base whose arm follows a slow reference.

The joint torques are those of a sampled controller, held between its samples.  An arm driven by
a plan of torques alone would be chaotic within seconds: engines would differ by more than their
own errors, and nothing could be said of either.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from benchmarks.peers.model import Chain, State, tip, tumbling

DURATION_S = 35.0
REPORT_S = 5.0  # between two states that are compared
BANDWIDTH = 1.0  # of the controlled joints [rad/s]
DAMPING_RATIO = 0.7
SWING = 0.4  # amplitude of the reference [rad]
# Inertia that each joint of the seven feels, arm half bent [kg m2]; only sets the gains.
FELT = np.array([20.0, 38.0, 6.0, 15.0, 0.4, 0.7, 0.04])


class Flown(Protocol):
    """What can fly the tumble."""

    def set_state(self, state: State) -> None: ...

    def step(self, tau: np.ndarray) -> None:
        """One step with the joint torques held."""

    def joints(self) -> tuple[np.ndarray, np.ndarray]:
        """Joint positions and rates."""

    def state(self) -> State: ...


class Engine(Flown, Protocol):
    """What every engine does here.  Its step is given when it is made."""

    def run(self, tau: np.ndarray, steps: int) -> None:
        """Many steps with constant torques, in one call where the engine has one."""


@dataclass(frozen=True)
class Controller:
    """Joint torques towards q(0) + SWING sin(Ω t), each joint with its own Ω."""

    q_start: np.ndarray

    def torque(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """τ = I (ω² (q_ref - q) - 2ζω q̇) [N m]."""
        at = np.arange(len(q))
        felt = FELT[at % len(FELT)]
        reference = self.q_start + SWING * np.sin((0.3 + 0.1 * at) * t)
        return felt * BANDWIDTH * (BANDWIDTH * (reference - q) - 2.0 * DAMPING_RATIO * qd)


def fly(engine: Flown, chain: Chain, hold_s: float, steps_per_hold: int = 1) -> list[State]:
    """The states after every REPORT_S of the tumble; an engine's dt is the hold over its steps."""
    start = tumbling(chain)
    engine.set_state(start)
    controller = Controller(start.q)
    states = []
    holds_per_report = round(REPORT_S / hold_s)
    for hold in range(round(DURATION_S / hold_s)):
        tau = controller.torque(hold * hold_s, *engine.joints())
        for _ in range(steps_per_hold):
            engine.step(tau)
        if (hold + 1) % holds_per_report == 0:
            states.append(engine.state())
    return states


def distance(chain: Chain, a: State, b: State) -> float:
    """How far apart two states place the arm's tip [m]."""
    return float(np.linalg.norm(tip(chain, a) - tip(chain, b)))
