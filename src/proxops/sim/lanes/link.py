"""What is compiled for lanes as cases begin: what the mission has and nothing else."""

from typing import Any

import numpy as np
from numba.core import types

from proxops.core.lanes.arrays import PinnedLanes, type_of
from proxops.core.lanes.by_case import case_by_case, each_case, share_of
from proxops.core.lanes.compiled import lane_entry
from proxops.core.lanes.number import Lanes
from proxops.plant.clearance import clearance
from proxops.plant.entries import entries_for
from proxops.plant.in_place import any_in_place
from proxops.sensors.sampling import hand_over, take
from proxops.sim.collisions import find_collisions, look_for_meetings
from proxops.sim.lanes.seat import Links, Seat
from proxops.sim.prepare import Prepared
from proxops.sim.recorded_safety import put_safety
from proxops.sim.state import Span

# Searches, whose steps no two cases share
case_by_case(clearance)
case_by_case(look_for_meetings)
# Places in a ring, which are others in each case once a sample was lost
each_case(take)
each_case(hand_over)


def links_of(seat: Seat, ready: Prepared, span: Span, width: int) -> Links:
    """Addresses of the world's stages, of what contacts and holds need, of sensors and functions on
    board; compiles what is not yet."""
    model, log, links = seat.works.model, seat.works.log, seat.links()
    for row, function, pins in zip(
        links.calls, ready.onboard.functions, seat.functions, strict=True
    ):
        row[0] = lane_entry(function.step, *pins)
    for row, sensor, pins in zip(links.sensors, ready.onboard.sensors, seat.sensors, strict=True):
        row[0] = lane_entry(sensor.sample, *pins)
    link_plant(links.plant, ready, type_of(model.plant), width)
    entries, watch, plant = links.entries, PinnedLanes(log.watch), PinnedLanes(model.plant)
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
    return links


def link_plant(entries: np.ndarray, ready: Prepared, plant: Any, width: int) -> None:
    """Writes what contacts and holds of a plant of that type need."""
    measured = ready.world.built.ports.measured_contact[0]
    latches = len(ready.arguments.state.ready) > 0
    for called, examples in entries_for(ready.world.built.plant, bool(measured >= 0), latches):
        kinds = [plant, *(_in_lanes(each, width) for each in examples)]
        if called is any_in_place:  # called by what is called case by case
            kinds = [share_of(each) for each in kinds]
        entries[called.number] = lane_entry(
            called.function, *kinds, returns_number=called.returns_number
        )


def _in_lanes(example: Any, width: int) -> Any:
    """Its type in lanes: whole numbers are shared."""
    if isinstance(example, np.ndarray) and example.dtype == np.float64:
        return types.Array(Lanes(width), example.ndim, "C")
    return Lanes(width) if isinstance(example, float) else type_of(example)
