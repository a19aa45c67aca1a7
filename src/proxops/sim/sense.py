"""What sensors are shown: the plant as it is."""

from proxops.bus.truth import CHASER, HUB_WIDTH, TARGET
from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.plant import layout
from proxops.plant.observe_interface import put_compression
from proxops.plant.observe_wrist import put_wrist
from proxops.plant.peaks import note_touching


@part
def sense(model, state, work):
    """Shows everything to sensors as it is."""
    joints = state.q.shape[0]
    for joint in range(joints):
        state.q[joint] = state.y[layout.JOINTS + joint]
        state.qd[joint] = state.y[layout.JOINTS + joints + joint]
    put4(state.ideal.ideal_q_NC, 0, get4(state.y, layout.Q))
    put3(state.ideal.ideal_w_NC_C, 0, get3(state.y, layout.W))
    measured = model.ports.measured_contact[0]
    if measured >= 0 and model.plant.contacts.shape[0] > 0:
        put_compression(model.plant, measured, state.y, work.scratch, state.compression)
        state.ideal.ideal_x[0] = state.compression[0]
        state.ideal.ideal_x_rate[0] = state.compression[1]
    if model.onboard.sensors.shape[0] > 0:
        target = layout.target_start(model.plant)
        for i in range(HUB_WIDTH):
            state.hubs[CHASER, i] = state.y[i]
            state.hubs[TARGET, i] = state.y[target + i]
        put_wrist(model.plant, model.ports, state.y, work.scratch, state.wrench)
    note_touching(model.plant, state.y, work.scratch, state.peaks)
