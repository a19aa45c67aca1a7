"""Scripted faults of a scenario: as the actuators have them, and in words."""

import math
from collections.abc import Sequence

from proxops.core.clock import NS_PER_S, to_ns
from proxops.core.description import ArmDescription, CraftDescription
from proxops.core.fault_description import (
    DEAD,
    HELD,
    LATE,
    OPEN,
    PUSH,
    STUCK,
    WEAK,
    FaultDescription,
)
from proxops.core.text import nearest
from proxops.scenario.schema import Mission
from proxops.scenario.schema.base import Path, Problem
from proxops.scenario.schema.fault_injection import (
    DeadThruster,
    FaultInjection,
    GuidanceFailure,
    LateCommands,
    PowerLoss,
    StuckJoint,
    StuckOpenThruster,
    TargetManoeuvre,
    WeakThruster,
)
from proxops.scenario.schema.sampled import Window
from proxops.scenario.schema.sensors import Spike

Struck = (
    DeadThruster
    | StuckOpenThruster
    | WeakThruster
    | StuckJoint
    | PowerLoss
    | LateCommands
    | TargetManoeuvre
)


def describe_faults(mission: Mission, chaser: CraftDescription) -> list[FaultDescription]:
    """Scripted faults of the chaser's actuators, and manoeuvres of the target."""
    return [
        description
        for each in mission.faults.values()
        if not isinstance(each, GuidanceFailure)
        for description in _describe(each, mission, chaser)
    ]


def guidance_failures(mission: Mission) -> tuple[tuple[float, float, str], ...]:
    """When the guidance is to fail, from and until [s], and how."""
    return tuple(
        (each.from_s, math.inf if each.until_s is None else each.until_s, each.mode)
        for each in mission.faults.values()
        if isinstance(each, GuidanceFailure)
    )


def _describe(given: Struck, mission: Mission, chaser: CraftDescription) -> list[FaultDescription]:
    begin = to_ns(given.from_s)
    end = to_ns(math.inf if given.until_s is None else given.until_s)
    if isinstance(given, LateCommands):
        turns = to_ns(given.delay_s) // mission.time.control_ns
        return [FaultDescription(LATE, turns, begin, end)]
    if isinstance(given, TargetManoeuvre):
        per_delta_v = mission.target.mass_kg * NS_PER_S / (end - begin)
        x, y, z = (per_delta_v * each for each in given.delta_v_H_m_s)
        return [FaultDescription(PUSH, 0, begin, end, numbers=(x, y, z))]
    if isinstance(given, StuckJoint | PowerLoss):
        kind, arms, joint_name = STUCK, [given.arm], ""
        if isinstance(given, PowerLoss):
            kind, arms = HELD, given.strikes(mission.chaser.arms)
        else:
            joint_name = given.joint
        joints = [(arm.name, joint) for arm in chaser.arms for joint in arm.arm.joints]
        return [
            FaultDescription(kind, number, begin, end, joint.rotor_inertia, joint.effort)
            for number, (arm, joint) in enumerate(joints)
            if arm in arms and joint_name in ("", joint.name)
        ]
    number = list(mission.chaser.thrusters).index(given.thruster)
    if isinstance(given, WeakThruster):
        return [FaultDescription(WEAK, number, begin, end, numbers=(given.share, 0.0, 0.0))]
    kind = DEAD if isinstance(given, DeadThruster) else OPEN
    return [FaultDescription(kind, number, begin, end)]


def power_problems(at: Path, name: str, arm: ArmDescription) -> list[Problem]:
    """What is wrong with brakes on all joints of an arm, `at` being the fault's path."""
    loose = [joint.name for joint in arm.joints if joint.rotor_inertia == 0.0]
    text = f"joints {', '.join(loose)} of {name!r} have no rotor_inertia, which brakes would hold"
    return [((*at, "arm"), text)] if loose else []


def joint_problems(at: Path, given: StuckJoint, arm: ArmDescription) -> list[Problem]:
    """What is wrong with the name of a stuck joint, `at` being the fault's path."""
    joints = {joint.name: joint for joint in arm.joints}
    path = (*at, "joint")
    if given.joint not in joints:
        text = f"arm {given.arm!r} has no joint {given.joint!r}{nearest(given.joint, joints)}"
        return [(path, text)]
    if joints[given.joint].rotor_inertia == 0.0:
        text = f"joint {given.joint!r} has no rotor_inertia, which its brake would hold"
        return [(path, text)]
    return []


def fault_events(mission: Mission) -> list[tuple[float, str]]:
    """When each scripted fault begins [s], of actuators and sensors, and what it is."""
    events = [
        _event_of(f"faults.{name}", each, _describe_fault(each))
        for name, each in mission.faults.items()
    ]
    for path, sensor in mission.sensors.all().items():
        name = ".".join(path)
        for key, what in (("dropouts", "says nothing"), ("frozen", "repeats its last value")):
            windows: Sequence[Window] = getattr(sensor, key, ())
            events += [_event_of(f"sensors.{name}.{key}", each, f"it {what}") for each in windows]
        spikes: Sequence[Spike] = getattr(sensor, "spikes", ())
        events += [
            _event_of(f"sensors.{name}.spikes", each, _describe_spike(each)) for each in spikes
        ]
    return events


def _event_of(place: str, window: Window, what: str) -> tuple[float, str]:
    until = "" if window.until_s is None else f" until {window.until_s:.6g} s"
    return window.from_s, f"{place}: {what}{until}"


def _describe_fault(given: FaultInjection) -> str:
    if isinstance(given, DeadThruster):
        return f"thruster {given.thruster} is dead"
    if isinstance(given, StuckOpenThruster):
        return f"thruster {given.thruster} is stuck open"
    if isinstance(given, WeakThruster):
        return f"thruster {given.thruster} gives {given.share:.6g} of its thrust"
    if isinstance(given, StuckJoint):
        return f"joint {given.arm}.{given.joint} is stuck"
    if isinstance(given, PowerLoss):
        return f"arm {given.arm} and what it carries have no power, their brakes close"
    if isinstance(given, GuidanceFailure):
        return f"plans fail: {given.mode}"
    if isinstance(given, TargetManoeuvre):
        return f"the target changes its velocity by {math.hypot(*given.delta_v_H_m_s):.6g} m/s"
    return f"commands come {given.delay_s:.6g} s late"


def _describe_spike(spike: Spike) -> str:
    force, torque = math.hypot(*spike.force_N), math.hypot(*spike.torque_N_m)
    return f"it feels {force:.4g} N and {torque:.4g} N m that are not there"
