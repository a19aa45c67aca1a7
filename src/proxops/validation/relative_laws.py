"""The numbers of the relative dynamics that need no facility, by the ids of their rows."""

from proxops.validation.relative_moments import causalities, port_28
from proxops.validation.relative_motions import eq11_pose, eq18_joints, eq18_pose, storage_25

__all__ = ["causalities", "eq11_pose", "eq18_joints", "eq18_pose", "port_28", "storage_25"]
