"""Which missions are flown in lanes."""

from proxops.core.errors import InputError
from proxops.core.jit import JIT_IS_OFF
from proxops.scenario.load import Scenario
from proxops.sim.prepare import prepare

WIDTHS = (4, 8)  # doubles that registers of AVX2 and AVX-512 hold


def check_lanes(scenario: Scenario, lanes: int) -> None:
    """InputError where these cannot be flown in so many lanes."""
    if lanes not in WIDTHS:
        raise InputError(f"lanes: must be {' or '.join(map(str, WIDTHS))}, found {lanes}")
    if JIT_IS_OFF:
        raise InputError("lanes: exist in compiled code only, and NUMBA_DISABLE_JIT is set")
    reason = _why_not(scenario)
    if reason is not None:
        raise InputError(f"lanes: {scenario.name} {reason}; only free flight is flown in lanes")


def _why_not(scenario: Scenario) -> str | None:
    """What a mission has that is not flown in lanes; None if nothing."""
    mission = scenario.mission
    if mission.robot is not None:
        return "has a robot in the loop"
    if mission.contacts or mission.holds:
        return "has contacts or holds"
    if mission.time.paces or mission.time.ends_on is not None:
        return "has paces, or ends on an event"
    software = prepare(scenario, None, None).onboard
    if software.sensors:
        return "has sensors"
    others = [each.name for each in software.functions if each.name != "joint_control"]
    return f"has {others[0]} on board" if others else None
