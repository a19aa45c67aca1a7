"""How the truth of a mission may differ from what is believed of it."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from proxops.scenario.schema.base import Name, OneOrMany, Section, reject_all

METHODS = ("scale", "shift", "rotation_deg", "isotropic", "choice")
_Length = Annotated[float, Field(ge=0.0)]
_Correlation = Annotated[float, Field(gt=-1.0, lt=1.0)]


class Dispersion(Section):
    """One value of the scenario that differs from case to case within bounds; several may follow
    one another at the same key."""

    key: str = Field(
        min_length=1,
        max_length=1000,
        description="Dotted key of the value, such as target.mass_kg or chaser.p_HC_m.1",
    )
    same_draw_as: Name | None = Field(
        default=None,
        description="Another dispersion whose random numbers this one takes: both vary together",
    )
    correlated_with: dict[Name, _Correlation] | None = Field(
        default=None,
        description="Other dispersions and the correlation of their numbers with this one's, where "
        "both are normal [-]",
    )
    distribution: Literal["uniform", "normal", "lognormal"] = Field(
        default="uniform",
        description="Of a scale or shift within its bounds: even; normal with the bounds at three "
        "sigma, where it is cut off; or the logarithm of the factor so",
    )
    scale: float | None = Field(
        default=None,
        gt=0.0,
        description="Largest change as a share of the value, the same for all its numbers, below 1 "
        "unless lognormal [-]",
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

    choice: Annotated[tuple[JsonValue, ...], Field(strict=False)] | None = Field(
        default=None,
        min_length=2,
        description="Values of which one is taken, each as likely",
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
        lognormal = self.distribution == "lognormal"
        if self.scale is not None and self.scale >= 1.0 and not lognormal:
            text = f"must be less than 1 unless lognormal, found {self.scale:g}"
            reject_all([(("scale",), text)])
        if lognormal and self.scale is None:
            reject_all([(("distribution",), "only a scale is lognormal")])
        if self.distribution == "normal" and self.scale is None and self.shift is None:
            reject_all([(("distribution",), "only a scale or a shift is normal")])
        return self
