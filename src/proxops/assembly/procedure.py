"""The states of a facility around the run of a scenario."""

import math

import numpy as np

from proxops.assembly.cell import Made
from proxops.core.errors import InputError
from proxops.facility.common.guard import table as of
from proxops.facility.common.rows import FLANGE, WRIST
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.procedure.plan import Setting, settling
from proxops.facility.robot_cell.procedure.tare import mean_noise
from proxops.plant import layout
from proxops.scenario.schema.facility import Facility


def setting_of(made: Made, facility: Facility, step: float) -> Setting:
    """What the states are planned for, the arm as it is now; `step` [s] is that of the cell."""
    emergency = facility.guard.emergency_stop_at_s
    joints = len(made.cell.plant.chaser_topology)
    arm = made.state.y[layout.JOINTS : layout.JOINTS + joints].copy()
    return Setting(
        made.cell,
        made.guarded,
        arm[np.newaxis],
        parked(made, facility),
        facility.procedure.speed,
        facility.procedure.tare_s,
        settling(made.cell.servo, step),
        math.inf if emergency is None else emergency,
    )


def parked(made: Made, facility: Facility) -> np.ndarray:
    """Joints of both robots (12,) [rad] in park; refused if an axis cannot be there."""
    robots = facility.robots
    assert robots is not None
    park = np.radians([*robots.target.park_deg, *robots.chaser.park_deg])
    rows = made.cell.guard.axes
    for axis, q in enumerate(park):
        low, high = rows[axis, of.LOWER], rows[axis, of.UPPER]
        if not low <= q <= high:
            name = ("target", "chaser")[axis // AXES]
            raise InputError(
                f"robots.{name}.park_deg: axis {axis % AXES + 1} at {math.degrees(q):g} deg; "
                f"possible are {math.degrees(low):g} to {math.degrees(high):g} deg"
            )
    return park


def scatter_tare(made: Made, facility: Facility, step: float, rng: np.random.Generator) -> None:
    """Lets both force sensors be tared no better than their noise allows."""
    lasts = facility.procedure.tare_s
    for which, sensor in ((FLANGE, made.cell.flange), (WRIST, made.cell.wrist)):
        made.cell.sensing.scatter[which] = mean_noise(sensor, lasts, step, rng)
