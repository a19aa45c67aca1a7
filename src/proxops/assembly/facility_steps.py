"""Whether a scenario's step fits the rates and delays of a facility."""

import math
from collections.abc import Iterable
from typing import Any

from proxops.assembly.robot import step_of
from proxops.core.errors import InputError
from proxops.facility.rendered.build import is_integer
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility

NS = 1e9


def at_one_step(scenario: Scenario) -> Scenario:
    """The scenario as a facility shows it: robots move at one step from the first instant to the
    last, so the shortest step of all paces and the rate at which that one records hold all the
    time; and no event ends the mission, since it comes at another instant than in orbit."""
    time = scenario.mission.time
    changes: dict[str, Any] = {}
    if time.paces:
        finest = min(time.paces.values(), key=lambda pace: pace.step_ns)
        phase = {"until_s": time.duration_s, "step_s": finest.step_s}
        changes = {"time.paces": None, "time.phases": {"mission": phase}}
        changes["time.record_rate_hz"] = finest.record_rate_hz or time.record_rate_hz
    if time.ends_on is not None:
        changes |= {"time.ends_on": None, "time.ends_after_s": 0.0}
    return scenario.replace(changes) if changes else scenario


def at_fitting_step(scenario: Scenario, facility: Facility) -> Scenario:
    """The same on robots: a step that does not divide the facility's rates and delays, and is the
    same in all phases, is shortened to the longest that does."""
    scenario = at_one_step(scenario)
    given, times = scenario.mission.time, [time for *_, time in _times(facility)]
    times.append(given.arm_ns / NS)
    step = step_of(scenario)
    steps = {phase.step_ns for phase in given.phases.values()}
    if len(steps) != 1 or all(is_integer(time, step) for time in times):
        return scenario
    longest = _longest([*times, 1.0 / given.control_rate_hz, 1.0 / given.record_rate_hz])
    fitting = min(step, longest)
    return scenario.replace({f"time.phases.{name}.step_s": fitting for name in given.phases})


def _longest(times: Iterable[float]) -> float:
    """Longest step that divides all of these times [s]."""
    return math.gcd(*(round(NS * time) for time in times)) / NS


def reject_uneven_steps(
    scenario: Scenario, facility: Facility, name: str = "this facility"
) -> None:
    """Refuses a step that does not divide what the facility does at its own pace, or that is not
    the same in all phases, with what to type."""
    step, times = step_of(scenario), _times(facility)
    if not times:
        return
    given = scenario.mission.time
    kind = "pace" if given.paces else "phase"
    steps = {str(place[-1]): each for place, each in given.steps_s.items()}
    problems = []
    uneven = [(f"{key} {value}", time) for key, value, time in times if not is_integer(time, step)]
    if uneven:
        long = any(step > time for _, time in uneven)
        word = "is too long for" if long else "does not divide the times of"
        listed = ", ".join(text for text, _ in uneven)
        problems.append(f"step_s {step:g} s {word} {name} ({listed})")
    if len(set(steps.values())) > 1:
        listed = ", ".join(f"{each} {step:g} s" for each, step in steps.items())
        problems.append(f"steps differ from {kind} to {kind} ({listed}), {name} needs one")
    if not problems:
        return
    periods = (1.0 / given.control_rate_hz, 1.0 / given.record_rate_hz, given.arm_ns / NS)
    longest = _longest([*(time for *_, time in times), *periods])
    cures = [f"--set time.{kind}s.{each}.step_s={longest:g}" for each in steps]
    cures += [
        f"--set time.phases.{each}.substeps=1"
        for each, phase in given.phases.items()
        if phase.substeps > 1
    ]
    raise InputError(f"{scenario.name}: {'; '.join(problems)}: {' '.join(cures)}")


def _times(facility: Facility) -> list[tuple[str, str, float]]:
    """(key, value in words, the time it means [s]) of all that is not instantaneous."""
    rates = {"command_rate_hz": facility.command_rate_hz}
    delays = {"servo.delay_s": facility.servo.delay_s}
    for name in ("flange_sensor", "wrist_sensor"):
        sensor = getattr(facility, name)
        rates[f"{name}.rate_hz"] = sensor.rate_hz
        delays[f"{name}.delay_s"] = sensor.delay_s
    return [
        *((key, f"{f:g} Hz, every {1.0 / f:g} s", 1.0 / f) for key, f in rates.items() if f),
        *((key, f"{delay:g} s", delay) for key, delay in delays.items() if delay > 0.0),
    ]
