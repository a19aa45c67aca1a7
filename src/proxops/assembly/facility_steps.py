"""Whether a scenario's step fits the rates and delays of a facility."""

import math

from proxops.assembly.robot import step_of
from proxops.core.errors import InputError
from proxops.facility.rendered.build import is_whole
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility

NS = 1e9


def refuse_uneven_steps(scenario: Scenario, facility: Facility) -> None:
    """Refuses a step that does not divide what the facility does at its own pace, or that is not
    the same in all phases."""
    phases, step, times = scenario.mission.time.phases, step_of(scenario), _times(facility)
    if not times:
        return
    steps = {name: phase.step_s / phase.substeps for name, phase in phases.items()}
    problems = []
    uneven = [f"{key} = {value}" for key, value, time in times if not is_whole(time, step)]
    if uneven:
        text = f"not a whole number of steps of {step:g} s are the facility's {', '.join(uneven)}"
        problems.append(text)
    if len(set(steps.values())) > 1:
        told = ", ".join(f"{name} {step:g} s" for name, step in steps.items())
        problems.append(f"steps differ from phase to phase ({told})")
    if not problems:
        return
    longest = math.gcd(*(round(NS * time) for *_, time in times)) / NS
    raise InputError(
        f"time.phases of {scenario.name}: {'; '.join(problems)}; possible is a step_s of "
        f"{longest:g} s, or a whole part of that, in all phases, or a facility file with other "
        "rates and delays"
    )


def _times(facility: Facility) -> list[tuple[str, str, float]]:
    """(key, value in words, the time it means [s]) of all that is not instantaneous."""
    rates = {"command_rate_hz": facility.command_rate_hz}
    delays = {"servo.delay_s": facility.servo.delay_s}
    for name in ("flange_sensor", "wrist_sensor"):
        sensor = getattr(facility, name)
        rates[f"{name}.rate_hz"] = sensor.rate_hz
        delays[f"{name}.delay_s"] = sensor.delay_s
    return [
        *((key, f"{f:g} Hz ({1.0 / f:g} s)", 1.0 / f) for key, f in rates.items() if f),
        *((key, f"{delay:g} s", delay) for key, delay in delays.items() if delay > 0.0),
    ]
