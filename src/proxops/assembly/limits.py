"""Steps and spins that the joints and appendages of a scenario do not bear."""

import math
from typing import NamedTuple

from proxops.assembly.build import Built
from proxops.assembly.describe import describe
from proxops.plant import contact_array, hold_array
from proxops.plant.build import COULOMB_SPEED
from proxops.plant.limits import fastest_gear_drag, fastest_gears, fastest_mode, softest_beam
from proxops.scenario.load import Scenario
from proxops.scenario.problems import raise_problems
from proxops.scenario.schema.base import Path, Problem
from proxops.scenario.schema.time import MAX_SUBSTEPS, Time

# |s| h of a Runge-Kutta step.  Linear, undamped motion is stable up to 2.78; the rest is left to
# damping and to what deflection changes.  At 0.3 a mode's frequency is wrong by (|s| h)⁴/120, 7e-5
# of itself, and (|s| h)⁵/144, 2e-5, is added to its damping ratio.
STABLE = 2.0
DAMPED = 2.7  # pure decay is stable up to 2.78
ACCURATE = 0.3
# Spin over the first clamped frequency of a beam.  Centrifugal stiffening, which our beams do not
# have, would there raise that frequency by half of 1.19 × 0.1², 0.6 % (Southwell).
SPIN = 0.1
MAX_PARTS = 10_000  # of a step, while something is closed
MANY_STEPS = 3e7  # some minutes


class SpinLimit(NamedTuple):
    """A spin beyond which a spacecraft's beams are no longer well described."""

    signal: str  # recorded angular velocity
    rate: float  # [rad/s]
    beam: str  # path of the softest beam
    frequency: float  # its first, clamped [rad/s]


def reject_long_steps(scenario: Scenario) -> None:
    """Raises an InputError if a mode, or a joint's friction, is too stiff for a step."""
    problems = _long_steps(scenario, STABLE, "be stable") + _sticky_joints(scenario)
    problems += _stiff_gears(scenario, STABLE, "be stable")
    raise_problems(scenario.name, problems)


def coarse_steps(scenario: Scenario) -> list[Problem]:
    """Phases and paces whose step leaves the fastest mode, or gears, inaccurate."""
    aim = "be accurate"
    return _long_steps(scenario, ACCURATE, aim) + _stiff_gears(scenario, ACCURATE, aim)


def reject_fine_steps(scenario: Scenario, built: Built) -> None:
    """Raises an InputError if a contact or hold would cut a step into more parts than anyone waits
    for, or if a hold is to switch between two steps."""
    problems: list[Problem] = _switches_between_steps(scenario)
    step, longest = longest_step_in_contact(scenario), longest_touching_steps(built)
    paced = scenario.mission.time.paces
    for place, needed in longest.items():
        if step > MAX_PARTS * needed:
            text = f"while it is closed it needs steps of {needed:.3g} s, {step / needed:.3g} in a "
            text += f"step of {step:.6g} s, at most {MAX_PARTS}: lower its stiffness or damping"
            text += ", or give a pace with contact = true and a shorter step" if paced else ""
            problems.append((place, text))
    raise_problems(scenario.name, problems)


def longest_step_in_contact(scenario: Scenario) -> float:
    """The longest step of any phase or pace that goes on while something is closed, substeps
    counted [s].  A pace of contact is in force then; others last to the end of the common step
    in which something closes, which the plant cuts as finely as that needs."""
    time = scenario.mission.time
    in_contact = [pace.step_s for pace in time.paces.values() if pace.contact or pace.arms]
    return max(in_contact or time.steps_s.values())


def longest_touching_steps(built: Built) -> dict[Path, float]:
    """The longest step that each contact and hold bears while it is closed [s]."""
    contacts, holds = built.plant.contacts, built.plant.holds
    steps: dict[Path, float] = {}
    for group, contact in enumerate(built.contacts):
        mine = contacts[contacts[:, contact_array.GROUP] == group]
        steps["contacts", contact.name] = float(mine[:, contact_array.LONGEST_STEP].min())
    for row, hold in zip(holds, built.holds, strict=True):
        steps["holds", hold.name] = float(row[hold_array.LONGEST_STEP])
    return steps


def slow_contacts(scenario: Scenario, built: Built) -> list[Problem]:
    """Contacts and holds that, closed all the time, would take more steps than MANY_STEPS."""
    duration = scenario.mission.time.duration_s
    return [
        (place, f"while it is closed it needs steps of {needed:.3g} s, {duration / needed:.3g} in "
         "all if it stays so: this may take minutes")
        for place, needed in longest_touching_steps(built).items()
        if duration > MANY_STEPS * needed
    ]  # fmt: skip


def _switches_between_steps(scenario: Scenario) -> list[Problem]:
    """Times of holds that are not at the end of a step."""
    problems: list[Problem] = []
    for name, hold in scenario.mission.holds.items():
        for key in ("from_s", "until_s"):
            time = getattr(hold, key)
            if time is None:
                continue
            part = _misfit_step(scenario.mission.time, time)
            if part is not None:
                text = f"{time:.12g} s is not at the end of a step of {part:.6g} s"
                problems.append((("holds", name, key), text))
    return problems


