"""The mission as on-board software follows it: legs, each of which does one thing."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, model_validator

from proxops.core.text import nearest
from proxops.onboard.functions.capture.modes import MODES
from proxops.scenario.schema.any_leg import AnyLeg, Positive
from proxops.scenario.schema.arm_leg import ArmLeg
from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import Direction, Quaternion
from proxops.scenario.schema.craft import Chaser
from proxops.scenario.schema.requirement import EVENTS
from proxops.scenario.schema.zones import Corridor, Zones

_MAX_LEGS = 200
_SQUARE = 0.02  # cosine of what is still a right angle


class FlyTo(AnyLeg):
    """Flies to a position in the Hill frame and arrives there at rest."""

    does: Literal["fly-to"] = Field(description="Flies to a position")
    p_H_m: Vector3 = Field(description="Goal of the centre of mass relative to the target's, in H")
    duration_s: Positive = Field(description="When to arrive, counted from the leg's start [s]")
    guidance: Literal["convex", "two-impulse", "hcw", "straight"] = Field(
        default="convex",
        description="Least fuel within all limits, planned again and again; two burns and a coast, "
        "corrected half way; the same by Hill, Clohessy and Wiltshire's equations; or a straight "
        "line in the Hill frame, forced",
    )
    tolerance_m: Positive | None = Field(
        default=None,
        description="Of guidance by `hcw`: largest miss of its burns on this orbit, 1 m if not "
        "given [m]",
    )
    corridor: Name | None = Field(
        default=None, description="Corridor of `zones` to stay in; with convex guidance only"
    )

    @model_validator(mode="after")
    def _has_the_time(self) -> "FlyTo":
        problems = _too_short(self)
        if self.tolerance_m is not None and self.guidance != "hcw":
            problems.append((("tolerance_m",), 'only guidance by "hcw" has one; leave it out'))
        reject_all(problems)
        return self


class FlyAround(AnyLeg):
    """Flies around the target on a circle, forced, from rest to rest."""

    does: Literal["fly-around"] = Field(description="Flies around the target")
    p_H_m: Vector3 = Field(
        description="Where the circle begins, of the centre of mass from the target's, in H"
    )
    axis_H: Direction = Field(
        description="Axis of the circle through the target's centre of mass, unit, in H [-]"
    )
    angle_deg: float = Field(
        gt=0.0, le=3600.0, description="How far around, right-handed about the axis [deg]"
    )
    duration_s: Positive = Field(description="When to be there, counted from its start [s]")

    @model_validator(mode="after")
    def _is_a_circle(self) -> "FlyAround":
        along = sum(a * p for a, p in zip(self.axis_H, self.p_H_m, strict=True))
        distance = math.hypot(*self.p_H_m)
        problems = _too_short(self)
        if abs(along) > _SQUARE * distance or not distance:
            text = (
                f"{along:.4g} m of {distance:.4g} m lie along the axis; a circle about the target "
                "begins square to it"
            )
            problems.append((("p_H_m",), text))
        reject_all(problems)
        return self


def _too_short(leg: "FlyTo | FlyAround") -> list[Problem]:
    if leg.timeout_s is None or leg.timeout_s > leg.duration_s:
        return []
    text = f"{leg.timeout_s:g} s ends before the arrival, duration_s = {leg.duration_s:g}"
    return [(("timeout_s",), text)]


class StationKeep(AnyLeg):
    """Holds a position in the Hill frame."""

    does: Literal["station-keep"] = Field(description="Holds a position")
    p_H_m: Vector3 | None = Field(
        default=None, description="Where; where the leg begins if not given, in H [m]"
    )


class Avoid(AnyLeg):
    """Gives the chaser a velocity away, by time and attitude alone, then drifts."""

    does: Literal["avoid"] = Field(description="Evades")
    delta_v_m_s: float = Field(gt=0.0, le=10.0, description="Change of velocity [m/s]")
    direction_H: Vector3 = Field(description="Its direction, in H")
    away_m_s: float = Field(
        default=0.0,
        ge=0.0,
        le=10.0,
        description="Added to it, straight back from where the camera looks as the leg begins; "
        "direction_H is then turned round where it leads forwards, or against the turning [m/s]",
    )

    @model_validator(mode="after")
    def _points_somewhere(self) -> "Avoid":
        if not any(self.direction_H):
            reject_all([(("direction_H",), "must not be zero")])
        return self


class Rest(AnyLeg):
    """Drifts free: no thrust, the attitude is held by wheels."""

    does: Literal["rest"] = Field(description="Drifts free")
    base: Literal["attitude", "free"] = Field(
        default="attitude",
        description="What control of the base does: hold the attitude, or nothing",
    )
    with_target: bool = Field(
        default=False,
        description="Control counts the target, at its port, as part of the chaser; needs "
        "`[obsw.berthing]`",
    )


class RunFunctions(AnyLeg):
    """Lets other functions on board run, in this leg and in others that name them alone: `boost`,
    `capture`, or the user's own.  Where one of them commands the base, the plan's control does
    not."""

    does: Literal["run"] = Field(description="Runs other functions")
    runs: Annotated[tuple[Name, ...], Field(strict=False, min_length=1)] = Field(
        description="Their names"
    )


class CaptureUpTo(AnyLeg):
    """Lets the capture run up to one of its modes, and wait there; one that aborts ends the leg by
    its way out."""

    does: Literal["synchronise", "reach", "grip", "detumble"] = Field(
        description="How far the capture may go: to its waiting place, to the grasp point, until "
        "the gripper has closed, or to the end"
    )

    @property
    def runs(self) -> tuple[str, ...]:
        """Functions that run."""
        return ("capture",)

    @property
    def can_abort(self) -> bool:
        """A capture can."""
        return True


Leg = Annotated[
    FlyTo | FlyAround | StationKeep | Avoid | Rest | RunFunctions | CaptureUpTo | ArmLeg,
    Field(discriminator="does"),
]


class Plan(Section):
    """Legs in the order of the file; the first one is where the mission begins."""

    legs: dict[Name, Leg] = Field(min_length=1, max_length=_MAX_LEGS, description="By name")
    on_abort: Name | None = Field(
        default=None, description="Way out of legs that have none of their own"
    )
    q_HC: Quaternion = Field(
        default=(1.0, 0.0, 0.0, 0.0), description="Attitude of legs without their own, C to H, wxyz"
    )

    @model_validator(mode="after")
    def _leads_somewhere(self) -> "Plan":
        for found in (_unknown_legs, _dead_ends, _unsafe_aborts, _unreachable, _loops):
            reject_all(found(self))  # one kind after the other: each takes the ones before as given
        return self

    def runs(self, function: str) -> bool:
        """Whether some leg lets a function run."""
        runners = (leg for leg in self.legs.values() if isinstance(leg, RunFunctions | CaptureUpTo))
        return any(function in leg.runs for leg in runners)

    @property
    def moves(self) -> bool:
        """Whether any leg moves or turns the chaser by itself, not by functions that it runs."""
        idle = (RunFunctions, CaptureUpTo)
        legs = [leg for leg in self.legs.values() if not isinstance(leg, idle)]
        return not all(isinstance(leg, ArmLeg) and leg.base == "free" for leg in legs)

    def abort_leg(self, leg: Leg) -> str | None:
        """Name of the leg that an abort leads to; none of a leg that cannot abort."""
        return (leg.on_abort or self.on_abort) if leg.can_abort else None


def _unknown_legs(plan: Plan) -> list[Problem]:
    problems: list[Problem] = []
    if plan.on_abort is not None and plan.on_abort not in plan.legs:
        found = f"there is no leg {plan.on_abort!r}{nearest(plan.on_abort, plan.legs)}"
        problems.append((("on_abort",), found))
    for name, leg in plan.legs.items():
        for key in ("next", "on_abort"):
            other = getattr(leg, key)
            if other is not None and other not in plan.legs:
                found = f"there is no leg {other!r}{nearest(other, plan.legs)}"
                problems.append((("legs", name, key), found))
    return problems


def _dead_ends(plan: Plan) -> list[Problem]:
    """Legs that could go on for ever, or have no way out."""
    problems: list[Problem] = []
    for name, leg in plan.legs.items():
        at = "legs", name
        waits = bool(leg.until) or isinstance(leg, ArmLeg)
        if leg.next is not None and waits and leg.timeout_s is None:
            text = "missing; a leg that waits for conditions needs it"
            problems.append(((*at, "timeout_s"), text))
        if leg.can_abort and plan.abort_leg(leg) is None:
            text = "missing; a leg that can time out or abort needs a way out, here or in the plan"
            problems.append(((*at, "on_abort"), text))
        if leg.next is None and (leg.until or leg.settle_s):
            text = "remove it: this leg has no next one, so that nothing can end it"
            problems.append(((*at, "until" if leg.until else "settle_s"), text))
    return problems


def _unsafe_aborts(plan: Plan) -> list[Problem]:
    """Ways out that do not end in a leg which stays and cannot abort itself, should every leg on
    the way abort."""
    problems: list[Problem] = []
    for name, leg in plan.legs.items():
        passed, at = [name], plan.abort_leg(leg)
        while at is not None and at not in passed:
            passed.append(at)
            out = plan.legs[at]
            at = plan.abort_leg(out) if out.can_abort else out.next
        if at is not None:
            text = f"the way out goes in a circle: {' -> '.join((*passed, at))}"
            problems.append((("legs", name, "on_abort"), text))
    return problems


def _successors(plan: Plan, name: str) -> Iterable[str]:
    leg = plan.legs[name]
    return (each for each in (leg.next, plan.abort_leg(leg)) if each is not None)


def _reached(plan: Plan, start: str) -> set[str]:
    reached, open_legs = {start}, [start]
    while open_legs:
        for each in _successors(plan, open_legs.pop()):
            if each not in reached:
                reached.add(each)
                open_legs.append(each)
    return reached


def _unreachable(plan: Plan) -> list[Problem]:
    first = next(iter(plan.legs))
    reached = _reached(plan, first)
    return [
        (
            ("legs", name),
            f"cannot be reached: the plan begins with {first!r}, and no leg leads here",
        )
        for name in plan.legs
        if name not in reached
    ]


def _loops(plan: Plan) -> list[Problem]:
    """Circles of legs of which none takes any time."""
    problems: list[Problem] = []
    for name in plan.legs:
        circle, at = [name], plan.legs[name].next
        while at is not None and at not in circle:
            circle.append(at)
            at = plan.legs[at].next
        takes_time = any(plan.legs[each].settle_s > 0.0 for each in circle)
        if at == name and not takes_time and name == min(circle):
            text = f"{' -> '.join((*circle, name))} goes in a circle; give one of them settle_s"
            problems.append((("legs", name, "next"), text))
    return problems


def fit_problems(plan: Plan, chaser: Chaser, orbit: object, zones: Zones | None) -> list[Problem]:
    """What a plan asks for that the rest of a mission does not have."""
    problems: list[Problem] = []
    if orbit is None:
        problems.append(((), "add an [orbit]: legs are defined in the Hill frame"))
    if not chaser.thrusters:
        problems.append(((), "needs thrusters on the chaser, to move its base"))
    for name, leg in plan.legs.items():
        if name in EVENTS and name not in MODES:
            problems.append((("legs", name), "is the name of another event; choose another one"))
        if isinstance(leg, FlyTo | StationKeep) and leg.p_H_m is not None and zones is not None:
            text = forbidden(leg.p_H_m, zones)
            problems += [(("legs", name, "p_H_m"), text)] if text else []
        if isinstance(leg, FlyTo):
            problems += [(("legs", name, *path), text) for path, text in _misled(leg, zones)]
        if isinstance(leg, FlyAround) and zones is not None:
            radius = math.hypot(*leg.p_H_m)
            if radius < zones.keep_out_m:
                text = (
                    f"a circle of {radius:.4g} m leads through the keep-out zone of "
                    f"{zones.keep_out_m:g} m"
                )
                problems.append((("legs", name, "p_H_m"), text))
    return problems


def forbidden(p_H: tuple[float, float, float], zones: Zones) -> str:
    """Why nothing may stay at a place; empty if it may."""
    distance = math.dist(p_H, (0.0, 0.0, 0.0))
    if distance >= zones.keep_out_m or any(is_in(p_H, each) for each in zones.corridors.values()):
        return ""
    return (
        f"{distance:.4g} m from the target is inside the keep-out zone of {zones.keep_out_m:g} m "
        "and in no corridor"
    )


def _misled(leg: FlyTo, zones: Zones | None) -> list[Problem]:
    """What is wrong with the corridor of a flight."""
    inside = zones is not None and math.dist(leg.p_H_m, (0.0, 0.0, 0.0)) < zones.keep_out_m
    if leg.corridor is None and inside and leg.guidance == "convex":
        text = "missing; the place is in the keep-out zone, which is entered in a corridor only"
        return [(("corridor",), text)]
    if inside and leg.guidance in ("two-impulse", "hcw"):
        text = "two burns lead past any corridor, and the place is in the keep-out zone; use convex"
        return [(("guidance",), text)]
    if leg.corridor is None:
        return []
    if leg.guidance != "convex":
        return [(("corridor",), "only convex guidance plans within a corridor; leave it out")]
    known = zones.corridors if zones else {}
    if leg.corridor not in known:
        return [
            (("corridor",), f"there is no {leg.corridor!r} in zones{nearest(leg.corridor, known)}")
        ]
    if not is_in(leg.p_H_m, known[leg.corridor]):
        return [(("p_H_m",), f"is not in the corridor {leg.corridor!r}")]
    return []


def is_in(p_H: tuple[float, float, float], corridor: Corridor) -> bool:
    """Whether a place is in a corridor."""
    axis = corridor.axis_H
    along = sum(a * p for a, p in zip(axis, p_H, strict=True)) - corridor.apex_m
    away = [p - corridor.apex_m * a for a, p in zip(axis, p_H, strict=True)]
    across = math.sqrt(max(0.0, math.hypot(*away) ** 2 - along**2))
    widest = along * math.tan(math.radians(corridor.half_angle_deg))
    return 0.0 <= along <= corridor.length_m and across <= widest + 1e-9
