"""What the run must fulfil."""

import re
from collections.abc import Iterable
from typing import Literal

from pydantic import Field, field_validator, model_validator

from proxops.core.text import nearest
from proxops.core.units import UNITS, unit_named
from proxops.onboard.functions.berthing.kinds import KINDS as ARM_EVENTS
from proxops.onboard.functions.boost.kinds import KINDS
from proxops.onboard.functions.capture.modes import MODES
from proxops.onboard.functions.orbital_navigation.kinds import KINDS as HANDOVERS
from proxops.scenario.schema.base import Problem, Section, reject, reject_all
from proxops.scenario.schema.controller import OwnController

EVENTS = (
    "pace",
    "phase-switch",
    "end",
    "collision",
    "joint-stop",
    "brakes-set",
    "brakes-released",
    "touch-down",
    "lift-off",
    "separation",
    "hold-closes",
    "hold-opens",
    "hold-misses",
    "warning",
    "guidance",
    "guidance-fails",
    "guidance-holds",
    "thruster-given-up",
    "thruster-isolated",
    "link-lost",
    "link-back",
    "ground-go",
    "ground-no-go",
    *ARM_EVENTS,
    *KINDS,
    *HANDOVERS,
    *MODES,
)

_AFTERWARDS = ("warning", "end")  # known when a run is over: they cannot end it

# What a user's controller did wrong, see controllers.report
FINDINGS = (
    "controller-non-finite",
    "controller-wrong-sized",
    "controller-motors",
    "controller-base",
)
_UNNAMED = re.compile(r"mode-(0|-?[1-9][0-9]*)")  # a mode of a user's controller without a name


class Requirement(Section):
    """A measure of a signal, over a window of time, compared with a limit."""

    signal: str | None = Field(default=None, min_length=1, description="Name of a recorded signal")
    event: str | None = Field(
        default=None,
        description='Or the name of a kind of event (of one hold: "hold-closes:<its name>"), or '
        "of a mode of the user's controller",
    )
    measure: Literal[
        "max-norm",
        "min-norm",
        "final-norm",
        "max-abs",
        "final-abs",
        "max",
        "min",
        "final",
        "highest",
        "lowest",
        "count",
        "time",
    ] = Field(
        description="What is taken of it: of the Euclidean norm, of the largest magnitude among "
        "the components, of the value itself (a scalar's, or one component's), or the highest or "
        "lowest of all components; of an event, how often it happens (count) or when first (time)"
    )
    component: int | None = Field(
        default=None, ge=0, description="Component, counted from 0; not with a norm [-]"
    )
    from_s: float | None = Field(
        default=None, ge=0.0, description="Start of the window, the mission's if not given [s]"
    )
    to_s: float | None = Field(
        default=None, ge=0.0, description="End of the window, the mission's if not given [s]"
    )
    from_event: str | None = Field(
        default=None, description="Or the kind of event whose first one starts it"
    )
    to_event: str | None = Field(
        default=None, description="Or the kind of event whose first one ends it"
    )
    during: str | None = Field(
        default=None, description="Or a leg of the plan, or a phase, as the window"
    )
    comparison: Literal["<=", ">="] = Field(description="Comparison of the measure with the limit")
    limit: float = Field(description="The limit, in `unit`")
    unit: str = Field(description="Unit of the limit, of the same kind as the signal's")

    @field_validator("unit")
    @classmethod
    def _is_known(cls, unit: str) -> str:
        named = unit_named(unit)
        if named is None:
            raise reject(f"unknown unit {unit[:60]!r}{nearest(unit, UNITS)}")
        return named

    @model_validator(mode="after")
    def _makes_sense(self) -> "Requirement":
        problems: list[Problem] = []
        if (self.signal is None) == (self.event is None):
            found = "give one, not both" if self.signal else "missing; give a signal, or an event"
            problems.append((("signal",), found))
        elif (self.event is not None) != (self.measure in ("count", "time")):
            text = "events are counted or have a time, and only events do"
            problems.append((("measure",), text))
        for edge in ("from", "to"):
            if getattr(self, f"{edge}_s") is not None and getattr(self, f"{edge}_event"):
                problems.append(((f"{edge}_event",), f"give {edge}_s or {edge}_event, not both"))
        edges = (self.from_s, self.to_s, self.from_event, self.to_event)
        if self.during is not None and any(each is not None for each in edges):
            problems.append((("during",), "remove from_ and to_: during is a window of its own"))
        if self.component is not None and self.measure.endswith(("-norm", "est", "count", "time")):
            problems.append((("component",), f"{self.measure!r} is of the whole signal"))
        if self.from_s is not None and self.to_s is not None and self.to_s < self.from_s:
            text = f"{self.to_s:.12g} s is before from_s = {self.from_s:.12g} s"
            problems.append((("to_s",), text))
        reject_all(problems)
        return self


def event_problems(
    demand: Requirement, controller: OwnController | None, modes: Iterable[str]
) -> list[Problem]:
    """Events of a requirement that neither the simulation nor the user's controller has, nor the
    modes of the user's functions.  Only with those are they known, so this is not for the schema to
    say."""
    known = (*EVENTS, *modes, *(() if controller is None else (*FINDINGS, *controller.modes)))
    problems: list[Problem] = []
    for key in ("event", "from_event", "to_event"):
        kind = getattr(demand, key)
        unnamed = controller is not None and kind is not None and _UNNAMED.fullmatch(kind)
        if kind is not None and kind not in known and not unnamed:
            found = f"unknown {kind[:60]!r}{nearest(kind, known)}"
            if controller is None and "did you mean" not in found:  # cure first: that list is long
                found = f"give --controller if it is a mode of yours; {found}"
            problems.append(((key,), found))
    return problems


def ending_problems(
    kind: str | None, controller: OwnController | None, modes: Iterable[str]
) -> list[str]:
    """An event that is to end a mission, and that none of its stages has while it runs."""
    live = [each for each in EVENTS if each not in _AFTERWARDS]
    known = (*live, *modes, *(() if controller is None else controller.modes))
    unnamed = controller is not None and kind is not None and _UNNAMED.fullmatch(kind)
    if kind is None or kind in known or unnamed:
        return []
    return [f"unknown {kind[:60]!r}{nearest(kind, known)}"]
