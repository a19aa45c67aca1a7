"""The plant against closed forms: orbits, tumbling, libration, joints."""

import numpy as np
import pytest
from tests.analytic.orbit_exact import exact_relative
from tests.laws.plants import eccentric_orbit, many_steps

from proxops.core.description import (
    ArmDescription,
    CraftDescription,
    JointDescription,
    MountedArm,
    RigidInertia,
)
from proxops.plant import layout, model
from proxops.plant.build import build, start_state
from proxops.plant.workspace import quiet_drive, workspace

TARGET = CraftDescription(
    8000.0,
    np.diag([17e3, 129e3, 124e3]),
    np.zeros(3),
    np.zeros(3),
    np.array([1.0, 0.0, 0.0, 0.0]),
    np.zeros(3),
)
NONE = np.zeros((3, 3))


def chaser(**changes):
    made = {
        "mass": 100.0,
        "inertia": np.diag([10.0, 12.0, 14.0]),
        "p_H": np.zeros(3),
        "v_H": np.zeros(3),
        "q_N": np.array([1.0, 0.0, 0.0, 0.0]),
        "w": np.zeros(3),
    }
    return CraftDescription(**(made | changes))


def flown(craft, orbit, duration, step, drive=None):
    """The chaser's part of the state after a while."""
    plant = build(craft, TARGET, orbit)
    y = start_state(plant, craft, TARGET)
    acting = quiet_drive(plant)
    if drive is not None:
        acting[: len(drive)] = drive
    steps = round(duration / step)
    assert many_steps(plant, acting, workspace(plant), y, (0.0, step), steps) == 0
    return y[layout.slices(plant)[0]]


@pytest.mark.parametrize("spin_deg_s", [0.0, 20.0])
@pytest.mark.parametrize(
    ("range_m", "duration", "step", "agreed"),
    [
        (1000.0, 3000.0, 0.05, 1e-6),
        (5.0, None, 0.05, 1e-9),
    ],
)
def test_the_chaser_flies_the_difference_of_two_kepler_orbits(
    range_m, duration, step, agreed, spin_deg_s
):
    """At rest or spinning: how fast a sphere turns is nothing to its path."""
    orbit = eccentric_orbit()
    if duration is None:
        a = 1.0 / (2.0 / np.linalg.norm(orbit.R) - orbit.V @ orbit.V / orbit.mu)
        duration = step * round(2.0 * np.pi * np.sqrt(a**3 / orbit.mu) / step)
    sphere = chaser(
        inertia=10.0 * np.eye(3),
        p_H=range_m * np.array([0.6, 0.64, 0.48]),
        v_H=range_m * np.array([1e-4, -2e-4, 3e-4]),
        w=np.radians(spin_deg_s) * np.array([0.6, 0.0, 0.8]),
    )
    plant = build(sphere, TARGET, orbit)
    start = start_state(plant, sphere, TARGET)
    end = flown(sphere, orbit, duration, step)
    p, v = start[layout.P :][:3], start[layout.V :][:3]
    exact, _ = exact_relative(orbit.mu, orbit.R, orbit.V, p, v, duration)
    assert end[layout.P :][:3] == pytest.approx(np.array(exact), abs=agreed)


def test_a_symmetric_body_precesses_as_poinsot_says():
    """w_x + i w_y turns at (I₃ - I₁)/I₁ w_z in body axes."""
    w = np.array([0.03, 0.0, 0.2])
    top = chaser(inertia=np.diag([10.0, 10.0, 15.0]), w=w)
    t = 30.0
    end = flown(top, None, t, 0.01)[layout.W :][:3]
    angle = 0.5 * w[2] * t
    # (w h)⁴ × angle / 120 ≈ 1e-12
    assert end == pytest.approx([0.03 * np.cos(angle), 0.03 * np.sin(angle), 0.2], abs=1e-11)


def test_pitch_librates_at_the_gravity_gradient_frequency():
    """About the orbit normal, radial axis x:  ω² = 3 n² (I_y - I_x)/I_z  on a circular orbit."""
    orbit = eccentric_orbit()
    speed = np.sqrt(orbit.mu / np.linalg.norm(orbit.R))
    circular = type(orbit)(orbit.mu, orbit.R, speed * np.array([0.0, 1.0, 0.0]))
    n = speed / np.linalg.norm(orbit.R)
    I = np.array([5.0, 14.0, 12.0])
    start = 1e-4  # [rad]; the pendulum's period grows by start²/16
    tilted = np.array([np.cos(start / 2.0), 0.0, 0.0, np.sin(start / 2.0)])
    body = chaser(inertia=np.diag(I), q_N=tilted, w=np.array([0.0, 0.0, n]))
    frequency = n * np.sqrt(3.0 * (I[1] - I[0]) / I[2])
    t = 1000.0
    end = flown(body, circular, t, 0.1)
    pitch = 2.0 * np.arctan2(end[layout.Q + 3], end[layout.Q]) - n * t
    pitch = (pitch + np.pi) % (2.0 * np.pi) - np.pi
    assert pitch == pytest.approx(start * np.cos(frequency * t), abs=1e-7 * start)


