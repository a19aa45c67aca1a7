"""Torques and the motion of a base that nothing holds, against the plant that integrates both."""

import numpy as np
import pytest
from tests.unit.arm_cases import REACHING

from proxops.arm_paths.arm import Arm, arm_of
from proxops.arm_paths.free_floating import Floating, float_along, inverse_dynamics, pair_tree
from proxops.arm_paths.path import joint_path
from proxops.arm_paths.time_law import MotionLimits, MotionTable, timed
from proxops.assembly.build import Built, build
from proxops.core.frame import Frame, frame, rotation_of
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.mobility import mass_matrix, stance
from proxops.plant.model import DRIVE_MOTOR
from proxops.plant.step import OK, step
from proxops.plant.workspace import quiet_drive, workspace
from proxops.scenario.load import load

SWING = np.array([0.3, -0.2, 0.1, 0.3, -0.4, 0.2, 0.3])


def built(**changes: object) -> Built:
    """Without orbit: nothing pushes from outside."""
    return build(load("envisat-capture").replace({"orbit": None} | changes))


LIGHT = {  # a target that the arm can swing in seconds
    "target.mass_kg": 300.0,
    "target.inertia_kg_m2": [[90.0, 5.0, 0.0], [5.0, 120.0, -8.0], [0.0, -8.0, 110.0]],
    "target.appendages": {},
    "dispersions": {},
}


def held() -> Frame:
    grapple = load("envisat-capture").mission.target.grapple
    X_GE = frame((0.0,) * 3, (0.0, 0.0, 1.0, 0.0))
    return (frame(grapple.p_TG_m, grapple.q_TG) @ X_GE).inverse()


def planned(
    made: Built, X_ET: Frame | None, T: float, rows: int = 100
) -> tuple[Arm, Tree, MotionTable, Floating]:
    arm = arm_of(made.chaser, "main")
    tree = pair_tree(arm, made.plant, X_ET)
    fast = MotionLimits(np.full(7, 9.0), np.full(7, 99.0), np.full(7, 999.0))
    table = timed(joint_path(arm, REACHING, REACHING + SWING), fast, T / rows, T)
    return arm, tree, table, float_along(arm, tree, start(made), table)


def start(made: Built) -> np.ndarray:
    return np.concatenate([each.q for each in made.chaser.jointed])


def flown(made: Built, tree: Tree, T: float, h: float) -> np.ndarray:
    """The plant's state after the swing in T, moved by motor torques alone, held for a step h."""
    plant = made.plant._replace(
        chaser=tree.bodies, contacts=made.plant.contacts[:0], holds=made.plant.holds[:0]
    )
    count, others = len(plant.chaser_topology), start(made)
    y = np.zeros(layout.slices(plant).size)
    for craft in (layout.slices(plant).chaser, layout.slices(plant).target):
        y[craft.start + layout.Q] = 1.0
    y[layout.JOINTS : layout.JOINTS + count] = others
    y[layout.JOINTS : layout.JOINTS + 7] = REACHING
    work, drive, still = workspace(plant), quiet_drive(plant), np.zeros(count)
    for number in range(round(T / h)):
        s = (number + 0.5) * h / T  # torques are those of mid-step
        q, qd, qdd = others.copy(), still.copy(), still.copy()
        q[:7] = REACHING + SWING * s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
        qd[:7] = SWING * 30.0 * s**2 * (1.0 - s) ** 2 / T
        qdd[:7] = SWING * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / T**2
        drive[1 : count + 1, DRIVE_MOTOR] = inverse_dynamics(tree, q, qd, qdd)[0]
        assert step(plant, drive, work, y, number * h, h) == OK
    return y


