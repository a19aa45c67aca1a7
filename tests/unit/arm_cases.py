"""Arms for the tests of their paths: the shipped one, and small ones with closed forms."""

import numpy as np

from proxops.arm_paths.arm import Arm, arm_of, ranges
from proxops.assembly.describe import describe
from proxops.core.frame import Frame
from proxops.scenario.load import load

HERE = Frame(np.eye(3), np.zeros(3))
REACHING = np.radians([0.0, -45.0, 0.0, 80.0, 0.0, -35.0, 0.0])  # in front of the hub


def shipped() -> Arm:
    chaser, _, _ = describe(load("envisat-capture"))
    return arm_of(chaser, "main")


def made(p_PJ: list[list[float]], p_JE: list[float], R_PJ: np.ndarray | None = None,
         prismatic: bool = False, stop: float = np.inf) -> Arm:  # fmt: skip
    """An arm whose joints turn about z, or slide along it, unless R_PJ turns their frames."""
    n = len(p_PJ)
    return Arm(
        "made",
        tuple(f"joint{i}" for i in range(n)),
        0,
        np.tile(np.eye(3), (n, 1, 1)) if R_PJ is None else R_PJ,
        np.array(p_PJ),
        np.full(n, prismatic),
        Frame(np.eye(3), np.array(p_JE)),
        np.full(n, -stop),
        np.full(n, stop),
        np.full(n, 10.0),
        np.full(n, np.inf),
    )


def planar(a: float, b: float) -> Arm:
    """Two links in the xy plane."""
    return made([[0.0, 0.0, 0.0], [a, 0.0, 0.0]], [b, 0.0, 0.0])


def gantry(stop: float) -> Arm:
    """Three slides, along z, x and y of C in this order."""
    cycle = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).T  # z to x to y to z
    R = np.array([np.eye(3), cycle, cycle])
    return made([[0.0] * 3] * 3, [0.0] * 3, R, prismatic=True, stop=stop)


def random_posture(arm: Arm, rng: np.random.Generator, share: float = 0.9) -> np.ndarray:
    middle, half = ranges(arm)
    return np.asarray(middle + share * half * rng.uniform(-1.0, 1.0, len(half)))