def spinner(I_hub, I_wheel, q=0.0, qd=0.0, **own):
    """A hub and a wheel on one axis z through both centres of mass: all motion is about z."""
    laws = {
        "lower": -np.inf, "upper": np.inf, "effort": np.inf, "speed": np.inf, "viscous": 0.0,
        "coulomb": 0.0, "rotor_inertia": 0.0, "stop_stiffness": 0.0, "stop_damping": 0.0,
    } | own  # fmt: skip
    wheel = RigidInertia(4.0, np.zeros(3), np.diag([I_wheel, I_wheel, I_wheel]))
    joint = JointDescription("wheel", False, np.eye(3), np.zeros(3), wheel, **laws)
    arm = ArmDescription(
        "wheel", RigidInertia(0.0, np.zeros(3), NONE), (joint,), np.eye(3), np.zeros(3)
    )
    mounted = MountedArm("wheel", arm, np.eye(3), np.zeros(3), np.array([q]), np.array([qd]))
    # the hub takes the wheel's reaction: at the start it turns so that nothing does in all
    w = np.array([0.0, 0.0, -I_wheel * qd / (I_hub + I_wheel)])
    return chaser(inertia=np.diag([I_hub, I_hub, I_hub]), w=w, arms=(mounted,))


I_HUB, I_WHEEL = 8.0, 2.0
REDUCED = I_HUB * I_WHEEL / (I_HUB + I_WHEEL)  # what a torque between the two accelerates


def test_viscous_friction_decays_exponentially():
    end = flown(spinner(I_HUB, I_WHEEL, qd=0.5, viscous=0.4), None, 3.0, 0.01)
    assert end[layout.JOINTS + 1] == pytest.approx(0.5 * np.exp(-0.4 / REDUCED * 3.0), rel=1e-9)


def test_coulomb_friction_decelerates_evenly():
    """c q̇/√(q̇² + q̇₀²) differs from c by (q̇₀/q̇)²/2, below 5e-5 at q̇ > 0.2 rad/s."""
    end = flown(spinner(I_HUB, I_WHEEL, qd=0.5, coulomb=0.1), None, 3.0, 0.01)
    assert end[layout.JOINTS + 1] == pytest.approx(0.5 - 0.1 / REDUCED * 3.0, rel=1e-4)


def test_a_rotor_adds_to_what_the_motor_accelerates():
    drive = np.zeros((2, model.DRIVE_WIDTH))
    drive[1, model.DRIVE_MOTOR] = 0.3
    end = flown(spinner(I_HUB, I_WHEEL, rotor_inertia=5.0), None, 2.0, 0.01, drive)
    assert end[layout.JOINTS + 1] == pytest.approx(0.3 / (REDUCED + 5.0) * 2.0, rel=1e-12)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_stop_throws_the_joint_back_after_half_a_period(side):
    """In the stop it moves as √(k/I); at half a period it leaves with its speed turned round."""
    k = 50.0
    half = np.pi * np.sqrt(REDUCED / k)
    start = spinner(
        I_HUB, I_WHEEL, q=side * 0.1, qd=side * 0.2, lower=-0.1, upper=0.1, stop_stiffness=k
    )
    end = flown(start, None, half, half / 2000)
    # the joint starts on the stop's edge, so only the last step straddles the kink
    assert end[layout.JOINTS] == pytest.approx(side * 0.1, abs=1e-9)
    assert end[layout.JOINTS + 1] == pytest.approx(-side * 0.2, rel=1e-8)


def test_a_damped_stop_throws_back_as_hunt_and_crossley_say():
    """v dv/(1 + χ v) = -(k/I) δ dδ, so v/χ - ln(1 + χ v)/χ² is the same in and out of the stop."""
    k, chi, v_in = 50.0, 4.0, 0.2
    start = spinner(
        I_HUB, I_WHEEL, q=0.1, qd=v_in, lower=-1.0, upper=0.1, stop_stiffness=k, stop_damping=chi
    )

    def kept(v):
        return v / chi - np.log1p(chi * v) / chi**2

    low, high = -v_in, 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if kept(middle) > kept(v_in) else (low, middle)
    duration = 1.0  # half a period in the stop takes 0.6 s, then it coasts
    end = flown(start, None, duration, duration / 20000)
    assert -0.18 < high < -0.1
    # the kink at the release costs its order: one step, (h √(k/I))² = 8e-8 of the speed
    assert end[layout.JOINTS + 1] == pytest.approx(high, rel=1e-7)
