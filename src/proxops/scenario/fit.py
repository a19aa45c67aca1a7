"""Whether numbers given per joint fit the arm they are meant for, and a mission itself."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from proxops.core.description import ArmDescription, JointDescription
from proxops.scenario.attitude import pointing_problems
from proxops.scenario.schema import Arm, JointControl, Mission
from proxops.scenario.schema.base import Path, Problem
from proxops.scenario.schema.capture import Capture
from proxops.scenario.schema.fault_injection import PowerLoss, StuckJoint

_Numbers = Sequence[float] | np.ndarray


def arm_problems(at: Path, arm: Arm, description: ArmDescription) -> list[Problem]:
    """What is wrong with an arm's start, `at` being the arm's path."""
    key = "q_deg" if arm.q is None else "q"
    problems = _problems((*at, key), arm.pose_si(), description, _stops)
    if arm.qd is not None or arm.qd_deg_s is not None:
        key = "qd_deg_s" if arm.qd is None else "qd"
        problems += _problems((*at, key), arm.rates_si(), description, _speeds)
    return problems


def carrier_problems(at: Path, arm: Arm, before: Mapping[str, ArmDescription]) -> list[Problem]:
    """What is wrong with what carries an arm, `before` being the arms before it."""
    carrier = before.get(arm.mounted_on or "")
    if carrier is None or carrier.joints:
        return []
    return [
        (
            (*at, "mounted_on"),
            f"arm {arm.mounted_on!r} has no joints; give this one's place on the hub",
        )
    ]


def whole_problems(mission: Mission) -> list[Problem]:
    """What only a whole mission can be wrong in: its brakes, and where its axes point."""
    return _brake_problems(mission) + pointing_problems(mission)


def _brake_problems(mission: Mission) -> list[Problem]:
    """Who commands or strikes arms whose brakes are on."""
    held = {name for name, arm in mission.chaser.arms.items() if arm.brakes == "on"}
    named: list[tuple[Path, str]] = [
        (("obsw", "joints", name), name) for name in mission.obsw.joints
    ]
    capture = mission.obsw.capture
    if capture is not None:
        named.append((("obsw", "capture", "arm"), capture.arm))
        fingers = enumerate(capture.fingers)
        named += [(("obsw", "capture", "fingers", i), name) for i, name in fingers]
    for name, fault in mission.faults.items():
        if isinstance(fault, StuckJoint | PowerLoss):
            named.append((("faults", name, "arm"), fault.arm))
    return [
        (path, f'arm {name!r} has brakes = "on": leave that out, or this')
        for path, name in named
        if name in held
    ]


def control_problems(at: Path, control: JointControl, description: ArmDescription) -> list[Problem]:
    """What is wrong with an arm's joint control, `at` being the control's path."""
    problems: list[Problem] = []
    for key, gain in (("kp", control.kp), ("kd", control.kd)):
        if isinstance(gain, tuple):
            problems += _count_problems((*at, key), gain, description)
    for i, point in enumerate(control.waypoints):
        key = "q_deg" if point.q is None else "q"
        problems += _problems((*at, "waypoints", i, key), point.pose_si(), description, _stops)
    return problems


def capture_problems(at: Path, capture: Capture, description: ArmDescription) -> list[Problem]:
    """What is wrong with a capture by an arm, `at` being the capture's path."""
    problems: list[Problem] = []
    for key, gain in (("kp", capture.joint_hold.kp), ("kd", capture.joint_hold.kd)):
        if isinstance(gain, tuple):
            problems += _count_problems((*at, "joint_hold", key), gain, description)
    key = "q_deg" if capture.q is None else "q"
    return problems + _problems((*at, key), capture.pose_si(), description, _stops)


def _stops(joint: JointDescription) -> tuple[float, float, str]:
    return joint.lower, joint.upper, "m" if joint.prismatic else "rad"


def _speeds(joint: JointDescription) -> tuple[float, float, str]:
    return -joint.speed, joint.speed, "m/s" if joint.prismatic else "rad/s"


def _problems(
    path: Path,
    values: _Numbers,
    description: ArmDescription,
    limits: Callable[[JointDescription], tuple[float, float, str]],
) -> list[Problem]:
    """`values` in SI; the key that ends `path` says in which unit they were given."""
    key = str(path[-1])
    sliding = [joint.name for joint in description.joints if joint.prismatic]
    if "_deg" in key and sliding:
        text = f"joint {sliding[0]!r} is prismatic; give {key.split('_')[0]} in SI units instead"
        return [(path, text)]
    problems = _count_problems(path, values, description)
    if problems:
        return problems
    for joint, value in zip(description.joints, values, strict=True):
        low, high, unit = limits(joint)
        if not low <= value <= high:
            if "_deg" in key:
                value, low, high = (math.degrees(each) for each in (value, low, high))
                unit = unit.replace("rad", "deg")
            text = f"{value:.6g} {unit} is outside {low:.6g} .. {high:.6g} {unit}"
            problems.append((path, f"joint {joint.name!r}: {text}"))
    return problems


def _count_problems(path: Path, values: _Numbers, description: ArmDescription) -> list[Problem]:
    count = len(description.joints)
    if len(values) == count:
        return []
    return [(path, f"{len(values)} numbers given, arm {description.name!r} has {count} joints")]
