"""What a row holds of safety: zones and drift (plant.safety), and what thrusters did since the row
before: how near they came to their full thrust, and whether their plumes met the target.

    share_i = ΔJ_i/(F_i Δt)           J_i = ∫ F dt of a thruster, F_i its full thrust
    plume   = Σ ΔJ_i  of those with  -d_i·u ≥ |u| cos(half angle)  while |u| ≤ distance

d_i is the direction of the force and u leads from the thruster to the target's centre of mass, as
both are at the end of the time.
"""

import numpy as np

from proxops.actuators.thrusters import DIRECTION, THRUST, P
from proxops.core.clock import NS_PER_S
from proxops.core.jit import at_entry, part
from proxops.core.spatial.vector import ZERO, dot, norm, sub
from proxops.physics.multibody.tree import load3
from proxops.plant import safety
from proxops.plant.observe import put1
from proxops.plant.safety import PLUME_COSINE, PLUME_DISTANCE, Zones
from proxops.sim.entries import SAFETY


def signals(
    zones: Zones, thrusters: np.ndarray
) -> list[tuple[str, str, str, tuple[int, ...], str]]:
    """Name, unit, axes, shape and title of everything `put_safety` writes, in its order."""
    rows = safety.signals(zones)
    if not rows or not len(thrusters):
        return rows
    title = "Mean thrust since the previous row over full thrust, each thruster"
    rows.append(("safety.thrust_share", "1", "", (len(thrusters),), title))
    if len(zones.plume):
        title = "Impulse since the previous row of thrusters whose plume hit the target"
        rows.append(("safety.plume_impulse", "N s", "", (), title))
    return rows


@at_entry(SAFETY)
def put_safety(model, state, work, row, end):
    """Writes the signals of `signals` into a row; returns the next free place."""
    t, given = state.clock[0] / NS_PER_S, state.thrusters.impulse
    end = safety.put_safety(model.plant, model.zones, work, state.y, t, row, end)
    if given.shape[0] > 0:
        seen = ZERO
        if model.zones.plume.shape[0] > 0:
            seen = safety.target_from_hub(model.plant, work, state.y)
        table, noted = model.thrusters.table, state.peaks.impulse
        end = put_thrust(model.zones, table, given, noted, seen, t, row, end)
    return end


@part
def put_thrust(zones, table, given, noted, target_C, t, row, cursor):
    """Writes what thrusters did; returns the next free place.  `given` are the
    impulses of the thrusters since the start [N s], `noted` those of the row before and its time,
    target_C leads from the hub's origin to the target's centre of mass, in C [m]."""
    count = given.shape[0]
    lasted, at_target = t - noted[count], 0.0
    for i in range(count):
        since = given[i] - noted[i]
        share = since / (table[i, THRUST] * lasted) if lasted > 0.0 else 0.0
        cursor = put1(row, cursor, share)
        if zones.plume.shape[0] > 0 and meets_target(zones.plume, table, i, target_C):
            at_target += since
        noted[i] = given[i]
    noted[count] = t
    return put1(row, cursor, at_target) if zones.plume.shape[0] > 0 else cursor


@part
def meets_target(plume, table, i, target_C):
    """Whether the plume of a thruster meets the target, near enough to matter."""
    way = sub(target_C, load3(table, i, P))
    distance, along = norm(way), -dot(load3(table, i, DIRECTION), way)
    return distance <= plume[PLUME_DISTANCE] and along >= distance * plume[PLUME_COSINE]
