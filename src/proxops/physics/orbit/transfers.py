"""Two impulses between relative states in H: by a linear model, and corrected for the true motion.

A state is [p_H; v_H] (6,) [m, m/s].  An impulse changes the velocity and leaves the position, so
its components in H are those of the change of v_H.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.physics.orbit.frames import hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.kepler import propagate
from proxops.physics.orbit.yamanaka_ankersen import transition

Vector = Sequence[float] | np.ndarray

# Singular values of Φ_rv below this share of the largest are rounding: transitions are good to some
# 1e-12 over an orbit.
_ROUNDING = 1e-9
# The correction leaves out directions in which the departure velocity moves the arrival this much
# less than in the best one.  At 1 km the true motion is known to differ from its derivative by
# 1 km/|R| = 1.5e-4 of that: weaker directions would be corrected by noise, at any price.
_WEAK = 1e-4


class Transfer(NamedTuple):
    """Two impulses, and where they lead."""

    dv1: np.ndarray  # change of v_H at departure (3,) [m/s]
    dv2: np.ndarray  # change of v_H at arrival (3,) [m/s]
    miss: np.ndarray  # p_H on arrival less the goal (3,) [m], in the model that made the transfer

    @property
    def cost(self) -> float:
        """|Δv₁| + |Δv₂| [m/s]."""
        return float(np.linalg.norm(self.dv1) + np.linalg.norm(self.dv2))


def two_impulse(Phi: np.ndarray, start: Vector, goal: Vector) -> Transfer:
    """The impulses that lead from one relative state to another, by linear theory.

        p₁ = Φ_rr p₀ + Φ_rv (v₀ + Δv₁),    v₁ = Φ_vr p₀ + Φ_vv (v₀ + Δv₁) + Δv₂

    Φ (6, 6) is the transition over the time of the transfer: `hcw_transition` about a circle,
    `yamanaka_ankersen.transition` about any orbit.  Where Φ_rv is singular (p_z after every half
    revolution of a circle; all but one direction after whole revolutions of any orbit) departure
    velocities that differ arrive at the same place: the goal is either out of reach, an
    `InputError`, or the least Δv₁ is taken.

    Source: Curtis 2014, section 7.5; Alfriend et al. 2010, chapter 5.  The miss in the true
    motion grows with the square of the range.
    """
    x0, x1 = _state(start, "start"), _state(goal, "goal")
    if Phi.shape != (6, 6) or not np.isfinite(Phi).all():
        raise InputError(
            "the transition of a transfer is a finite matrix, 6 × 6: check the orbit and the time"
        )
    wanted = x1[:3] - Phi[:3] @ x0
    U, sizes, Wt = np.linalg.svd(Phi[:3, 3:])
    reached = sizes > _ROUNDING * sizes[0]
    along = U.T @ wanted
    scale = np.linalg.norm(x1[:3]) + np.abs(Phi[:3]) @ np.abs(x0)
    lost = np.where(reached, 0.0, along)
    if np.linalg.norm(lost) > _ROUNDING * np.linalg.norm(scale):
        raise InputError(_out_of_reach(U @ lost))
    dv1 = Wt.T @ np.divide(along, sizes, where=reached, out=np.zeros(3))
    arrived = Phi @ np.concatenate([x0[:3], x0[3:] + dv1])
    return Transfer(dv1, x1[3:] - arrived[3:], arrived[:3] - x1[:3])


def corrected(
    mu: float, R0: Vector, V0: Vector, start: Vector, goal: Vector, t: float, first: Transfer
) -> Transfer:
    """A transfer of t [s] about the orbit that is at R0, V0 at departure, once corrected for the
    true motion.

        Δv₁ ← Δv₁ - B⁻¹ (p(t) - p₁),    B = ∂p(t)/∂v₀,    Δv₂ = v₁ - v(t)

    p(t), v(t) is the exact two-body motion with the first transfer's Δv₁, and B its derivative:
    Φ_rv about the chaser's own orbit, turned into H (Newton's step; with Φ_rv about the reference
    orbit the miss would fall with the third power of the range only, here with the fourth).
    Directions in which B is near singular stay as they are: what is left of the miss says so.
    """
    x0, x1 = _state(start, "start"), _state(goal, "goal")
    departure = np.concatenate([x0[:3], x0[3:] + first.dv1])
    arrival = relative_motion(mu, R0, V0, departure, t)
    U, sizes, Wt = np.linalg.svd(_arrival_by_velocity(mu, R0, V0, departure, t))
    strong = sizes > _WEAK * sizes[0]
    along = U.T @ (arrival[:3] - x1[:3])
    departure[3:] -= Wt.T @ np.divide(along, sizes, where=strong, out=np.zeros(3))
    arrival = relative_motion(mu, R0, V0, departure, t)
    return Transfer(departure[3:] - x0[3:], x1[3:] - arrival[3:], arrival[:3] - x1[:3])


def transfer(mu: float, R0: Vector, V0: Vector, start: Vector, goal: Vector, t: float) -> Transfer:
    """The impulses of a transfer of t [s] about any orbit but a parabola: Yamanaka and Ankersen's,
    corrected once.

    `miss` is what remains in exact two-body motion: below 1 mm for transfers within 1 km and a
    revolution whose impulses are below 2 n × 1 km.  After a whole revolution part of it cannot be
    corrected: 7 cm of a hop of 1 km in low Earth orbit.
    """
    if not 0.0 < t < math.inf:
        raise InputError(f"a transfer takes a time above 0 s, not {t} s")
    first = two_impulse(transition(mu, list(R0), list(V0), t), start, goal)
    return corrected(mu, R0, V0, start, goal, t, first)


def relative_motion(mu: float, R0: Vector, V0: Vector, state: Vector, t: float) -> np.ndarray:
    """[p_H; v_H] (6,) after t [s] of a body that flies freely from a state in H, exactly.

    The difference of two Kepler motions: each is good to some 1e-14 of |R|, 1e-7 m.
    """
    here = _floats(R0), _floats(V0)
    there = _beside(here, state)
    R, V = propagate(float(mu), *here, float(t))
    Rc, Vc = propagate(float(mu), *there, float(t))
    p, v = hill_from_inertial(R, V, _floats(np.subtract(Rc, R)), _floats(np.subtract(Vc, V)))
    return np.array([*p, *v])


def _arrival_by_velocity(mu: float, R0: Vector, V0: Vector, state: Vector, t: float) -> np.ndarray:
    """∂p_H(t)/∂v_H(0) (3, 3) [s] of the exact motion: Φ_rv about the body's own orbit."""
    here = _floats(R0), _floats(V0)
    there = _beside(here, state)
    own = transition(mu, *there, t)[:3, 3:]
    before = _axes(*there).T @ _axes(*here)
    R, V = propagate(float(mu), *here, float(t))
    Rc, Vc = propagate(float(mu), *there, float(t))
    return np.asarray(_axes(R, V).T @ _axes(Rc, Vc) @ own @ before)


