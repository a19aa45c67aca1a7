"""Which case of which scenario a dispersed one is."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from proxops.core.errors import InputError
from proxops.scenario.problems import shown
from proxops.scenario.schema.mission import MAX_SEED

if TYPE_CHECKING:
    from proxops.scenario.load import Scenario

Point = Mapping[str, list[float]]


@dataclass(frozen=True)
class Drawn:
    """What a dispersion has come to in a case."""

    key: str
    by: float | list[float]  # factor, shifts or length in the key's unit, angle [deg], or choice
    value: Any  # that is true then


@dataclass(frozen=True)
class Case:
    """A case by its seed; one of a design also by its point and by the seed of its noise."""

    seed: int
    believed: "Scenario"
    drawn: Mapping[str, Drawn]
    point: Point | None = None  # by dispersion: numbers from 0 to 1 in place of the seed's
    noise_seed: int | None = None

    def address(self) -> dict[str, Any]:
        """What it takes to draw it again, as plain data."""
        if self.point is None:
            return {"seed": self.seed}
        return {"seed": self.seed, "point": dict(self.point), "noise_seed": self.noise_seed}

    def plain_draws(self) -> dict[str, Any]:
        """What was drawn, as plain data."""
        return {
            name: {"key": each.key, "by": _plain(each.by), "value": _plain(each.value)}
            for name, each in self.drawn.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `stored_case` reads."""
        believed = self.believed.document()
        return self.address() | {"drawn": self.plain_draws(), "believed": believed}


def _plain(value: Any) -> Any:
    """A copy of plain data."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def integer_seed(seed: SupportsIndex) -> int:
    """The seed of a case, or an error if it is none."""
    try:
        whole = operator.index(seed)
    except TypeError:
        whole = -1
    if not 0 <= whole < MAX_SEED:
        raise InputError(f"seed of a case: must be a whole number from 0, found {shown(seed)}")
    return whole


def checked_point(point: Any) -> dict[str, list[float]]:
    """A point of a design as plain data, or an error if it is none."""
    if not isinstance(point, Mapping):
        raise InputError(f"point of a case: must be a table by dispersion, found {shown(point)}")
    for name, numbers in point.items():
        good = isinstance(numbers, list | tuple) and all(
            isinstance(each, int | float) and 0.0 <= each <= 1.0 for each in numbers
        )
        if not good:
            raise InputError(
                f"point of a case: {name}: must be numbers from 0 to 1, found {shown(numbers)}"
            )
    return {str(name): [float(each) for each in numbers] for name, numbers in point.items()}


def stored_case(data: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of a case that was stored with its scenario, and its believed mission."""
    match data:
        case {"seed": int(seed), "drawn": dict(drawn), "believed": dict(believed)}:
            fields: dict[str, Any] = {
                "seed": integer_seed(seed),
                "drawn": {name: _stored_draw(each) for name, each in drawn.items()},
            }
            if data.get("point") is not None:
                fields["point"] = checked_point(data["point"])
            if data.get("noise_seed") is not None:
                fields["noise_seed"] = integer_seed(data["noise_seed"])
            return fields, believed
    raise InputError("stored scenario: its case must have a seed, draws and a mission")


def _stored_draw(data: Any) -> Drawn:
    match data:
        case {"key": str(key), "by": by, "value": value}:
            return Drawn(key, by, value)
    raise InputError(f"stored scenario: {shown(data)} is not a draw of a case")
