"""Control of the energy that a facility adds to a contact that it measures late."""

from pydantic import Field

from proxops.scenario.schema.base import Section

_FASTEST_M_S = 10.0
_FASTEST_DEG_S = 1000.0
_LONGEST_S = 1.0


class Passivity(Section):
    """Control of the energy at the contact; off unless one of its kinds is chosen."""

    wrench: bool = Field(
        default=False,
        description="Models receive no more energy than the contact stored at the start",
    )
    twist: bool = Field(
        default=False,
        description="Mock-ups yield by the energy that the facility has added, and drift",
    )
    force_N: float | None = Field(
        default=None, gt=0.0, description="Largest change of a force, no limit if not given [N]"
    )
    torque_N_m: float | None = Field(
        default=None,
        gt=0.0,
        description="Largest change of a torque, no limit if not given [N m]",
    )
    smooth_s: float = Field(
        default=0.05,
        ge=0.0,
        le=_LONGEST_S,
        description="Lag with which mock-ups yield: robots tolerate no jump of velocity [s]",
    )
    speed_m_s: float = Field(
        default=0.02,
        gt=0.0,
        le=_FASTEST_M_S,
        description="Largest yielding speed of a mock-up [m/s]",
    )
    turn_rate_deg_s: float = Field(
        default=5.0,
        gt=0.0,
        le=_FASTEST_DEG_S,
        description="Largest yielding rate of rotation [deg/s]",
    )
    quiet_force_N: float = Field(
        default=0.1, gt=0.0, description="Force below which mock-ups do not yield [N]"
    )
    quiet_torque_N_m: float = Field(
        default=0.01, gt=0.0, description="Torque below which mock-ups do not yield [N m]"
    )

    @property
    def kind(self) -> str:
        """In a word: off, wrench, twist or both."""
        if self.wrench and self.twist:
            return "both"
        return "wrench" if self.wrench else "twist" if self.twist else "off"
