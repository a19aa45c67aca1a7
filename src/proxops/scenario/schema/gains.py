"""Gains of joints: one for all, or one each."""

from typing import Annotated

from pydantic import Discriminator, Field, Tag

_NotNegative = Annotated[float, Field(ge=0.0)]


def _one_or_many(value: object) -> str:
    return "many" if isinstance(value, (list, tuple)) else "one"


Gain = Annotated[
    Annotated[_NotNegative, Tag("one")]
    | Annotated[tuple[_NotNegative, ...], Field(strict=False), Tag("many")],
    Discriminator(_one_or_many),
]
