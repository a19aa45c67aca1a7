"""A hub rendered by a robot: what lag, delay and sensor do to it."""

import math

import numpy as np
import pytest

from proxops import plant
from proxops.core.description import CraftDescription, RigidInertia
from proxops.core.errors import InputError
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility import carrier, rendering
from proxops.facility.build import (
    RobotDescription,
    SensorDescription,
    build,
    loop_of,
    render,
    start,
    too_light,
)
from proxops.physics.flexible import linear
from proxops.physics.flexible.modes import SIGMA, E
from proxops.plant import layout
from proxops.plant.appendages import start_of
from proxops.plant.build import quiet_drive, start_state, workspace
from proxops.plant.step import step as plant_step
from proxops.validation import flexible as client
from proxops.validation import ringing

HZ = 2.0 * math.pi
STILL = np.zeros(3)
NOTHING = np.zeros(6)
STEP = 1e-3  # [s]
ALONG_Z, ABOUT_Y = 2, 4
BUSY_SENSOR = SensorDescription(bandwidth=5.0 * HZ, period=3e-3, delay=7e-3)


def setup(mass, robot, deflection, step=STEP, v=STILL, w=STILL):
    """Model, state and linear system of the cube with two bent beams."""
    beams = client.beams(deflection)
    model = build(client.hub(mass), client.mock_up(beams), robot, step)
    state = start(model, v, w, start_of(beams))
    return model, state, linear.flexible(client.hub(mass), beams)


def go(model, state, duration, push=NOTHING, seed=0):
    return render(model, state, duration, np.random.default_rng(seed), push)


def ring_of(model, state, column):
    """Strongest root in the carrier's motion, after the robot's own start has died away."""
    rows = go(model, state, 10.0)
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
    model, state, system = setup(mass, robot, deflection)
    seen = ring_of(model, state, column)
    roots = linear.roots(system, loop_of(model))
    expected = next(root for root in roots if abs(root.hub[column]) > 1e-9)
    assert ringing.frequency(seen) == pytest.approx(expected.frequency, rel=2e-5)
    assert ringing.damping(seen) == pytest.approx(expected.damping, abs=1e-5)
    assert math.copysign(1.0, ringing.damping(seen)) == sign


@pytest.mark.parametrize("order", [0, 1, 2])
def test_uniform_motion_is_carried_without_error(order):
    """Also while turning about the axis that the beams bend along, which does not deflect them."""
    v, w = np.array([0.1, -0.2, 0.3]), np.array([0.0, 0.0, 0.4])
    robot = RobotDescription(order, 2.0 * HZ, delay=0.05)
    model, state, _ = setup(50.0, robot, (0.0, 0.0), v=v, w=w)
    last = go(model, state, 2.0)[-1]
    t = 2.0 - STEP
    half = 0.5 * w[2] * t
    expected = np.array([*(v * t), math.cos(half), 0.0, 0.0, math.sin(half)])
    np.testing.assert_allclose(
        last[rendering.ROW_CARRIER :][: rendering.POSE], expected, atol=1e-12
    )
    np.testing.assert_allclose(last[rendering.ROW_HUB :][: rendering.POSE], expected, atol=1e-12)


def free_satellite(mass, deflection, w, duration):
    """Pose of the hub and modes of the satellite simulated as one."""
    beams = client.beams(deflection)
    craft = CraftDescription(
        mass, client.hub(mass).inertia, STILL, STILL, client.UPRIGHT, w, (), beams
    )
    other = CraftDescription(
        1.0, np.eye(3), np.array([9.0, 0.0, 0.0]), STILL, client.UPRIGHT, STILL
    )
    model = plant.build(craft, other, None)
    y, work, drive = start_state(model, craft, other), workspace(model), quiet_drive(model)
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
        model, state, _ = setup(30.0, RobotDescription(), deflection, step, w=w)
        go(model, state, duration)
        shown = state.y[rendering.MODES :][:4]
        errors.append([*(state.y[:7] - pose), *(shown - modes)])
    coarse, fine = np.array(errors)
    assert np.abs(coarse).max() < 2e-4
    assert np.abs(2.0 * fine - coarse).max() < 2e-7


