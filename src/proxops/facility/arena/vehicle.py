"""What is known of the vehicles of an arena and of their sensors, and what of them changes.

Both are of one kind.  Frames: L the arena, z up; V a vehicle's body, x forward, z up, origin at its
centre of mass.
"""

from typing import NamedTuple

import numpy as np

from proxops.facility.arena import memory as of
from proxops.facility.arena.faults import Faults
from proxops.facility.common.rows import PAIR
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multirotor.body import STATE_SIZE
from proxops.physics.multirotor.mixer import (
    ROTORS,
    Geometry,
    allocation,
    mixer,
    rotor_positions,
    thrust_directions,
)
from proxops.physics.multirotor.wake import Jet

CYCLE = 2.5e-3  # of the autopilot [s]
SUBSTEPS = 2  # of the motion in a cycle: 800 Hz
GRAVITY = 9.80665  # [m/s2]


class Gains(NamedTuple):
    """Of the autopilot's cascades, by ArduPilot's names and at its defaults (ArduCopter 4.7)."""

    pos_p: float = 1.0  # PSC_NE_POS_P, PSC_D_POS_P [1/s]
    vel_p: float = 2.0  # PSC_NE_VEL_P [1/s]
    vel_i: float = 1.0  # PSC_NE_VEL_I [1/s2]
    vel_d: float = 0.25  # PSC_NE_VEL_D [-]
    vel_filter: float = 5.0  # PSC_NE_VEL_FLTE, _FLTD, PSC_D_VEL_FLTE [Hz]
    vel_z_p: float = 5.0  # PSC_D_VEL_P [1/s]
    acc_z_p: float = 0.05  # PSC_D_ACC_P [throttle/(m/s2)]
    acc_z_i: float = 0.1  # PSC_D_ACC_I [throttle/(m/s)]
    acc_z_filter: float = 20.0  # PSC_D_ACC_FLTE [Hz]
    acceleration: float = 2.5  # beyond which the position's P goes by its square root [m/s2]
    ang_p: float = 4.5  # ATC_ANG_RLL_P, _PIT_P, _YAW_P [1/s]
    rate_p: float = 0.135  # ATC_RAT_RLL_P, _PIT_P [1/(rad/s)]
    rate_i: float = 0.135  # ATC_RAT_RLL_I, _PIT_I
    rate_d: float = 0.0036  # ATC_RAT_RLL_D, _PIT_D
    yaw_p: float = 0.18  # ATC_RAT_YAW_P
    yaw_i: float = 0.018  # ATC_RAT_YAW_I
    rate_filter: float = 20.0  # ATC_RAT_RLL_FLTT, _FLTD, INS_GYRO_FILTER [Hz]
    integral_max: float = 0.5  # ATC_RAT_RLL_IMAX, PSC_D_ACC_IMAX, of full output
    vel_integral_max: float = 5.0  # PSC_NE_VEL_IMAX [m/s2]
    land_speed: float = 0.5  # LAND_SPD_MS [m/s]


class Vehicle(NamedTuple):
    """A hexarotor, without what it carries."""

    mass: float  # [kg]
    inertia: np.ndarray  # principal, axes of V (3,) [kg m2]
    mixer: np.ndarray  # H (6, 6), see physics.multirotor.mixer
    allocation: np.ndarray  # H⁻¹, or its pseudo-inverse
    tilted: int  # 1 where H has full rank: roll and pitch as commanded
    least: float  # thrust of a rotor [N]
    largest: float  # [N]
    lag: float  # of rotors [s]
    drag: float  # of the body [N s/m]
    rotors: np.ndarray  # where they are in V (6, 3) [m]
    axes: np.ndarray  # their thrusts' directions in V (6, 3)
    authority: np.ndarray  # torque of a full output about each axis (3,) [N m]
    jet: Jet


class Sensing(NamedTuple):
    """IMU and motion capture."""

    vibration: float  # standard deviation of a 400 Hz sample of specific force, each axis [m/s2]
    rate_noise: float  # and of angular rate [rad/s]
    force_bias: float  # constant, each axis [m/s2]
    rate_bias: float  # [rad/s]
    position_noise: float  # of a captured pose, each axis [m]
    angle_noise: float  # [rad]
    period: int  # of poses [cycles]
    delay: int  # [cycles]
    pose_timeout: float  # age of the last pose at which both vehicles land [s]
    lost_at: float  # when motion capture ends [s], infinite if never


class Battery(NamedTuple):
    """Of each vehicle."""

    capacity: float  # [J], infinite where it is not known
    power: float  # of a rotor over T^1.5 [W/N^1.5], see physics.multirotor.power
    reserve: float  # state of charge at which both vehicles land [-]
    charge: np.ndarray  # at the take-off (2,) [-]


class Watch(NamedTuple):
    """What lands both vehicles, see facility.arena.watch."""

    tracking: float  # distance from the target [m]
    attitude: float  # angle from it [rad]
    saturation: float  # how long rotors may be at their limits [s]


