"""What sensors are shown: the plant as it is."""

from proxops.bus.truth import (
    CENTRE_P,
    CENTRE_V,
    CHASER,
    HUB_WIDTH,
    IS_SHOWN,
    R_NO,
    TARGET,
    P,
    Q,
    V,
    W,
)
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, put4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul, put3
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_centre import mass_centre
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.plant import layout
from proxops.plant.observe_interface import put_compression, put_latches
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
        show_latches(model.plant, state.y, work.scratch, state)
    note_touching(model.plant, state.y, work.scratch, state.peaks)


@part
def show_latches(plant, y, scratch, state):
    """Shows which holds of a plant could close and which are closed, where a sensor reports
    them; in a rehearsal the plant is that of the cell."""
    if state.ready.shape[0] > 0 and plant.holds.shape[0] > 0:
        put_latches(plant, y, scratch, state.ready, state.closed)


@part
def show_surroundings(model, state, work):
    """Shows sensors both centres of mass and the attractor, once the hubs are what they are shown:
    in a rehearsal they see those through the lab.  Only where a sensor looks at them: with nine
    joints they would take a twelfth of a capture's time.

        p_Bcm = p_B + R_B c,   v_Bcm = v_B + R_B (w × c + ċ)        c in hub axes, undeflected
    """
    if state.sky[IS_SHOWN] == 0.0:
        return
    plant, bodies = model.plant, model.plant.chaser.shape[0]
    chaser = Tree(plant.chaser, plant.chaser_topology)
    c, c_rate = mass_centre(chaser, state.q, state.qd, work.scratch[:bodies])
    _put_centre(state.hubs[CHASER], c, c_rate, state.centres[CHASER])
    _put_centre(state.hubs[TARGET], get3(plant.target[0], at.COM), ZERO, state.centres[TARGET])
    put3(state.sky, R_NO, sky_at(plant.orbit, state.clock[0] / NS_PER_S)[1])


@helper
def _put_centre(hub, c, c_rate, centre):
    """Writes position and velocity of a centre of mass in O."""
    R = quat_to_rotation(get4(hub, Q))
    moves = add(cross(get3(hub, W), c), c_rate)
    put3(centre, CENTRE_P, add(get3(hub, P), mul(R, c)))
    put3(centre, CENTRE_V, add(get3(hub, V), mul(R, moves)))
