"""A geared gripper on a heavy hub that closes on a plate, without a scenario around it.

The pads close along y, one from above, one from below; the pivots turn about z.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from proxops.core.description import (
    ArmDescription,
    ContactDescription,
    CraftDescription,
    GearsDescription,
    JointDescription,
    MountedArm,
    RigidInertia,
)
from proxops.core.errors import ProxopsError
from proxops.physics.contact.normal import SPRING
from proxops.plant import contact_array, layout
from proxops.plant.build import build, start_state
from proxops.plant.limits import gear_drag
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR
from proxops.plant.step import OK, STATUS_TEXT, begin, step
from proxops.plant.workspace import quiet_drive, workspace

HUB = 1e6  # heavy: what it carries hardly moves it [kg, kg m2]
OPEN = math.radians(20.0)  # by which the clamps start before they meet the plate
MOTOR, LEFT, RIGHT = range(3)  # joints
STEP = 2e-4  # at most [s]
PAD_STIFFNESS = 2e4  # [N/m]
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
NOTHING = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))


class Gripper(NamedTuple):
    """What is tried."""

    teeth: tuple[int, int] = (15, 30)  # of the motor's gear and of each clamp's
    lever: float = 0.03  # r [m]
    angle: float = math.radians(60.0)  # γ where the pads meet the plate
    module: float = 1e-3  # [m]
    stiffness: float = 1e5  # of a mesh [N/m]
    damping: float = 0.0  # of a mesh [s/m]
    backlash: float = 0.0  # [m]
    efficiency: float = 1.0
    mu: float = 0.0  # of the pads
    plate: float = 0.02  # thickness between the pads [m]
    mass: float = 100.0  # of what is held [kg]


class GripperRig:
    """A gripper, and the plate between its clamps; its motor is driven by a torque."""

    def __init__(self, given: Gripper, with_plate: bool = True) -> None:
        self.given = given
        chaser = CraftDescription(
            HUB, HUB * np.eye(3), np.zeros(3), np.zeros(3), UPRIGHT, np.zeros(3), _arms(given)
        )
        target = CraftDescription(
            given.mass, given.mass * np.eye(3), np.zeros(3), np.zeros(3), UPRIGHT, np.zeros(3)
        )
        contacts = tuple(_pad(given, name, side) for name, side in _SIDES) if with_plate else ()
        self.plant = build(chaser, target, None, contacts)
        self.work, self._drive = workspace(self.plant), quiet_drive(self.plant)
        self.y = start_state(self.plant, chaser, target)
        self.parts = layout.slices(self.plant)
        self.t = 0.0
        begin(self.plant, self.work, self.y, 0.0)

    def go(self, duration: float, torque: float, push: float = 0.0) -> "GripperRig":
        """Goes on for a while, the motor turning with a torque [N m], a force along the pivots
        rising on the hub to `push` [N] and staying there."""
        h = self._step_for(torque)
        steps = round(duration / h)
        self._drive[MOTOR + 1, DRIVE_MOTOR] = torque
        for k in range(steps):
            self._drive[0, DRIVE_FORCE + 2] = push * min(1.0, 2.0 * k / steps)
            status = step(self.plant, self._drive, self.work, self.y, self.t, h)
            if status != OK:
                raise ProxopsError(STATUS_TEXT[status])
            self.t += h
        return self

    def _step_for(self, torque: float) -> float:
        """A step in which teeth that slide under a torque of the motor decay by |s| h ≤ 1 [s]."""
        clamp = _arms(self.given)[LEFT].arm.joints[0]
        force = abs(torque) / (self.given.module * self.given.teeth[0])  # F = τ / 2 r₁
        return STEP / max(1, math.ceil(gear_drag(clamp, force) * STEP))

    @property
    def q(self) -> np.ndarray:
        """Positions of motor, left and right clamp [rad]."""
        return self.y[layout.JOINTS : layout.JOINTS + 3]

    @property
    def qd(self) -> np.ndarray:
        """Their rates [rad/s]."""
        return self.y[layout.JOINTS + 3 : layout.JOINTS + 6]

    @property
    def ledger(self) -> np.ndarray:
        return self.y[self.parts.ledger]

    def angle(self) -> float:
        """γ now [rad]."""
        return self.given.angle - float(self.q[LEFT])

    def pad_force(self) -> float:
        """Of the left pad on the plate, at rest [N]: its overlap times its stiffness."""
        memory = self.y[self.parts.contacts].reshape(-1, contact_array.MEMORY_WIDTH)
        if memory[0, contact_array.MODE] == contact_array.OPEN:
            return 0.0
        lever, gamma = self.given.lever, self.given.angle
        meets = lever * math.cos(gamma)
        plate = self.y[self.parts.target][layout.P + 1] - self.y[layout.P + 1]
        return PAD_STIFFNESS * (lever * math.cos(self.angle()) - meets + float(plate))

    def clamp_torques(self) -> tuple[float, float]:
        """Of the gears on both clamps [N m]."""
        own = 0.5 * self.given.module * self.given.teeth[1]
        driver = 0.5 * self.given.module * self.given.teeth[0]
        ahead = driver * self.q[MOTOR] - own * self.q[LEFT : RIGHT + 1]
        overlaps = np.sign(ahead) * np.maximum(np.abs(ahead) - 0.5 * self.given.backlash, 0.0)
        left, right = own * self.given.stiffness * overlaps
        return float(left), float(right)

    def slip(self) -> float:
        """By how much the plate lags behind the hand, along the pivots [m]."""
        both = self.y[layout.P + 2], self.y[self.parts.target][layout.P + 2]
        return float(both[0] - both[1])


_SIDES = (("left", 1.0), ("right", -1.0))


def _arms(given: Gripper) -> tuple[MountedArm, ...]:
    """Motor and clamps; at zero of their joints the pads just meet the plate, at γ."""
    ratio = given.teeth[1] / given.teeth[0]
    motor = _joint("motor", 1e-3, NOTHING)
    gears = GearsDescription(
        "motor",
        0.5 * given.module * given.teeth[0],
        0.5 * given.module * given.teeth[1],
        given.stiffness,
        given.damping,
        given.backlash,
        given.efficiency,
    )
    mounted = [_mounted("motor", motor, np.eye(3), np.zeros(3), np.zeros(3), -ratio * OPEN)]
    reach = given.lever * math.sin(given.angle)
    above = 0.5 * given.plate + given.lever * math.cos(given.angle)
    pad = np.array([reach, given.lever * math.cos(given.angle), 0.0])
    for name, side in _SIDES:
        clamp = replace(_joint(name, 1e-4, _lever(pad)), gears=gears)
        R = np.diag([1.0, -side, -side])  # y of a clamp's frame is where it closes to
        p = np.array([-reach, side * above, 0.0])
        mounted.append(_mounted(name, clamp, R, p, pad, -OPEN))
    return tuple(mounted)


def _lever(pad: np.ndarray) -> RigidInertia:
    return RigidInertia(0.2, 0.5 * pad, 2e-4 * np.eye(3))


def _joint(name: str, rotor: float, link: RigidInertia) -> JointDescription:
    small = link if link.mass > 0.0 else RigidInertia(0.1, np.zeros(3), 1e-5 * np.eye(3))
    return JointDescription(
        name, False, np.eye(3), np.zeros(3), small, -math.inf, math.inf, math.inf, math.inf,
        viscous=0.02, coulomb=0.0, rotor_inertia=rotor, stop_stiffness=0.0, stop_damping=0.0,
    )  # fmt: skip


def _mounted(
    name: str, joint: JointDescription, R: np.ndarray, p: np.ndarray, pad: np.ndarray, q: float
) -> MountedArm:
    arm = ArmDescription(name, NOTHING, (joint,), np.eye(3), pad)
    return MountedArm(name, arm, R, p, np.array([q]), np.zeros(1))


def _pad(given: Gripper, name: str, side: float) -> ContactDescription:
    return ContactDescription(
        name=name, arm=name, pads_on_chaser=True, pads=np.zeros((1, 3)), radius=0.0,
        centre=np.array([0.0, side * 0.5 * given.plate, 0.0]),
        normal=np.array([0.0, side, 0.0]), along=np.array([1.0, 0.0, 0.0]),
        half=(math.inf, math.inf), ball_radius=0.0, law=SPRING, stiffness=PAD_STIFFNESS,
        damping=200.0, exponent=1.0, depth=1.0, bilateral=False, mu_static=given.mu,
        mu_kinetic=given.mu, grip_stiffness=1e5 if given.mu else 0.0,
        grip_damping=2e3 if given.mu else 0.0,
    )  # fmt: skip
