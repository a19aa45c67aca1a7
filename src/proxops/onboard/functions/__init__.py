"""On-board software: it knows what sensors say and asks actuators; it never sees the truth."""

from proxops.onboard.functions.boost.boost import build as build_boost
from proxops.onboard.functions.joint_control import JointControl, build

__all__ = ["JointControl", "build", "build_boost"]
