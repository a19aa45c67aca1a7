"""What a robot that renders the target adds to a row: signals, beside what writes them."""

from collections.abc import Sequence

from proxops.core.description import AppendageDescription
from proxops.core.jit import part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_inverse,
    quat_mul,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import get3, mul_t, put3, sub
from proxops.facility.common import carrier
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.rendered.rendering import MODES
from proxops.physics.flexible.modes import PER_ETA, mode_count
from proxops.plant import layout

SignalRow = tuple[str, str, str, tuple[int, ...]]  # name, unit, axes, shape

# Where they stand, before the modes of real appendages
P_LT = 0
Q_LT = 3
MEASURED = 7
P_TT = 13
Q_TT = 16
LAB_WIDTH = 20


def signals(carried: Sequence[AppendageDescription]) -> list[SignalRow]:
    """Name, unit, axes and shape of everything that `put_lab` writes; the appendages are those on
    the robot's flange."""
    return [
        ("lab.p_LTl", "m", "L", (3,)),
        ("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
        ("lab.measured_wrench", "N,N,N,N m,N m,N m", "T", (WRENCH,)),
        ("lab.p_TTl", "m", "T", (3,)),
        ("lab.q_TTl", "1", "Tl to T, wxyz", (4,)),
        *(
            (f"target.appendages.{each.name}.q_f", each.unit, "", (len(each.modes),))
            for each in carried
        ),
    ]


@part
def put_lab(lab, plant, y, own):
    """Writes where the mock-up is, in the lab and before the modelled target, and what is measured
    there."""
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    p, quat = get3(lab.state.y, carrier.P), get4(lab.state.y, carrier.Q)
    q_OT = get4(target, layout.Q)
    put3(own, P_LT, p)
    put4(own, Q_LT, quat)
    for i in range(WRENCH):
        own[MEASURED + i] = lab.outputs.reading[i]
    put3(own, P_TT, mul_t(quat_to_rotation(q_OT), sub(p, get3(target, layout.P))))
    put4(own, Q_TT, quat_positive(quat_mul(quat_inverse(q_OT), quat)))
    modes = lab.model.mock_up.modes
    for mode in range(mode_count(modes)):
        own[LAB_WIDTH + mode] = lab.state.y[MODES + mode] * modes[mode + 1, PER_ETA]
