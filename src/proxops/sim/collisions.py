"""Which parts meet that no contact or hold joins, looked for at every step."""

from proxops.core.clock import NS_PER_S
from proxops.core.jit import at_entry, part
from proxops.core.select import any_of
from proxops.core.spatial.vector import ZERO
from proxops.plant.clearance import closing_speed, find_meetings
from proxops.sim.entries import COLLISIONS
from proxops.sim.events import COLLISION, note

# Entries of Watch.clear
LEFT = 0  # by which distances may still shrink before two parts can meet [m]
SPEED = 1  # at which they shrink at most [m/s]


@part
def watch_collisions(model, state, work, touching, passed, watch):
    """Logs which parts have met that no contact or hold joins, `passed` [s] after the last call.
    Distances are looked at only when they may have shrunk to nothing since the last look, at the
    speed that bounds them."""
    plant, outline, y = model.plant, model.ports.outline, state.y
    if outline.shapes.shape[0] == 0:
        return
    speed = closing_speed(plant, outline, y)
    watch.clear[LEFT] -= max(speed, watch.clear[SPEED]) * passed
    watch.clear[SPEED] = speed
    if any_of(not watch.clear[LEFT] > 0.0):
        find_collisions(model, state, work, touching, watch)


@at_entry(COLLISIONS)
def find_collisions(model, state, work, touching, watch):
    """Logs which parts have met, and notes how far the others are from it."""
    plant, outline = model.plant, model.ports.outline
    count = look_for_meetings(plant, outline, state.y, work.scratch, touching, watch)
    t = state.clock[0] / NS_PER_S
    for i in range(int(count)):
        note(watch, t, COLLISION, watch.found[i, 0], watch.found[i, 1], ZERO)
    return 0


@part
def look_for_meetings(plant, outline, y, scratch, touching, watch):
    """How many parts are found to meet, none where a look is not due yet."""
    if watch.clear[LEFT] > 0.0:
        return 0
    count, left = find_meetings(
        plant, outline, y, scratch, touching, watch.met, watch.allowed, watch.found
    )
    watch.clear[LEFT] = left
    return count
