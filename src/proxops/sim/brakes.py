"""Brakes of the arms, between two calls of the loop: it comes back where they are to change."""

from proxops.assembly.build import Built
from proxops.core.clock import NS_PER_S
from proxops.plant.brakes import stop_joints
from proxops.plant.model import DRIVE_BRAKE
from proxops.results.run import Event
from proxops.sim.state import State

BRAKES_SET, BRAKES_RELEASED = "brakes-set", "brakes-released"


def carry_out_brakes(built: Built, state: State, look: int) -> tuple[bool, list[Event]]:
    """Sets or releases the brakes of all arms as commanded; whether they are set, and what has
    happened.  Only at multiples of `look` [ns], where a step of every pace ends: the loop comes
    back for other reasons too, and when it does must not change a run."""
    clock = int(state.clock[0])
    if not state.brakes.size or not clock:  # nothing was commanded before the first cycle
        return False, []
    wanted = float(state.arrived.brakes[0])
    if clock % look:
        wanted = float(state.brakes[0])
    if wanted == state.brakes[0]:
        return wanted == 1.0, []
    state.brakes[0] = wanted
    joints = range(len(built.plant.chaser_topology) - len(built.chaser.wheels))
    state.drive[1 : 1 + len(joints), DRIVE_BRAKE] = wanted
    kind, text = BRAKES_RELEASED, "joints of the arms are free"
    if wanted == 1.0:
        work = stop_joints(built.plant, state.y, joints)
        kind, text = BRAKES_SET, f"joints of the arms stand, {-work:.3g} J lost"
    return wanted == 1.0, [Event(clock / NS_PER_S, kind, text)]
