"""The orbital navigation as a function on board."""

from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.clock import NS_PER_S
from proxops.core.jit import pluggable
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.onboard.functions.orbital_navigation.cycle import estimate
from proxops.onboard.functions.orbital_navigation.kinds import TO_FAR, TO_NEAR
from proxops.onboard.functions.orbital_navigation.model import OrbitalParams, start

FIELDS = (
    Field("orbital.t", "s", title="Time of the estimate"),
    Field(
        "orbital.p_HC", "m", "H", (3,), "Ccm from Tcm, estimated", signal="obsw.navigation.p_HC",
    ),
    Field("orbital.v_HC", "m/s", "H", (3,), "Its rate", signal="obsw.navigation.v_HC"),
    Field(
        "orbital.sigma", "m,m,m,m/s,m/s,m/s", "H", (6,), "Standard deviations of p_HC and v_HC",
        signal="obsw.navigation.sigma",
    ),
    Field("orbital.P", "m, m/s", "H", (36,), "Covariance of p_HC and v_HC, row by row"),
    Field(
        "orbital.source", title="Source of the estimate: 0 none yet, 1 far, 2 near",
        signal="obsw.navigation.source",
    ),
    Field("orbital.R_NH", "1", "H to N", (9,), "Hill frame of the believed orbit, row by row"),
    Field("orbital.w_NH_H", "rad/s", "H", (3,), "Its angular velocity"),
    Field("orbital.age", "s", title="Age of the latest accepted measurement, infinite before it"),
    Field(
        "orbital.doubt",
        title="Largest sigma of position and velocity over what is required; infinite at first",
    ),
    Field(
        "orbital.handover", "m,m,1", "", (3,),
        "Distance, change of position and of the estimate in sigmas at the last hand-over",
    ),
)  # fmt: skip


class OrbitalInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    bearing_t: np.ndarray
    bearing_count: np.ndarray
    bearing_angles: np.ndarray
    range_finder_t: np.ndarray
    range_finder_count: np.ndarray
    range_finder_range: np.ndarray
    gnss_t: np.ndarray
    gnss_count: np.ndarray
    gnss_p: np.ndarray
    gnss_v: np.ndarray
    encoders_q: np.ndarray
    encoders_qd: np.ndarray
    allocation_force: np.ndarray
    navigation_q_NC: np.ndarray
    navigation_w_NC_C: np.ndarray
    navigation_sigma_C: np.ndarray
    navigation_star_age: np.ndarray
    navigation_r: np.ndarray
    navigation_v: np.ndarray
    navigation_P: np.ndarray
    navigation_camera_age: np.ndarray
    navigation_doubt: np.ndarray


class OrbitalOutputs(NamedTuple):
    """What it writes: FIELDS."""

    orbital_t: np.ndarray
    orbital_p_HC: np.ndarray
    orbital_v_HC: np.ndarray
    orbital_sigma: np.ndarray
    orbital_P: np.ndarray
    orbital_source: np.ndarray
    orbital_R_NH: np.ndarray
    orbital_w_NH_H: np.ndarray
    orbital_age: np.ndarray
    orbital_doubt: np.ndarray
    orbital_handover: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """One cycle."""
    return estimate(params, memory, inputs, outputs)


def describe_source(source: float, details: np.ndarray) -> tuple[str, str] | None:
    """The event of another source: what the hand-over was like."""
    where = "obsw.orbital_navigation"
    if source == at.NOTHING:
        return None
    if not details.any():
        return TO_FAR, f"{where}: first far-range measurement"
    far, moved, sigmas = details
    to = "the pose filter" if source == at.NEAR else "measurements from far"
    text = f"{where}: to {to} at {far:.4g} m, the estimate moves by {moved:.3g} m, {sigmas:.2g} σ"
    return (TO_NEAR if source == at.NEAR else TO_FAR), text


def function(params: OrbitalParams, reach: float, tick: int) -> Function:
    """The orbital navigation, called every tick [ns]: it counts pulses in each and filters at its
    own period.  Measurements may come late by up to `reach` [s]."""
    return Function(
        "orbital_navigation",
        step,
        OrbitalInputs,
        OrbitalOutputs,
        params,
        start(params, reach + tick / NS_PER_S),
        tick,
        FIELDS,
        (Change("orbital.source", describe_source, "orbital.handover"),),
    )
