"""Contact through a robot that is late: how light a pressed body may be."""

import math

import numpy as np
import pytest

import proxops
from proxops.core.description import RigidInertia
from proxops.facility.common.passivity.late_spring import (
    lateness,
    lightest_pressed,
    mass_at,
    touch_problem,
)
from proxops.physics.flexible.linear import IDEAL, Lag, Loop, response
from proxops.scenario.history import COLUMNS
from proxops.validation import ringing

HZ = 2.0 * math.pi
LOOP = Loop((Lag(2.5 * HZ, 1), Lag(12.0 * HZ, 2, 0.6)), 0.02)
STIFFNESS, DAMPING = 250.0, 35.0


def test_a_pure_delay_has_its_verge_in_closed_form():
    """Without a lag the phase is atan(ωc/k) - ωτ; with c = k τ x and ωτ = π/4 it is zero for
    x = 4/π, and m = k √2/ω²."""
    tau = 0.1
    mass = lightest_pressed(Loop((), tau), 100.0, 100.0 * tau * 4.0 / math.pi)
    assert mass == pytest.approx(100.0 * math.sqrt(2.0) / (0.25 * math.pi / tau) ** 2, rel=1e-7)


def test_a_late_spring_needs_a_damper_and_an_ideal_robot_none():
    late = lateness(LOOP)
    assert late == pytest.approx(0.02 + 1.0 / (2.5 * HZ) + 1.2 / (12.0 * HZ), rel=1e-12)
    assert lightest_pressed(LOOP, 100.0, 0.99 * 100.0 * late) == math.inf
    assert lightest_pressed(LOOP, 100.0, 1.01 * 100.0 * late) < math.inf
    assert lightest_pressed(IDEAL, 100.0, 0.0) == 0.0


def root_of(mass):
    """Of m s² + G(s) (k + c s), near the imaginary axis, by Newton's method."""

    def left(s):
        return mass * s * s + response(LOOP, s) * (STIFFNESS + DAMPING * s)

    s = min((1j * w for w in np.geomspace(1.0, 100.0, 400)), key=lambda s: abs(left(s)))
    for _ in range(20):
        s -= left(s) * 2e-4 / (left(s + 1e-4) - left(s - 1e-4))
    return s


def test_at_the_limit_a_root_stands_on_the_imaginary_axis_and_heavier_ones_left_of_it():
    limit = lightest_pressed(LOOP, STIFFNESS, DAMPING)
    assert 0.0 < limit < 100.0
    assert root_of(limit).real == pytest.approx(0.0, abs=1e-6)
    assert root_of(1.1 * limit).real < -0.01
    assert root_of(0.9 * limit).real > 0.01


def test_off_its_centre_a_body_feels_lighter():
    """1/m + r²/I of a body whose push passes its centre of mass at r."""
    body = RigidInertia(50.0, np.zeros(3), np.diag([8.0, 9.0, 10.0]))
    along = np.array([0.0, 1.0, 0.0])
    assert mass_at(body, np.array([0.3, -0.5, 0.0]), along) == pytest.approx(
        1.0 / (1.0 / 50.0 + 0.09 / 10.0), rel=1e-12
    )


def test_a_warning_names_what_was_found_and_what_is_needed():
    limit = lightest_pressed(LOOP, STIFFNESS, DAMPING)
    assert touch_problem(1.01 * limit, LOOP, STIFFNESS, DAMPING) is None
    text = touch_problem(0.99 * limit, LOOP, STIFFNESS, DAMPING)
    assert text is not None
    assert f"{0.99 * limit:.4g} kg" in text
    assert f"{limit:.4g} kg" in text
    weak = touch_problem(1e9, LOOP, STIFFNESS, 1.0)
    assert weak is not None
    assert f"more than {STIFFNESS * lateness(LOOP):.4g} N s/m" in weak


def pressed(folder, mass):
    """A rigid target that a force of 2 N, raised within a second, presses onto the probe."""
    rows = [[0.0, *[0.0] * 6], [1.0, 0.0, -2.0, *[0.0] * 4], [9.0, 0.0, -2.0, *[0.0] * 4]]
    lines = [",".join(map(repr, row)) for row in rows]
    (folder / "press.csv").write_text("\n".join([",".join(COLUMNS), *lines]))
    time = {
        "duration_s": 8.0,
        "control_rate_hz": 200.0,
        "record_rate_hz": 100.0,
        "phases": {"only": {"until_s": 8.0, "step_s": 0.0025}},
    }
    probe = {
        "p_TA_m": [0.0, -0.5, 0.0],
        "gap_m": 0.0,
        "start_s": 0.0,
        "travel_m": 1e-3,
        "hold_s": 100.0,
    }
    changes = {
        "time": time,
        "requirements": {},
        "target.mass_kg": mass,
        "target.appendages": {},
        "target.wrench": {"file": str(folder / "press.csv")},
        "robot.sensor": {"filter_hz": 20.0},
    }
    return proxops.load("flexible-rendered").replace(
        changes | {f"robot.probe.{key}": value for key, value in probe.items()}
    )


@pytest.mark.parametrize("share", [1.2, 1.0, 0.85])
def test_a_pressed_mass_swings_on_from_the_predicted_limit_on(tmp_path, share):
    """A held reading is taken as half a step late, exact to (ωh)²/24 ≈ 1e-4 at ω = 19 rad/s; the
    limit in the mass goes with it."""
    loop = Loop((Lag(2.5 * HZ, 1), Lag(20.0 * HZ, 1)), 0.03 + 0.5 * 0.0025)
    limit = lightest_pressed(loop, STIFFNESS, DAMPING)
    run = proxops.simulate(pressed(tmp_path, share * limit))
    t, p = run["target.p_HT"]
    # after the robot's start, before a growing one takes off
    shown = ringing.ringing(p[(t > 1.2) & (t < 3.2), 1][::2], 0.02, 5)[0]
    warned = [event for event in run.events if event.name == "warning"]
    if share == 1.0:
        assert ringing.damping(shown) == pytest.approx(0.0, abs=1e-3)
    else:
        assert math.copysign(1.0, ringing.damping(shown)) == math.copysign(1.0, share - 1.0)
        assert abs(ringing.damping(shown)) > 0.01
        assert bool(warned) == (share < 1.0)
