"""Which share of the time each thruster burns for a wrench, and the pulses that make it up.

    min  |W (B u - F)|² + ε |u|²,     0 ≤ u ≤ 1, or 0 where a thruster is given up

B holds the wrench of each thruster at full thrust about Co; W weighs torques by a lever, so that
both count alike.  Solved by descent, see within_bounds: from none it comes near the least effort
where thrusters are redundant.  Where burns are timed it begins with the cheapest shares for each
component of the wrench, Σ |F_k| u_k with min Σ u_k, B u_k = ±e_k: canted thrusters would otherwise
burn against others, for a sixth more fuel along their direction.

A pulse begins with a period.  What is shorter than the shortest pulse is kept for the next one, and
so is what a pulse was rounded by, as valves open and close with cycles.  A valve rests for its
shortest pulse too: one that is timed and does not burn on closes early enough for the next.

Where thrusters were given up, those left may not give a force without turning the base.  Attitude
comes first: the force is reduced until they do.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import ThrusterDescription
from proxops.core.jit import part
from proxops.core.select import select
from proxops.core.spatial.vector import get3, norm, put3, scale
from proxops.onboard.functions.allocation.authority import authority_without_each
from proxops.onboard.functions.allocation.demand import FORCE, TORQUE
from proxops.onboard.functions.allocation.within_bounds import (
    BOUNDS_WIDTH,
    HIGH,
    nearest_within_bounds,
)

EFFORT = 1e-4  # ε over the mean square of the weighted columns
MAX_TORQUE_ERROR = 0.05  # of lever and force
LONGER = 4  # more descents where thrusters were given up
REDUCED, REDUCTIONS = 0.8, 10  # by which factor a force is reduced at a time, and how often at most


class Jets(NamedTuple):
    """Thrusters as on-board software believes them to be."""

    wrenches: np.ndarray  # (n, 6): B, transposed
    columns: np.ndarray  # (n, 6): Wᵀ W B, transposed
    normal: np.ndarray  # (n, n): Bᵀ Wᵀ W B + ε
    shortest: np.ndarray  # pulse of each [s] (n,)
    period: float  # [s]
    lever: float  # by which W weighs torques [m]
    authority: np.ndarray  # share of the force in any direction left without each (n,)
    timed: int  # 1: valves close when a pulse has burnt its time, 0: at the end of that cycle
    cheapest: np.ndarray  # (12, n): shares for 1 N or N m along each axis and against it; or zeros


class JetState(NamedTuple):
    """What goes on from one period to the next."""

    shares: np.ndarray  # (n,)
    left: np.ndarray  # to be burnt in this period; after its pulse, what rounding left [s] (n,)
    owed: np.ndarray  # too short for a pulse so far [s] (n,)
    bounds: np.ndarray  # of the shares (n, 2)


def build(thrusters: Sequence[ThrusterDescription], period: float, timed: bool = False) -> Jets:
    """From the thrusters' places and directions."""
    forces = np.array([each.thrust * each.direction for each in thrusters]).reshape(-1, 3)
    places = np.array([each.p_C for each in thrusters]).reshape(-1, 3)
    torques = np.cross(places, forces)
    lever = max(1e-3, float(np.abs(torques).sum() / max(np.abs(forces).sum(), 1e-9)))
    columns = np.hstack([forces, torques / lever**2])
    normal = columns @ np.hstack([forces, torques]).T
    scale = float(np.trace(normal)) / max(1, len(thrusters))
    normal[np.diag_indices_from(normal)] += EFFORT * scale
    shortest = np.array([each.min_pulse for each in thrusters], dtype=float)
    return Jets(
        np.hstack([forces, torques]),
        np.ascontiguousarray(columns),
        np.ascontiguousarray(normal),
        shortest,
        period,
        lever,
        authority_without_each(forces),
        int(timed),
        cheapest_shares(np.hstack([forces, torques])) if timed else np.zeros((12, len(forces))),
    )


def cheapest_shares(wrenches: np.ndarray) -> np.ndarray:
    """(12, n): least shares for a unit wrench along each of six axes, then against each; zeros
    where thrusters cannot make it up."""
    from scipy.optimize import linprog

    shares = np.zeros((12, len(wrenches)))
    for row, wanted in zip(shares, np.vstack([np.eye(6), -np.eye(6)]), strict=True):
        found = linprog(np.ones(len(wrenches)), A_eq=wrenches.T, b_eq=wanted)
        if found.success:
            row[:] = found.x
    return shares


def at_rest(jets: Jets) -> JetState:
    """No pulse goes on."""
    shares, left, owed = np.zeros((3, len(jets.columns)))
    bounds = np.zeros((len(jets.columns), BOUNDS_WIDTH))
    bounds[:, HIGH] = 1.0
    return JetState(shares, left, owed, bounds)


@part
def share_out(jets, state, wrench):
    """Writes the shares for a wrench (6,) [N, N m] about Co, in C."""
    for i in range(state.shares.shape[0]):
        state.shares[i] = 0.0
        for axis in range(6):
            along, against = jets.cheapest[axis, i], jets.cheapest[axis + 6, i]
            state.shares[i] += abs(wrench[axis]) * select(wrench[axis] >= 0.0, along, against)
        state.shares[i] = min(state.shares[i], state.bounds[i, HIGH])
    nearest_within_bounds(jets.columns, jets.normal, wrench, state.bounds, state.shares)


@part
def torque_error(jets, state, wrench):
    """How much torque the shares give beyond that of a wrench (6,) [N m], over the lever and its
    force [-]."""
    squares = 0.0
    for axis in range(TORQUE, TORQUE + 3):
        given = -wrench[axis]
        for i in range(state.shares.shape[0]):
            given += jets.wrenches[i, axis] * state.shares[i]
        squares += given * given
    force = norm(get3(wrench, FORCE))
    return math.sqrt(squares) / (jets.lever * force) if force > 0.0 else 0.0


@part
def share_out_reduced(jets, state, wrench):
    """Writes the shares for a wrench (6,) as `share_out` does, its force reduced to what does not
    turn the base.  Thrusters that are left make up a force from several directions, which takes
    the descent longer."""
    for _ in range(REDUCTIONS):
        share_out(jets, state, wrench)
        for _ in range(LONGER):
            nearest_within_bounds(jets.columns, jets.normal, wrench, state.bounds, state.shares)
        if torque_error(jets, state, wrench) <= MAX_TORQUE_ERROR:
            return
        put3(wrench, FORCE, scale(REDUCED, get3(wrench, FORCE)))


@part
def plan_pulses(jets, state):
    """Begins a period: writes how long each thruster burns in it."""
    for i in range(state.shares.shape[0]):
        wanted = state.shares[i] * jets.period + state.owed[i] + state.left[i]
        burns = select(wanted >= jets.shortest[i], min(wanted, jets.period), 0.0)
        if jets.timed == 1:
            early = min(burns, jets.period - jets.shortest[i])
            burns = select(burns < jets.period, early, burns)
        state.left[i] = burns
        state.owed[i] = min(wanted - burns, jets.period)


@part
def open_valves(jets, state, dt, valves):
    """Writes for which share of the next dt [s] valves are open; where they do not close within a
    cycle, the last part of a pulse is rounded."""
    for i in range(valves.shape[0]):
        if jets.timed == 1:
            valves[i] = min(max(state.left[i] / dt, 0.0), 1.0)
        else:
            valves[i] = select(state.left[i] >= 0.5 * dt, 1.0, 0.0)
        state.left[i] -= dt * valves[i]
