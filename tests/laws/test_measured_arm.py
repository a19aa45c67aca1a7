"""A base under an arm whose motion is only measured moves as it does with the arm it knows."""

import itertools

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.plant import layout
from proxops.plant.measured_arm import MeasuredSystem, spin_measured, step_measured
from proxops.plant.measured_state import arm_of, show_measured, start_measured
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR, DRIVE_TORQUE
from proxops.plant.step import OK, step
from proxops.plant.workspace import quiet_drive, workspace
from tests.data.wheels import WHEEL

DURATION = 2.0
SWINGS = (3.0, -8.0, 2.0, 5.0, -1.0, 0.6, 0.2)  # motor torques [N m]


def scenario(orbit: bool, wheels: bool = False) -> proxops.Scenario:
    changes = {} if orbit else {"orbit": None}
    if wheels:
        other = WHEEL | {"axis_C": [0.0, -1.0, 0.0], "speed_rpm": -5000.0}
        changes["chaser.wheels"] = {"one": WHEEL, "other": other}
    return proxops.load("fly-around").replace(changes)


def drive_at(plant, t):
    """Torques that swing the arm, thrust on the base, a wrench at the last link; wheels gain and
    lose speed."""
    drive = quiet_drive(plant)
    last = len(SWINGS)
    drive[last + 1 : len(plant.chaser), DRIVE_MOTOR] = 0.2 * np.cos(2.0 * t)
    for joint, torque in enumerate(SWINGS):
        drive[joint + 1, DRIVE_MOTOR] = torque * np.cos(3.0 * t + joint)
    drive[0, DRIVE_FORCE : DRIVE_FORCE + 3] = (3.0, -2.0, 1.0)
    drive[0, DRIVE_TORQUE : DRIVE_TORQUE + 3] = (0.4, 0.3, -0.8)
    drive[last, DRIVE_FORCE : DRIVE_FORCE + 3] = (0.3, 0.5, -0.4)
    return drive


def flown_both_ways(orbit, h):
    """States at the end: of the plant that knows its arm, and of the one that is told."""
    built = build(scenario(orbit))
    plant, work, arm = built.plant, workspace(built.plant), arm_of(built.plant)
    known, z = built.y.copy(), built.y.copy()
    start_measured(plant, known, z, arm)
    joints = slice(layout.JOINTS, layout.JOINTS + 2 * len(plant.chaser_topology))
    rates = slice(joints.start + len(plant.chaser_topology), joints.stop)
    for tick in range(round(DURATION / h)):
        drive = drive_at(plant, tick * h)
        before = known[rates].copy()
        assert step(plant, drive, work, known, tick * h, h) == OK
        told = MeasuredSystem(
            plant, drive, (known[rates] - before) / h, arm, work.scratch, work.sky
        )
        assert step_measured(told, work.stages, z, tick * h, h) == OK
        z[joints] = known[joints]
    seen = z.copy()
    show_measured(plant, z, seen, arm)
    return plant, known, seen


