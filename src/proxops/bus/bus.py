"""The bus of a chaser: what crosses between sensors, functions on board and actuators."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field, Fields, Layout, Views, blank, views

T = Field("t", "s", title="Time")


class IdealViews(NamedTuple):
    """What ideal sensors say."""

    ideal_q_NC: np.ndarray
    ideal_w_NC_C: np.ndarray
    ideal_x: np.ndarray
    ideal_x_rate: np.ndarray
    ideal_q: np.ndarray
    ideal_qd: np.ndarray


def ideal_fields(joints: int) -> tuple[Field, ...]:
    """Of ideal sensors, as joint control and boost have them."""
    return (
        Field("ideal.q_NC", "1", "C to N, wxyz", (4,), "Attitude"),
        Field("ideal.w_NC_C", "rad/s", "C", (3,), "Angular velocity"),
        Field("ideal.x", "m", title="Compression of the contact along the boost's axis"),
        Field("ideal.x_rate", "m/s", title="Its rate, positive while it grows"),
        Field("ideal.q", "rad or m", "", (joints,), "Positions of joints, then wheels"),
        Field("ideal.qd", "rad/s or m/s", "", (joints,), "Rates of joints, then wheels"),
    )


def command_fields(
    joints: tuple[str, ...], wheels: tuple[str, ...], thrusters: tuple[str, ...],
    holds: tuple[str, ...],
) -> tuple[Field, ...]:  # fmt: skip
    """What actuators and holds take; whatever nobody writes stays as it was."""
    return (
        Field("base.force", "N", "C", (3,), "Force on the base at Co", signal="obsw.base.force"),
        Field("base.torque", "N m", "C", (3,), "Torque on the base", signal="obsw.base.torque"),
        Field("holds", "1", "", (len(holds),), "Holds to be closed, 1: closed", parts=holds),
        Field("joints", "N m or N", "", (len(joints),), "Torques of the arms", parts=joints),
        Field("wheels", "N m", "", (len(wheels),), "Torques of the wheels", parts=wheels),
        Field(
            "valves",
            "1",
            "",
            (len(thrusters),),
            "Share of the control period to be open",
            parts=thrusters,
        ),
        Field(
            "isolation",
            "1",
            "",
            (len(thrusters),),
            "Isolation valves to be closed for good, 1: closed",
            parts=thrusters,
        ),
        Field("brakes", "1", title="Brakes of the arms to be set, 1: set"),
    )


@dataclass(frozen=True)
class Bus:
    """Measurements in, estimates for each other, commands out."""

    measurements: Fields
    ideal: Fields
    estimates: Fields
    commands: Fields

    def views(self, kind: type[Views]) -> Views:
        """A named tuple of views: its names say which fields."""
        return views(kind, self.measurements, self.ideal, self.estimates, self.commands)


def bus_of(
    measured: Iterable[Field], ideal: Iterable[Field], estimated: Iterable[Field],
    commanded: Iterable[Field],
) -> Bus:  # fmt: skip
    """A bus before anybody has written to it."""
    return Bus(*(blank(Layout(each)) for each in ((T, *measured), ideal, estimated, commanded)))
