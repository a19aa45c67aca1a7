"""The relative dynamics over a whole capture, against motion in absolute terms.

Wrenches and torques are arbitrary but physical: slow waves as of thrusters and motors, two blows as
of a contact, and a joint controller, which each form has for itself: under torques that do not heed
the arm its motion is unstable, and rounding alone grows to 3e-7 rad.  All are held over each step.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.entry import Loads
from proxops.physics.multibody.tree import Tree
from proxops.physics.relative import entry, nominal_build
from proxops.physics.relative import published as of
from proxops.physics.relative.motion import MOTION_WIDTH, STATE_WIDTH
from proxops.physics.relative.nominal import Course, Nominal
from proxops.physics.relative.published import ARM_ROWS, Measured
from proxops.physics.relative.samples import SAMPLE_WIDTH, TIME
from proxops.physics.relative.together import Together
from proxops.validation import relative_pair as pair
from proxops.validation.relative_reference import (
    JOINTS,
    Orbit,
    P,
    Q,
    V,
    rotation,
)

DURATION = 35.0  # [s], of the capture
# [s]: RK4 then errs by (ωh)⁴/120 < 1e-11 of the motion that the fastest wave, 2 rad/s, makes
STEP = 0.01
SHOWN = slice(of.SHOWN, of.SHOWN + STATE_WIDTH)
BLOWS = ((12.0, 0.4), (31.0, 0.25))  # when [s] and how long [s]
BLOW = np.array([60.0, -25.0, 40.0, 4.0, -6.0, 3.0])  # the hardest [N, N m]
WAVE = np.array([6.0, 4.0, 5.0, 2.0, 3.0, 1.0])
GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s2]
MOTOR = np.array([4.0, 4.0, 2.5, 2.5, 1.0, 0.5, 0.4])  # [N m]
STIFF, DAMP = 50.0, 10.0  # of the joint controller, per rotor inertia [1/s2, 1/s]


def wave(t: float, size: np.ndarray, pace: float) -> np.ndarray:
    """Waves of that size, each with its own frequency up to 2 rad/s and phase."""
    count = np.arange(len(size))
    return np.asarray(size * np.cos((0.5 + 1.5 * count / len(size)) * pace * t + count))


def measured_wrench(t: float) -> np.ndarray:
    """Wrench of waves and blows (6,) [N, N m]."""
    strength = sum(math.exp(-0.5 * ((t - when) / long) ** 2) for when, long in BLOWS)
    return np.asarray(wave(t, WAVE, 1.0) + strength * BLOW)


def held(joints: np.ndarray, rotors: np.ndarray) -> np.ndarray:
    """Torques [N m] that keep the arm near where it starts, as a joint controller would."""
    q, qd = np.split(joints, 2)
    return np.asarray(-rotors * (STIFF * (q - pair.JOINTS) + DAMP * qd))


def state(p: np.ndarray, q: np.ndarray, v: np.ndarray, w: np.ndarray) -> np.ndarray:
    """A state in O, of the nominal motion and of the reference alike."""
    return np.concatenate([p, q, v, w])


START = state(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), pair.SPIN)


def seen_in_orbit(y: np.ndarray) -> np.ndarray:
    """p_OB [m] of the body that a state (M, X_MB, ...) shows."""
    return np.asarray(y[P:Q] + rotation(y[Q:V]) @ y[SHOWN][P:Q])


def measured(nominal: Nominal, tree: Tree) -> Measured:
    """The published form of a body, nothing acting on it."""
    n = len(tree.topology)
    return Measured(
        nominal,
        tree,
        np.zeros((n + 1, 6)),
        np.zeros((ARM_ROWS, n)),
        0.0,
        np.zeros((2, n)),
        np.zeros(6 + n),
        np.zeros((n + 2, at.SCRATCH_WIDTH)),
    )


@cache
def eq11_pose(step: float = STEP, reference: type[Orbit] = Orbit) -> float:
    """Farthest that Envisat, shown by (11), is from where (2) has it [m]."""
    tree = pair.target()
    system = measured(nominal_build.free(pair.TARGET), tree)
    y = np.concatenate([START, START])
    y[SHOWN][V:] = 0.0  # V_c(0) = 0: M and T start as one
    workspace, orbit, worst = np.zeros((STAGE_ROWS, len(y))), reference(tree, START), 0.0
    for i in range(round(DURATION / step)):
        f, t = np.split(measured_wrench(i * step), 2)
        system.wrenches[0] = np.concatenate([f, t + np.cross(pair.GRASP, f)])
        entry.advance_measured(system, y, workspace, i * step, step)
        orbit.advance(Loads(np.zeros(0), system.wrenches), step)
        worst = max(worst, float(np.linalg.norm(seen_in_orbit(y) - orbit.y[P:Q])))
    return worst


class Apart(NamedTuple):
    """Largest differences between laboratory and orbit."""

    pose: float  # of the base [m]
    joints: float  # [rad]


@cache
def eq18(step: float = STEP, reference: type[Orbit] = Orbit) -> Apart:
    """How far the chaser of (18), (20), (22), under gravity, gets from that of (12)."""
    tree, _ = pair.chaser()
    n, rotors = len(tree.topology), tree.bodies[1:, at.ROTOR]
    R_TC, w_C = rotation(pair.Q_TC), rotation(pair.Q_TC).T @ pair.SPIN
    orbit = reference(
        tree,
        np.concatenate(
            [
                state(pair.P_TC, pair.Q_TC, np.cross(pair.SPIN, pair.P_TC), w_C),
                pair.JOINTS,
                np.zeros(n),
            ]
        ),
    )
    y = np.concatenate([START, orbit.y])
    y[SHOWN][V:] = 0.0  # synchronised with the target
    wrenches, tau = np.zeros((n + 1, 6)), np.zeros(n)
    system = Together(
        nominal_build.free(pair.TARGET),
        tree,
        wrenches,
        tau,
        R_TC @ GRAVITY,
        np.zeros(6 + n),
        np.zeros((n + 2, at.SCRATCH_WIDTH)),
    )
    workspace, pose, joints = np.zeros((STAGE_ROWS, len(y))), 0.0, 0.0
    for i in range(round(DURATION / step)):
        t = i * step
        wrenches[0], wrenches[n] = wave(t, WAVE, 0.7), -measured_wrench(t)
        tau[:] = wave(t, MOTOR, 1.0) + held(y[of.SHOWN + JOINTS :], rotors)
        asked = wave(t, MOTOR, 1.0) + held(orbit.y[JOINTS:], rotors)
        entry.advance_together(system, y, workspace, t, step)
        orbit.advance(Loads(asked, wrenches), step)
        pose = max(pose, float(np.linalg.norm(seen_in_orbit(y) - orbit.y[P:Q])))
        off = y[of.SHOWN + JOINTS :][:n] - orbit.y[JOINTS : JOINTS + n]
        joints = max(joints, float(np.abs(off).max()))
    return Apart(pose, joints)


def storage_25() -> float:
    """Relative change of the storage (25) in the capture's time, without contact and tide.

    M turns at a constant rate about another axis, so that the laboratory shows a tumbling target.
    """
    tree = pair.target()
    sample = np.zeros((1, SAMPLE_WIDTH))
    sample[0, :TIME] = START
    nominal = nominal_build.from_samples(sample)
    system = measured(nominal, tree)
    course = Course(nominal, system.scratch)
    y, rate = np.concatenate([START, START]), np.zeros(STATE_WIDTH)
    y[SHOWN][V:] = [0.02, -0.01, 0.03, 0.01, 0.005, -0.02]
    row, shown = np.zeros(MOTION_WIDTH), np.zeros(MOTION_WIDTH)
    workspace, energy = np.zeros((STAGE_ROWS, len(y))), []
    for i in range(round(DURATION / STEP)):
        entry.nominal_at(course, y, i * STEP, rate, row)
        shown[:STATE_WIDTH] = y[SHOWN]
        energy.append(entry.stored(tree.bodies, row, shown))
        entry.advance_measured(system, y, workspace, i * STEP, STEP)
    return float(np.ptp(energy) / energy[0])


def eq18_pose() -> float:
    """Farthest that the chaser's base, shown by (18), (20), (22), is from where (12) has it [m]."""
    return eq18().pose


def eq18_joints() -> float:
    """The same of its joints [rad]."""
    return eq18().joints
