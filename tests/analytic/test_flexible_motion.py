"""Appendages against hand calculations: steady deflection, frequency, amplitude, damping."""

import numpy as np
import pytest
from tests.laws.lagrange import (
    Cloud,
    Craft,
    Mast,
    describe,
    modal_mass,
    random_craft,
    stiffness_and_damping,
)
from tests.laws.plants import many_steps

from proxops.physics.flexible import beam
from proxops.physics.flexible.beam import Beam
from proxops.plant import layout, model
from proxops.plant.build import build, start_state
from proxops.plant.workspace import quiet_drive, workspace

LUMP = Craft(50.0, np.eye(3), (), (), ())
HALF_TURN = np.diag([-1.0, -1.0, 1.0])


class Flight:
    """A lone spacecraft and its modal coordinates as users know them."""

    def __init__(self, craft, q_f=None, **start):
        described = describe(craft, q_f, **start)
        other = describe(LUMP)
        self.plant = build(described, other, None)
        self.work, self.drive = workspace(self.plant), quiet_drive(self.plant)
        y = start_state(self.plant, described, other)
        self._all, self.y = y, y[layout.slices(self.plant)[0]]
        self._root_m = np.sqrt(modal_mass(craft))
        self._modes = self.y[layout.JOINTS :].reshape(2, -1)

    def bent(self):
        """q_f and its rate."""
        return self._modes / self._root_m

    def go(self, duration, step):
        steps = round(duration / step)
        assert many_steps(self.plant, self.drive, self.work, self._all, (0.0, step), steps) == 0


def twin(data, hub_mass, hub_inertia, root, *, turned=HALF_TURN):
    """A hub with two equal beams: one along x from `root`, the other turned about z."""
    masts = Mast(data, np.eye(3), np.array(root)), Mast(data, turned, turned @ root)
    return Craft(hub_mass, hub_inertia * np.eye(3), (), masts, ())


# --- steady deflection --------------------------------------------------------------------------


def test_under_constant_thrust_the_beams_hang_back_like_evenly_loaded_cantilevers():
    """Each q_f → -a mean/ω², and the tips together to -m a L³/(8 EI): the bending of a cantilever
    under an even load, here that of its own inertia."""
    m, length, EI, thrust = 2.0, 1.5, 4.0, 0.6
    shapes = 3
    # the second beam is mirrored: its y axis is the first one's as well
    mirrored = np.diag([-1.0, 1.0, -1.0])
    craft = twin(Beam(m, length, EI, 0.5, shapes, "y"), 30.0, 5.0, [0.4, 0, 0], turned=mirrored)
    flight = Flight(craft)
    flight.drive[0, model.DRIVE_FORCE + 1] = thrust
    flight.go(40.0, 5e-3)
    a = thrust / (30.0 + 2.0 * m)
    q_f, rate = flight.bent()
    forms = [beam.shape(number) for number in range(1, shapes + 1)]
    omegas = [beam.frequency(number, m, length, EI) for number in range(1, shapes + 1)]
    hang = [-a * form.mean / omega**2 for form, omega in zip(forms, omegas, strict=True)]
    # what is left of the start: exp(-ζ ω t) with ζ ω = 0.8/s
    assert q_f == pytest.approx(np.tile(hang, 2), abs=1e-12)
    assert rate == pytest.approx(np.zeros(6), abs=1e-12)
    tip = sum(q * 2.0 * (-1.0) ** i for i, q in enumerate(q_f[:shapes]))
    # three shapes leave out 4 Σ (2/βL)/(βL)⁴ over 1/8: 1e-4
    assert tip == pytest.approx(-m * a * length**3 / (8.0 * EI), rel=2e-4)


