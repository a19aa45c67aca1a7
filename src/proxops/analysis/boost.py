"""How a boost went: contact, friction and arm against their limits, deviation, and the orbit.

The functions work on samples, t (n,) [s] first; `boost_report` reads them from a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.physics.boost.burn import perigee
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.kepler import propagate
from proxops.run import Event, Run

LIFT_OFF = "lift-off"


class Extreme(NamedTuple):
    """The worst sample of a quantity."""

    value: float
    t: float  # [s]
    pad: int  # its number, zero where the quantity is one for all


class Interval(NamedTuple):
    """A stretch of time [s]; it may last to the end of the samples."""

    start: float
    end: float


@dataclass(frozen=True)
class BoostReport:
    """A boost in figures."""

    least_pad_force: Extreme  # [N]
    friction_use: Extreme | None  # of μN [-], None without friction
    arm_use: Extreme | None  # of its limit [-], None without an arm
    separations: tuple[Interval, ...]  # no pad touches
    lift_offs: tuple[Event, ...]
    largest_deviation: Extreme  # [m]
    last_deviation: float  # [m]
    impulse: float  # [N s]
    delta_v: float  # [m/s]


def contact_margin(t: np.ndarray, f_n: np.ndarray) -> Extreme:
    """Least normal force of any pad [N]; f_n (n, pads)."""
    row, pad = np.unravel_index(int(np.argmin(f_n)), f_n.shape)
    return Extreme(float(f_n[row, pad]), float(t[row]), int(pad))


def friction_use(t: np.ndarray, f_n: np.ndarray, f_t: np.ndarray, mu: float) -> Extreme:
    """Largest share of the friction cone that a pad uses [-]: f_t/(μ f_n), one where it slides.

    Pads without load carry nothing and use nothing.
    """
    cone = mu * f_n
    use = np.divide(f_t, cone, out=np.zeros_like(cone), where=cone > 0.0)
    row, pad = np.unravel_index(int(np.argmax(use)), use.shape)
    return Extreme(float(use[row, pad]), float(t[row]), int(pad))


def arm_use(t: np.ndarray, force: np.ndarray, limit: float) -> Extreme:
    """Largest share of its force limit [N] that an arm uses [-]: |f|/limit; force (n, 3) [N]."""
    use = np.linalg.norm(force, axis=1) / limit
    row = int(np.argmax(use))
    return Extreme(float(use[row]), float(t[row]), 0)


def separations(t: np.ndarray, f_n: np.ndarray) -> tuple[Interval, ...]:
    """When no pad carried anything after one first did, to the resolution of the samples."""
    apart = np.asarray(f_n.max(axis=1) <= 0.0)
    if apart.all():
        return ()
    first = int(np.argmin(apart))
    edges = np.flatnonzero(np.diff(apart[first:].astype(int))) + first + 1
    ends = [*edges, len(t) - 1]
    return tuple(
        Interval(float(t[start]), float(t[end]))
        for start, end in zip(ends[0:-1:2], ends[1::2], strict=True)
    )


def lift_offs(events: Sequence[Event]) -> tuple[Event, ...]:
    """The instants at which a pad lost contact."""
    return tuple(event for event in events if event.name == LIFT_OFF)


def deviation(p_CT: np.ndarray, point: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The target's centre from the thrust axis (n, 3) [m], chaser axes, across the axis.

    d = r - (r·e) e,   r = p_CT - point,   e along the thrust
    """
    e = direction / np.linalg.norm(direction)
    r = p_CT - point
    return np.asarray(r - np.outer(r @ e, e))


def delivered_impulse(t: np.ndarray, thrust: np.ndarray) -> float:
    """∫ Σ F dt [N s] of thrusts (n, engines) [N] that push the same way, by trapezoids."""
    return float(np.trapezoid(thrust.sum(axis=1), t))


def perigee_over_time(
    mu: float,
    reference: tuple[np.ndarray, np.ndarray],
    t: np.ndarray,
    p_H: np.ndarray,
    v_H: np.ndarray,
) -> np.ndarray:
    """Perigee distance (n,) [m] of the orbit that a body is on at each sample.

    The reference orbit is given at t = 0 by R [m], V [m/s] in N; p_H, v_H (n, 3) in its Hill frame.
    """
    R0, V0 = (tuple(map(float, each)) for each in reference)
    rows = []
    for at, p, v in zip(t, p_H, v_H, strict=True):
        R, V = propagate(mu, R0, V0, float(at))
        p_O, v_O = inertial_from_hill(R, V, tuple(map(float, p)), tuple(map(float, v)))
        rows.append(perigee(mu, np.add(R, p_O), np.add(V, v_O)))
    return np.array(rows)


def boost_report(
    run: Run,
    contact: str,
    *,
    mass: float,
    axis: tuple[np.ndarray, np.ndarray],
    mu: float | None = None,
    arm: tuple[str, float] | None = None,
) -> BoostReport:
    """A run's boost in figures.

    `contact` names the face, `mass` [kg] is what is pushed in all, `axis` a point and the direction
    of the thrust in chaser axes, `mu` the friction coefficient, `arm` a hold and its limit [N].
    """
    t, f_n = run[f"contacts.{contact}.f_n"]
    _, thrust = run["chaser.thrusters.thrust"]
    _, p_CT = run["relative.p_CT"]
    off = np.linalg.norm(deviation(p_CT, *axis), axis=1)
    worst = int(np.argmax(off))
    impulse = delivered_impulse(t, thrust)
    cone = None if mu is None else friction_use(t, f_n, run[f"contacts.{contact}.f_t"][1], mu)
    load = None if arm is None else arm_use(t, run[f"holds.{arm[0]}.f"][1], arm[1])
    return BoostReport(
        least_pad_force=contact_margin(t, f_n),
        friction_use=cone,
        arm_use=load,
        separations=separations(t, f_n),
        lift_offs=lift_offs(run.events),
        largest_deviation=Extreme(float(off[worst]), float(t[worst]), 0),
        last_deviation=float(off[-1]),
        impulse=impulse,
        delta_v=impulse / mass,
    )
