"""How the truth of a mission may differ from what is believed of it."""

from typing import Annotated

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, OneOrMany, Section, reject_all

METHODS = ("scale", "shift", "rotation_deg", "isotropic")
_Length = Annotated[float, Field(ge=0.0)]


class Dispersion(Section):
    """One value of the scenario that differs from case to case, evenly within bounds; several may
    follow one another at the same key."""

    key: str = Field(
        min_length=1,
        max_length=1000,
        description="Dotted key of the value, such as target.mass_kg or chaser.p_HC_m.1",
    )
    same_draw_as: Name | None = Field(
        default=None,
        description="Another dispersion whose random numbers this one takes: both vary together",
    )
    scale: float | None = Field(
        default=None,
        gt=0.0,
        lt=1.0,
        description="Largest change as a share of the value, the same for all its numbers [-]",
    )
    shift: OneOrMany | None = Field(
        default=None,
        description="Largest change of the value, of each number by itself: one bound for all or "
        "one each, in the key's unit",
    )
    rotation_deg: float | None = Field(
        default=None,
        gt=0.0,
        le=180.0,
        description="Largest angle that a vector is tilted by in any direction, or that a "
        "quaternion is turned by about any axis [deg]",
    )
    isotropic: Annotated[tuple[_Length, _Length], Field(strict=False)] | None = Field(
        default=None,
        description="Least and largest length of a vector that takes the value's place, its "
        "direction even over all directions, in the key's unit",
    )

    @model_validator(mode="after")
    def _by_one_method(self) -> "Dispersion":
        given = [method for method in METHODS if getattr(self, method) is not None]
        if len(given) != 1:
            found = f"found {' and '.join(given)}" if given else "none is given"
            reject_all([((), f"give one of {', '.join(METHODS)}; {found}")])
        if self.isotropic is not None and self.isotropic[0] > self.isotropic[1]:
            low, high = self.isotropic
            text = f"give the least length first; found {low:g} before {high:g}"
            reject_all([(("isotropic",), text)])
        return self
