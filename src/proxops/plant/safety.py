"""How safe the true state is: zones about the target, and what a free drift from now leads to."""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_from_rotation, quat_log, quat_to_rotation
from proxops.core.spatial.vector import (
    cross,
    get3,
    matmul,
    mul_t,
    norm,
    scale,
    sub,
    transpose,
)
from proxops.physics.integrate.rk4 import K
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree, load3
from proxops.physics.orbit.drift import closest_approach, moved
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import MU, reference
from proxops.physics.zones.cone import cone_margin
from proxops.physics.zones.ellipsoid import ellipsoid_distance
from proxops.plant import layout
from proxops.plant.ledger import tally
from proxops.plant.model import Craft
from proxops.plant.observe import put1, put_vector

# Columns of Zones.corridors
AXIS = 0  # from the target outwards, in H
HALF_ANGLE = 3  # [rad]
APEX = 4  # from the target's centre of mass along the axis [m]
LENGTH = 5  # from there on [m]
CORRIDOR_WIDTH = 6

# Entries of Zones.plume
PLUME_DISTANCE = 0  # from a thruster within which its plume matters [m]
PLUME_COSINE = 1  # of its half angle


class Zones(NamedTuple):
    """Zones about the target's centre of mass, in H; all empty where a mission has none."""

    keep_out: np.ndarray  # radius [m], one entry or none
    ellipsoid: np.ndarray  # half axes [m], three or none
    corridors: np.ndarray
    samples: np.ndarray  # of a drift, an orbit, one entry or none
    speed: np.ndarray  # limit at the target [m/s] and its rise with the distance [1/s], or none
    plume: np.ndarray  # of thrusters, see below, or none


def no_zones() -> Zones:
    """Of a mission without."""
    none = np.zeros(0)
    samples = np.zeros(0, dtype=np.int64)
    return Zones(none, none, np.zeros((0, CORRIDOR_WIDTH)), samples, none, none)


def signals(zones: Zones) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """Name, unit, axes, shape and title of everything `put_safety` writes, in its order."""
    if not len(zones.keep_out):
        return []
    rows: list[tuple[str, str, str, tuple[int, ...], str]] = [
        ("relative.p_TcmCcm_H", "m", "H", (3,), "Centre of mass of the chaser from the target's"),
        ("relative.v_TcmCcm_H", "m/s", "H", (3,), "Velocity of the chaser's centre of mass in H"),
        ("safety.rotation_HC", "rad", "C", (3,), "Rotation of the chaser against the Hill frame"),
        ("safety.w_HC_C", "rad/s", "C", (3,), "Angular velocity of the chaser in the Hill frame"),
        ("safety.keep_out_distance", "m", "", (), "Distance from the keep-out zone"),
    ]
    if len(zones.speed):
        rows.append(("safety.speed_margin", "m/s", "", (), "Speed below the limit by distance"))
    if len(zones.corridors):
        rows.append(
            ("safety.corridor_margin", "m", "", (), "Distance inside the nearest approach corridor")
        )
    rows.append(("safety.zone_margin", "m", "", (), "Margin to the keep-out zone or the corridor"))
    if len(zones.ellipsoid):
        rows.append(
            ("safety.ellipsoid_distance", "m", "", (), "Distance from the approach ellipsoid")
        )
    rows += [
        ("safety.drift_distance", "m", "", (), "Free drift: least distance over two revolutions"),
        ("safety.drift_keep_out", "m", "", (), "Free drift: least distance from the keep-out zone"),
        ("safety.drift_time", "s", "", (), "Free drift: time until the least distance"),
    ]
    return rows


@helper
def _mass_centre(bodies, carried):
    """Position and velocity in O of a spacecraft's centre of mass [m, m/s]."""
    mass = 0.0
    for body in range(bodies.shape[0]):
        mass += bodies[body, at.MASS]
    return carried.com, scale(1.0 / mass, carried.momentum)


@part
def _corridor_margin(corridors, r_H):
    """Distance from the surface of the corridor that is nearest or farthest around [m]."""
    best = -math.inf
    for i in range(corridors.shape[0]):
        best = max(
            best,
            cone_margin(
                r_H,
                load3(corridors, i, AXIS),
                corridors[i, HALF_ANGLE],
                corridors[i, APEX],
                corridors[i, LENGTH],
            ),
        )
    return best


@part
def target_from_hub(plant, work, y):
    """The target's centre of mass from the origin of the chaser's hub, in C [m]."""
    start, end = layout.target_start(plant), layout.ledger_start(plant)
    target = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    scratch = work.scratch[plant.chaser.shape[0] :]
    p_T, _ = _mass_centre(plant.target, tally(target, y[start:end], work.stages[K], scratch))
    return mul_t(quat_to_rotation(get4(y, layout.Q)), sub(p_T, get3(y, layout.P)))


@part
def put_safety(plant, zones, work, y, t, row, cursor):
    """Writes the signals of `signals` into a row; returns the next free place.

        r = p of the chaser's centre of mass less the target's, in H
        v_H = R_NHᵀ v_O - w × r,   zone margin = max(|r| - keep-out radius, corridor margin)
        R_HC = R_NHᵀ R_NC,   w_HC = w_NC - R_HCᵀ w,   speed margin = v₀ + k |r| - |v_H|

    w is the rate of H, in H.  The zone margin is positive where a chaser may be: outside the
    keep-out zone or in a corridor.
    """
    start, end = layout.target_start(plant), layout.ledger_start(plant)
    bodies, spare = plant.chaser.shape[0], work.stages[K]
    chaser = Craft(Tree(plant.chaser, plant.chaser_topology), plant.chaser_modes)
    target = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    p_C, v_C = _mass_centre(plant.chaser, tally(chaser, y[:start], spare, work.scratch[:bodies]))
    p_T, v_T = _mass_centre(plant.target, tally(target, y[start:end], spare, work.scratch[bodies:]))
    orbit = reference(plant.orbit, t)
    R_NH, w = hill_frame(orbit[0], orbit[1])
    r_H = mul_t(R_NH, sub(p_C, p_T))
    v_H = sub(mul_t(R_NH, sub(v_C, v_T)), cross(w, r_H))
    cursor = put_vector(row, cursor, r_H)
    cursor = put_vector(row, cursor, v_H)
    R_HC = matmul(transpose(R_NH), quat_to_rotation(get4(y, layout.Q)))
    cursor = put_vector(row, cursor, quat_log(quat_from_rotation(R_HC)))
    cursor = put_vector(row, cursor, sub(get3(y, layout.W), mul_t(R_HC, w)))
    margin = norm(r_H) - zones.keep_out[0]
    cursor = put1(row, cursor, margin)
    if zones.speed.shape[0] > 0:
        limit = zones.speed[0] + zones.speed[1] * norm(r_H)
        cursor = put1(row, cursor, limit - norm(v_H))
    if zones.corridors.shape[0] > 0:
        in_corridor = _corridor_margin(zones.corridors, r_H)
        cursor = put1(row, cursor, in_corridor)
        margin = max(margin, in_corridor)
    cursor = put1(row, cursor, margin)
    if zones.ellipsoid.shape[0] > 0:
        cursor = put1(row, cursor, ellipsoid_distance(r_H, get3(zones.ellipsoid, 0)))
    least, when = closest_approach(
        plant.orbit[MU], orbit, moved(orbit, p_T, v_T), moved(orbit, p_C, v_C), zones.samples[0]
    )
    cursor = put1(row, cursor, least)
    cursor = put1(row, cursor, least - zones.keep_out[0])
    return put1(row, cursor, when)
