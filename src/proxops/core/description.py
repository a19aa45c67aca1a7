"""What a scenario says of the hardware, in SI units: the records that stages are built from.

Arrays are float64 and read-only by convention; rotations are 3x3, quaternions wxyz.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from proxops.core.frame import Frame, z_onto


def point_inertia(mass: float, r: np.ndarray) -> np.ndarray:
    """Inertia of a mass at r about the origin [kg m2]."""
    return np.asarray(mass * (r @ r * np.eye(3) - np.outer(r, r)))


@dataclass(frozen=True)
class RigidInertia:
    """Mass properties of a rigid body, in one frame."""

    mass: float  # [kg]
    com: np.ndarray  # centre of mass from the frame's origin (3,) [m]
    inertia: np.ndarray  # about the frame's origin (3, 3) [kg m2]

    def seen_from(self, R_AB: np.ndarray, p_AB: np.ndarray) -> "RigidInertia":
        """The same body in frame A, this being B."""
        com = p_AB + R_AB @ self.com
        about_com = self.inertia - point_inertia(self.mass, self.com)
        inertia = R_AB @ about_com @ R_AB.T + point_inertia(self.mass, com)
        return RigidInertia(self.mass, com, inertia)

    def joined(self, other: "RigidInertia") -> "RigidInertia":
        """This body and another, given in the same frame, as one."""
        mass = self.mass + other.mass
        first = self.mass * self.com + other.mass * other.com
        com = first / mass if mass > 0.0 else np.zeros(3)
        return RigidInertia(mass, com, self.inertia + other.inertia)


@dataclass(frozen=True)
class GearsDescription:
    """Gears through which the only joint of another arm drives a joint; both positions grow
    together."""

    driver: str  # name of that arm
    driver_radius: float  # of the pitch circle [m]
    own_radius: float  # likewise of the driven gear [m]
    stiffness: float  # of the teeth, along the pitch circles [N/m]
    damping: float  # χ [s/m], see physics.multibody.gears
    backlash: float  # along the pitch circles [m]
    efficiency: float  # [-]


@dataclass(frozen=True)
class JointDescription:
    """A joint and the link it moves.  The joint frame J has its z axis along the joint axis and
    turns with the link; `R_PJ, p_PJ` place it in the previous link's J (the arm's root frame
    for the first joint) while the joint is at zero."""

    name: str
    prismatic: bool
    R_PJ: np.ndarray  # (3, 3)
    p_PJ: np.ndarray  # (3,) [m]
    link: RigidInertia  # in J
    lower: float  # stop [rad or m], -inf where there is none
    upper: float
    effort: float  # largest motor torque [N m or N], inf where there is none
    speed: float  # largest speed [rad/s or m/s], inf where there is none
    viscous: float  # [N m s/rad or N s/m]
    coulomb: float  # [N m or N]
    rotor_inertia: float  # as the joint feels it, gear ratio² × rotor [kg m2 or kg]
    stop_stiffness: float  # [N m/rad or N/m]
    stop_damping: float  # χ [s/rad or s/m], see physics.multibody.joints
    gears: GearsDescription | None = None  # that drive it; None: its own motor alone does


@dataclass(frozen=True)
class ArmDescription:
    """A serial arm from its root frame A to its end effector E."""

    name: str
    root: RigidInertia  # what is bolted to the hub, in A
    joints: tuple[JointDescription, ...]
    R_JE: np.ndarray  # end effector in the last joint frame (in A for an arm without joints)
    p_JE: np.ndarray
    tip: str = ""  # link of the file whose frame E is
    locked: tuple[str, ...] = ()  # joints of the file off the way to the tip: they stay at zero

    def unit(self, revolute: str, prismatic: str) -> str:
        """Unit of a quantity of the joints: one for all, or one for each, separated by commas."""
        units = [prismatic if joint.prismatic else revolute for joint in self.joints]
        return ",".join(units) if len(set(units)) > 1 else (units or [revolute])[0]


@dataclass(frozen=True)
class MountedArm:
    """An arm on a hub, or on the end effector of an arm that comes before it, with its start."""

    name: str  # its key in the scenario
    arm: ArmDescription
    R_CA: np.ndarray  # root frame in the hub's, or in that end effector's
    p_CA: np.ndarray  # [m]
    q: np.ndarray  # joint positions at the start [rad or m]
    qd: np.ndarray  # [rad/s or m/s]
    mounted_on: str = ""  # name of the arm that carries it; empty for the hub


@dataclass(frozen=True)
class WheelDescription:
    """A reaction wheel on a hub, with its start.  Its rotor is a balanced thin disc: across the
    axis it has half the inertia that it has about it."""

    name: str  # its key in the scenario
    p_C: np.ndarray  # centre of the rotor, in the hub's frame (3,) [m]
    axis: np.ndarray  # about which it spins, unit, hub axes (3,)
    inertia: float  # of the rotor about that axis [kg m2]
    mass: float  # of the rotor [kg]
    max_torque: float  # [N m]
    max_speed: float  # [rad/s]
    speed: float  # against the hub, at the start [rad/s]
    viscous: float  # friction [N m s/rad]
    coulomb: float  # friction [N m]

    def mounted(self) -> MountedArm:
        """The same as an arm of one joint without end, which is all that a plant knows of it."""
        rotor = RigidInertia(self.mass, np.zeros(3), self.inertia * np.diag([0.5, 0.5, 1.0]))
        joint = JointDescription(
            name=self.name,
            prismatic=False,
            R_PJ=np.eye(3),
            p_PJ=np.zeros(3),
            link=rotor,
            lower=-math.inf,
            upper=math.inf,
            effort=self.max_torque,
            speed=self.max_speed,
            viscous=self.viscous,
            coulomb=self.coulomb,
            rotor_inertia=0.0,
            stop_stiffness=0.0,
            stop_damping=0.0,
        )
        nothing = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
        return MountedArm(
            name=f"wheels.{self.name}",  # no arm is called so: names have no dots
            arm=ArmDescription(self.name, nothing, (joint,), np.eye(3), np.zeros(3)),
            R_CA=z_onto(self.axis),
            p_CA=self.p_C,
            q=np.zeros(1),
            qd=np.array([self.speed]),
        )


@dataclass(frozen=True)
class ModeDescription:
    """A mode of an appendage, clamped at its root, with a mass-normalised shape; hub axes."""

    omega: float  # angular frequency [rad/s]
    zeta: float  # damping ratio [-]
    sigma: float  # ∫ φ dm [√kg]; one for modal data
    e: np.ndarray  # direction of bending, unit; translational participation for modal data [√kg]
    k: np.ndarray  # ∫ φ u₀ dm, u₀ from the hub's origin [√kg m]; zero for modal data
    h: np.ndarray  # rotational participation about the hub's origin [√kg m]
    partner: int  # number, within the appendage, of the same shape along the other axis, or -1
    is_beam: bool  # carries the change of inertia with deflection
    per_eta: float  # coordinate that the user sees, per unit of the mass-normalised one [1/√kg]


@dataclass(frozen=True)
class AppendageDescription:
    """A flexible appendage on a hub, with its start."""

    name: str  # its key in the scenario
    rigid: RigidInertia  # undeflected, about the hub's origin, in hub axes
    modes: tuple[ModeDescription, ...]
    unit: str  # of the coordinates that the user sees
    q_f: np.ndarray  # those at the start
    q_f_rate: np.ndarray


@dataclass(frozen=True)
class ShapeDescription:
    """A simple body as it is drawn, at rest in a hub's frame.  It has no effect on any motion."""

    kind: str  # "box", "cylinder", "ring", "cone", "panel", "sphere" or "mesh"
    # box, panel: full lengths x, y, z [m]; cylinder: radius, radius, length along z [m]; ring:
    # outer radius, inner radius, length [m]; cone: radius at -z, radius at +z, length [m]; sphere:
    # its radius thrice [m]; mesh: factors along x, y, z [-]
    size: tuple[float, float, float]
    p: tuple[float, float, float]  # centre (of a mesh, its file's origin) in the hub's frame [m]
    q: tuple[float, float, float, float]  # attitude, shape to hub, wxyz
    colour: tuple[int, int, int]  # sRGB, 0 to 255
    mesh: str = ""  # path of a mesh's file