class Loads(NamedTuple):
    """Both vehicles with what they carry, about their centres of mass; first index: which."""

    mass: np.ndarray  # (2,) [kg]
    inertia: np.ndarray  # principal, axes of V (2, 3) [kg m2]
    mixer: np.ndarray  # (2, 6, 6)
    allocation: np.ndarray  # its inverse (2, 6, 6); the autopilots' is that of the bare vehicle


class Arena(NamedTuple):
    """Two vehicles and what is around them."""

    vehicle: Vehicle
    gains: Gains
    sensing: Sensing
    wind: np.ndarray  # in L (3,) [m/s]
    faults: Faults
    battery: Battery
    watch: Watch
    loads: Loads
    flies: np.ndarray  # whether a vehicle takes off; else it stands on the floor (2,)


class Flight(NamedTuple):
    """What changes; row 0 is the target's vehicle, row 1 the chaser's."""

    y: np.ndarray  # (2, 19), see physics.multirotor.body
    commands: np.ndarray  # of thrust (2, 6) [N]
    shares: np.ndarray  # of thrust that is left, by wake and faults (2, 6)
    air: np.ndarray  # velocity of the air at each (2, 3) [m/s]
    estimate: np.ndarray  # (2, 16), see facility.arena.estimator
    covariance: np.ndarray  # (2, 15, 15)
    poses: np.ndarray  # captured and estimated ones not yet compared (2, delay + 1, 14)
    pilot: np.ndarray  # autopilots' memories (2, n), see facility.arena.memory
    targets: np.ndarray  # of the motion (2, 16), see facility.arena.memory
    modes: np.ndarray  # (2,), see facility.arena.memory
    health: np.ndarray  # how each fares (2, 6), see facility.arena.memory
    cycles: np.ndarray  # flown so far, one entry
    clock: np.ndarray  # of the run [s]; age of the poses of each [s]
    wrench: np.ndarray  # scratch (6,)
    stages: np.ndarray  # scratch of a step
    scratch: np.ndarray  # (2, 15, 15)


def vehicle(
    geometry: Geometry,
    mass: float,
    inertia: tuple[float, float, float],
    lag: float,
    drag: float,
    jet: Jet,
) -> Vehicle:
    """A hexarotor from its geometry.

    A full output turns as ArduPilot's mixers do: thrusts ±½ of the largest where a rotor acts most
    on that axis, less where it does less.
    """
    H, largest, upright = mixer(geometry), geometry.largest, mixer(geometry._replace(alpha=0.0))
    shares = [0.5 * row / np.abs(row).max() for row in (upright[3], upright[4], H[5])]
    authority = [float(abs(H[3 + k] @ shares[k])) * largest for k in range(3)]
    return Vehicle(
        mass,
        np.array(inertia),
        np.ascontiguousarray(H),
        np.ascontiguousarray(allocation(H)),
        int(np.linalg.matrix_rank(H, tol=1e-6) == ROTORS),
        geometry.least,
        largest,
        lag,
        drag,
        np.ascontiguousarray(rotor_positions(geometry)),
        np.ascontiguousarray(thrust_directions(geometry)),
        np.array(authority),
        jet,
    )


def flight(arena: Arena, places: np.ndarray, yaws: np.ndarray) -> Flight:
    """Both vehicles at rest at those places (2, 3) [m] with those yaws (2,) [rad], rotors at the
    thrust of a hover, or off where one does not fly; estimates as good as motion capture."""
    loads, sensing = arena.loads, arena.sensing
    y, estimate = np.zeros((PAIR, STATE_SIZE)), np.zeros((PAIR, of.ESTIMATE_SIZE))
    y[:, :3] = estimate[:, :3] = places
    y[:, 6] = estimate[:, 6] = np.cos(0.5 * yaws)
    y[:, 9] = estimate[:, 9] = np.sin(0.5 * yaws)
    for which in np.flatnonzero(arena.flies):
        y[which, 13:] = loads.allocation[which, :, 2] * loads.mass[which] * GRAVITY
    covariance = np.zeros((PAIR, of.ERRORS, of.ERRORS))
    spread = [sensing.position_noise, 0.01, sensing.angle_noise, 0.05, 0.005]
    covariance[:] = np.diag(np.repeat(np.square(spread), 3))
    pilot = np.zeros((PAIR, of.PILOT_SIZE))
    pilot[:, of.MASS] = loads.mass
    health = np.zeros((PAIR, of.HEALTH_SIZE))
    health[:, of.CHARGE] = arena.battery.charge
    targets = np.zeros((PAIR, of.TARGET_SIZE))
    targets[:, of.TARGET_P : of.TARGET_P + 3] = places
    targets[:, of.TARGET_Q : of.TARGET_Q + 4] = y[:, 6:10]
    return Flight(
        y,
        y[:, 13:].copy(),
        np.ones((PAIR, ROTORS)),
        np.zeros((PAIR, 3)),
        estimate,
        covariance,
        np.zeros((PAIR, sensing.delay + 1, of.POSES)),
        pilot,
        targets,
        np.where(arena.flies, of.FLYING, of.LANDED),
        health,
        np.zeros(1, dtype=np.int64),
        np.zeros(1 + PAIR),
        np.zeros(6),
        np.zeros((STAGE_ROWS, STATE_SIZE)),
        np.zeros((2, of.ERRORS, of.ERRORS)),
    )
