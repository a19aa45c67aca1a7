"""What all sections share: strict frozen models, and problems that name their place."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

Path = tuple[str | int, ...]
Problem = tuple[Path, str]  # where, relative to the model that found it, and what is wrong there

PROBLEM = "problem"  # error type of a single value that physics rejects
PROBLEMS = "problems"  # error type of several places at odds with each other, listed in its ctx


class Section(BaseModel):
    """A table of a scenario file: nothing unknown, nothing converted, nothing that is no number."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
    )


# A TOML array arrives as a list; strict mode would insist on a tuple.  The numbers stay strict.
Vector3 = Annotated[tuple[float, float, float], Field(strict=False)]
Values = Annotated[tuple[float, ...], Field(strict=False)]
NotNegative = Annotated[float, Field(ge=0.0)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


def _one_or_many(value: object) -> str:
    return "many" if isinstance(value, (list, tuple)) else "one"


# One number for all components, or one for each
OneOrMany = Annotated[
    Annotated[NotNegative, Tag("one")]
    | Annotated[tuple[NotNegative, ...], Field(strict=False), Tag("many")],
    Discriminator(_one_or_many),
]


def reject(text: str) -> PydanticCustomError:
    """The error of one value, `text` saying what is wrong with it."""
    return PydanticCustomError(PROBLEM, "{text}", {"text": text})


def reject_all(problems: Sequence[Problem]) -> None:
    """Raises every problem of a model at once, if there is any."""
    if problems:
        lines = [".".join(map(str, path)) + ": " + text for path, text in problems]
        raise PydanticCustomError(
            PROBLEMS, "{text}", {"text": "; ".join(lines), "problems": tuple(problems)}
        )
