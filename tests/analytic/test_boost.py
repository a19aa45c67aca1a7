"""Pushing a target: loads, limits and small motion against hand calculation."""

import math

import numpy as np
import pytest

from proxops.core.errors import InputError
from proxops.physics.boost import balance, course, line, sliding
from proxops.physics.boost.pair import Pair, central_inertia, placed, reduced_mass, ring

STILL = np.zeros(3)
D = 6.225  # [m] between the centres of mass


def study(y=0.0, z=0.0, chaser_inertia=None):
    """The published pair; the target's centre of mass off the thrust axis by y and z [m]."""
    inertia = [[650.0, -10.0, 22.0], [-10.0, 950.0, -4.0], [22.0, -4.0, 950.0]]
    centre = np.array([-1.225, 0.0, 0.0])
    chaser = placed(1200.0, np.array(inertia) if chaser_inertia is None else chaser_inertia, centre)
    own = np.diag([10e3, 226e3, 228e3])
    target = placed(8200.0, own, np.array([5.0, y, z]), math.pi / 2.0)
    return Pair(chaser, target, np.array([1500.0, 0.0, 0.0]), centre)


def diagonal(y, z):
    return study(y, z, np.diag([650.0, 950.0, 950.0]))


def test_two_touching_bodies_have_the_inertia_of_both_about_the_common_centre():
    pair = study()
    across = reduced_mass(pair) * D**2
    assert pair.whole.mass == 9400.0
    assert pair.whole.com[0] == pytest.approx((8200.0 * 5.0 - 1200.0 * 1.225) / 9400.0, abs=1e-12)
    expected = [650.0 + 226e3, 950.0 + 10e3 + across, 950.0 + 228e3 + across]
    np.testing.assert_allclose(np.diag(central_inertia(pair.whole)), expected, rtol=1e-12)


def test_the_contact_carries_the_targets_share_of_the_thrust():
    assert balance.normal_force(study()) == pytest.approx(1500.0 * 8200.0 / 9400.0)
    assert balance.interface_load(study(), STILL).normal == pytest.approx(1500.0 * 82.0 / 94.0)


@pytest.mark.parametrize(("y", "z", "axis", "about"), [(0.3, 0.0, 1, 2), (0.0, 0.3, 2, 1)])
def test_the_lateral_force_goes_with_the_inertia_about_the_other_lateral_axis(y, z, axis, about):
    """m_t (F dev m_t/M)/I times the lever of the target's centre of mass, towards the deviation;
    rounding only."""
    pair = diagonal(y, z)
    inertia = central_inertia(pair.whole)[about, about]
    lever = pair.target.com[0] - pair.whole.com[0]
    expected = 8200.0 * 1500.0 * 0.3 * 82.0 / 94.0 / inertia * lever
    load = balance.interface_load(pair, STILL)
    assert load.force[axis] == pytest.approx(expected, rel=1e-12)
    assert abs(load.force[3 - axis]) < 1e-9


def test_force_and_torque_on_both_bodies_give_the_common_acceleration():
    """Newton and Euler for the chaser alone, which the balance never looked at; rounding only."""
    pair, w = study(0.35, -0.2), np.array([0.02, -0.4, 0.1])
    load = balance.interface_load(pair, w)
    whole, chaser = pair.whole, pair.chaser
    w_dot = balance.angular_acceleration(pair, w)
    c = chaser.com - whole.com
    a = pair.thrust / whole.mass + np.cross(w_dot, c) + np.cross(w, np.cross(w, c))
    np.testing.assert_allclose(pair.thrust - load.force, chaser.mass * a, atol=1e-9)
    inertia = central_inertia(chaser)
    torque = np.cross(chaser.com, load.force) - load.torque
    expected = inertia @ w_dot + np.cross(w, inertia @ w)
    np.testing.assert_allclose(torque, expected, atol=1e-9)


