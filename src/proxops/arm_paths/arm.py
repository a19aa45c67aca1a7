"""The arm whose paths are planned: where its frames stand and how its joints move them."""

from dataclasses import dataclass, replace

import numpy as np

from proxops.core.description import CraftDescription, MountedArm
from proxops.core.errors import InputError
from proxops.core.frame import Frame, joint_motion


@dataclass(frozen=True)
class Arm:
    """A serial arm in the hub's frame C, all that carries it at rest.  Frame 0 is C, frame i that
    of joint i, which turns with its link; E stands on the last."""

    name: str
    joints: tuple[str, ...]  # their names
    first: int  # number of its first joint among all of the chaser
    R_PJ: np.ndarray  # (n, 3, 3) each joint frame in the one before, the joint at zero
    p_PJ: np.ndarray  # (n, 3) [m]
    prismatic: np.ndarray  # (n,) bool
    X_JE: Frame  # end effector in the last joint frame
    lower: np.ndarray  # stops (n,) [rad or m], -inf where there is none
    upper: np.ndarray
    speed: np.ndarray  # largest (n,) [rad/s or m/s]
    effort: np.ndarray  # largest motor torque (n,) [N m or N]

    def holding(self, X_EF: Frame) -> "Arm":
        """The same arm, F taken for its end effector: a frame fixed on E, as of what it holds."""
        return replace(self, X_JE=self.X_JE @ X_EF)

    @property
    def reach(self) -> float:
        """From the first joint to E with all links in one line [m]: the length that makes turns
        and shifts comparable."""
        offsets = [*self.p_PJ[1:], self.X_JE.p]
        return float(sum(np.linalg.norm(offset) for offset in offsets)) or 1.0


def arm_of(chaser: CraftDescription, name: str) -> Arm:
    """The chaser's arm of that name; arms that carry it stand as they do at the start."""
    jointed = [each.name for each in chaser.arms if each.arm.joints]
    if name not in jointed:
        possible = ", ".join(jointed) or "none"
        raise InputError(f"no arm with joints is called {name!r}; there are: {possible}")
    first = 0
    for mounted in chaser.arms:
        if mounted.name == name:
            break
        first += len(mounted.arm.joints)
    joints, root = mounted.arm.joints, _root(chaser, mounted)
    frames = [Frame(joint.R_PJ, joint.p_PJ) for joint in joints]
    frames[0] = root @ frames[0]
    return Arm(
        name=name,
        joints=tuple(joint.name for joint in joints),
        first=first,
        R_PJ=np.array([each.R for each in frames]),
        p_PJ=np.array([each.p for each in frames]),
        prismatic=np.array([joint.prismatic for joint in joints]),
        X_JE=Frame(mounted.arm.R_JE, mounted.arm.p_JE),
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        speed=np.array([joint.speed for joint in joints]),
        effort=np.array([joint.effort for joint in joints]),
    )


def _root(chaser: CraftDescription, mounted: MountedArm) -> Frame:
    """X_CA of an arm."""
    root = Frame(mounted.R_CA, mounted.p_CA)
    for each in chaser.arms:
        if each.name == mounted.mounted_on:
            X_CE = _root(chaser, each)
            for joint, q in zip(each.arm.joints, each.q, strict=True):
                X_CE @= Frame(joint.R_PJ, joint.p_PJ) @ joint_motion(joint.prismatic, float(q))
            return X_CE @ Frame(each.arm.R_JE, each.arm.p_JE) @ root
    return root


def joint_frames(arm: Arm, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R (m, n + 1, 3, 3) and p (m, n + 1, 3) [m] of C and the joint frames in C, for rows q (m, n)
    of joint positions [rad or m].

        X_CJᵢ = X_CJᵢ₋₁ X_PJᵢ X_z(qᵢ)      as products of 4 x 4 matrices
    """
    rows, count = q.shape
    angle, shift = np.where(arm.prismatic, 0.0, q), np.where(arm.prismatic, q, 0.0)
    own = np.zeros((rows, count, 4, 4))  # X_z(q)
    own[..., 0, 0] = own[..., 1, 1] = np.cos(angle)
    own[..., 1, 0] = np.sin(angle)
    own[..., 0, 1] = -own[..., 1, 0]
    own[..., 2, 2] = own[..., 3, 3] = 1.0
    own[..., 2, 3] = shift
    before = np.zeros((count, 4, 4))  # X_PJ
    before[:, :3, :3], before[:, :3, 3], before[:, 3, 3] = arm.R_PJ, arm.p_PJ, 1.0
    steps = before @ own
    X = np.empty((rows, count + 1, 4, 4))
    X[:, 0] = np.eye(4)
    for i in range(count):
        X[:, i + 1] = X[:, i] @ steps[:, i]
    return np.ascontiguousarray(X[..., :3, :3]), np.ascontiguousarray(X[..., :3, 3])


def effector_pose(arm: Arm, q: np.ndarray) -> Frame:
    """X_CE with joints q (n,)."""
    R, p = joint_frames(arm, q[None])
    return Frame(R[0, -1], p[0, -1]) @ arm.X_JE


def effector_jacobian(arm: Arm, q: np.ndarray) -> np.ndarray:
    """J (m, 6, n) for rows q (m, n): velocity of E's origin and angular velocity of E, both in C
    and as C sees them, per unit of each joint rate.

        turning  (z × (p_E - p_J), z),   sliding  (z, 0)
    """
    R, p = joint_frames(arm, q)
    p_E = p[:, -1] + R[:, -1] @ arm.X_JE.p
    axes = R[:, 1:, :, 2]
    swept = np.cross(axes, p_E[:, None] - p[:, 1:])
    slides = arm.prismatic[:, None]
    moved = np.where(slides, axes, swept), np.where(slides, 0.0, axes)
    return np.ascontiguousarray(np.concatenate(moved, axis=2).transpose(0, 2, 1))


def ranges(arm: Arm) -> tuple[np.ndarray, np.ndarray]:
    """Middle and half length of each joint's range [rad or m]; half a turn either way (or the
    arm's reach) for joints without stops."""
    whole = np.isfinite(arm.lower) & np.isfinite(arm.upper)
    half = np.where(arm.prismatic, arm.reach, np.pi)
    lower = np.where(whole, arm.lower, -half)
    upper = np.where(whole, arm.upper, half)
    return 0.5 * (lower + upper), np.maximum(0.5 * (upper - lower), 1e-12)


def away_from_stops(arm: Arm, q: np.ndarray) -> np.ndarray:
    """The downhill slope of ¼ Σ x⁴ [1], x from -1 at the lower stop to 1 at the upper; 0 for joints
    without stops."""
    middle, half = ranges(arm)
    x = np.where(np.isfinite(arm.lower) & np.isfinite(arm.upper), (q - middle) / half, 0.0)
    return np.asarray(-(x**3))
