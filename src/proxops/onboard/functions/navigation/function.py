"""The navigation as a function on board: sensors in, estimates of both spacecraft out."""

from typing import NamedTuple

import numpy as np

from proxops.bus import estimates as est
from proxops.bus import measurements as said
from proxops.core.jit import pluggable
from proxops.core.spatial.vector import get3, put3
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.cycle import navigate
from proxops.onboard.functions.navigation.model import NavParameters, NavState
from proxops.physics.multibody.mass_centre import mass_centre
from proxops.physics.multibody.tree import Tree


class NavigationParams(NamedTuple):
    """Everything that stays the same."""

    filters: NavParameters
    chaser: Tree  # as it is believed to be


class NavigationMemory(NamedTuple):
    """Everything that changes."""

    filters: NavState
    told: np.ndarray  # see layout
    scratch: np.ndarray


@pluggable
def step(params, memory, bus):
    """Brings the estimates to now, once the encoders have said anything."""
    measurements, joints = bus.measurements, params.chaser.topology.shape[0]
    if measurements[said.ENCODERS_COUNT] == 0.0:
        return 0
    q = measurements[said.ENCODERS : said.ENCODERS + joints]
    qd = measurements[said.ENCODERS + joints : said.ENCODERS + 2 * joints]
    com, rate = mass_centre(params.chaser, q, qd, memory.scratch)
    put3(memory.told, nav.TOLD_FORCE, get3(bus.estimates, est.BASE_FORCE))
    put3(memory.told, nav.TOLD_COM, com)
    put3(memory.told, nav.TOLD_COM_RATE, rate)
    navigate(params.filters, memory.filters, measurements, memory.told, bus.estimates)
    return 0