@pytest.mark.parametrize("carries", [False, True])
def test_the_plant_moves_as_predicted_under_the_predicted_torques(carries: bool) -> None:
    """Joints follow the table, the base turns and shifts.  Torques held for a step are off by h²:
    so are all three, and by nothing else."""
    made, T, errors = built(**LIGHT), 4.0, []
    _, tree, table, floating = planned(made, held() if carries else None, T)
    for h in (0.008, 0.004):
        y = flown(made, tree, T, h)
        errors.append(
            [
                np.abs(y[layout.JOINTS : layout.JOINTS + 7] - table.q[-1]).max(),
                np.abs(rotation_of(y[layout.Q : layout.Q + 4]) - floating.R[-1]).max(),
                np.abs(y[layout.P : layout.P + 3] - floating.p[-1]).max(),
            ]
        )
    assert np.array(errors[0]) / np.array(errors[1]) == pytest.approx([4.0] * 3, rel=0.1)
    assert max(errors[1][1:]) < 1e-6
    # and it did move
    assert floating.turned > (0.2 if carries else 4e-4)
    assert floating.shifted > (0.04 if carries else 4e-4)


def test_there_is_no_momentum_and_motors_do_the_work() -> None:
    """M_b V_b + M_bq q̇ = 0, and τ · q̇ less friction is the rate of the kinetic energy; with a mass
    matrix that is put together another way."""
    made, T = built(**LIGHT), 4.0
    _, tree, table, floating = planned(made, held(), T, rows=80)
    energies, powers = [], []
    for q7, qd7, w, tau in zip(table.q, table.qd, floating.w, floating.torque, strict=True):
        q, qd = start(made), np.zeros(len(tree.topology))
        q[:7], qd[:7] = q7, qd7
        M = mass_matrix(tree, stance(tree, q))
        V = -np.linalg.solve(M[:6, :6], M[:6, 6:] @ qd)
        assert w == pytest.approx(V[3:], abs=1e-12)
        nu = np.concatenate([V, qd])
        energies.append(0.5 * nu @ M @ nu)
        rows = tree.bodies[1:8]
        developed = qd7 / np.sqrt(qd7**2 + rows[:, at.COULOMB_SPEED] ** 2)
        friction = rows[:, at.VISCOUS] * qd7 + rows[:, at.COULOMB] * developed
        powers.append((tau - friction) @ qd7)
    E, h = np.array(energies), table.step
    # differences of the fourth order: h⁴/30 of the fifth derivative, some 1e4 J/T⁵
    rate = (E[:-4] - 8.0 * E[1:-3] + 8.0 * E[3:-1] - E[4:]) / (12.0 * h)
    assert powers[2:-2] == pytest.approx(rate, abs=1e-4 * np.abs(rate).max())
    assert E.max() > 0.1


def test_the_base_moves_about_the_common_centre_of_mass() -> None:
    """p + R c stays where it is, c being that of all bodies' masses and places."""
    made = built(**LIGHT)
    _, tree, table, floating = planned(made, held(), 4.0, rows=10)
    masses, common = tree.bodies[:, at.MASS], []
    for q7, R, p in zip(table.q, floating.R, floating.p, strict=True):
        q = start(made)
        q[:7] = q7
        here = stance(tree, q)
        moments = [
            m * (here.p[body] + here.R[body] @ tree.bodies[body, at.COM : at.COM + 3])
            for body, m in enumerate(masses)
        ]
        common.append(p + R @ np.sum(moments, axis=0) / masses.sum())
    assert np.array(common) == pytest.approx(np.tile(common[0], (11, 1)), abs=1e-12)
    assert np.abs(np.diff(floating.p, axis=0)).max() > 1e-3


def test_motors_that_are_too_weak_are_named() -> None:
    made = built()
    _, _, _, slow = planned(made, held(), 200.0)
    assert slow.problems == ()
    assert slow.effort_share < 0.2
    _, _, _, fast = planned(made, held(), 3.0)
    assert any("needs" in each and "its motor gives" in each for each in fast.problems)
    # dynamics grow with 1/T², friction does not
    assert fast.effort_share > 1.0


def test_what_the_base_turns_does_not_depend_on_the_time_that_it_takes() -> None:
    """Without momentum the base's attitude follows from the path of the joints alone."""
    made = built()
    ends = [planned(made, held(), T)[3].R[-1] for T in (3.0, 9.0)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


def test_the_attitude_converges_with_the_fourth_power_of_the_step() -> None:
    made = built()
    coarse, fine, exact = (planned(made, held(), 8.0, rows)[3].R[-1] for rows in (10, 20, 80))
    errors = [np.abs(each - exact).max() for each in (coarse, fine)]
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.3)
    assert errors[1] < 1e-5
