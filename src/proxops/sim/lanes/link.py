"""What is compiled for lanes as cases begin: what the mission has and nothing else."""

import numpy as np
from numba.core import types

from proxops.core.lanes.arrays import PinnedLanes
from proxops.core.lanes.by_case import case_by_case
from proxops.core.lanes.compiled import lane_entry
from proxops.core.lanes.number import Lanes
from proxops.plant.clearance import clearance
from proxops.sim.events import find_collisions
from proxops.sim.lanes.seat import Seat
from proxops.sim.prepare import Prepared
from proxops.sim.recorded_safety import put_safety
from proxops.sim.state import Span

case_by_case(clearance)  # a search, whose steps no two cases share


def links_of(seat: Seat, ready: Prepared, span: Span, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Addresses of the world's stages and of functions on board; compiles what is not yet."""
    model, log = seat.works.model, seat.works.log
    entries, calls = seat.links()
    for row, function, pins in zip(calls, ready.onboard.functions, seat.functions, strict=True):
        row[0] = lane_entry(function.step, *pins)
    watch, plant = PinnedLanes(log.watch), PinnedLanes(model.plant)
    common = (*seat.pinned[:3], 0)
    begin, show, advance, write = ready.world.stages
    entries[begin.number] = lane_entry(begin.function, *common, watch, 0.0)
    entries[show.number] = lane_entry(show.function, *common)
    entries[advance.number] = lane_entry(advance.function, *common, watch, 0.0, 0.0)
    entries[write.number] = lane_entry(write.function, *common, seat.pinned[3], span)
    vector, table = (types.Array(Lanes(width), axes, "C") for axes in (1, 2))
    if len(model.ports.outline.shapes.data) > 0:
        touching = types.Tuple((plant.ref, vector, table))
        examples = (*common[:3], touching, watch)
        entries[find_collisions.number] = lane_entry(find_collisions.function, *examples)
    if len(model.zones.keep_out.data) > 0:
        entries[put_safety.number] = lane_entry(put_safety.function, *common[:3], vector, 0)
    return entries, calls
