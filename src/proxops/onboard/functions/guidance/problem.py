"""What a plan must do: start, goal, thrust and the limits between them.

Positions and velocities are those of the chaser's centre of mass relative to the target's, in the
Hill frame H; velocities are derivatives of components in H.  Nothing here is computed.
"""

from dataclasses import dataclass, field

import numpy as np

from proxops.onboard.functions.guidance.prediction import Orbit


@dataclass(frozen=True, kw_only=True)
class Thrusters:
    """Force along fixed directions: u = Σ dᵢ aᵢ, 0 ≤ aᵢ ≤ a_max; cost Σ ∫ aᵢ dt.

    Σ τᵢ aᵢ = 0 over those thrusters whose torques others can balance.
    """

    directions: np.ndarray  # of the forces, unit, in H: (k, 3), or (intervals, k, 3)
    a_max: np.ndarray  # (k,) [m/s2]
    # τ for a unit of force, about the centre of mass, in C: (k, 3) [m]; None if there are none
    torques: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True)
class IdealThrust:
    """One engine that points anywhere: |u| ≤ a_max; cost ∫ |u| dt."""

    a_max: float  # [m/s2]


@dataclass(frozen=True, kw_only=True)
class Corridor:
    """A cone to stay in: |p - apex| seen from the axis within the half angle."""

    apex: tuple[float, float, float]  # in H [m]
    axis: tuple[float, float, float]  # from the apex towards the chaser, in H
    half_angle: float  # [rad]


@dataclass(frozen=True, kw_only=True)
class SpeedLimit:
    """|v| ≤ floor + slope · s, s the distance from the target along the axis: never more than the
    distance, so that the limit by distance holds too."""

    floor: float  # [m/s]
    slope: float  # [1/s]
    axis: tuple[float, float, float]  # from the target towards the chaser, in H


@dataclass(frozen=True, kw_only=True)
class KeepOut:
    """A sphere about the target that the chaser enters through the corridor only."""

    radius: float  # [m]


@dataclass(frozen=True, kw_only=True)
class PassiveSafety:
    """Without thrust from any instant outside of the sphere the chaser stays outside of it.

    But for the last metres before it enters: whoever enters was about to drift in just before.
    """

    radius: float  # [m]
    entry: float = 10.0  # these metres [m]
    orbits: float = 2.0  # for how long
    step: float = 30.0  # between looks at a drift [s]
    thrust_error: float = 0.0  # share by which a burn may be stronger or weaker than planned [-]


@dataclass(frozen=True, kw_only=True)
class Plume:
    """Thrusters whose plume would meet the target are inhibited near it."""

    distance: float  # within which [m]
    half_angle: float  # between plume axis and direction to the target [rad]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One plan to make."""

    orbit: Orbit
    times: np.ndarray  # nodes [s], growing: (N + 1,)
    start: np.ndarray  # [p; v] at the first node [m, m/s]
    goal: np.ndarray  # [p; v] at the last
    thrust: Thrusters | IdealThrust
    burn: float = float("inf")  # thrust acts in the first so many seconds of an interval [s]
    parts: int = 2  # of an interval, at whose ends limits on the position hold
    tolerance: np.ndarray = field(default_factory=lambda: np.zeros(6))  # ± about the goal
    corridor: Corridor | None = None
    speed: SpeedLimit | None = None
    keep_out: KeepOut | None = None
    passive_safety: PassiveSafety | None = None
    plume: Plume | None = None
    covariance: np.ndarray | None = None  # of what is flown about the plan: (N + 1, 6, 6)
    probability: float = 0.9987  # with which each limit holds where it is tightened
