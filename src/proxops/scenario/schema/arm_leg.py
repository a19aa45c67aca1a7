"""A leg of the arm: what it moves, closes or opens."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.any_leg import AnyLeg
from proxops.scenario.schema.base import Name, Problem, reject_all


class ArmLeg(AnyLeg):
    """Moves the arm, its gripper or latches; see `[obsw.berthing]`.  It ends once that is done, and
    by its way out where the arm gives up."""

    does: Literal["grapple", "carry", "move-arm", "latch", "release", "retreat"] = Field(
        description="Takes the target with the gripper; carries it, or moves the empty hand, along "
        "a path; closes holds; opens holds, or the gripper; opens the gripper and draws the hand "
        "back from the target"
    )
    path: Name | None = Field(
        default=None, description="Path of `[obsw.berthing]`, to carry or to move along"
    )
    holds: Annotated[tuple[Name, ...], Field(strict=False)] = Field(
        default=(), description="Holds to close or to open; none: to release is to open the gripper"
    )
    base: Literal["free", "attitude", "hold"] = Field(
        default="free",
        description="What control of the base does meanwhile: nothing; hold the attitude; keep "
        "place and attitude",
    )

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> "ArmLeg":
        problems: list[Problem] = []
        moves = self.does in ("carry", "move-arm")
        if moves != (self.path is not None):
            problems.append((("path",), "missing" if moves else "only to carry or to move the arm"))
        if self.does == "latch" and not self.holds:
            problems.append((("holds",), "missing; name the holds to close"))
        if self.holds and self.does not in ("latch", "release"):
            problems.append((("holds",), "only to latch or to release"))
        if self.base == "hold" and self.does not in ("grapple", "move-arm", "retreat"):
            text = "only with an empty gripper: the position is held relative to the target"
            problems.append((("base",), text))
        reject_all(problems)
        return self

    @property
    def can_abort(self) -> bool:
        """An arm can."""
        return True
