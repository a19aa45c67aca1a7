"""What on-board software asks for that the rest of a mission does not have."""

import math
from collections.abc import Iterable, Mapping

from proxops.core.text import nearest
from proxops.scenario.schema.base import Path, Problem
from proxops.scenario.schema.berthing import berthing_problems
from proxops.scenario.schema.capture import Capture
from proxops.scenario.schema.contact import Hold
from proxops.scenario.schema.craft import Chaser
from proxops.scenario.schema.extension import rate_problem
from proxops.scenario.schema.obsw import Obsw
from proxops.scenario.schema.orbit import Orbit
from proxops.scenario.schema.plan_flight import plan_problems
from proxops.scenario.schema.sensors import Sensors
from proxops.scenario.schema.time import Time
from proxops.scenario.schema.zones import Zones


def onboard_problems(obsw: Obsw, chaser: Chaser, contacts: Iterable[str] | None) -> list[Problem]:
    """Arms, thrusters and contacts that do not exist; contacts: None while they have problems."""
    problems: list[Problem] = [
        (("joints", name), f"the chaser has no arm of this name{nearest(name, chaser.arms)}")
        for name in obsw.joints
        if name not in chaser.arms
    ]
    problems += [
        (
            ("boost", "engines", i),
            f"the chaser has no thruster {name!r}{nearest(name, chaser.thrusters)}",
        )
        for i, name in enumerate(obsw.boost.engines if obsw.boost else ())
        if name not in chaser.thrusters
    ]
    if obsw.capture is not None:
        problems += _captured_problems(obsw.capture, chaser)
    ruled = obsw.boost is not None and obsw.boost.separation_rule
    believed = obsw.boost.contact if obsw.boost and ruled else None
    if believed and contacts is not None and believed.name not in contacts:
        text = f"the scenario has no contact {believed.name!r}"
        problems.append((("boost", "contact", "name"), text + nearest(believed.name, contacts)))
    return problems


def planned_problems(
    obsw: Obsw, chaser: Chaser, orbit: Orbit | None, zones: Zones | None
) -> list[Problem]:
    """What a plan asks for, or cannot fly."""
    if obsw.plan is None:
        return []
    found = plan_problems(obsw.plan, obsw.guidance, chaser, orbit, zones)
    return [(("plan", *path), text) for path, text in found]


def arm_problems(
    obsw: Obsw, chaser: Chaser, holds: Mapping[str, Hold] | None, sensors: Sensors | None
) -> list[Problem]:
    """What legs of the arm ask for; holds and sensors are None while they have problems."""
    problems = berthing_problems(obsw.berthing, obsw.plan, chaser, holds)
    if obsw.berthing is None:
        return problems
    if sensors is not None and sensors.latches is None:
        problems.append(
            (("berthing",), "needs to know which latches are closed: [sensors.latches]")
        )
    if sensors is not None and sensors.latches is not None:
        late = sensors.latches.delay_s + 2.0 / (sensors.latches.rate_hz or math.inf)
        if obsw.berthing.retry_s <= late:
            found = f"{obsw.berthing.retry_s:g} s"
            text = f"{found} is sooner than the switches report a latch, {late:g} s"
            problems.append((("berthing", "retry_s"), text))
    if obsw.capture is not None:
        problems.append((("berthing",), "commands the arm, as capture does; leave one of them out"))
    return problems


def brake_problems(obsw: Obsw, time: Time | None) -> list[Problem]:
    """What the times of a mission ask of the arm; None while they have problems."""
    if time is None:
        return []
    problems: list[Problem] = []
    for name, pace in time.paces.items():
        if pace.arms and (obsw.berthing is None or not obsw.berthing.brakes):
            text = f"missing; time.paces.{name} is in force while brakes are off: give true"
            problems.append((("berthing", "brakes"), text))
    if time.arm_rate_hz is not None and obsw.berthing is None:
        problems.append((("berthing",), "missing; time.arm_rate_hz is the rate of its arm"))
    return problems


def orbital_problems(obsw: Obsw, time: Time, orbit: Orbit | None) -> list[Problem]:
    """What a navigation from far asks for."""
    given = obsw.orbital_navigation
    if given is None:
        return []
    if orbit is None:
        return [(("orbital_navigation",), "needs an [orbit]: along one it carries its estimate on")]
    problem = rate_problem(given.rate_hz, time)
    return [(("orbital_navigation", "rate_hz"), problem)] if problem else []


def _captured_problems(capture: Capture, chaser: Chaser) -> list[Problem]:
    """What a capture asks for that the chaser does not have."""
    problems: list[Problem] = []
    named: list[tuple[Path, str]] = [(("capture", "arm"), capture.arm)]
    named += [(("capture", "fingers", i), name) for i, name in enumerate(capture.fingers)]
    for path, name in named:
        if name not in chaser.arms:
            problems.append((path, f"the chaser has no arm {name!r}{nearest(name, chaser.arms)}"))
        elif name != capture.arm and chaser.arms[name].mounted_on != capture.arm:
            problems.append((path, f"arm {name!r} is not on {capture.arm!r}"))
    if not chaser.thrusters:
        problems.append((("capture",), "needs thrusters on the chaser, to move its base"))
    return problems