def test_under_constant_spin_an_offset_beam_is_flung_outwards():
    """(ω² - w²) q_f = w² mean p_y in the plane of spin, and the spin falls as the inertia grows.

    The beams run along ±x from roots at ±p, so that they turn about the hub's origin.
    """
    m, length, EI, w0 = 2.0, 1.5, 4.0, 0.3
    p = np.array([0.4, 0.25, 0.0])
    hub_inertia = 5.0
    craft = twin(Beam(m, length, EI, 0.5, 1, "y"), 30.0, hub_inertia, p)
    flight = Flight(craft, w=np.array([0.0, 0.0, w0]))
    flight.go(40.0, 1e-2)
    w = flight.y[layout.W + 2]
    mean = beam.shape(1).mean
    omega = beam.frequency(1, m, length, EI)
    q_f = mean * p[1] * w**2 / (omega**2 - w**2)
    assert flight.bent()[0] == pytest.approx([q_f, q_f], abs=1e-12)

    def inertia(q):
        along = (p[0] + length) ** 3 - p[0] ** 3
        return hub_inertia + 2.0 * m * (
            along / (3.0 * length) + p[1] ** 2 + 2.0 * p[1] * mean * q + q**2
        )

    assert w == pytest.approx(w0 * inertia(0.0) / inertia(q_f), rel=1e-12)
    assert q_f > 1e-3  # outwards, and enough to tell


def test_a_beam_off_the_plane_of_spin_is_bent_towards_it():
    """A beam that rises from the spin axis at an angle γ: e · (w × (w × u)) along its normal gives
    (ω² - w² sin²γ) q_f = w² moment L sin γ cos γ."""
    m, length, EI, w0, slope = 2.0, 1.5, 4.0, 0.3, 0.5
    c, s = np.cos(slope), np.sin(slope)
    up = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])  # x rises, z leans inwards
    # four beams, a quarter turn apart: the spin axis stays principal
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turns = [np.linalg.matrix_power(quarter, i) for i in range(4)]
    data = Beam(m, length, EI, 0.5, 1, "z")
    masts = tuple(Mast(data, turn @ up, np.zeros(3)) for turn in turns)
    flight = Flight(Craft(30.0, 5.0 * np.eye(3), (), masts, ()), w=np.array([0.0, 0.0, w0]))
    flight.go(40.0, 1e-2)
    w = flight.y[layout.W + 2]
    omega = beam.frequency(1, m, length, EI)
    lean = -beam.shape(1).moment * length * w**2 * s * c / (omega**2 - w**2 * s**2)
    assert flight.bent()[0] == pytest.approx([lean] * 4, abs=1e-12)
    assert lean < -1e-3  # away from the leaning normal, towards the plane


# --- frequency and amplitude ----------------------------------------------------------------------

PRINTED = Beam(0.83, 0.6352, 0.46, 0.0, 1, "y")
STEP = 2e-3  # RK4 turns a wave by (ω h)⁴/120 = 1e-10 of its phase


def crossings(times, values):
    """Angular frequency from the zero crossings of a wave, by cubic interpolation [rad/s]."""
    found = []
    for i in range(1, len(values) - 2):
        if values[i] * values[i + 1] < 0.0:
            near = slice(i - 1, i + 3)
            found.append(np.polyval(np.polyfit(values[near], times[near] - times[i], 3), 0.0))
            found[-1] += times[i]
    return np.pi * (len(found) - 1) / (found[-1] - found[0])


def waves(flight, *places):
    """Times, first modal coordinate and entries of the hub's state, every hundredth of a second."""
    rows = []
    for _ in range(600):
        rows.append([flight.bent()[0][0], *(flight.y[place] for place in places)])
        flight.go(0.01, STEP)
    return np.arange(600) * 0.01, np.array(rows).T


@pytest.mark.parametrize(("hub", "published_hz"), [(25.0, 0.839), (50.0, 0.831), (100.0, 0.827)])
def test_beams_bent_alike_shake_the_hub_at_the_frequency_of_the_hand_calculation(hub, published_hz):
    """(m s² + k)(m_s + 2m) - 2 S² s² = 0; the hub moves by 2 S q_f/(m_s + 2m) the other way."""
    m = PRINTED.mass
    mirrored = np.diag([-1.0, 1.0, -1.0])
    craft = twin(PRINTED, hub, hub / 6.0, np.zeros(3), turned=mirrored)
    flight = Flight(craft, [0.0913, 0.0913])
    times, (q_f, y) = waves(flight, layout.P + 1)
    S = beam.shape(1).mean * m
    total = hub + 2.0 * m
    k = m * beam.frequency(1, m, PRINTED.length, PRINTED.bending_stiffness) ** 2
    omega = np.sqrt(k * total / (m * total - 2.0 * S**2))
    # interpolation over 10 ms: (ω h)⁴/100
    assert crossings(times, q_f) == pytest.approx(omega, rel=1e-6)
    assert omega / (2.0 * np.pi) == pytest.approx(published_hz, abs=5e-4)
    assert q_f == pytest.approx(0.0913 * np.cos(omega * times), abs=1e-9)
    assert y == pytest.approx(2.0 * S / total * (0.0913 - q_f), abs=1e-12)


