"""What all sections share: strict frozen models, and problems that name their place."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationInfo
from pydantic_core import PydanticCustomError

Path = tuple[str | int, ...]
Problem = tuple[Path, str]  # where, relative to the model that found it, and what is wrong there

PROBLEM = "problem"  # error type of a single value that physics rejects
PROBLEMS = "problems"  # error type of several places at odds with each other, listed in its ctx


# Keys of a table that say the same thing in several ways: one of them is given, and one that is
# added to a file or scenario takes the place of the other
ALTERNATIVES = (
    frozenset({"q_NC", "q_HC", "q_NT", "q_HT", "points"}),
    frozenset({"w_NC_C_deg_s", "w_HC_C_deg_s", "w_NT_T_deg_s", "w_HT_T_deg_s"}),
    frozenset({"EI_N_m2", "first_frequency_hz"}),
    frozenset({"semi_major_axis_km", "altitude_km"}),
)


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


def alternatives_to(key: str) -> frozenset[str]:
    """Keys that a key takes the place of."""
    return next((group - {key} for group in ALTERNATIVES if key in group), frozenset())


def given_once(section: type[BaseModel], value: object, info: ValidationInfo, about: str) -> None:
    """Rejects a field, the last one of its alternatives, unless exactly one of them is given.  One
    that was given and is wrong in itself is given, and reported already."""
    own = str(info.field_name)
    others = [key for key in section.model_fields if key in alternatives_to(own)]
    if any(key not in info.data for key in others):
        return
    given = [key for key in others if info.data[key] is not None]
    given += [own] if value is not None else []
    every = [*others, own]
    if not given:
        raise reject(f"missing; give {' or '.join(every)}: {about}")
    if len(given) > 1:
        raise reject(f"give {' or '.join(every)}, one alone; found {' and '.join(given)}")