@pytest.mark.parametrize("orbit", [False, True])
def test_base_goes_where_it_goes_with_the_arm_it_knows(orbit):
    # Joints between two readings are a parabola: the base is off by h² times their third derivative
    # (some 40 rad/s3), a hundredth of which it feels.
    errors = []
    for h in (0.01, 0.005):
        plant, known, seen = flown_both_ways(orbit, h)
        target = layout.slices(plant).target
        assert np.array_equal(known[target], seen[target])
        errors.append(np.abs(known[: layout.JOINTS] - seen[: layout.JOINTS]).max())
    assert errors[1] < 2e-7
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("orbit", [False, True])
def test_wheels_beside_a_measured_arm_turn_as_beside_one_that_is_known(orbit):
    """Their own speeds are told to nobody: motors, friction and the turn of the hub make them."""
    errors = []
    for h in (0.01, 0.005):
        built = build(scenario(orbit, wheels=True))
        plant, work, arm = built.plant, workspace(built.plant), arm_of(built.plant)
        known, z, seen = built.y.copy(), built.y.copy(), built.y.copy()
        start_measured(plant, known, z, arm)
        spins = np.array([each.speed + each.axis @ built.chaser.w for each in built.chaser.wheels])
        count, driven = len(plant.chaser_topology), len(SWINGS)
        rates = slice(layout.JOINTS + count, layout.JOINTS + count + driven)
        wheels = slice(rates.stop, layout.JOINTS + 2 * count)
        told = MeasuredSystem(
            plant, quiet_drive(plant), np.zeros(count), arm, work.scratch, work.sky
        )
        for tick in range(round(DURATION / h)):
            told.drive[:] = drive_at(plant, tick * h)
            before = known[rates].copy()
            assert step(plant, told.drive, work, known, tick * h, h) == OK
            told.qdd[:driven] = (known[rates] - before) / h
            assert step_measured(told, work.stages, z, tick * h, h) == OK
            z[layout.JOINTS : layout.JOINTS + driven] = known[
                layout.JOINTS : layout.JOINTS + driven
            ]
            z[rates] = known[rates]
            spin_measured(told, z, spins, h)
        show_measured(plant, z, seen, arm)
        errors.append(np.abs(known[wheels] - seen[wheels]).max())
        # as without wheels; J/I of what they are guessed wrong by is far less
        assert np.abs(known[: layout.JOINTS] - seen[: layout.JOINTS]).max() < 1e-2 * h * h
    # what the hub is off by, and what friction half-way through a step differs from its mean by
    assert errors[1] < 1e-6
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


def test_momentum_is_exact_however_wrong_the_guess():
    built = build(scenario(orbit=False))
    plant, work, arm = built.plant, workspace(built.plant), arm_of(built.plant)
    z, seen, again = built.y.copy(), built.y.copy(), built.y.copy()
    start_measured(plant, built.y, z, arm)
    joints = len(plant.chaser_topology)
    rates = slice(layout.JOINTS + joints, layout.JOINTS + 2 * joints)
    rng = np.random.default_rng(7)
    for tick in range(200):
        guess = MeasuredSystem(
            plant, quiet_drive(plant), rng.normal(size=joints), arm, work.scratch, work.sky
        )
        assert step_measured(guess, work.stages, z, 0.001 * tick, 0.001) == OK
        z[rates] = rng.normal(scale=0.1, size=joints)
    show_measured(plant, z, seen, arm)
    start_measured(plant, seen, again, arm)
    # No force acts: p keeps its length, and L about the centre of mass too, to rounding.
    first = built.y.copy()
    start_measured(plant, built.y, first, arm)
    p = slice(layout.V, layout.V + 3)
    assert np.linalg.norm(z[p]) == pytest.approx(np.linalg.norm(first[p]), rel=1e-12)
    assert np.abs(again[: layout.JOINTS] - z[: layout.JOINTS]).max() < 1e-11


def test_a_hub_under_an_arm_that_accelerates_evenly_moves_with_the_fourth_order():
    """The arm is posed once for the stages that meet, where it is as a function of time."""
    built = build(scenario(orbit=True))
    plant, work, arm = built.plant, workspace(built.plant), arm_of(built.plant)
    qdd, found = 0.2 * np.array(SWINGS), []
    for steps in (8, 16, 32):
        z, seen = built.y.copy(), built.y.copy()
        start_measured(plant, built.y, z, arm)
        told = MeasuredSystem(plant, quiet_drive(plant), qdd, arm, work.scratch, work.sky)
        for i in range(steps):
            h = 0.8 / steps
            assert step_measured(told, work.stages, z, i * h, h) == OK
        show_measured(plant, z, seen, arm)
        found.append(seen[: layout.JOINTS].copy())
    coarse, fine = (np.abs(a - b).max() for a, b in itertools.pairwise(found))
    assert coarse > 1e-9
    assert coarse / fine == pytest.approx(16.0, rel=0.2)
