"""What sensors on board measure in a rehearsal: the mock-ups, instead of the models."""

from proxops.bus.truth import CHASER as TRUE_CHASER
from proxops.bus.truth import HUB_WIDTH
from proxops.bus.truth import TARGET as TRUE_TARGET
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.wrist import put_wrist_wrench
from proxops.plant import layout
from proxops.plant.peaks import note_touching


@helper
def see_through_lab(ideal, chaser):
    """Lets ideal sensors see the chaser's attitude and rate as the lab shows them (23)."""
    put4(ideal.ideal_q_NC, 0, get4(chaser, layout.Q))
    put3(ideal.ideal_w_NC_C, 0, get3(chaser, layout.W))


@part
def show_lab(lab, model, state):
    """Shows ideal sensors the chaser's attitude and rate, and those on board both spacecraft, as
    the lab has them (23); and the wrist its wrench."""
    cell, now, scratch = lab.cell, lab.state.cell, lab.workspace.cell.work.scratch
    seen = now.sensed.seen
    see_through_lab(state.ideal, seen[CHASER])
    if model.onboard.sensors.shape[0] > 0:
        for i in range(HUB_WIDTH):
            state.hubs[TRUE_CHASER, i] = seen[CHASER, i]
            state.hubs[TRUE_TARGET, i] = seen[TARGET, i]
        put_wrist_wrench(cell, now, model.ports, scratch, state.wrench)
    note_touching(cell.plant, now.y, scratch, state.peaks)