@pytest.mark.parametrize("source", ["push", "bias"])
def test_a_push_on_the_mock_up_and_a_bias_of_the_sensor_give_the_same_momentum(source):
    """F t, of hub and beams together, along each axis: (m_s + 2m) v + Σ S η̇.  The last reading acts
    until the end, so the sum is one step's change of the reaction off."""
    F = np.array([0.3, -0.2, 0.5, 0.0, 0.0, 0.0])
    sensor = SensorDescription(bias=F if source == "bias" else NOTHING)
    model, state, _ = setup(40.0, RobotDescription(sensor=sensor), (0.0, 0.0))
    go(model, state, 1.0, F if source == "push" else NOTHING)
    modes = model.mock_up.modes[1:]
    rates = state.y[rendering.MODES + len(modes) :]
    S = modes[:, SIGMA, None] * modes[:, E : E + 3]
    v_hub = state.hub[rendering.HUB_V : rendering.HUB_V + 3]
    v = state.y[carrier.VELOCITY : carrier.VELOCITY + 3]
    momentum = 40.0 * v_hub + 2.0 * client.BEAM_MASS * v + rates @ S
    np.testing.assert_allclose(momentum, F[:3], atol=5e-4)


def test_a_reading_is_the_latest_sample_that_has_arrived():
    sensor = SensorDescription(period=3e-3, delay=5e-3)
    model, state, _ = setup(40.0, RobotDescription(sensor=sensor), (0.02, 0.01))
    readings = []
    for _ in range(40):
        go(model, state, STEP)
        readings.append(state.reading.copy())
    model, state, _ = setup(40.0, RobotDescription(sensor=sensor), (0.02, 0.01))
    felt = go(model, state, 40 * STEP)[:, rendering.ROW_FELT : rendering.ROW_FELT + 6]
    for i, reading in enumerate(readings):
        latest = (i - 5) // 3 * 3
        np.testing.assert_array_equal(reading, felt[latest] if latest >= 0 else NOTHING)
    assert np.abs(readings[-1]).max() > 0.1


def test_noise_has_its_spread_and_repeats_with_its_seed():
    """4000 samples: the spread is known to 1/√8000 = 1.1 %, taken four times."""
    sigma = np.array([0.5, 0.2, 0.1, 0.02, 0.03, 0.04])
    sensor = SensorDescription(noise=sigma)

    def readings(seed):
        model, state, _ = setup(1e6, RobotDescription(sensor=sensor), (0.0, 0.0))
        rng = np.random.default_rng(seed)
        seen = np.zeros((4000, 6))
        for row in seen:
            render(model, state, STEP, rng, NOTHING)
            row[:] = state.reading
        return seen[1:]

    np.testing.assert_allclose(np.std(readings(3), axis=0), sigma, rtol=0.045)
    np.testing.assert_array_equal(readings(3)[:50], readings(3)[:50])
    assert np.abs(readings(3)[:50] - readings(4)[:50]).max() > 0.1


def test_a_hub_below_the_stable_limit_is_warned_about_and_grows():
    robot = RobotDescription(1, 2.5 * HZ, delay=0.1)
    model, _, system = setup(62.0, robot, (0.0, 0.0))
    limit = 62.0 * linear.smallest_stable_hub(system, loop_of(model))
    heavy, state, system = setup(1.1 * limit, robot, (1e-3, -1e-3))
    assert too_light(heavy, system) is None
    assert ringing.damping(ring_of(heavy, state, ABOUT_Y)) > 1e-4
    light, state, system = setup(0.9 * limit, robot, (1e-3, -1e-3))
    text = too_light(light, system)
    assert text is not None
    assert f"{limit:.4g} kg" in text
    assert f"{0.9 * limit:.4g} kg" in text
    assert ringing.damping(ring_of(light, state, ABOUT_Y)) < -1e-4


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
    beams = client.beams((0.0, 0.0))
    hub = RigidInertia(1e9, STILL, inertia)
    w = np.array([0.3, -0.2, 0.25])
    model = build(hub, client.mock_up(beams), RobotDescription(), STEP)
    state = start(model, STILL, w, start_of(beams))
    rows = go(model, state, 5.0)
    quat = state.hub[rendering.HUB_Q : rendering.HUB_Q + 4]
    R = np.array(quat_to_rotation.py_func(quat)).reshape(3, 3)
    h = R @ inertia @ state.hub[rendering.HUB_W : rendering.HUB_W + 3]
    np.testing.assert_allclose(h, inertia @ w, rtol=0.0, atol=1e-8 * np.linalg.norm(inertia @ w))
    assert np.abs(state.hub[rendering.HUB_W :] - w).max() > 0.01
    np.testing.assert_allclose(rows[:, :7], rows[:, 7:14], atol=1e-7)