@pytest.mark.parametrize("count", [3, 4, 6, 7])
def test_pads_balance_force_and_moments_and_lie_on_a_plane(count):
    pads = ring(count, 0.8, 0.3) + np.array([0.0, 0.1, -0.05])
    load = balance.interface_load(study(0.35, 0.2), np.array([0.0, -0.1, 0.02]))
    forces = balance.pad_forces(load, pads)
    moments = np.cross(pads, np.outer(forces, [1.0, 0.0, 0.0])).sum(axis=0)
    assert forces.sum() == pytest.approx(load.force[0], rel=1e-12)
    np.testing.assert_allclose(moments[1:], load.torque[1:], atol=1e-9)
    plane = np.column_stack([np.ones(count), pads[:, 1:], forces])
    assert np.linalg.matrix_rank(plane, tol=1e-6) == 3


@pytest.mark.parametrize(
    ("pads", "words"),
    [(ring(2, 0.8), "at least 3"), (np.outer(np.arange(4.0), [0.0, 1.0, 2.0]), "one line")],
)
def test_pads_that_cannot_hold_a_face_are_refused(pads, words):
    with pytest.raises(InputError, match=words):
        balance.pad_forces(balance.interface_load(study(), STILL), pads)


def test_centred_thrust_never_loses_contact():
    pair = study()
    assert course.used_up(pair, lambda w: balance.pad_margin(pair, ring(6, 0.8), w), 60.0) is None


def test_a_margin_is_used_up_at_the_rate_where_centrifugal_pull_equals_the_push():
    """Symmetric about the thrust axis and turned about y only: f_x = N - m_t c w², w = w_dot t.
    The instant is located to 1 us of some 60 s."""
    pair = diagonal(0.0, 0.3)
    found = course.used_up(pair, lambda w: balance.interface_load(pair, w).normal, 80.0)
    start = balance.interface_load(pair, STILL).normal
    lever = pair.target.com[0] - pair.whole.com[0]
    assert found is not None
    assert found.rate == pytest.approx(math.sqrt(start / (8200.0 * lever)), rel=1e-6)
    w_dot = balance.angular_acceleration(pair, STILL)[1]
    assert found.t == pytest.approx(found.rate / abs(w_dot), rel=1e-6)


def test_friction_and_arm_margins_are_what_is_left_of_their_limits():
    pair = study(0.35, 0.35)
    load = balance.interface_load(pair, STILL)
    across = math.hypot(*load.force[1:])
    left = balance.friction_margin(pair, 0.5, STILL)
    assert left == pytest.approx(0.5 * load.force[0] - across)
    assert balance.arm_margin(pair, 10.0, STILL) == pytest.approx(10.0 - across)


def test_step_response_solves_the_equation_of_motion():
    """Differences of the closed form put into m̃ d̈x + d ḋx + c dx = -(m̃/m_s) F; an h of 1e-4 of the
    period errs by (2π 1e-4)²/12 of the terms."""
    pushed = line.with_zeta(1200.0, 8200.0, 1e8, 0.2)
    h = 1e-4 * math.tau / pushed.omega
    t = np.array([0.3, 1.1, 2.9]) / pushed.omega

    def dx(at):
        return line.step_response(pushed, 1500.0, 375.0, at)[0]

    speed = (dx(t + h) - dx(t - h)) / (2.0 * h)
    bent = (dx(t + h) - 2.0 * dx(t) + dx(t - h)) / h**2
    force = pushed.reduced_mass * bent + pushed.damping * speed + pushed.stiffness * dx(t)
    np.testing.assert_allclose(force, -pushed.reduced_mass / 1200.0 * 375.0, rtol=1e-5)
    np.testing.assert_allclose(line.step_response(pushed, 1500.0, 375.0, t)[1], speed, rtol=1e-5)
    first = line.step_response(pushed, 1500.0, 375.0, np.array([0.0]))
    assert first[0][0] == pytest.approx(line.settled(pushed, 1500.0), rel=1e-12)
    assert first[1][0] == 0.0


