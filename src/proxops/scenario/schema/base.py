"""What all sections share: strict frozen models, and faults that name their place."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

Path = tuple[str | int, ...]
Fault = tuple[Path, str]  # where, relative to the model that found it, and what is wrong there

FAULT = "fault"  # error type of a single value that physics refuses
FAULTS = "faults"  # error type of several places at odds with each other; ctx["faults"] lists them


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


def refuse(text: str) -> PydanticCustomError:
    """The error of one value, `text` saying what is wrong with it."""
    return PydanticCustomError(FAULT, "{text}", {"text": text})


def refuse_all(faults: Sequence[Fault]) -> None:
    """Raises every fault of a model at once, if there is any."""
    if faults:
        lines = [".".join(map(str, path)) + ": " + text for path, text in faults]
        raise PydanticCustomError(
            FAULTS, "{text}", {"text": "; ".join(lines), "faults": tuple(faults)}
        )
