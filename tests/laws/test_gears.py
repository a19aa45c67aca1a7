"""A motor that closes two clamps through gears: relations at rest, power, backlash, losses."""

import math

import numpy as np
import pytest

from proxops.physics.grip import Clamps, motor_torque, pad_force, pad_speed, required_force
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.gears import mesh
from proxops.plant import layout
from proxops.validation.gripper_rig import LEFT, MOTOR, RIGHT, Gripper, GripperRig
from tests.laws.plants import tallies

MESH = {
    at.DRIVER_RADIUS: 0.0075, at.GEAR_RADIUS: 0.015, at.MESH_STIFFNESS: 2e4, at.MESH_DAMPING: 3.0,
    at.BACKLASH: 1e-4, at.EFFICIENCY: 0.85, at.COULOMB_SPEED: 2e-3,
}  # fmt: skip
WORKS = slice(layout.TIDE_WORK, layout.LEDGER_SIZE)


def clamps(rig):
    first, second = rig.given.teeth
    return Clamps(second / first, rig.given.lever, rig.angle())


def kinetic(rig):
    """Of both bodies, motor and clamps [J]."""
    return sum(each.energy for each in tallies(rig.plant, rig.work, rig.y))


def meshed(motor, driven):
    """What the gears of MESH do, with the elastic overlap that they have then [m]."""
    bodies = np.zeros((2, at.BODY_WIDTH))
    for column, value in MESH.items():
        bodies[1, column] = value
    ahead = 0.0075 * motor[0] - 0.015 * driven[0]
    return mesh.py_func(bodies, 1, motor, driven), ahead, max(abs(ahead) - 5e-5, 0.0)


def test_teeth_push_along_the_pitch_circles_and_lose_no_more_than_their_share():
    rng = np.random.default_rng(3)
    pushed = 0
    for _ in range(400):
        motor = rng.uniform(-0.05, 0.05), rng.uniform(-2.0, 2.0)
        driven = 0.5 * motor[0] + rng.uniform(-0.02, 0.02), rng.uniform(-1.0, 1.0)
        did, ahead, overlap = meshed(motor, driven)
        if overlap == 0.0:
            assert did == (0.0, 0.0, 0.0, 0.0)
            continue
        closing = math.copysign(1.0, ahead) * (0.0075 * motor[1] - 0.015 * driven[1])
        force = 2e4 * overlap * (1.0 + 3.0 * closing)
        pushed += force > 0.0
        assert did.motor == pytest.approx(-0.0075 * math.copysign(max(force, 0.0), ahead))
        assert did.motor * motor[1] + did.driven * driven[1] == pytest.approx(
            did.elastic + did.lost, abs=1e-12
        )
        assert did.elastic == pytest.approx(-2e4 * overlap * closing)
        assert did.lost <= 0.0
        drag = abs(did.driven - 0.015 * math.copysign(max(force, 0.0), ahead))
        assert drag <= 0.15 * 0.015 * max(force, 0.0) * (1.0 + 1e-9)
        if abs(driven[1]) > 0.2 and force > 0.0:
            assert drag == pytest.approx(0.15 * 0.015 * force, rel=1e-4)
    assert pushed > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("teeth", "lever", "degrees"), [((15, 30), 0.03, 60.0), ((12, 54), 0.1, 80.0)]
)
def test_a_grip_at_rest_presses_as_its_gears_and_levers_say(teeth, lever, degrees):
    given = Gripper(teeth=teeth, lever=lever, angle=math.radians(degrees))
    rig = GripperRig(given).go(1.0, 0.05).go(6.0, 0.5)
    assert np.abs(rig.qd).max() < 1e-9
    assert rig.pad_force() == pytest.approx(pad_force(clamps(rig), 0.5), rel=1e-9)
    assert sum(rig.clamp_torques()) == pytest.approx(teeth[1] / teeth[0] * 0.5, rel=1e-9)
    assert motor_torque(clamps(rig), 2.0 * rig.pad_force()) == pytest.approx(0.5, rel=1e-9)


