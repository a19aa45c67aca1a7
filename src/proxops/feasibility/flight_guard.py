"""When the guard of a flight arena would stop a mission: it judges the targets that would be sent,
from the way to the start on, as it does in flight, stops included."""

from typing import NamedTuple

import numpy as np

from proxops.assembly.arena import arena_of, fence_of, mapping_of
from proxops.core.by_address import pinned
from proxops.core.frame import quaternion_of
from proxops.facility.arena.guarded import first_refused, raise_floor, stand
from proxops.facility.arena.lab import Drawn, arena_lab
from proxops.facility.arena.legs import A, P, Q, V, W, engaging
from proxops.facility.arena.memory import TARGET_SIZE
from proxops.facility.arena.reasons import why_ended
from proxops.facility.arena.vehicle import CYCLE, flight
from proxops.feasibility.flight_path import FlightPath
from proxops.scenario.schema.arena import FlightArena, InArena


class Stop(NamedTuple):
    """Of both vehicles by the guard."""

    t_s: float  # of the mission; 0 on the way to its start
    reason: str


def guard_stop(
    t: np.ndarray, paths: dict[str, FlightPath], given: FlightArena, shown: InArena, cycles: int
) -> Stop | None:
    """The first stop of a mission with recorded instants t (n,) [s], one target every so many
    cycles of the autopilots; None where all of it goes through."""
    h = cycles * CYCLE
    targets = _targets(t / shown.time_scale, list(paths.values()), h)
    fence = fence_of(given)
    before = engaging(targets[0], fence, h)
    model = arena_of(given)
    at_start = flight(model, before[0, :, P], np.zeros(len(paths)))
    at_start.targets[:] = before[0]
    lab = arena_lab(model, at_start, mapping_of(given, shown), fence, Drawn(0, 1), cycles)
    pair = pinned(lab)
    stand(pair)
    raise_floor(pair)
    refused = first_refused(pair, np.concatenate([before, targets]))
    if refused == len(before) + len(targets):
        return None
    return Stop(max(0, refused - len(before)) * h * shown.time_scale, why_ended(lab))


def _targets(t: np.ndarray, paths: list[FlightPath], h: float) -> np.ndarray:
    """(m, 2, 16), one every h [s], from rows of times t (n,) [s]: cubics that have the recorded
    places and velocities, rotations of constant rate between recorded attitudes."""
    from scipy.interpolate import CubicHermiteSpline
    from scipy.spatial.transform import Rotation, Slerp

    at = np.minimum(h * np.arange(1 + int(t[-1] / h + 1e-9)), t[-1])  # rounding goes beyond
    targets = np.zeros((len(at), len(paths), TARGET_SIZE))
    for which, path in enumerate(paths):
        if len(t) == 1:
            targets[:, which, P], targets[:, which, Q] = path.p[0], quaternion_of(path.R[0])
            continue
        place = CubicHermiteSpline(t, path.p, path.v)
        attitude = Slerp(t, Rotation.from_matrix(path.R))(at)
        targets[:, which, P], targets[:, which, V] = place(at), place(at, 1)
        targets[:, which, A] = place(at, 2)
        targets[:, which, Q] = attitude.as_quat()[:, [3, 0, 1, 2]]
        targets[:, which, W] = np.column_stack([np.interp(at, t, each) for each in path.w.T])
    return targets
