"""Sensors that see a target from far: they are there only where their sections are."""

from pydantic import Field, model_validator

from proxops.scenario.schema.base import Vector3, reject_all
from proxops.scenario.schema.body import IDENTITY, ZERO, Quaternion
from proxops.scenario.schema.robot import Spread3
from proxops.scenario.schema.sampled import Chance, Sampled, Spread, range_problems


class _Ranged(Sampled):
    """What sees the target between two distances."""

    nearest_m: float = Field(
        default=0.0, ge=0.0, description="Least distance of the target's centre of mass [m]"
    )
    farthest_m: float | None = Field(
        default=None, gt=0.0, description="Greatest distance of it, any if not given [m]"
    )

    @model_validator(mode="after")
    def _has_a_range(self) -> "_Ranged":
        reject_all(range_problems(self.nearest_m, self.farthest_m))
        return self


class BearingCamera(_Ranged):
    """A camera on the hub that sees the target as a point; its frame K looks along z."""

    p_CK_m: Vector3 = Field(default=ZERO, description="Its frame K in C, position [m]")
    q_CK: Quaternion = Field(default=IDENTITY, description="Its frame K in C, wxyz [-]")
    half_view_deg: float | None = Field(
        default=None,
        gt=0.0,
        le=180.0,
        description="Largest angle between target and its line of sight, any if not given [deg]",
    )
    sun_exclusion_deg: float = Field(
        default=0.0,
        ge=0.0,
        le=180.0,
        description="Least angle between target and Sun, as it sees them [deg]",
    )
    max_phase_deg: float = Field(
        default=180.0,
        gt=0.0,
        le=180.0,
        description="Greatest angle between Sun and camera, as the target sees them [deg]",
    )
    noise_deg: Spread = Field(default=0.0, description="Standard deviation of each angle [deg]")
    bias_sigma_deg: Spread = Field(
        default=0.0,
        description="Standard deviation of each angle's constant error, drawn once a run [deg]",
    )


class RangeFinder(_Ranged):
    """A range finder on the hub: the distance of the target's centre of mass."""

    p_CL_m: Vector3 = Field(default=ZERO, description="Point L from which it measures, in C [m]")
    noise_m: Spread = Field(default=0.0, description="Standard deviation of a distance [m]")
    noise_per_range: Spread = Field(
        default=0.0, description="What it grows by with the distance [m/m]"
    )
    bias_sigma_m: Spread = Field(
        default=0.0, description="Standard deviation of a constant error drawn once a run [m]"
    )
    outlier_probability: Chance = Field(
        default=0.0, description="Chance of each sample to be an outlier [-]"
    )
    outlier_sigma_m: Spread = Field(
        default=0.0, description="Standard deviation of what is added to an outlier [m]"
    )


class RelativeGnss(_Ranged):
    """Differential satellite navigation: motion of the chaser's centre of mass against the
    target's, N axes."""

    noise_m: Spread3 = Field(
        default=ZERO, description="Standard deviation of the position, N axes [m]"
    )
    noise_m_s: Spread3 = Field(
        default=ZERO, description="Standard deviation of the velocity, N axes [m/s]"
    )
    bias_sigma_m: Spread3 = Field(
        default=ZERO,
        description="Standard deviation of a constant error of the position drawn once a run [m]",
    )
