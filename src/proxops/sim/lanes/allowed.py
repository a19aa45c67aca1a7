"""Which missions are flown in lanes."""

import numpy as np

from proxops.core.errors import InputError
from proxops.core.jit import JIT_IS_OFF
from proxops.physics.contact.normal import EXTERNAL
from proxops.plant import contact_array
from proxops.scenario.load import Scenario
from proxops.sensors.shipped import SHIPPED
from proxops.sim.prepare import prepare

WIDTHS = (4, 8)  # doubles that registers of AVX2 and AVX-512 hold
FUNCTIONS = ("joint_control", "navigation", "capture", "allocation")
SENSORS = tuple(each.name for each in SHIPPED)


def check_lanes(scenario: Scenario, lanes: int) -> None:
    """InputError where these cannot be flown in so many lanes."""
    if lanes not in WIDTHS:
        raise InputError(f"lanes: must be {' or '.join(map(str, WIDTHS))}, found {lanes}")
    if JIT_IS_OFF:
        raise InputError("lanes: exist in compiled code only, and NUMBA_DISABLE_JIT is set")
    reason = _why_not(scenario)
    if reason is not None:
        raise InputError(f"lanes: {scenario.name} {reason}, which is not flown in lanes")


def _why_not(scenario: Scenario) -> str | None:
    """What a mission has that is not flown in lanes; None if nothing."""
    mission = scenario.mission
    if mission.robot is not None:
        return "has a robot in the loop"
    if mission.time.paces or mission.time.ends_on is not None:
        return "has paces, or ends on an event"
    ready = prepare(scenario, None, None)
    if np.any(ready.world.built.plant.contacts[:, contact_array.LAW] == EXTERNAL):
        return "has a contact law of the user's"
    for each in ready.onboard.sensors:
        if each.name not in SENSORS:
            return f"has the sensor {each.name}"
    others = [each.name for each in ready.onboard.functions if each.name not in FUNCTIONS]
    return f"has {others[0]} on board" if others else None