def _beside(
    here: tuple[tuple[float, ...], tuple[float, ...]], state: Vector
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Position and velocity in N of what has a state in H of the orbit at `here`."""
    p, v = inertial_from_hill(*here, _floats(state[:3]), _floats(state[3:]))
    return _floats(np.add(here[0], p)), _floats(np.add(here[1], v))


def _axes(R: Vector, V: Vector) -> np.ndarray:
    """R_NH (3, 3) of the orbit at R, V."""
    at = _floats(R), _floats(V)
    unit = np.eye(3).tolist()
    return np.column_stack([inertial_from_hill(*at, (0.0, 0.0, 0.0), tuple(e))[1] for e in unit])


def _out_of_reach(lost: np.ndarray) -> str:
    distance = float(np.linalg.norm(lost))
    x, y, z = lost / distance
    return (
        "choose another time for the transfer: after this one, no departure velocity moves the"
        f" arrival along [{x:.3f}, {y:.3f}, {z:.3f}] of H, and the goal is {distance:.3g} m away"
        " along it"
    )


def _state(given: Vector, name: str) -> np.ndarray:
    state = np.array(given, dtype=float)
    if state.shape != (6,) or not np.isfinite(state).all():
        raise InputError(
            f"the {name} of a transfer is six finite numbers, position [m] and velocity [m/s] in H,"
            f" not {given!r}"
        )
    return state


def _floats(a: Vector) -> tuple[float, ...]:
    return tuple(float(x) for x in a)
