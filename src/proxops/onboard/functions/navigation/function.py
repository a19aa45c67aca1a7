"""The navigation as a function on board: sensors in, estimates of both spacecraft out."""

from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.clock import NS_PER_S
from proxops.core.jit import pluggable
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.function import Function
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.cycle import navigate
from proxops.onboard.functions.navigation.model import NavParameters, NavState, start
from proxops.physics.multibody.mass_centre import mass_centre
from proxops.physics.multibody.tree import Tree, scratch_for

_C_TO_N, _T_TO_N, _G_TO_C = "C to N, wxyz", "T to N, wxyz", "G to C, wxyz"

FIELDS = (
    Field("navigation.t", "s", title="Time of the estimate"),
    Field("navigation.q_NC", "1", _C_TO_N, (4,), "Attitude of the chaser"),
    Field("navigation.w_NC_C", "rad/s", "C", (3,), "Angular velocity of the chaser"),
    Field("navigation.gyro_bias", "rad/s", "C", (3,), "Bias of the gyro"),
    Field("navigation.r", "m", "N", (3,), "From Ccm to Tcm"),
    Field("navigation.v", "m/s", "N", (3,), "Its rate"),
    Field("navigation.P", "m, m/s", "N", (36,), "Covariance of r and v, row by row"),
    Field("navigation.q_NT", "1", _T_TO_N, (4,), "Attitude of the target"),
    Field("navigation.w_NT_T", "rad/s", "T", (3,), "Angular velocity of the target"),
    Field(
        "navigation.p_CG", "m", "C", (3,), "Grapple point, estimated",
        signal="obsw.navigation.p_CG",
    ),
    Field("navigation.q_CG", "1", _G_TO_C, (4,), "Attitude of the grapple frame"),
    Field("navigation.v_CG", "m/s", "C", (3,), "Rate of the components of p_CG"),
    Field(
        "navigation.w_CG_C", "rad/s", "C", (3,), "Rate of the grapple frame, estimated",
        signal="obsw.navigation.w_CG_C",
    ),
    # Root mean square over the axes of the standard deviations
    Field("navigation.sigma_C", "rad", title="Standard deviation of q_NC"),
    Field("navigation.sigma_G", "m", title="Standard deviation of G against Ccm"),
    Field("navigation.sigma_Q", "rad", title="Standard deviation of q_NT"),
    Field("navigation.sigma_W", "rad/s", title="Standard deviation of w_NT_T"),
    Field(
        "navigation.star_age", "s", title="Age of the latest accepted attitude, infinite before it"
    ),
    Field("navigation.camera_age", "s", title="Age of the latest accepted image, likewise"),
    Field(
        "navigation.doubt",
        title="Largest sigma of G, Q and W over what is required; infinite without an estimate",
    ),
)  # fmt: skip


class NavigationInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    star_t: np.ndarray
    star_count: np.ndarray
    star_q: np.ndarray
    gyro_count: np.ndarray
    gyro_w: np.ndarray
    camera_t: np.ndarray
    camera_count: np.ndarray
    camera_p: np.ndarray
    camera_q: np.ndarray
    encoders_count: np.ndarray
    encoders_q: np.ndarray
    encoders_qd: np.ndarray
    allocation_force: np.ndarray
    berthing_target_free: np.ndarray


class NavigationOutputs(NamedTuple):
    """What it writes: FIELDS."""

    navigation_t: np.ndarray
    navigation_q_NC: np.ndarray
    navigation_w_NC_C: np.ndarray
    navigation_gyro_bias: np.ndarray
    navigation_r: np.ndarray
    navigation_v: np.ndarray
    navigation_P: np.ndarray
    navigation_q_NT: np.ndarray
    navigation_w_NT_T: np.ndarray
    navigation_p_CG: np.ndarray
    navigation_q_CG: np.ndarray
    navigation_v_CG: np.ndarray
    navigation_w_CG_C: np.ndarray
    navigation_sigma_C: np.ndarray
    navigation_sigma_G: np.ndarray
    navigation_sigma_Q: np.ndarray
    navigation_sigma_W: np.ndarray
    navigation_star_age: np.ndarray
    navigation_camera_age: np.ndarray
    navigation_doubt: np.ndarray


class NavigationParams(NamedTuple):
    """Everything that stays the same."""

    filters: NavParameters
    chaser: Tree  # as it is believed to be


class NavigationMemory(NamedTuple):
    """Everything that changes."""

    filters: NavState
    known_inputs: np.ndarray  # see layout
    scratch: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """Brings the estimates to now, once the encoders have said anything."""
    if inputs.encoders_count[0] == 0.0:
        return 0
    centre = mass_centre(params.chaser, inputs.encoders_q, inputs.encoders_qd, memory.scratch)
    put3(memory.known_inputs, nav.INPUT_FORCE, get3(inputs.allocation_force, 0))
    put3(memory.known_inputs, nav.INPUT_COM, centre[0])
    put3(memory.known_inputs, nav.INPUT_COM_RATE, centre[1])
    memory.known_inputs[nav.INPUT_FREE] = inputs.berthing_target_free[0]
    navigate(params.filters, memory.filters, inputs, memory.known_inputs, outputs)
    return 0


def function(filters: NavParameters, chaser: Tree, period: int) -> Function:
    """The navigation of a chaser as it is believed to be, every period [ns]."""
    memory = NavigationMemory(
        start(period / NS_PER_S), np.zeros(nav.INPUT_SIZE), scratch_for(chaser)
    )
    return Function(
        "navigation",
        step,
        NavigationInputs,
        NavigationOutputs,
        NavigationParams(filters, chaser),
        memory,
        period,
        FIELDS,
    )
