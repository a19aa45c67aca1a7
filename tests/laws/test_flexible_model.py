"""Appendages against a model written another way: mass points and Lagrange's equations."""

import mpmath
import numpy as np
import pytest

from proxops.core.description import RigidInertia
from proxops.core.jit import kernel
from proxops.physics.flexible.modes import PER_ETA
from proxops.plant import layout, model
from proxops.plant.build import build, start_state
from proxops.plant.rates import System, plant_rates
from proxops.plant.workspace import quiet_drive, workspace
from tests.laws.lagrange import (
    Cloud,
    Craft,
    Panel,
    describe,
    modal_mass,
    random_craft,
    stiffness_and_damping,
)
from tests.laws.plants import eccentric_orbit

# Differences of sixth order over joints: 5e-12 of the accelerations that velocities cause, which
# may be ten times what remains of them in the sum; without joints all is rounding
AGREED = 5e-11


@kernel
def _rates(plant, drive, work, y, t, rate):
    moving = layout.contacts_start(plant)
    plant_rates(System(plant, drive, y[moving:], work.scratch, work.sky), y, t, rate)


class Pair:
    """Two spacecraft in random states, and the accelerations that the plant gives them."""

    def __init__(self, seed, *crafts, orbit=None):
        rng = np.random.default_rng(seed)
        self.crafts = crafts
        described = [
            describe(craft, p_H=rng.uniform(-30.0, 30.0, 3), q_N=_quaternion(rng))
            for craft in crafts
        ]
        self.plant = build(*described, orbit)
        self.drive = quiet_drive(self.plant)
        self.y = start_state(self.plant, *described)
        self.c, self.s = [], []
        for craft, part, modes in self._parts():
            cloud = Cloud(craft)
            # bent by a tenth of a metre and more, turning at half a radian per second
            c = np.concatenate(
                [
                    rng.uniform(-1.5, 1.5, cloud.joints),
                    rng.uniform(-0.2, 0.2, cloud.size - cloud.joints),
                ]
            )
            s = rng.uniform(-0.5, 0.5, 6 + cloud.size)
            n, own = cloud.joints, self.y[part]
            R_OB = _rotation(own[layout.Q : layout.Q + 4])
            own[layout.V : layout.V + 3], own[layout.W : layout.W + 3] = R_OB @ s[:3], s[3:6]
            coordinates = own[layout.JOINTS :]
            coordinates[:n], coordinates[n : 2 * n] = c[:n], s[6 : 6 + n]
            per_eta = modes[1:, PER_ETA]
            coordinates[2 * n :] = np.concatenate([c[n:] / per_eta, s[6 + n :] / per_eta])
            self.c.append(c)
            self.s.append(s)

    def _parts(self):
        modes = self.plant.chaser_modes, self.plant.target_modes
        return zip(self.crafts, layout.slices(self.plant)[:2], modes, strict=True)

    def rates(self, y=None):
        """ṡ of both: the rates of [v; w; ċ], v in hub axes: v̇ = a - w × v."""
        y = self.y if y is None else y
        rate = np.zeros_like(y)
        _rates(self.plant, self.drive, workspace(self.plant), y, 0.0, rate)
        found = []
        for (_, part, modes), c in zip(self._parts(), self.c, strict=True):
            own, n = rate[part], len(c) - (len(modes) - 1)
            of_modes = own[layout.JOINTS + 2 * n + len(modes) - 1 :] * modes[1:, PER_ETA]
            joints = own[layout.JOINTS + n : layout.JOINTS + 2 * n]
            R_OB = _rotation(y[part][layout.Q : layout.Q + 4])
            v, w = R_OB.T @ y[part][layout.V : layout.V + 3], y[part][layout.W : layout.W + 3]
            v_rate = R_OB.T @ own[layout.V : layout.V + 3] - np.cross(w, v)
            w_rate = own[layout.W : layout.W + 3]
            found.append(np.concatenate([v_rate, w_rate, joints, of_modes]))
        return found


def _quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def _rotation(q):
    w, x = q[0], q[1:]
    cross = np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])
    return np.eye(3) + 2.0 * (w * cross + cross @ cross)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("joints", [0, 3])
def test_accelerations_follow_from_the_kinetic_energy_of_mass_points(seed, joints):
    """Hub, joints and modes, at large deflection and spin, under thrust, torque and motors."""
    pair = Pair(seed, random_craft(seed, joints=joints), random_craft(seed + 50, panels=2))
    rng = np.random.default_rng(seed)
    wrench, motors = rng.uniform(-5.0, 5.0, 6), rng.uniform(-3.0, 3.0, joints)
    pair.drive[0, model.DRIVE_FORCE : model.DRIVE_FORCE + 6] = wrench
    pair.drive[1 : 1 + joints, model.DRIVE_MOTOR] = motors
    for number, found in enumerate(pair.rates()):
        cloud, c, s = Cloud(pair.crafts[number]), pair.c[number], pair.s[number]
        Q = cloud.springs(c, s[6:])
        if number == 0:
            Q[:6] += wrench
            Q[6 : 6 + joints] += motors
        expected = cloud.accelerations(s, c, Q)
        for block in (slice(0, 3), slice(3, 6), slice(6, None)):  # each on its own scale
            scale = np.abs(expected[block]).max()
            assert found[block] == pytest.approx(expected[block], abs=AGREED * scale)


