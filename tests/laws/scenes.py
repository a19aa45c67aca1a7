"""Missions along one line whose answers are exact: flights, pinches and stacks."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import proxops

EMPTY = proxops.load("contact-bounce").replace(
    {
        "chaser.shapes": {},
        "target.shapes": {},
        "contacts": {},
        "sensors": {},
        "requirements": {},
    }
)
Vector = np.ndarray


@dataclass(frozen=True)
class Line:
    """Two rigid bodies on a line through the origin, along n; the chaser is in front of the target
    (at smaller x) and pushes it along n."""

    n: Vector  # unit
    chaser: float  # mass [kg]
    target: float  # [kg]
    force: float  # [N]
    duration: float  # [s]
    step: float  # [s]
    stiffness: float = 1e5  # of each of three pads [N/m]

    def axes(self) -> tuple[Vector, Vector]:
        """Two unit vectors across the line."""
        first = np.cross(self.n, np.eye(3)[np.argmin(np.abs(self.n))])
        first /= np.linalg.norm(first)
        return first, np.cross(self.n, first)

    def mission(self, p: Vector, v: Vector) -> dict[str, Any]:
        """Keys of the scenario with the chaser at p with v."""
        return {
            "chaser.mass_kg": self.chaser,
            "chaser.inertia_kg_m2": (0.4 * self.chaser * np.eye(3)).tolist(),
            "chaser.p_HC_m": p.tolist(),
            "chaser.v_HC_m_s": v.tolist(),
            "target.mass_kg": self.target,
            "target.inertia_kg_m2": (0.4 * self.target * np.eye(3)).tolist(),
            "time": {
                "duration_s": self.duration,
                "control_rate_hz": 1.0 / self.step,
                "record_rate_hz": 2.0,
                "phases": {"only": {"until_s": self.duration, "step_s": self.step}},
            },
        }

    def thrust(self) -> dict[str, Any]:
        """Keys of an engine that pushes all the time along n, through the chaser's centre."""
        engine = {"p_C_m": (-self.n).tolist(), "direction_C": self.n.tolist()}
        return {
            "chaser.thrusters": {"engine": engine | {"thrust_N": self.force}},
            "obsw": {
                "boost": {
                    "engines": ["engine"],
                    "duration_s": self.duration + 1.0,
                    "modulation": "none",
                }
            },
        }

    def pads(self, damping: float = 0.7) -> dict[str, Any]:
        """Keys of three pads of the chaser, 1 m in front of it, on a face of the target, 2 m in
        front of it; `damping` is the ratio at which they come to rest."""
        reduced = self.chaser * self.target / (self.chaser + self.target)
        first, second = self.axes()
        angles = 2.0 * np.pi / 3.0 * np.arange(3)
        ring = [self.n + 0.5 * (np.cos(a) * first + np.sin(a) * second) for a in angles]
        return {
            "contacts": {
                "pads": {
                    "pads": {"on": "chaser", "centres_m": [each.tolist() for each in ring]},
                    "face": {
                        "on": "target",
                        "p_m": (-2.0 * self.n).tolist(),
                        "normal": (-self.n).tolist(),
                    },
                    "normal": {
                        "kind": "spring",
                        "stiffness_N_m": self.stiffness,
                        "damping_N_s_m": 2.0 * damping * np.sqrt(reduced * self.stiffness / 3.0),
                    },
                }
            }
        }

    def clamp(self, pull: float, lateral: float = 0.0) -> dict[str, Any]:
        """Keys of a hold at the face that pulls the chaser along n, and keeps it from sliding."""
        stiffness = 3 * (lateral,)
        hold = {"p_TB_m": (-2.0 * self.n).tolist(), "pull_N": (pull * self.n).tolist()}
        if lateral > 0.0:
            hold["q_TB"] = onto_x(self.n).tolist()
            hold["pull_N"] = [pull, 0.0, 0.0]
            stiffness = (0.0, lateral, lateral)
        return {"holds": {"clamp": hold | {"stiffness_N_m": stiffness}}}


def onto_x(n: Vector) -> Vector:
    """A quaternion that turns x onto n."""
    x = np.array([1.0, 0.0, 0.0])
    q = np.array([1.0 + x @ n, *np.cross(x, n)])
    return np.asarray(q / np.linalg.norm(q))


def random_line(rng: np.random.Generator, **changes: Any) -> Line:
    """Masses and forces over decades, any direction; some minutes long."""
    n = rng.normal(size=3)
    made = {
        "n": n / np.linalg.norm(n),
        "chaser": 10.0 ** rng.uniform(1.0, 4.0),
        "target": 10.0 ** rng.uniform(1.0, 4.0),
        "force": 10.0 ** rng.uniform(0.0, 3.3),
        "duration": float(rng.integers(30, 120)),
        "step": 0.01,
    }
    return Line(**made | changes)


def flown(*keys: dict[str, Any]) -> proxops.Run:
    """The run of the empty mission with these keys."""
    changes: dict[str, Any] = {}
    for each in keys:
        changes |= each
    return proxops.simulate(EMPTY.replace(changes))


def last(run: proxops.Run, signal: str) -> Vector:
    """The last sample of a signal."""
    return np.asarray(run[signal][1][-1])
