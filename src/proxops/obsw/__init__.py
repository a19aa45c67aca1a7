"""On-board software: it knows what sensors say and asks actuators; it never sees the truth."""

from proxops.obsw.boost import build as build_boost
from proxops.obsw.joint_control import JointControl, build

__all__ = ["JointControl", "build", "build_boost"]
