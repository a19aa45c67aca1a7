"""Tumbles side by side: how far two engines differ, and how far they may.

An engine's own error is seen by halving its step with the controller's samples left where they
are: if its order is one or more, the error of the longer step is at most twice the change.  Two
engines of the same motion may then differ by the sum of their errors, and by their rounding: N
steps of random half-ulp errors walk √N ulp far, the state being of order one in SI units.
"""

import importlib
import os
from functools import cache
from typing import Any

import numpy as np
import pytest
from benchmarks.peers.model import State, rotation, space_arm
from benchmarks.peers.tumble import DURATION_S, fly

CHAIN = space_arm()
Flight = tuple[list[State], list[State]]  # with the step, and with half of it


@cache
def flight(engine: Any, hold_s: float) -> Flight:
    """The tumble with one step and with two steps a hold."""
    whole = fly(engine(CHAIN, hold_s), CHAIN, hold_s)
    return whole, fly(engine(CHAIN, hold_s / 2), CHAIN, hold_s, 2)


def live_peer(module: str, name: str) -> Any:
    """A peer engine: where it is not installed the test is skipped, but on CI it fails."""
    path = f"benchmarks.peers.{module}"
    return getattr(
        importlib.import_module(path) if os.environ.get("CI") else pytest.importorskip(path), name
    )


def apart(one: list[State], other: list[State]) -> np.ndarray:
    """Largest differences of p, R, v, w, q, q̇ over a flight."""
    pairs = zip(one, other, strict=True)
    return np.max([[np.linalg.norm(d) for d in _differences(a, b)] for a, b in pairs], axis=0)


def _differences(a: State, b: State) -> list[np.ndarray]:
    turned = rotation(a.quat) - rotation(b.quat)  # q and -q are the same attitude
    return [a.p - b.p, turned, a.v - b.v, a.w - b.w, a.q - b.q, a.qd - b.qd]


def allowed(one: Flight, other: Flight, hold_s: float) -> np.ndarray:
    """What two engines may differ by, in the same quantities."""
    own_errors = 2.0 * (apart(*one) + apart(*other))
    return own_errors + np.sqrt(DURATION_S / hold_s) * np.finfo(float).eps


def momenta(state: State) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Momentum and angular momentum about the inertial origin, each with the sum of the bodies'
    magnitudes, from velocities alone: [N s], [N m s]."""
    R, p = rotation(state.quat), state.p
    w, v = R @ state.w, R @ state.v
    bodies = [(CHAIN.base_mass, R @ CHAIN.base_inertia @ R.T, p, v, w)]
    for link, angle, rate in zip(CHAIN.links, state.q, state.qd, strict=True):
        arm = R @ link.p_PJ
        p, v = p + arm, v + np.cross(w, arm)
        c, s = np.cos(angle), np.sin(angle)
        R = R @ link.R_PJ @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        w = w + rate * R[:, 2]
        com = R @ link.com
        bodies.append((link.mass, R @ link.inertia @ R.T, p + com, v + np.cross(w, com), w))
    linear = [m * u for m, _, _, u, _ in bodies]
    angular = [I @ spin + np.cross(r, m * u) for m, I, r, u, spin in bodies]
    return (
        np.sum(linear, axis=0),
        np.sum(angular, axis=0),
        float(sum(np.linalg.norm(x) for x in linear)),
        float(sum(np.linalg.norm(x) for x in angular)),
    )
