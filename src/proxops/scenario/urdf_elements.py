"""The links and joints of a URDF file, each checked on its own.

Numbers a URDF has no place for come in an element of ours inside <joint>, all optional:
    <proxops rotor_inertia="0" stop_stiffness="1e4" stop_damping="2"/>
"""

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from proxops.core.description import RigidInertia
from proxops.core.text import nearest

# The stop gives way by a degree under 170 N m; up to 0.25 kg m2 the damping keeps a joint from
# bouncing off it.  [N m/rad or N/m]
STOP_STIFFNESS = 1e4
STOP_DAMPING = 2.0  # χ [s/rad or s/m]: τ = k δ (1 + χ δ̇)
ROTOR_INERTIA = 0.0  # [kg m2 or kg]

_MOVING = ("revolute", "continuous", "prismatic")
_UNSUPPORTED = ("floating", "planar")  # of URDF's: possible where they are locked


class ElementError(Exception):
    """What is wrong with one element; the caller knows which and in which file."""


@dataclass(frozen=True)
class Pose:
    """Frame B in A: R_AB, p_AB [m]."""

    R: np.ndarray
    p: np.ndarray

    def __matmul__(self, other: "Pose") -> "Pose":
        return Pose(self.R @ other.R, self.p + self.R @ other.p)


@dataclass(frozen=True)
class Link:
    """A link of the file; `body` is in the link's frame, None where it has no mass."""

    name: str
    body: RigidInertia | None


@dataclass(frozen=True)
class JointMotion:
    """How a joint moves."""

    prismatic: bool
    axis: np.ndarray  # unit, in the child's frame
    limit: tuple[float, float, float, float]  # lower, upper, effort, speed
    friction: tuple[float, float]  # viscous, Coulomb
    rotor: tuple[float, float, float]  # rotor inertia, stop stiffness, stop damping


@dataclass(frozen=True)
class Joint:
    """A joint of the file: the child's frame in the parent's while the joint is at zero, and how
    it moves, None where it is fixed or where `problem` says why it cannot move."""

    name: str
    fixed: bool
    parent: str
    child: str
    origin: Pose
    follows: str  # the joint that a <mimic> names; empty where there is none
    motion: JointMotion | None
    problem: str


def link_of(element: Element) -> Link:
    """The link that a <link> describes."""
    inertial = _only(element, "inertial")
    return Link(element.get("name", ""), None if inertial is None else _body(inertial))


def joint_of(element: Element) -> Joint:
    """The joint that a <joint> describes.  One that cannot move has a place all the same: it may be
    locked."""
    kind = element.get("type", "")
    if kind not in (*_MOVING, "fixed", *_UNSUPPORTED):
        raise ElementError(_kind_problem(kind))
    mimic = _only(element, "mimic")
    motion, problem = None, ""
    try:
        motion = None if kind == "fixed" else _motion(element, kind)
    except ElementError as error:
        problem = str(error)
    return Joint(
        name=element.get("name", ""),
        fixed=kind == "fixed",
        parent=_link_named(element, "parent"),
        child=_link_named(element, "child"),
        origin=origin_of(element),
        follows="" if mimic is None else mimic.get("joint") or "another joint",
        motion=motion,
        problem=problem,
    )


def _motion(element: Element, kind: str) -> JointMotion:
    if kind in _UNSUPPORTED:
        raise ElementError(_kind_problem(kind))
    return JointMotion(
        prismatic=kind == "prismatic",
        axis=_axis(element),
        limit=_limit(element, kind),
        friction=_friction(element),
        rotor=_rotor(element),
    )


def _kind_problem(kind: str) -> str:
    possible = ", ".join((*_MOVING, "fixed"))
    return f"type {kind!r} is not supported; there are: {possible}"


def _body(inertial: Element) -> RigidInertia | None:
    """Mass and inertia, None where both are zero.  Whether a body can have this inertia is judged
    once it is known what moves with it: files carry zeros for small parts."""
    mass = number_of(_needed(inertial, "mass"), "value")
    if mass < 0.0:
        raise ElementError(f"mass must not be negative, found {mass:g}")
    element = _needed(inertial, "inertia")
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    xx, yy, zz, xy, xz, yz = (number_of(element, key) for key in keys)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if mass == 0.0:
        if inertia.any():
            raise ElementError("has an inertia but no mass; give its mass, or zeros for both")
        return None
    origin = origin_of(inertial)
    return RigidInertia(mass, np.zeros(3), inertia).seen_from(origin.R, origin.p)