def test_the_contact_lets_go_where_its_force_is_zero_at_the_predicted_speed():
    pushed = line.with_zeta(1200.0, 8200.0, 1e8, 0.02)
    root = math.sqrt(1.0 - pushed.zeta**2)
    t = np.array([math.acos(pushed.zeta) / (root * pushed.omega)])
    start = line.carried(pushed, 1500.0)
    assert abs(line.contact_force(pushed, 1500.0, 0.0, t)[0]) < 1e-9 * start
    speed = line.step_response(pushed, 1500.0, 0.0, t)[1][0]
    assert line.release_speed(pushed, 1500.0) == pytest.approx(speed, rel=1e-12)


def test_a_contact_damped_beyond_swinging_is_refused():
    with pytest.raises(InputError, match=r"damping ratio 1\.1"):
        line.release_speed(line.with_zeta(1200.0, 8200.0, 6e4, 1.1), 1500.0)


def test_undamped_an_arm_takes_up_the_stored_energy():
    pushed = line.Line(1200.0, 8200.0, 1e8, 0.0)
    energy = line.stored_energy(line.carried(pushed, 1500.0), 1e8)
    assert line.gap_left(pushed, 1500.0, 10.0) == pytest.approx(energy / 10.0, rel=1e-12)
    # a parabola: gap = ½ (f/m̃) (t/2)²
    half = 0.5 * line.flight_time(pushed, 1500.0, 10.0)
    assert 0.5 * 10.0 / pushed.reduced_mass * half**2 == pytest.approx(energy / 10.0, rel=1e-12)


def sliders(stiffer=1.0):
    held = sliding.Robot(np.array([0.0, 75.0, 25.0]), np.array([0.0, 2.5, 2.0]), 1e5, 5e3)
    pads = sliding.Pads(ring(6, 0.8), 1e4 * stiffer, 3e3 * stiffer)
    return sliding.sliding(study(), pads, held)


@pytest.mark.parametrize(("axis", "damping"), [("y", 75.0), ("z", 25.0)])
def test_sliding_on_stiff_pads_is_the_simple_swing(axis, damping):
    """What the pads' give adds falls with their stiffness; products of inertia leave 1e-4."""
    simple = sliding.simple_root(study(), axis, damping)
    soft = sliding.sliding_root(sliders(), axis)
    assert soft.natural_frequency == pytest.approx(simple.natural_frequency, rel=0.01)
    assert soft.damping == pytest.approx(simple.damping, rel=0.1)
    stiff = sliding.sliding_root(sliders(10.0), axis)
    assert stiff.natural_frequency == pytest.approx(simple.natural_frequency, rel=0.001)
    assert stiff.damping == pytest.approx(simple.damping, rel=0.01)
    stiffest = sliding.sliding_root(sliders(1000.0), axis)
    assert abs(stiffest.s - simple.s) < 5e-4 * abs(simple.s)


def test_the_simple_swing_has_no_reduced_mass_in_its_inertia():
    root = sliding.simple_root(study(), "z", 0.0)
    assert abs(root.s) ** 2 == pytest.approx(1500.0 * 82.0 / 94.0 * D / (950.0 + 10e3), rel=1e-12)


def test_damped_too_strongly_the_bodies_creep_back():
    root = sliding.simple_root(study(), "z", 1000.0)
    assert root.s.imag == 0.0
    # the slower of two real ways back, about stiffness over damping
    assert -0.5 < root.s.real < 0.0


def test_the_response_swings_and_decays_with_the_roots():
    """Along y after its fast parts died out: two samples a period apart are in the ratio
    exp(Re s T); the other slow swing, coupled by products of inertia, is 1e-3 of it."""
    system = sliders()
    s = sliding.sliding_root(system, "y").s
    period = math.tau / s.imag
    start = np.zeros(12)
    start[1] = 0.1
    y = sliding.respond(system, start, period / 200.0, 500)[:, 1]
    assert y[400] / y[200] == pytest.approx(math.exp(s.real * period), rel=0.02)
