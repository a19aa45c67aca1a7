"""A hub rendered by a robot: what lag, delay and sensor do to it."""

import math

import numpy as np
import pytest

from proxops import plant
from proxops.core.description import CraftDescription
from proxops.core.errors import InputError
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility.common import carrier
from proxops.facility.rendered import rendering
from proxops.facility.rendered.build import RobotDescription, SensorDescription, loop_of, too_light
from proxops.physics.flexible import linear
from proxops.physics.flexible.modes import SIGMA, E
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.step import step as plant_step
from proxops.plant.workspace import quiet_drive, workspace
from proxops.validation import flexible as client
from proxops.validation import rig, ringing
from proxops.validation.rig import Rig

HZ = 2.0 * math.pi
STILL = np.zeros(3)
NOTHING = np.zeros(6)
STEP = 1e-3  # [s]
ALONG_Z, ABOUT_Y = 2, 4
BUSY_SENSOR = SensorDescription(bandwidth=5.0 * HZ, period=3e-3, delay=7e-3)


def craft(mass, v=STILL, w=STILL, appendages=()):
    """The cube, moving [m/s, rad/s]."""
    inertia = client.hub(mass).inertia
    return CraftDescription(mass, inertia, STILL, v, rig.UPRIGHT, w, (), appendages)


def setup(mass, robot, deflection, step=STEP, v=STILL, w=STILL, seed=0):
    """The cube on a robot that carries two bent beams, and its linear system."""
    beams = client.beams(deflection)
    rendered = Rig(craft(mass, v, w), beams, robot, step, seed)
    return rendered, linear.flexible(client.hub(mass), beams)


def ring_of(rendered, column):
    """Strongest root in the carrier's motion, after the robot's own start has died away."""
    rows = rendered.go(10.0)
    samples = {ALONG_Z: rows[:, carrier.P + 2], ABOUT_Y: rows[:, carrier.Q + 2]}[column]
    every = 40
    return ringing.ringing(samples[2000::every], every * STEP, client.TERMS)[0]


# Across hubs of 10 to 250 kg, delays of 0 to 0.1 s, bandwidths of 1 to 10 Hz, on both sides of
# the stable limit; the last with everything in the loop, at periods that do not divide each other.
CASES = [
    (10.0, RobotDescription(), ALONG_Z, +1),
    (10.0, RobotDescription(delay=0.1), ABOUT_Y, -1),
    (10.0, RobotDescription(2, 1.0 * HZ, delay=0.1), ALONG_Z, -1),
    (25.0, RobotDescription(1, 2.5 * HZ), ALONG_Z, +1),
    (25.0, RobotDescription(1, 2.5 * HZ), ABOUT_Y, -1),
    (50.0, RobotDescription(1, 1.0 * HZ, delay=0.1), ABOUT_Y, -1),
    (100.0, RobotDescription(2, 3.0 * HZ, 0.6, 0.03), ALONG_Z, +1),
    (250.0, RobotDescription(2, 10.0 * HZ, delay=0.05), ABOUT_Y, +1),
    (15.0, RobotDescription(1, 10.0 * HZ, 0.7, 0.01, 8e-3, BUSY_SENSOR), ALONG_Z, -1),
]


@pytest.mark.parametrize(("mass", "robot", "column", "sign"), CASES)
def test_damping_is_the_root_of_the_characteristic_equation(mass, robot, column, sign):
    """The analysis takes a held value as half a period late, exact to second order: at 8 ms and
    5 rad/s (ωT)²/24 ≈ 7e-5 of the coupling 2S²/(m m_s) ≤ 0.1.  A robot without lag is late by
    another half period in the small part of the wrench that is its own acceleration's."""
    deflection = (1e-3, 1e-3 if column == ALONG_Z else -1e-3)
    rendered, system = setup(mass, robot, deflection)
    seen = ring_of(rendered, column)
    roots = linear.roots(system, loop_of(rendered.model, STEP))
    expected = next(root for root in roots if abs(root.hub[column]) > 1e-9)
    assert ringing.frequency(seen) == pytest.approx(expected.frequency, rel=2e-5)
    assert ringing.damping(seen) == pytest.approx(expected.damping, abs=1e-5)
    assert math.copysign(1.0, ringing.damping(seen)) == sign


