"""The reference orbit: where the target's centre of mass is at the start."""

from typing import Literal

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Section, reject_all
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

    attractor: Literal["earth", "moon"] = Field(description="Central body")
    semi_major_axis_km: float = Field(gt=0.0, le=1e7, description="Semi-major axis [km]")
    eccentricity: float = Field(ge=0.0, lt=1.0, description="Eccentricity [-]")
    inclination_deg: float = Field(
        ge=0.0, le=180.0, description="Inclination to the xy plane of N [deg]"
    )
    raan_deg: float = Field(
        ge=-360.0, le=360.0, description="Ascending node from the x axis of N [deg]"
    )
    argument_of_periapsis_deg: float = Field(
        ge=-360.0, le=360.0, description="Periapsis from the ascending node [deg]"
    )
    true_anomaly_deg: float = Field(
        ge=-360.0, le=360.0, description="True anomaly at the start [deg]"
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

    @model_validator(mode="after")
    def _stays_outside(self) -> "Orbit":
        from proxops.physics.orbit.attractors import ATTRACTORS

        radius_km = ATTRACTORS[self.attractor].radius / 1e3
        periapsis_km = self.semi_major_axis_km * (1.0 - self.eccentricity)
        if periapsis_km <= radius_km:
            text = (
                f"periapsis a(1 - e) = {periapsis_km:.6g} km lies inside the {self.attractor}, "
                f"radius {radius_km:.6g} km"
            )
            reject_all([(("semi_major_axis_km",), text)])
        return self