@pytest.mark.parametrize("offset", [0.0, 0.5])
def test_beams_bent_oppositely_turn_the_hub_at_the_frequency_of_the_hand_calculation(offset):
    """(m s² + k) J - 2 H² s² = 0 with H = m (mean r + moment L), J of hub and rods about z;
    the hub turns by 2 H q_f/J the other way."""
    hub, (m, length, EI, *_) = 100.0, PRINTED
    craft = twin(PRINTED, hub, hub / 6.0, np.array([offset, 0.0, 0.0]))
    start = 1e-4  # J grows with q_f²: 1e-8 of it here
    flight = Flight(craft, [start, start])
    times, (q_f, half) = waves(flight, layout.Q + 3)
    form = beam.shape(1)
    H = m * (form.mean * offset + form.moment * length)
    rods = m * ((offset + length) ** 3 - offset**3) / (3.0 * length)
    J = hub / 6.0 + 2.0 * rods
    k = m * beam.frequency(1, m, length, EI) ** 2
    omega = np.sqrt(k * J / (m * J - 2.0 * H**2))
    assert crossings(times, q_f) == pytest.approx(omega, rel=1e-6)
    assert q_f == pytest.approx(start * np.cos(omega * times), abs=1e-6 * start)
    assert 2.0 * half == pytest.approx(2.0 * H / J * (start - q_f), abs=1e-7 * start)


# --- all modes at once ----------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "hub"), [(1, 10.0), (2, 50.0), (3, 250.0)])
def test_small_motion_has_the_frequencies_and_damping_of_the_eigenvalues(seed, hub):
    """x = [c; ċ] on top of a hub that floats: M c̈ + B ċ + K c = 0, M reduced by the hub.

    Seen through a left eigenvector a free motion is one exponential: l · x(t) = e^λt l · x(0).
    """
    craft = random_craft(seed)
    craft = craft._replace(mass=hub, inertia=craft.inertia * hub / craft.mass)
    n = len(modal_mass(craft))
    M = Cloud(craft).mass_matrix(np.zeros(n))
    felt = M[6:, 6:] - M[6:, :6] @ np.linalg.solve(M[:6, :6], M[:6, 6:])
    k, b = stiffness_and_damping(craft)
    pull = -np.linalg.solve(felt, np.hstack([np.diag(k), np.diag(b)]))
    A = np.vstack([np.eye(n, 2 * n, n), pull])
    values, left = np.linalg.eig(A.T)
    # so small that terms of second order in the bending cannot be seen
    flight = Flight(craft, 1e-9 * np.random.default_rng(seed).uniform(0.5, 1.0, n))
    interval, h = 4e-3, 1e-3
    seen = []
    for _ in range(1500):
        seen.append(left.T @ flight.bent().ravel())
        flight.go(interval, h)
    times = interval * np.arange(len(seen))
    logs = np.unwrap(np.angle(seen), axis=0) * 1j + np.log(np.abs(seen))
    found = np.polyfit(times, logs.real, 1)[0] + 1j * np.polyfit(times, logs.imag, 1)[0]
    assert values.real.max() < 0.0
    # RK4 at ω h = 0.015 adds 1e-9; the rest is rounding in what is left of the fastest decay
    assert np.abs(found) == pytest.approx(np.abs(values), rel=1e-8)
    assert -found.real / np.abs(found) == pytest.approx(-values.real / np.abs(values), abs=1e-8)
