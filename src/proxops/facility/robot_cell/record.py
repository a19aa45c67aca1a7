"""What a cell adds to a row of a run: names of signals, beside the function that writes them."""

from collections.abc import Sequence
from typing import Any

from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.mapping import SIGNALS as SENSED
from proxops.facility.common.mapping import put_sensed
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.real_arm import drive_arm
from proxops.physics.relative.motion import VELOCITY, P, Q
from proxops.plant import layout
from proxops.plant.frames import to_hill
from proxops.plant.model import DRIVE_MOTOR
from proxops.plant.observe import put_array

SignalRow = tuple[str, str, str, tuple[int, ...]]  # name, unit, axes, shape

# What is recorded, in the order of a row
MOCK_UPS = (
    ("lab.p_LTl", "m", "L", (3,)),
    ("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
    ("lab.p_LCl", "m", "L", (3,)),
    ("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
    ("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
)
NOMINAL = (
    ("nominal.p_HN", "m", "H", (3,)),
    ("nominal.q_NN", "1", "nominal to N, wxyz", (4,)),
)
PORT = (
    ("lab.energy", "J", "", (3,)),
    ("lab.drift", "m,rad,m,rad", "", (4,)),
)
ROBOTS = (
    ("lab.guard.mode", "1", "", ()),
    ("lab.robots.target.q", "rad", "", (AXES,)),
    ("lab.robots.chaser.q", "rad", "", (AXES,)),
)

# Where they stand
P_LT, Q_LT, P_LC, Q_LC = 0, 3, 7, 10
MEASURED = 14
P_HM, Q_NM = 20, 23
ENERGY = 27  # see facility.common.passivity.energy_port


def signals(ideal: bool, arms: Sequence[Any]) -> list[SignalRow]:
    """Name, unit, axes and shape of everything that `put_lab` writes."""
    torques = [
        (f"lab.arms.{each.name}.tau_q", each.arm.unit("N m", "N"), "", each.q.shape)
        for each in arms
    ]
    return [*MOCK_UPS, *NOMINAL, *PORT, *(() if ideal else ROBOTS), *torques, *SENSED]


@part
def put_lab(lab, model, state, work, own):
    """Writes what the cell is now; returns the next free place."""
    t = state.clock[0] / NS_PER_S
    drive_arm(lab, model.plant, state.y, state.applied, work, t)
    cell, now, M = lab.cell, lab.state.cell, lab.state.nominal.y
    put3(own, P_LT, get3(now.motions[TARGET], layout.P))
    put4(own, Q_LT, get4(now.motions[TARGET], layout.Q))
    put3(own, P_LC, get3(now.motions[CHASER], layout.P))
    put4(own, Q_LC, get4(now.motions[CHASER], layout.Q))
    for i in range(WRENCH):
        own[MEASURED + i] = now.readings[cell.feedback_sensor, i]
    put3(own, P_HM, to_hill(model.plant.orbit, t, get3(M, P), get3(M, VELOCITY))[0])
    put4(own, Q_NM, get4(M, Q))
    end = put_array(own, ENERGY, lab.state.port.now)
    if cell.ideal == 0:
        own[end] = now.memory.status[guarding.MODE]
        end = put_array(own, end + 1, now.axes.q)
    joints = cell.plant.chaser_topology.shape[0]
    end = put_array(own, end, lab.workspace.cell.drive[1 : 1 + joints, DRIVE_MOTOR])
    return put_sensed(now.sensed, own, end)
