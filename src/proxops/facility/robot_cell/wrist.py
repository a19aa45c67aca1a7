"""What on-board software knows of the contact at its end effector while the arm is real."""

from proxops.core.jit import part
from proxops.core.spatial.pose import Ad_transposed
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import get3, scale
from proxops.facility.common.rows import FLANGE, WRIST
from proxops.facility.robot_cell.sensing import get_wrench, moved_to, place_of, put_wrench
from proxops.plant.observe import EFFECTOR


@part
def put_wrist_wrench(cell, state, ports, scratch, wrench):
    """Writes the wrench on the end effector of the first arm, about Eo in E [N, N m] (6,), as the
    wrist's sensor has it; where the arm has no joint to sit on, the opposite of what the flange's
    has on the target.

        F_E = -Ad_{X⁰_TE}ᵀ measured

    It is of contact alone, on the last link and all that stands on it: as late, as filtered and as
    wrong as the reading, and taken to E with what is known of the poses now.  The kinematics of the
    mock-ups must be in `scratch`.
    """
    sensing, known = cell.sensing, state.sensed.known
    measured = get_wrench(state.readings[WRIST if sensing.body > 0 else FLANGE])
    T = place_of(known, sensing.body, scratch, FLANGE)
    B = place_of(known, sensing.body, scratch, WRIST)
    on_link = scale(-1.0, measured[0]), scale(-1.0, measured[1])
    X_BE = get4(ports.poses, EFFECTOR), get3(ports.poses, EFFECTOR + 4)
    put_wrench(wrench, Ad_transposed(X_BE, moved_to(T, B, on_link)))
