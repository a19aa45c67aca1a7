"""One chain for all engines: a free-floating base with a serial arm of revolute joints.

Nothing here belongs to any engine: each gets inertias about the centres of mass and joint
placements, and makes of them what it needs.  There is no gravity, contact, friction or rotor.
Modes that every engine can carry alike are masses on springs that slide along lines of the base.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

BASE_MASS = 1200.0  # [kg]
BASE_INERTIA = np.array([[650.0, -10.0, 22.0], [-10.0, 950.0, -4.0], [22.0, -4.0, 950.0]])
ARM_JOINTS = 7


@dataclass(frozen=True)
class Link:
    """A link and the joint that turns it about the z axis of the link's frame J."""

    R_PJ: np.ndarray  # J in the parent's frame while the joint is at zero
    p_PJ: np.ndarray  # [m]
    mass: float  # [kg]
    com: np.ndarray  # centre of mass in J [m]
    inertia: np.ndarray  # about the centre of mass, in J [kg m2]


@dataclass(frozen=True)
class Chain:
    """A base, its frame at its centre of mass, and links from the base outwards."""

    base_mass: float  # [kg]
    base_inertia: np.ndarray  # about the centre of mass [kg m2]
    links: tuple[Link, ...]
    p_JE: np.ndarray  # the arm's tip in the last link's frame [m]


@dataclass(frozen=True)
class Slider:
    """A mass point held by a spring and a damper, free along a line fixed in the base: one mode."""

    mass: float  # [kg]
    place: np.ndarray  # where its spring is relaxed, from the base's origin [m]
    along: np.ndarray  # unit
    omega: float  # with the base held [rad/s]
    zeta: float  # damping ratio [-]
    start: float  # how far along at the start, at rest [m]


class State(NamedTuple):
    """Pose and twist of the base (in its own axes) and the joints."""

    p: np.ndarray  # base origin, inertial axes [m]
    quat: np.ndarray  # base to inertial, wxyz
    v: np.ndarray  # velocity of the base origin, base axes [m/s]
    w: np.ndarray  # angular velocity, base axes [rad/s]
    q: np.ndarray  # [rad]
    qd: np.ndarray  # [rad/s]


def _turn_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


class _Segment(NamedTuple):
    """One line of the arm's data sheet: a thick rod from its joint to the next one."""

    twist: float  # of the joint axis about the previous link's x [rad]
    to_next: tuple[float, float, float]  # [m]
    mass: float  # [kg]
    radius: float  # [m]


_QUARTER = np.pi / 2
_SEGMENTS = (
    _Segment(0.0, (0.02, -0.12, 0.18), 14.0, 0.10),
    _Segment(-_QUARTER, (0.03, -0.16, 0.12), 12.0, 0.09),
    _Segment(_QUARTER, (0.05, -0.10, 1.10), 22.0, 0.07),
    _Segment(-_QUARTER, (-0.04, -1.05, 0.10), 20.0, 0.07),
    _Segment(_QUARTER, (0.02, -0.11, 0.18), 11.0, 0.08),
    _Segment(-_QUARTER, (0.03, -0.17, 0.10), 10.0, 0.08),
    _Segment(_QUARTER, (0.01, 0.02, 0.30), 11.0, 0.09),
)


def _rod(segment: _Segment) -> tuple[np.ndarray, np.ndarray]:
    """Centre of mass and inertia about it of a full cylinder from joint to joint."""
    along = np.array(segment.to_next)
    length = np.linalg.norm(along)
    axis = np.outer(along, along) / length**2
    across = segment.mass * (segment.radius**2 / 4 + length**2 / 12)
    return along / 2, across * (np.eye(3) - axis) + segment.mass * segment.radius**2 / 2 * axis


@cache
def space_arm(joints: int = ARM_JOINTS) -> Chain:
    """A base with 3 m and 100 kg of arm; other counts repeat or cut the same seven segments."""
    links = []
    p_PJ = np.array([0.9, 0.1, 0.6])
    for at in range(joints):
        segment = _SEGMENTS[at % len(_SEGMENTS)]
        com, inertia = _rod(segment)
        links.append(Link(_turn_x(segment.twist), p_PJ, segment.mass, com, inertia))
        p_PJ = np.array(segment.to_next)
    return Chain(BASE_MASS, BASE_INERTIA, tuple(links), p_PJ)


def sliders(count: int) -> tuple[Slider, ...]:
    """Masses of 5 kg on both sides of the base, upwards of 0.2 Hz, along y and z in turn."""
    made = []
    for at in range(count):
        side = 1.0 if at % 4 < 2 else -1.0
        place = np.array([2.0 * side, 0.1, 0.1 * at - 0.4])
        along = np.eye(3)[1 + at % 2]
        made.append(Slider(5.0, place, along, 2.0 * np.pi * (0.2 + 0.05 * at), 5e-3, 0.02))
    return tuple(made)


def tumbling(chain: Chain) -> State:
    """The start of the tumble: base turning at about 4 deg/s, arm bent and in motion."""
    n = len(chain.links)
    at = np.arange(n)
    quat = np.array([0.8, 0.2, -0.4, 0.4])
    return State(
        p=np.array([1.0, -2.0, 0.5]),
        quat=quat / np.linalg.norm(quat),
        v=np.array([0.01, 0.02, -0.015]),
        w=np.radians([2.0, -3.0, 1.5]),
        q=np.where(at % 2 == 0, 0.3, 1.4) * np.where(at % 4 < 2, 1.0, -1.0),
        qd=0.02 * np.cos(1.3 * at),
    )


def rotation(quat: np.ndarray) -> np.ndarray:
    """R of a unit quaternion wxyz."""
    w, x, y, z = quat
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + 2.0 * (w * cross + cross @ cross)


def tip(chain: Chain, state: State) -> np.ndarray:
    """Position of the arm's tip, inertial axes [m]."""
    R, p = rotation(state.quat), state.p
    for link, angle in zip(chain.links, state.q, strict=True):
        c, s = np.cos(angle), np.sin(angle)
        p = p + R @ link.p_PJ
        R = R @ link.R_PJ @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return p + R @ chain.p_JE
