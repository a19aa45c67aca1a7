"""The multibody kernels against Pinocchio: same craft, same state, same numbers.

Errors are relative to the largest component of the vector or matrix compared; where the exact
answer may vanish, to the terms that cancel.  Both sides round at 1e-16; with conditions of M up
to 2e4 a plain solve may lose 5e-12; the recursions lose 3e-14, so 1e-12 leaves ample room, and
3e-13 where the reference itself is a plain solve.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from tests.cross.chains import (
    LAYOUTS,
    Body,
    Craft,
    momentum_rate,
    nu_of,
    random_chain,
    random_loads,
    random_motion,
    random_mount,
    random_rotation,
    relative,
    to_pinocchio,
)

from proxops.physics.multibody.entry import Loads, Motion

CHAINS, STATES = 20, 50  # a thousand states for each layout
EXACT = 1e-12

pytestmark = pytest.mark.parametrize("layout", LAYOUTS)


@dataclass(frozen=True)
class Case:
    """One state of one craft, on both sides."""

    chain: list[Body]
    craft: Craft
    motion: Motion
    loads: Loads
    nu: np.ndarray
    model: Any
    data: Any
    X_NB: Any
    configuration: np.ndarray  # Pinocchio's: p_NB, q_NB (xyzw), q
    rng: np.random.Generator


def cases(layout: str) -> Iterator[Case]:
    """A thousand states; the base stands anywhere, which must not matter."""
    for seed in range(CHAINS):
        rng = np.random.default_rng([seed, *layout.encode()])
        chain = random_chain(layout, rng)
        craft = Craft(chain)
        model = to_pinocchio(chain)
        data = model.createData()
        for _ in range(STATES):
            motion = random_motion(chain, rng)
            X_NB = pin.SE3(random_rotation(rng), rng.uniform(-5.0, 5.0, 3))
            configuration = np.concatenate([pin.SE3ToXYZQUAT(X_NB), motion.q])
            loads = random_loads(chain, rng)
            nu = nu_of(motion)
            yield Case(chain, craft, motion, loads, nu, model, data, X_NB, configuration, rng)


def pushed(case: Case) -> Any:
    """The wrenches as Pinocchio wants them: none on its universe, then one a body."""
    forces = pin.StdVec_Force()
    forces.append(pin.Force.Zero())
    for wrench in case.loads.wrenches:
        forces.append(pin.Force(wrench[:3], wrench[3:]))
    return forces


def peer_acceleration(case: Case) -> np.ndarray:
    effort = np.concatenate([np.zeros(6), case.loads.tau])
    args = (case.model, case.data, case.configuration, case.nu, effort, pushed(case))
    return np.array(pin.aba(*args))


def peer_mass_matrix(case: Case) -> np.ndarray:
    upper = np.triu(pin.crba(case.model, case.data, case.configuration))
    return np.array(upper + np.triu(upper, 1).T)


def peer_coriolis(case: Case) -> np.ndarray:
    return np.array(pin.computeCoriolisMatrix(case.model, case.data, case.configuration, case.nu))


def test_forward_dynamics_with_wrenches_and_rotors(layout: str) -> None:
    for case in cases(layout):
        ours = case.craft.acceleration(case.motion, case.loads)
        theirs = peer_acceleration(case)
        # A base of tonnes hardly moves beside its joints: each part on its own scale, which is at
        # least what the torques alone would do, as a single joint may come near to balance.
        effort = np.concatenate([np.zeros(6), case.loads.tau])
        alone = np.linalg.solve(peer_mass_matrix(case), effort)
        for part in (slice(0, 3), slice(3, 6), slice(6, None)):
            scale = np.max(np.abs([theirs[part], alone[part]]), initial=0.0)
            assert relative(ours[part], theirs[part], float(scale)) < EXACT


def test_mass_matrix(layout: str) -> None:
    for case in cases(layout):
        assert relative(case.craft.mass_matrix(case.motion), peer_mass_matrix(case)) < EXACT


def test_coriolis_and_bias_forces(layout: str) -> None:
    for case in cases(layout):
        none = np.zeros(case.craft.dof)
        theirs = pin.rnea(case.model, case.data, case.configuration, case.nu, none)
        assert relative(case.craft.bias(case.motion), theirs) < EXACT
        assert relative(case.craft.coriolis(case.motion) @ case.nu, theirs) < EXACT


def test_rate_of_the_mass_matrix(layout: str) -> None:
    # C itself is not unique, but C + Cᵀ = Ṁ is; its scale is C's, as Ṁ of a lone body vanishes
    for case in cases(layout):
        ours = case.craft.coriolis(case.motion)
        theirs = peer_coriolis(case)
        assert relative(ours + ours.T, theirs + theirs.T, float(np.abs(theirs).max())) < EXACT


def test_jacobian_and_its_rate(layout: str) -> None:
    for case in cases(layout):
        mount = random_mount(case.chain, case.rng)
        ours, our_rate = case.craft.jacobian(case.motion, mount)
        q_iF, p_iF = mount.X_iF[:4], mount.X_iF[4:]
        X_iF = pin.SE3(pin.Quaternion(*q_iF), p_iF)
        model = case.model.copy()
        frame = model.addFrame(pin.Frame("F", mount.body + 1, 0, X_iF, pin.FrameType.OP_FRAME))
        data = model.createData()
        pin.computeJointJacobiansTimeVariation(model, data, case.configuration, case.nu)
        pin.updateFramePlacements(model, data)
        theirs = pin.getFrameJacobian(model, data, frame, pin.LOCAL)
        their_rate = pin.getFrameJacobianTimeVariation(model, data, frame, pin.LOCAL)
        assert relative(ours, theirs) < EXACT
        # J̇ of a frame on the base vanishes; what cancels is J times the rates of motion
        scale = float(np.abs(theirs).max() * np.abs(case.nu).max())
        assert relative(our_rate, their_rate, scale) < EXACT


def test_momentum_centre_of_mass_and_energy(layout: str) -> None:
    for case in cases(layout):
        args = (case.model, case.data, case.configuration, case.nu)
        ours = case.craft.momentum(case.motion)
        pin.computeCentroidalMomentum(*args)
        pin.centerOfMass(*args)
        p_NB, R_BN = case.X_NB.translation, case.X_NB.rotation.T
        com = R_BN @ (case.data.com[0] - p_NB)
        linear = R_BN @ case.data.hg.linear
        centroidal = R_BN @ case.data.hg.angular
        assert relative(ours.com, com) < EXACT
        assert relative(ours.com_velocity, R_BN @ case.data.vcom[0]) < EXACT
        assert relative(ours.linear, linear) < EXACT
        assert relative(ours.centroidal, centroidal) < EXACT
        assert relative(ours.angular, centroidal + np.cross(com, linear)) < EXACT
        energy = pin.computeKineticEnergy(*args)
        assert ours.kinetic_energy == pytest.approx(energy, rel=EXACT)


def test_momentum_form_is_the_first_row_of_the_equations(layout: str) -> None:
    # all but the momentum form is Pinocchio's: ḣ = d/dt (M ν)_base = (M ν̇ + Ṁ ν)_base
    for case in cases(layout):
        nu_rate = peer_acceleration(case)
        M = peer_mass_matrix(case)
        C = peer_coriolis(case)
        h = (M @ case.nu)[:6]
        expected = (M @ nu_rate + (C + C.T) @ case.nu)[:6]
        pin.computeJointJacobians(case.model, case.data, case.configuration)
        F = np.zeros(6)
        for i, wrench in enumerate(case.loads.wrenches):
            F += pin.getJointJacobian(case.model, case.data, i + 1, pin.LOCAL)[:, :6].T @ wrench
        assert relative(case.craft.h(case.motion), h) < EXACT
        assert relative(momentum_rate(case.motion.twist, h, F), expected) < 1e-10
        found = case.craft.base_twist(h, case.motion.q, case.motion.qd)
        assert relative(found, case.motion.twist) < 1e-10


def test_arm_on_a_moving_carrier_under_gravity(layout: str) -> None:
    # inverse dynamics of our answer must return the torques that were put in
    for case in cases(layout):
        g_N = np.array([0.0, 0.0, -9.81])
        a_B, alpha_B = case.rng.uniform(-1.0, 1.0, (2, 3))
        case.model.gravity = pin.Motion(g_N, np.zeros(3))
        v, w = case.motion.twist[:3], case.motion.twist[3:]
        R_BN = case.X_NB.rotation.T
        base = np.concatenate([a_B - R_BN @ g_N, alpha_B])

        qdd, wrench = case.craft.prescribed(case.motion, case.loads, base)

        # Pinocchio's base acceleration is the rate of the twist's components
        nu_rate = np.concatenate([a_B - np.cross(w, v), alpha_B, qdd])
        args = (case.model, case.data, case.configuration)
        needed = pin.rnea(*args, case.nu, nu_rate, pushed(case))
        assert relative(np.concatenate([wrench, case.loads.tau]), needed) < EXACT
        # and the accelerations themselves, through Pinocchio's mass matrix
        rest = pin.rnea(*args, case.nu, np.concatenate([nu_rate[:6], 0 * qdd]), pushed(case))
        M_q = peer_mass_matrix(case)[6:, 6:]
        driven, held = np.linalg.solve(M_q, np.stack([case.loads.tau, rest[6:]], axis=1)).T
        # a single joint may come near to balance: the scale is what balances
        scale = float(np.max(np.abs(driven), initial=1e-3))
        assert relative(qdd, driven - held, scale) < EXACT
