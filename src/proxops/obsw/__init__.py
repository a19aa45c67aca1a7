"""On-board software: it knows what sensors say and asks actuators; it never sees the truth."""

from proxops.obsw.joint_control import JointControl, build

__all__ = ["JointControl", "build"]
