"""Whether numbers given per joint fit the arm they are meant for."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from proxops.core.description import ArmDescription, JointDescription
from proxops.scenario.schema import Arm, JointControl
from proxops.scenario.schema.base import Fault, Path

_Numbers = Sequence[float] | np.ndarray


def arm_faults(at: Path, arm: Arm, description: ArmDescription) -> list[Fault]:
    """What is wrong with an arm's start, `at` being the arm's path."""
    key = "q_deg" if arm.q is None else "q"
    faults = _faults((*at, key), arm.pose_si(), description, _stops)
    if arm.qd is not None or arm.qd_deg_s is not None:
        key = "qd_deg_s" if arm.qd is None else "qd"
        faults += _faults((*at, key), arm.rates_si(), description, _speeds)
    return faults


def carrier_faults(at: Path, arm: Arm, before: Mapping[str, ArmDescription]) -> list[Fault]:
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


def control_faults(at: Path, control: JointControl, description: ArmDescription) -> list[Fault]:
    """What is wrong with an arm's joint control, `at` being the control's path."""
    faults: list[Fault] = []
    for key, gain in (("kp", control.kp), ("kd", control.kd)):
        if isinstance(gain, tuple):
            faults += _count_faults((*at, key), gain, description)
    for i, point in enumerate(control.waypoints):
        key = "q_deg" if point.q is None else "q"
        faults += _faults((*at, "waypoints", i, key), point.pose_si(), description, _stops)
    return faults


def _stops(joint: JointDescription) -> tuple[float, float, str]:
    return joint.lower, joint.upper, "m" if joint.prismatic else "rad"


def _speeds(joint: JointDescription) -> tuple[float, float, str]:
    return -joint.speed, joint.speed, "m/s" if joint.prismatic else "rad/s"


def _faults(
    path: Path,
    values: _Numbers,
    description: ArmDescription,
    limits: Callable[[JointDescription], tuple[float, float, str]],
) -> list[Fault]:
    """`values` in SI; the key that ends `path` says in which unit they were given."""
    key = str(path[-1])
    sliding = [joint.name for joint in description.joints if joint.prismatic]
    if "_deg" in key and sliding:
        text = f"joint {sliding[0]!r} is prismatic; give {key.split('_')[0]} in SI units instead"
        return [(path, text)]
    faults = _count_faults(path, values, description)
    if faults:
        return faults
    for joint, value in zip(description.joints, values, strict=True):
        low, high, unit = limits(joint)
        if not low <= value <= high:
            text = f"{value:.6g} {unit} is outside {low:.6g} .. {high:.6g} {unit}"
            faults.append((path, f"joint {joint.name!r}: {text}"))
    return faults


def _count_faults(path: Path, values: _Numbers, description: ArmDescription) -> list[Fault]:
    count = len(description.joints)
    if len(values) == count:
        return []
    return [(path, f"{len(values)} numbers given, arm {description.name!r} has {count} joints")]