@pytest.mark.parametrize("order", [0, 1, 2])
def test_uniform_motion_is_carried_without_error(order):
    """Also while turning about the axis that the beams bend along, which does not deflect them."""
    v, w = np.array([0.1, -0.2, 0.3]), np.array([0.0, 0.0, 0.4])
    robot = RobotDescription(order, 2.0 * HZ, delay=0.05)
    rendered, _ = setup(50.0, robot, (0.0, 0.0), v=v, w=w)
    last = rendered.go(2.0)[-1]
    t = 2.0 - STEP
    half = 0.5 * w[2] * t
    expected = np.array([*(v * t), math.cos(half), 0.0, 0.0, math.sin(half)])
    np.testing.assert_allclose(last[rig.CARRIER :][: rig.POSE], expected, atol=1e-12)
    np.testing.assert_allclose(last[rig.HUB :][: rig.POSE], expected, atol=1e-12)


def free_satellite(mass, deflection, w, duration):
    """Pose of the hub and modes of the satellite simulated as one, its hub starting at the
    origin."""
    whole = craft(mass, w=w, appendages=client.beams(deflection))
    other = CraftDescription(1.0, np.eye(3), rig.FAR, STILL, rig.UPRIGHT, STILL)
    model = plant.build(whole, other, None)
    y, work, drive = start_state(model, whole, other), workspace(model), quiet_drive(model)
    for i in range(round(duration / STEP)):
        assert plant_step(model, drive, work, y, i * STEP, STEP) == 0
    return y[layout.P : layout.P + 7], y[layout.JOINTS : layout.JOINTS + 4]


def test_an_ideal_robot_shows_the_free_satellite():
    """Turning and largely deflected, so with all velocity terms.

    What is left is the hold: half a step of the first reaction, 0.16 rad/s2, is missed and goes on
    as a drift, 0.5e-3 × 0.16 × 2 s / 2 ≈ 8e-5 of the quaternion.  It is proportional to the step,
    so that two runs extrapolate to a step of zero, up to its square.
    """
    w, deflection, duration = np.array([0.1, 0.25, -0.2]), (0.09, -0.03), 2.0
    pose, modes = free_satellite(30.0, deflection, w, duration)
    errors = []
    for step in (STEP, 0.5 * STEP):
        rendered, _ = setup(30.0, RobotDescription(), deflection, step, w=w)
        rendered.go(duration)
        y = rendered.state.y
        errors.append([*(y[:7] - pose), *(y[rendering.MODES :][:4] - modes)])
    coarse, fine = np.array(errors)
    assert np.abs(coarse).max() < 2e-4
    assert np.abs(2.0 * fine - coarse).max() < 2e-7


def test_a_bias_of_the_sensor_gives_its_momentum():
    """F t, of hub and beams together, along each axis: (m_s + 2m) v + Σ S η̇.  The last reading acts
    until the end, so the sum is one step's change of the reaction off."""
    F = np.array([0.3, -0.2, 0.5, 0.0, 0.0, 0.0])
    rendered, _ = setup(40.0, RobotDescription(sensor=SensorDescription(bias=F)), (0.0, 0.0))
    rendered.go(1.0)
    modes, y = rendered.model.mock_up.modes[1:], rendered.state.y
    rates = y[rendering.MODES + len(modes) :]
    S = modes[:, SIGMA, None] * modes[:, E : E + 3]
    v_hub = rendered.hub[layout.V : layout.V + 3]
    v = y[carrier.VELOCITY : carrier.VELOCITY + 3]
    momentum = 40.0 * v_hub + 2.0 * client.BEAM_MASS * v + rates @ S
    np.testing.assert_allclose(momentum, F[:3], atol=5e-4)


