"""Safety zones about the target: what a chaser may enter, and where it may come closer."""

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Name, Problem, Section, Vector3, reject_all
from proxops.scenario.schema.body import Direction


class Corridor(Section):
    """A cone that leads through the keep-out zone."""

    axis_H: Direction = Field(
        description="Unit vector from the target outwards, in the Hill frame "
        "(x radial, y along-track, z normal) [-]"
    )
    half_angle_deg: float = Field(gt=0.0, lt=90.0, description="Half angle of its cone [deg]")
    apex_m: float = Field(
        default=0.0,
        description="Apex from the target's centre of mass along the axis; negative: behind [m]",
    )
    length_m: float = Field(gt=0.0, description="From the apex to its end along the axis [m]")


class Zones(Section):
    """Zones about the target's centre of mass, along the axes of the Hill frame."""

    keep_out_m: float = Field(
        gt=0.0,
        description="Radius of the keep-out zone: a sphere that is entered in a corridor only [m]",
    )
    approach_ellipsoid_m: Vector3 | None = Field(
        default=None, description="Half axes of the approach ellipsoid along x, y, z of H [m]"
    )
    corridors: dict[Name, Corridor] = Field(
        default={}, description="Corridors through the keep-out zone, by name"
    )
    speed_limit_m_s: float | None = Field(
        default=None, gt=0.0, description="Speed limit in H at the target; none: no limit [m/s]"
    )
    speed_limit_per_m_1_s: float = Field(
        default=0.0, ge=0.0, description="Its increase with the distance [1/s]"
    )
    plume_distance_m: float | None = Field(
        default=None,
        gt=0.0,
        description="Distance within which no thruster may fire at the target; none: no limit [m]",
    )
    plume_half_angle_deg: float = Field(
        default=20.0, gt=0.0, le=90.0, description="Half angle of a plume [deg]"
    )

    @model_validator(mode="after")
    def _fit_into_each_other(self) -> "Zones":
        problems: list[Problem] = []
        radius = self.keep_out_m
        if self.approach_ellipsoid_m is not None and min(self.approach_ellipsoid_m) < radius:
            text = (
                f"must contain the keep-out zone: each half axis at least {radius:g}, "
                f"found {min(self.approach_ellipsoid_m):g}"
            )
            problems.append((("approach_ellipsoid_m",), text))
        for name, each in self.corridors.items():
            if each.apex_m >= radius:
                text = (
                    f"the apex must be inside the keep-out zone, below {radius:g}, "
                    f"found {each.apex_m:g}"
                )
                problems.append((("corridors", name, "apex_m"), text))
            elif each.apex_m + each.length_m < radius:
                text = (
                    f"must lead out of the keep-out zone: at least {radius - each.apex_m:g}, "
                    f"found {each.length_m:g}"
                )
                problems.append((("corridors", name, "length_m"), text))
        if self.speed_limit_per_m_1_s > 0.0 and self.speed_limit_m_s is None:
            text = "add speed_limit_m_s: this increases a limit at the target"
            problems.append((("speed_limit_per_m_1_s",), text))
        reject_all(problems)
        return self