@dataclass(frozen=True)
class SolidDescription:
    """A shape that is to stay clear of the other spacecraft: on the hub, on a link of an arm, or a
    stretch of an appendage."""

    shape: ShapeDescription
    part: str  # that it belongs to, by its path in the scenario
    arm: str = ""  # name of the arm; empty for the hub
    joint: int = 0  # number of the joint in whose frame it stands; 0 for the arm's root frame A
    appendage: str = ""  # name of the appendage with which it moves
    bends: tuple[tuple[float, ...], ...] = ()  # by how much, per unit of each coordinate; hub axes


@dataclass(frozen=True)
class CraftDescription:
    """A spacecraft: rigid hub (frame at its centre of mass), arms, appendages, wheels, and its
    start."""

    mass: float  # [kg]
    inertia: np.ndarray  # hub alone, about its centre of mass (3, 3) [kg m2]
    p_H: np.ndarray  # hub's centre of mass in the Hill frame [m]
    v_H: np.ndarray  # its derivative in the rotating Hill frame [m/s]
    q_N: np.ndarray  # attitude, hub to inertial
    w: np.ndarray  # inertial angular velocity, hub axes [rad/s]
    arms: tuple[MountedArm, ...] = ()
    appendages: tuple[AppendageDescription, ...] = ()
    wheels: tuple[WheelDescription, ...] = ()
    shapes: tuple[SolidDescription, ...] = ()  # whose distance from the other's is recorded
    stowed: tuple[MountedArm, ...] = ()  # arms with brakes on, with joints; in `arms` without any

    @property
    def jointed(self) -> tuple[MountedArm, ...]:
        """All that has joints, in the order of the plant's: arms, then wheels."""
        return (*self.arms, *(wheel.mounted() for wheel in self.wheels))


