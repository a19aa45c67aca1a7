"""What all legs of a plan have."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from proxops.core.errors import InputError
from proxops.onboard.functions.plan.condition_text import parse_condition
from proxops.scenario.schema.base import Name, Problem, Section, reject_all
from proxops.scenario.schema.body import Quaternion

_LONGEST_S = 1e9

Positive = Annotated[float, Field(gt=0.0, le=_LONGEST_S)]
_NotNegative = Annotated[float, Field(ge=0.0, le=_LONGEST_S)]
_Conditions = Annotated[tuple[str, ...], Field(strict=False, max_length=20)]


class AnyLeg(Section):
    """What all legs have."""

    until: _Conditions = Field(
        default=(),
        description='Guard conditions that all must hold, as "control.position_error < 1 m"; '
        "a leg without any ends after its settling time",
    )
    settle_s: _NotNegative = Field(
        default=0.0, description="Time for which they must hold without interruption [s]"
    )
    abort_if: _Conditions = Field(
        default=(), description="Conditions of which each ends the leg by its way out"
    )
    timeout_s: Positive | None = Field(
        default=None, description="Longest that the leg may last; none if it is the last one [s]"
    )
    next: Name | None = Field(default=None, description="Next leg; none: this leg does not end")
    on_abort: Name | None = Field(
        default=None, description="Leg after an abort or time-out, that of the plan if not given"
    )
    periods_s: dict[Name, Positive] = Field(
        default={},
        description="Periods of functions on board while it is flown, by name; of `guidance` the "
        "time from plan to plan [s]",
    )
    pointing: Literal["hill", "target"] = Field(
        default="hill",
        description="Attitude: q_HC held in the Hill frame, or turned from it by as little as "
        "points the camera at the target",
    )
    q_HC: Quaternion | None = Field(
        default=None, description="Attitude C to H, that of the plan if not given, wxyz"
    )

    @model_validator(mode="after")
    def _can_be_read(self) -> "AnyLeg":
        problems: list[Problem] = []
        for key in ("until", "abort_if"):
            for i, text in enumerate(getattr(self, key)):
                try:
                    parse_condition(text, "")
                except InputError as error:
                    problems.append(((key, i), str(error).removeprefix(": ")))
        reject_all(problems)
        return self

    @property
    def can_abort(self) -> bool:
        """Whether it may end by its way out."""
        return self.timeout_s is not None or bool(self.abort_if)
