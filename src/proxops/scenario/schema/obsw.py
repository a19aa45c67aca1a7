"""What the on-board software is to do."""

from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from proxops.core.clock import NS_PER_S, to_ns
from proxops.onboard.functions.capture.modes import MODES
from proxops.scenario.schema.base import Name, OneOrMany, Path, Problem, Section, Values, reject_all
from proxops.scenario.schema.base_control import BaseControl
from proxops.scenario.schema.berthing import Berthing
from proxops.scenario.schema.boost import Boost
from proxops.scenario.schema.capture import Capture
from proxops.scenario.schema.controller import OwnController, controller_problems
from proxops.scenario.schema.craft import in_si, positions_problems
from proxops.scenario.schema.extension import OwnFunction, function_problems
from proxops.scenario.schema.guidance import Guidance
from proxops.scenario.schema.orbital_navigation import OrbitalNavigation
from proxops.scenario.schema.plan import Plan
from proxops.scenario.schema.platform import Platform
from proxops.scenario.schema.time import Time


class Waypoint(Section):
    """Joint positions to be reached, at rest, at an instant."""

    t_s: float = Field(gt=0.0, description="When, counted from the start [s]")
    q: Values | None = Field(default=None, description="Joint positions [rad or m]")
    q_deg: Values | None = Field(
        default=None, description="The same in degrees, for arms of turning joints only [deg]"
    )

    @model_validator(mode="after")
    def _given_once(self) -> "Waypoint":
        reject_all(positions_problems(self.q, self.q_deg))
        return self

    def pose_si(self) -> np.ndarray:
        """Joint positions [rad or m]."""
        return in_si(self.q, self.q_deg)


class JointControl(Section):
    """Position control of one arm's joints.  The reference leaves the arm's start at t = 0 and
    moves from waypoint to waypoint along quintic segments that begin and end at rest; it stays
    at the last one."""

    kp: OneOrMany = Field(
        description="Stiffness, one for all joints or one each [N m/rad, N/m where prismatic]"
    )
    kd: OneOrMany = Field(
        description="Damping, one for all joints or one each [N m s/rad, N s/m where prismatic]"
    )
    waypoints: Annotated[tuple[Waypoint, ...], Field(strict=False)] = Field(
        default=(), description="Waypoints in order of time"
    )

    @model_validator(mode="after")
    def _in_order(self) -> "JointControl":
        problems: list[Problem] = []
        for i, (a, b) in enumerate(pairwise(self.waypoints), start=1):
            if b.t_s <= a.t_s:
                text = f"{b.t_s:.12g} s is not after the waypoint before it, {a.t_s:.12g} s"
                problems.append((("waypoints", i, "t_s"), text))
        reject_all(problems)
        return self


class Obsw(Section):
    """The on-board software's sections."""

    joints: dict[Name, JointControl] = Field(
        default={}, description="Joint control by the arm's name; other arms hang free"
    )
    boost: Boost | None = Field(default=None, description="A boost with the chaser's thrusters")
    platform: Platform = Field(
        default=Platform(), description="How the base's wrench is given by wheels and thrusters"
    )
    capture: Capture | None = Field(default=None, description="The capture of the target")
    berthing: Berthing | None = Field(
        default=None, description="Arm, gripper and latches, as legs of the plan use them"
    )
    orbital_navigation: OrbitalNavigation | None = Field(
        default=None, description="Navigation from far, by orbital dynamics"
    )
    plan: Plan | None = Field(default=None, description="The mission as legs that it follows")
    guidance: Guidance = Field(
        default=Guidance(), description="Convex guidance of a plan's flights"
    )
    control: BaseControl = Field(
        default=BaseControl(), description="Control of the base along a plan"
    )
    controller: OwnController | None = Field(
        default=None, description="The user's own controller, given beside this file"
    )

    functions: dict[Name, OwnFunction] = Field(
        default={},
        description="Functions of the user's own, by the names of their extensions, in the order "
        "in which they run; before the capture and the allocation, behind the navigation",
    )

    @model_validator(mode="after")
    def _one_at_a_time(self) -> "Obsw":
        others = self.joints or self.boost or self.capture or self.plan or self.functions
        if self.controller is not None and (others or self.orbital_navigation):
            text = "is all the on-board software there is; leave out joints, boost, capture, plan, "
            reject_all([(("controller",), f"{text}orbital_navigation and functions")])
        runs_it = self.plan is not None and self.plan.runs("capture")
        if self.plan is not None and self.capture is not None and not runs_it:
            text = 'no leg lets the capture run; give one with does = "detumble"'
            reject_all([(("plan", "legs"), text)])
        if self.plan is not None and self.plan.runs("capture"):
            reject_all(self._captured_problems(self.plan))
        return self

    def _captured_problems(self, plan: Plan) -> list[Problem]:
        """What is wrong with legs that let a capture run."""
        if self.capture is None:
            return [(("plan", "legs"), "a leg lets the capture run; add [obsw.capture]")]
        text = "is the name of a mode of the capture, and so of another event; choose another one"
        return [(("plan", "legs", name), text) for name in plan.legs if name in MODES]


def rate_problems(obsw: Obsw, time: Time) -> list[Problem]:
    """Rates of a user's own software that cycles of on-board software cannot keep."""
    own = [] if obsw.controller is None else controller_problems(obsw.controller, time)
    own += period_problems(obsw, time)
    return own or function_problems(obsw.functions, time)


def _periods_of_avoidances(plan: Plan) -> list[Problem]:
    """An avoidance measures out its burn by the pulses of its own period of control."""
    return [
        (
            ("plan", "legs", name, "periods_s", "base_control"),
            "an avoidance burns for whole periods of control and would overshoot; leave it out "
            "here, the period is then obsw.platform.pulse_period_s",
        )
        for name, leg in plan.legs.items()
        if leg.does == "avoid" and "base_control" in leg.periods_s
    ]


def period_problems(obsw: Obsw, time: Time) -> list[Problem]:
    """Periods of a plan's functions that do not divide."""
    if obsw.plan is None:
        return []
    control = "the control period", time.control_ns
    delay = "obsw.guidance.computing_delay_s", to_ns(obsw.guidance.computing_delay_s)
    periods: list[tuple[Path, float, tuple[str, int]]] = []
    if obsw.plan.moves:
        periods += [
            (("guidance", "computing_delay_s"), obsw.guidance.computing_delay_s, control),
            (("guidance", "replan_s"), obsw.guidance.replan_s, delay),
        ]
    for name, leg in obsw.plan.legs.items():
        for function, period in leg.periods_s.items():
            path = ("plan", "legs", name, "periods_s", function)
            periods.append((path, period, delay if function == "guidance" else control))
    return _periods_of_avoidances(obsw.plan) + [
        (path, f"{period:.12g} s is no multiple of {name}, {base / NS_PER_S:.12g} s")
        for path, period, (name, base) in periods
        if base == 0 or to_ns(period) < base or to_ns(period) % base
    ]