def _misfit_step(time: Time, instant: float) -> float | None:
    """A step that may be under way at that instant and does not end there [s]."""
    start, steps = 0.0, time.steps_s
    for name, phase in time.phases.items():
        if instant <= phase.until_s:
            steps = {("phases", name): steps["phases", name]}
            break
        start = phase.until_s
    else:
        steps = {} if time.phases else steps  # it is after the end
    counts = {part: (instant - start) / part for part in steps.values()}
    uneven = (part for part, count in counts.items() if abs(count - round(count)) > 1e-6)
    return next(uneven, None)


def spin_limits(scenario: Scenario) -> list[SpinLimit]:
    """One for each spacecraft with beams."""
    chaser, target, _ = describe(scenario)
    limits = []
    for craft, name, signal in (
        (chaser, "chaser", "chaser.w_NC_C"),
        (target, "target", "target.w_NT_T"),
    ):
        softest = softest_beam(craft)
        if softest is not None:
            omega, beam = softest
            path = f"{name}.appendages.{beam.name}"
            limits.append(SpinLimit(signal, SPIN * omega, path, omega))
    return limits


def _long_steps(scenario: Scenario, maximum: float, aim: str) -> list[Problem]:
    """Phases with |s| h above `maximum` for the fastest motion exp(st) of a spacecraft's modes."""
    chaser, target, _ = describe(scenario)
    problems: list[Problem] = []
    for craft, name in ((chaser, "chaser"), (target, "target")):
        fastest = fastest_mode(craft)
        if fastest is not None:
            s, appendage = fastest
            cause = f"{name}.appendages.{appendage.name}, whose fastest mode goes at "
            cause += f"{s / (2.0 * math.pi):.4g} Hz on its hub"
            problems += _too_long(scenario, s, maximum, cause, aim)
    return problems


def _sticky_joints(scenario: Scenario) -> list[Problem]:
    """Phases whose step makes the friction of a slow joint overshoot: the joint would chatter.

    Near rest friction is a damper, (b + c/q̇₀) q̇, and slows the joint down at that over its inertia,
    here rotor and own link; with what hangs on them it is slower.
    """
    problems: list[Problem] = []
    chaser, _, _ = describe(scenario)
    for mounted in chaser.jointed:
        for joint in mounted.arm.joints:
            inertia = joint.link.mass if joint.prismatic else joint.link.inertia[2, 2]
            damping = joint.viscous + joint.coulomb / COULOMB_SPEED
            rate = damping / (joint.rotor_inertia + inertia)
            cause = f"the friction of chaser.{mounted.name}"
            if mounted in chaser.arms:
                cause = f"the friction of joint {joint.name!r} of chaser.arms.{mounted.name}"
            held = mounted in chaser.arms
            problems += _too_long(scenario, rate, DAMPED, cause, "be stable", joints=held)
    return problems


def _stiff_gears(scenario: Scenario, maximum: float, aim: str) -> list[Problem]:
    """Phases with |s| h above `maximum` for the fastest motion of a gripper's gears."""
    problems: list[Problem] = []
    chaser, _, _ = describe(scenario)
    for name, gripper in scenario.mission.chaser.grippers.items():
        s = fastest_gears(chaser, gripper.motor)
        cause = f"chaser.grippers.{name}, whose gears swing at {s / (2.0 * math.pi):.4g} Hz"
        problems += _too_long(scenario, s, maximum, cause, aim, joints=True)
        drag = fastest_gear_drag(chaser, gripper.motor)
        cause = f"chaser.grippers.{name}, whose teeth slide with the efficiency "
        cause += f"{gripper.efficiency:g} at the motor's whole torque"
        problems += _too_long(scenario, drag, DAMPED, cause, "be stable", joints=True)
    return problems


def _too_long(
    scenario: Scenario, rate: float, maximum: float, cause: str, aim: str, joints: bool = False
) -> list[Problem]:
    """Phases in which a motion at that rate [1/s], be it of `joints` of the arms, which brakes hold
    in all paces but that of arms, goes further than `maximum` in a step."""
    problems: list[Problem] = []
    time = scenario.mission.time
    free = [("paces", name) for name, pace in time.paces.items() if pace.arms]
    for place, h in time.steps_s.items():
        if joints and free and place not in free:
            continue
        if rate * h > maximum:
            text = f"{h:.6g} s is long for {cause}; to {aim} it needs "
            text += f"{_rounded_down(maximum / rate):.3g} s or less, substeps included"
            text += _cure(time, place, h * rate / maximum)
            problems.append((("time", *place, "step_s"), text))
    return problems


def _cure(time: Time, place: Path, times: float) -> str:
    """What to type for a step that is so many times too long; empty where sub-steps do not do."""
    kind, name = place
    if kind != "phases" or name not in time.phases:
        return ""
    parts = math.ceil(time.phases[str(name)].substeps * times)
    return f": --set time.phases.{name}.substeps={parts}" if parts <= MAX_SUBSTEPS else ""


def _rounded_down(x: float) -> float:
    """To three digits: what a message recommends must be accepted."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return math.floor(x / unit) * unit