def _link_named(element: Element, tag: str) -> str:
    name = _needed(element, tag).get("link")
    if not name:
        raise ElementError(f"<{tag}> names no link")
    return name


def origin_of(element: Element) -> Pose:
    """The pose that an element's <origin> gives, of its frame in the one around it."""
    origin = _only(element, "origin")
    if origin is None:
        return Pose(np.eye(3), np.zeros(3))
    roll, pitch, yaw = numbers_of(origin, "rpy", "0 0 0")
    return Pose(
        _turn(2, yaw) @ _turn(1, pitch) @ _turn(0, roll), numbers_of(origin, "xyz", "0 0 0")
    )


def _turn(axis: int, angle: float) -> np.ndarray:
    """Rotation about x, y or z (axis 0, 1, 2)."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = math.cos(angle)
    R[k, j] = math.sin(angle)
    R[j, k] = -R[k, j]
    return R


def _axis(element: Element) -> np.ndarray:
    found = _only(element, "axis")
    axis = np.array([1.0, 0.0, 0.0]) if found is None else numbers_of(found, "xyz", "1 0 0")
    length = math.hypot(*axis)
    if length < 1e-9:
        raise ElementError("<axis> has no direction: xyz is zero")
    return axis / length


def _limit(element: Element, kind: str) -> tuple[float, float, float, float]:
    limit = _only(element, "limit")
    if kind in ("revolute", "prismatic"):
        if limit is None:
            raise ElementError(f"a {kind} joint needs <limit lower upper effort velocity>")
        lower, upper = number_of(limit, "lower", 0.0), number_of(limit, "upper", 0.0)
        if not lower < upper:
            raise ElementError(f"<limit> lower {lower:g} is not below upper {upper:g}")
    else:
        lower, upper = -math.inf, math.inf
    if limit is None:
        return lower, upper, math.inf, math.inf
    effort, speed = number_of(limit, "effort"), number_of(limit, "velocity")
    if effort <= 0.0 or speed <= 0.0:
        raise ElementError(
            f"<limit> effort and velocity must be greater than 0, found {effort:g} and {speed:g}"
        )
    return lower, upper, effort, speed


def _friction(element: Element) -> tuple[float, float]:
    dynamics = _only(element, "dynamics")
    if dynamics is None:
        return 0.0, 0.0
    return _not_negative(dynamics, "damping", 0.0), _not_negative(dynamics, "friction", 0.0)


def _rotor(element: Element) -> tuple[float, float, float]:
    ours = _only(element, "proxops")
    defaults = {
        "rotor_inertia": ROTOR_INERTIA,
        "stop_stiffness": STOP_STIFFNESS,
        "stop_damping": STOP_DAMPING,
    }
    if ours is None:
        return ROTOR_INERTIA, STOP_STIFFNESS, STOP_DAMPING
    for key in ours.attrib:
        if key not in defaults:
            raise ElementError(f"<proxops> has unknown attribute {key!r}{nearest(key, defaults)}")
    inertia, stiffness, damping = (
        _not_negative(ours, key, default) for key, default in defaults.items()
    )
    return inertia, stiffness, damping


def _only(element: Element, tag: str) -> Element | None:
    found = element.findall(tag)
    if len(found) > 1:
        raise ElementError(f"has {len(found)} <{tag}> elements, at most one is possible")
    return found[0] if found else None


def _needed(element: Element, tag: str) -> Element:
    found = _only(element, tag)
    if found is None:
        raise ElementError(f"<{element.tag}> has no <{tag}>")
    return found


def _not_negative(element: Element, key: str, default: float) -> float:
    value = number_of(element, key, default)
    if value < 0.0:
        raise ElementError(f"<{element.tag}> {key} must not be negative, found {value:g}")
    return value


def number_of(element: Element, key: str, default: float | None = None) -> float:
    """The number that an attribute holds."""
    text = element.get(key)
    if text is None:
        if default is None:
            raise ElementError(f"<{element.tag}> has no {key}")
        return default
    (value,) = _split(element, key, text, 1)
    return float(value)


def numbers_of(element: Element, key: str, default: str) -> np.ndarray:
    """The three numbers that an attribute holds."""
    return _split(element, key, element.get(key, default), 3)


def _split(element: Element, key: str, text: str, count: int) -> np.ndarray:
    try:
        values = np.array([float(word) for word in text.replace("_", "?").split()])
    except ValueError:
        values = np.empty(0)
    if len(values) != count or not np.all(np.isfinite(values)):
        wanted = "a finite number" if count == 1 else f"{count} finite numbers"
        raise ElementError(f"<{element.tag}> {key} must be {wanted}, found {text[:60]!r}")
    return values