@dataclass(frozen=True)
class ContactDescription:
    """Pads of one spacecraft that can touch a face (or a ball) of the other, all of one kind.  What
    is on the chaser is given in its hub's frame C, or in the end effector's frame E of an arm;
    what is on the target, in T."""

    name: str  # its key in the scenario
    arm: str  # name of the arm whose end effector takes part; empty for the hub
    pads_on_chaser: bool
    pads: np.ndarray  # centres (n, 3) [m]
    radius: float  # of each pad [m]
    centre: np.ndarray  # of the face or ball (3,) [m]
    normal: np.ndarray  # of the face, out of its body, unit (3,)
    along: np.ndarray  # of the face's first edge, unit (3,)
    half: tuple[float, float]  # half lengths along it and across it [m], inf where boundless
    ball_radius: float  # [m]; 0 for a face
    law: int  # of the normal force, see physics.contact.normal
    stiffness: float  # of each pad [N/m, or N/mⁿ]
    damping: float  # [N s/m, or s/m]
    exponent: float  # n
    depth: float  # overlap up to which steps are made for [m]; matters where n is not 1
    bilateral: bool
    mu_static: float
    mu_kinetic: float
    grip_stiffness: float  # of each pad's tangential spring [N/m]
    grip_damping: float  # [N s/m]
    entry: int = 0  # address of an external law, whose stiffness and damping are those at `depth`
    parameters: tuple[float, ...] = ()  # of an external law


@dataclass(frozen=True)
class HoldDescription:
    """A six-degree-of-freedom hold of a chaser body at a point B of the target, axis by axis in
    axes A of the chaser's body: its port's, or those that are B's when it closes."""

    name: str  # its key in the scenario
    arm: str  # name of the arm whose end effector is held; empty for the hub
    p_TB: np.ndarray  # [m]
    R_TB: np.ndarray
    stiffness: np.ndarray  # [N/m]
    rotational_stiffness: np.ndarray  # [N m/rad]
    damping: np.ndarray  # [N s/m]
    rotational_damping: np.ndarray  # [N m s/rad]
    pull: np.ndarray  # constant force on the chaser, A axes [N]
    max_force: float  # [N], inf for no limit
    max_torque: float  # [N m]
    start: float  # when it closes [s]
    end: float  # when it opens [s]
    reach: float = np.inf  # farthest that B may be from the end effector or A when it closes [m]
    commanded: bool = False  # closes and opens as on-board software says, whatever the time
    port: Frame | None = None  # A in C, in E with an arm; None: where B is when it closes
    max_angle: float = np.inf  # of A against B when it closes [rad]
    max_speed: float = np.inf  # [m/s]
    max_rate: float = np.inf  # [rad/s]

    def alignment_text(self, values: Iterable[float]) -> str:
        """Offset, angle, speed and rate of A against B [SI units], beside those it closes with."""
        limits = self.reach, self.max_angle, self.max_speed, self.max_rate
        units = (1e3, "mm"), (math.degrees(1.0), "deg"), (1e3, "mm/s"), (math.degrees(1.0), "deg/s")
        parts = []
        for what, value, limit, (per_si, unit) in zip(
            ("offset", "angle", "speed", "rate"), values, limits, units, strict=True
        ):
            most = "" if math.isinf(limit) else f" of at most {per_si * limit:.4g}"
            parts.append(f"{what} {per_si * value:.4g}{most} {unit}")
        return ", ".join(parts)


@dataclass(frozen=True)
class OrbitDescription:
    """The reference orbit at the start, inertial axes N."""

    mu: float  # [m3/s2]
    R: np.ndarray  # position [m]
    V: np.ndarray  # velocity [m/s]
    inside: float = 0.0  # distance of the spacecraft below which terms are dropped [m]; 0: never
    drop: str = "tide"  # which, or "frame"
    exchange: str = "all"  # what goes over there, or "velocity-attitude"


@dataclass(frozen=True)
class ThrusterDescription:
    """A thruster on a hub."""

    name: str  # its key in the scenario
    p_C: np.ndarray  # where it pushes, in the hub's frame (3,) [m]
    direction: np.ndarray  # of the force on the spacecraft, unit, hub axes (3,)
    thrust: float  # [N]
    rise: float  # from none to full thrust [s]
    fall: float  # from full thrust to none [s]
    min_pulse: float  # shortest time between two switchings of its valve [s]
