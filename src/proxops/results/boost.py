"""How a boost went: contact, friction and arm against their limits, deviation, and the orbit.

The functions work on samples, t (n,) [s] first; `boost_report` reads them from a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from proxops.assembly.describe import describe
from proxops.core.description import CraftDescription, OrbitDescription
from proxops.physics.boost.burn import perigee
from proxops.physics.orbit.entry import inertial_motion
from proxops.results.run import Event, Run
from proxops.scenario.load import Scenario

LIFT_OFF = "lift-off"
FILLED = 1.0  # [s] after which the pads carry the thrust


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
    perigee: tuple[float, float] | None = None  # of the target, first and last [m]; with an orbit


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
    inertial = np.zeros((len(t), 6))
    hill = np.ascontiguousarray(np.hstack([p_H, v_H]))
    inertial_motion(mu, np.concatenate(reference), np.array(t), hill, inertial)
    return np.array([perigee(mu, row[:3], row[3:]) for row in inertial])


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
    _, p_CT = run["relative.p_CT"]
    off = np.linalg.norm(deviation(p_CT, *axis), axis=1)
    worst = int(np.argmax(off))
    impulse = float(run["obsw.boost.impulse"][1][-1])
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


def boost_of(run: Run) -> BoostReport | None:
    """The boost of a run, from when the pads are filled to the end of thrust; None for a run whose
    scenario has no boost through contacts, or that ended before."""
    scenario = Scenario.from_dict(run.provenance["scenario"]).extended(run.extensions)
    mission = scenario.mission
    begins = [event.t_s for event in run.events if event.name == "boost-begins"]
    if not mission.contacts or not begins:
        return None
    ends = [event.t_s for event in run.events if event.name == "boost-ends"]
    t = run.rows[:, 0]
    during = (t >= begins[0] + FILLED) & (t <= (ends[0] if ends else np.inf))
    if not during.any():
        return None
    chaser, target, orbit = describe(scenario)
    thrusters = mission.chaser.thrusters
    engines = [thrusters[name] for name in mission.obsw.boost.engines] if mission.obsw.boost else []
    pushes = np.array([each.thrust_N * np.array(each.direction_C) for each in engines])
    places = np.array([each.p_C_m for each in engines])
    middle = np.average(places, axis=0, weights=np.linalg.norm(pushes, axis=1))
    name, contact = next(iter(mission.contacts.items()))
    held = [(key, each.limit_N) for key, each in mission.holds.items() if each.limit_N is not None]
    mass = mass_of(chaser) + mass_of(target)
    report = boost_report(
        replace(run, rows=run.rows[during]),
        name,
        mass=mass,
        axis=(middle, pushes.sum(axis=0)),
        mu=contact.friction.mu_static if contact.friction else None,
        arm=held[0] if held else None,
    )
    # Thrust that still falls after the end of the boost gives its share too.
    whole = float(run["obsw.boost.impulse"][1][-1])
    report = replace(report, impulse=whole, delta_v=whole / mass)
    return report if orbit is None else replace(report, perigee=_perigees(run, orbit))


class Quantity(NamedTuple):
    """One figure of a boost as people read it."""

    name: str
    value: float
    unit: str
    note: str = ""


def figures_of(report: BoostReport) -> list[Quantity]:
    """The figures of a boost, in readable units."""
    least, off = report.least_pad_force, report.largest_deviation
    found = [Quantity("least pad force", least.value, "N", f"pad {least.pad} at {least.t:.2f} s")]
    if report.friction_use is not None:
        use = report.friction_use
        when = f"pad {use.pad} at {use.t:.2f} s"
        found.append(Quantity("friction cone used", 100.0 * use.value, "%", when))
    if report.arm_use is not None:
        arm = report.arm_use
        found.append(Quantity("arm limit used", 100.0 * arm.value, "%", f"at {arm.t:.2f} s"))
    found += [
        Quantity("largest deviation", 1e3 * off.value, "mm", f"at {off.t:.2f} s"),
        Quantity("deviation at the end", 1e3 * report.last_deviation, "mm"),
        Quantity("impulse", report.impulse, "N s"),
        Quantity("delta-v", report.delta_v, "m/s", "impulse over mass"),
    ]
    if report.perigee is not None:
        first, last = report.perigee
        found.append(Quantity("perigee falls by", 1e-3 * (first - last), "km"))
    return found


def _perigees(run: Run, orbit: OrbitDescription) -> tuple[float, float]:
    """Of the target's orbit, at the start and at the end [m]."""
    t, p = run["target.p_HT"]
    v = run["target.v_HT"][1]
    ends = [0, -1]
    first, last = perigee_over_time(orbit.mu, (orbit.R, orbit.V), t[ends], p[ends], v[ends])
    return float(first), float(last)


def mass_of(craft: CraftDescription) -> float:
    """A spacecraft's mass, with arms, wheels and appendages [kg]."""
    moving = sum(
        mounted.arm.root.mass + sum(joint.link.mass for joint in mounted.arm.joints)
        for mounted in craft.jointed
    )
    return craft.mass + moving + sum(each.rigid.mass for each in craft.appendages)