def test_pads_close_at_the_speed_of_the_gears():
    rig = GripperRig(Gripper(), with_plate=False).go(1.0, 0.02)
    speed = rig.qd[LEFT] * rig.given.lever * math.sin(rig.angle())
    assert rig.qd[LEFT] > 0.1
    assert speed == pytest.approx(pad_speed(clamps(rig), rig.qd[MOTOR]), rel=1e-9)
    assert rig.qd[RIGHT] == pytest.approx(rig.qd[LEFT], rel=1e-12)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"backlash": 4e-4},
        {"damping": 5.0},
        {"efficiency": 0.7},
        {"backlash": 2e-4, "damping": 2.0, "efficiency": 0.9, "mu": 0.3},
    ],
)
def test_every_joule_of_the_motor_is_accounted_for(changes):
    """Through the free travel, the impact on the plate and the squeeze."""
    rig = GripperRig(Gripper(**changes))
    for _ in range(8):
        rig.go(0.25, 0.05)
        works = rig.ledger[WORKS]
        assert works.sum() == pytest.approx(kinetic(rig), abs=2e-6 * np.abs(works).sum())
    assert rig.ledger[layout.GEAR_LOSS_WORK] <= 0.0
    loses = {"damping", "efficiency"} & set(changes)
    assert (rig.ledger[layout.GEAR_LOSS_WORK] < -1e-6) == bool(loses)


def test_sliding_teeth_lose_their_share_of_the_power():
    """At a steady speed the mesh transmits what the clamps' bearings take, and loses 1 - η of it
    more: P₂ = η P₁."""
    rig = GripperRig(Gripper(efficiency=0.8), with_plate=False).go(1.2, 0.02)
    before, t = rig.ledger[WORKS].copy(), rig.t
    rig.go(0.1, 0.02)
    power = (rig.ledger[WORKS] - before) / (rig.t - t)
    lost = power[layout.GEAR_LOSS_WORK - layout.TIDE_WORK]
    bearings = 2.0 * 0.02 * rig.qd[LEFT] ** 2
    assert lost < -5e-4
    assert bearings / (bearings - lost) == pytest.approx(0.8, rel=1e-4)


def test_teeth_part_within_the_backlash_and_meet_again_on_the_other_side():
    backlash = 1e-3
    rig = GripperRig(Gripper(backlash=backlash, damping=5.0), with_plate=False)
    radii = np.array([0.0075, 0.015])

    def ahead():
        return radii[0] * rig.q[MOTOR] - radii[1] * rig.q[LEFT]

    rig.go(0.6, 0.05)
    assert 0.0 < ahead() - 0.5 * backlash < 2e-5  # by which the teeth yield
    rig.go(0.02, -0.05)
    assert rig.clamp_torques() == (0.0, 0.0)  # on its way through the gap the motor drives nothing
    assert rig.qd[LEFT] > 0.0
    rig.go(0.6, -0.05)
    assert 0.0 < -ahead() - 0.5 * backlash < 2e-5
    assert rig.qd[LEFT] < -0.1


def test_a_clamp_that_touches_first_draws_the_plate_to_the_middle():
    rig = GripperRig(Gripper(mass=2.0))
    rig.y[rig.parts.target][layout.P + 1] = 2e-3  # nearer to the left clamp
    rig.go(1.0, 0.02).go(3.0, 0.2)
    assert rig.y[rig.parts.target][layout.P + 1] == pytest.approx(0.0, abs=1e-6)
    left, right = rig.clamp_torques()
    assert left == pytest.approx(right, rel=1e-4)


@pytest.mark.slow
def test_friction_holds_the_mass_at_the_stated_acceleration_and_slips_above_it():
    mass, acceleration, safety, mu = 100.0, 0.05, 2.0, 0.3
    force = required_force(mass, acceleration, safety, mu)
    assert force == pytest.approx(33.3333, abs=1e-4)
    for share, holds in ((0.999, True), (1.01, False)):
        rig = GripperRig(Gripper(mu=mu, mass=mass)).go(1.0, 0.02)
        at_rest = GripperRig(Gripper(mass=mass)).go(1.0, 0.02).go(3.0, 0.5)
        torque = motor_torque(clamps(at_rest), force)
        rig.go(3.0, torque)
        for _ in range(3):  # γ changes as pads give way
            torque = motor_torque(clamps(rig), force)
            rig.go(1.0, torque)
        push = share * safety * acceleration * (1e6 + mass)
        before = rig.slip()
        rig.go(8.0, torque, push)
        stretch = 10.0 / (2.0 * 1e5)  # of the pads' tangential springs
        assert (rig.slip() - before < 1.05 * stretch) == holds
