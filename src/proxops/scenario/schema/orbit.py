"""The reference orbit: where the target's centre of mass is at the start."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from proxops.scenario.schema.base import Section, given_once, reject_all
from proxops.scenario.schema.body import Direction


class Inside(Section):
    """Orbital terms that are dropped while the spacecraft are near each other, as in models that
    switch between an orbital and a contact phase."""

    radius_m: float = Field(
        gt=0.0, le=1e5, description="Distance between the centres of mass below which [m]"
    )
    drop: Literal["tide", "frame"] = Field(
        description="Dropped terms: the tide alone, or H treated as an inertial frame as well"
    )
    exchange: Literal["all", "velocity-attitude"] = Field(
        default="all",
        description="State transferred at the switch: all; or positions, attitudes and velocity of "
        "the centres of mass alone, as published: neither spacecraft then rotates in H",
    )


class Orbit(Section):
    """Kepler elements at the start, in the attractor's inertial axes N."""

    attractor: Literal["earth", "moon"] = Field(default="earth", description="Central body")
    eccentricity: float = Field(default=0.0, ge=0.0, lt=1.0, description="Eccentricity [-]")
    altitude_km: float | None = Field(
        default=None,
        gt=0.0,
        le=1e7,
        description="Altitude of the periapsis above the attractor's radius, in place of the "
        "semi-major axis [km]",
    )
    semi_major_axis_km: float | None = Field(
        default=None, gt=0.0, le=1e7, validate_default=True, description="Semi-major axis [km]"
    )
    inclination_deg: float = Field(
        ge=0.0, le=180.0, description="Inclination to the xy plane of N [deg]"
    )
    raan_deg: float = Field(
        default=0.0, ge=-360.0, le=360.0, description="Ascending node from the x axis of N [deg]"
    )
    argument_of_periapsis_deg: float = Field(
        default=0.0, ge=-360.0, le=360.0, description="Periapsis from the ascending node [deg]"
    )
    true_anomaly_deg: float = Field(
        default=0.0, ge=-360.0, le=360.0, description="True anomaly at the start [deg]"
    )
    sun_direction_N: Direction | None = Field(
        default=None,
        description="Direction of the Sun, unit, in N, the same throughout a mission; without one "
        "everything is lit from everywhere [-]",
    )

    inside: Inside | None = Field(
        default=None,
        description="Orbital terms to drop while the spacecraft are near each other; none by "
        "default",
    )

    @field_validator("semi_major_axis_km", mode="after")
    @classmethod
    def _is_given_once(cls, value: float | None, info: ValidationInfo) -> float | None:
        given_once(cls, value, info, "how large the orbit is")
        return value

    @property
    def radius_km(self) -> float:
        """Of the attractor [km]."""
        from proxops.physics.orbit.attractors import ATTRACTORS

        return ATTRACTORS[self.attractor].radius / 1e3

    @property
    def a_km(self) -> float:
        """Semi-major axis [km], as given or of the altitude."""
        if self.semi_major_axis_km is not None:
            return self.semi_major_axis_km
        assert self.altitude_km is not None  # one of the two is given
        return (self.radius_km + self.altitude_km) / (1.0 - self.eccentricity)

    @model_validator(mode="after")
    def _stays_outside(self) -> "Orbit":
        radius_km = self.radius_km
        periapsis_km = self.a_km * (1.0 - self.eccentricity)
        if periapsis_km <= radius_km:
            text = (
                f"periapsis a(1 - e) = {periapsis_km:.6g} km lies inside the {self.attractor}, "
                f"radius {radius_km:.6g} km"
            )
            reject_all([(("semi_major_axis_km",), text)])
        return self