def test_a_reading_is_the_latest_sample_that_has_arrived():
    sensor = SensorDescription(period=3e-3, delay=5e-3)
    rendered, _ = setup(40.0, RobotDescription(sensor=sensor), (0.02, 0.01))
    rows = rendered.go(40 * STEP)
    readings = rows[:, rig.READING : rig.READING + 6]
    felt = rows[:, rig.WRENCH_TRUE : rig.WRENCH_TRUE + 6]
    for i, reading in enumerate(readings):
        latest = (i - 5) // 3 * 3
        np.testing.assert_array_equal(reading, felt[latest] if latest >= 0 else NOTHING)
    assert np.abs(readings[-1]).max() > 0.1


def test_noise_has_its_spread_and_repeats_with_its_seed():
    """4000 samples: the spread is known to 1/√8000 = 1.1 %, taken four times."""
    sigma = np.array([0.5, 0.2, 0.1, 0.02, 0.03, 0.04])
    sensor = SensorDescription(noise=sigma)

    def readings(seed, duration):
        rendered, _ = setup(1e6, RobotDescription(sensor=sensor), (0.0, 0.0), seed=seed)
        return rendered.go(duration)[:, rig.READING : rig.READING + 6]

    np.testing.assert_allclose(np.std(readings(3, 4.0), axis=0), sigma, rtol=0.045)
    np.testing.assert_array_equal(readings(3, 0.05), readings(3, 0.05))
    assert np.abs(readings(3, 0.05) - readings(4, 0.05)).max() > 0.1


@pytest.mark.slow
def test_a_hub_below_the_stable_limit_is_warned_about_and_grows():
    robot = RobotDescription(1, 2.5 * HZ, delay=0.1)
    rendered, system = setup(62.0, robot, (0.0, 0.0))
    loop = loop_of(rendered.model, STEP)
    limit = 62.0 * linear.smallest_stable_hub(system, loop)
    heavy, system = setup(1.1 * limit, robot, (1e-3, -1e-3))
    assert too_light(system, loop) is None
    assert ringing.damping(ring_of(heavy, ABOUT_Y)) > 1e-4
    light, system = setup(0.9 * limit, robot, (1e-3, -1e-3))
    text = too_light(system, loop)
    assert text is not None
    assert f"{limit:.4g} kg" in text
    assert f"{0.9 * limit:.4g} kg" in text
    assert ringing.damping(ring_of(light, ABOUT_Y)) < -1e-4


@pytest.mark.parametrize(
    ("robot", "words"),
    [
        (RobotDescription(3, 1.0), "possible are 0, 1 and 2"),
        (RobotDescription(1, 0.0), "must be positive"),
        (RobotDescription(delay=0.0105), "0.0105 s is not a whole number of steps of 0.001 s"),
        (RobotDescription(delay=-0.01), "transport delay: -0.01 s"),
    ],
)
def test_what_cannot_be_built_is_refused_with_its_numbers(robot, words):
    with pytest.raises(InputError, match=words):
        setup(50.0, robot, (0.0, 0.0))


def test_the_rendered_hub_turns_as_a_rigid_body():
    """I ẇ + w × I w = 0 of an uneven hub, with hardly anything on the flange: the angular momentum
    R I w stays as it was in the lab.  The beams, 1e-9 of the hub, take no more than that."""
    inertia = np.array([[3e8, 2e7, 0.0], [2e7, 5e8, 1e7], [0.0, 1e7, 6e8]])
    w = np.array([0.3, -0.2, 0.25])
    hub = CraftDescription(1e9, inertia, STILL, STILL, rig.UPRIGHT, w)
    rendered = Rig(hub, client.beams((0.0, 0.0)), RobotDescription(), STEP)
    rows = rendered.go(5.0)
    quat = rendered.hub[layout.Q : layout.Q + 4]
    R = np.array(quat_to_rotation.py_func(quat)).reshape(3, 3)
    h = R @ inertia @ rendered.hub[layout.W : layout.W + 3]
    np.testing.assert_allclose(h, inertia @ w, rtol=0.0, atol=1e-8 * np.linalg.norm(inertia @ w))
    assert np.abs(rendered.hub[layout.W : layout.W + 3] - w).max() > 0.01
    shown, meant = rows[:, rig.CARRIER : rig.HUB], rows[:, rig.HUB : rig.HUB + rig.POSE]
    np.testing.assert_allclose(shown, meant, atol=1e-7)
