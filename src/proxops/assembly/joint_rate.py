"""The rate at which joints are commanded, as messages name it."""

from collections.abc import Sequence

from proxops.onboard.function import Function
from proxops.scenario.schema import Mission

CONTROL_RATE = "time.control_rate_hz"


def joint_rate(mission: Mission, functions: Sequence[Function]) -> str:
    """Which rate sets how often the joints are commanded, as a message names it."""
    by = next((each.name for each in functions if "joints" in each.written), "")
    users = {each: given.rate_hz for each, given in mission.obsw.functions.items()}
    if mission.obsw.controller is not None:
        users[by] = mission.obsw.controller.rate_hz
    if by in users:
        if next(each.period for each in functions if each.name == by) != mission.time.control_ns:
            return f"rate_hz of {by}"
        return CONTROL_RATE if users[by] is None else f"rate_hz of {by} and {CONTROL_RATE}"
    if mission.obsw.capture is not None:
        return rate_of_capture(mission)
    return CONTROL_RATE if mission.time.arm_rate_hz is None else "time.arm_rate_hz"


def rate_of_capture(mission: Mission) -> str:
    """Of the arm in a capture: encoders slower than the software set the period."""
    rate = mission.sensors.encoders.rate_hz
    slower = rate is not None and rate < mission.time.control_rate_hz
    return "sensors.encoders.rate_hz" if slower else CONTROL_RATE