def test_a_common_velocity_changes_no_acceleration():
    """v̇ + w × v, ẇ and q̈ are the same for every inertial observer."""
    pair = Pair(7, random_craft(7, joints=3), random_craft(8))
    before = pair.rates()
    moved, drift = pair.y.copy(), np.array([30.0, -50.0, 20.0])
    for part in layout.slices(pair.plant)[:2]:
        own = moved[part]
        own[layout.V : layout.V + 3] += drift
    after = pair.rates(moved)
    for old, new, part in zip(before, after, layout.slices(pair.plant)[:2], strict=True):
        R_OB = _rotation(pair.y[part][layout.Q :][:4])
        v, w = R_OB.T @ pair.y[part][layout.V :][:3], pair.y[part][layout.W :][:3]
        v_new = R_OB.T @ moved[part][layout.V :][:3]
        assert new[:3] + np.cross(w, v_new) == pytest.approx(old[:3] + np.cross(w, v), abs=1e-12)
        # rounding of speeds of 60 m/s that must cancel
        assert new[3:] == pytest.approx(old[3:], abs=1e-12)


def test_a_straight_beam_without_spin_is_its_own_modal_data():
    """Then only the participations count: S = ∫ φ dm and H = ∫ u₀ × φ dm, mass-normalised."""
    craft = random_craft(9, panels=0)
    k, _ = stiffness_and_damping(craft)
    m = modal_mass(craft)
    coupling = Cloud(craft).mass_matrix(np.zeros(len(m)))[:6, 6:] / np.sqrt(m)
    panels, first = [], 0
    for mast in craft.masts:
        alone = Cloud(Craft(1e-15, np.zeros((3, 3)), (), (mast,), ()))
        here = slice(first, first + alone.size)
        M = alone.mass_matrix(np.zeros(alone.size))
        com = np.array([M[5, 1], M[3, 2], M[4, 0]]) / M[0, 0]
        S, H = np.split(coupling[:, here].T, 2, axis=1)
        rigid = RigidInertia(M[0, 0], com, M[3:6, 3:6])
        panels.append(Panel(rigid, np.sqrt(k / m)[here], mast.beam.zeta, S, H))
        first = here.stop
    pair = Pair(3, craft, craft._replace(masts=(), panels=tuple(panels)))
    of_rates = layout.JOINTS + len(m)
    for part, hub in zip(layout.slices(pair.plant)[:2], (0, 1), strict=True):
        pair.y[part][layout.V :] = 0.0
        pair.y[part][of_rates:] = np.linspace(-1.0, 1.0, len(m))
        pair.drive[hub, model.DRIVE_FORCE : model.DRIVE_FORCE + 6] = np.linspace(-9.0, 9.0, 6)
    as_beams, as_data = pair.rates()
    as_beams[6:] *= np.sqrt(m)
    # rounding, times the condition of the coupled mass matrix
    assert as_beams == pytest.approx(as_data, abs=1e-11 * np.abs(as_data).max())


@pytest.mark.parametrize("seed", [1, 2])
def test_the_tide_pulls_hub_and_modes_as_it_pulls_mass_points(seed):
    """Against the exact attraction at every point, in thirty digits."""
    orbit = eccentric_orbit()
    crafts = random_craft(seed, panels=0), random_craft(seed + 50, panels=0)
    pair = Pair(seed, *crafts, orbit=orbit)
    without = pair.plant._replace(orbit=np.zeros_like(pair.plant.orbit))
    with_tide = pair.rates()
    pair.plant = without
    for number, part in enumerate(layout.slices(pair.plant)[:2]):
        own, c = pair.y[part], pair.c[number]
        cloud = Cloud(crafts[number])
        R_OB = _rotation(own[layout.Q : layout.Q + 4])
        places = own[layout.P : layout.P + 3] + cloud.places(c) @ R_OB.T
        pull = np.array([_exact_tide(orbit, r) for r in places]) @ R_OB
        Q = np.einsum("p,pik,pi->k", cloud.masses, cloud.jacobian(c), pull)
        expected = np.linalg.solve(cloud.mass_matrix(c), Q)
        found = with_tide[number] - pair.rates()[number]
        # what bodies of 3 m leave out: L/|R| = 5e-7 of the tide over their own size, and rounding
        # of accelerations of 30 m/s², of which the tide is 1e-6
        for block in (slice(0, 3), slice(3, 6), slice(6, None)):
            scale = np.abs(expected[block]).max()
            assert found[block] == pytest.approx(expected[block], abs=1e-13 + 2e-6 * scale)


def _exact_tide(orbit, r):
    with mpmath.workdps(30):
        R = _column(orbit.R)
        near, far = (-mpmath.mpf(orbit.mu) / mpmath.norm(d) ** 3 * d for d in (R + _column(r), R))
        return np.array([float(x) for x in near - far])


def _column(r):
    return mpmath.matrix(r.tolist())
