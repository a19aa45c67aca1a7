"""Axes follow commands as a damped spring behind a delay does."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from proxops.facility.robot_cell.servo import JOINTS, Servo, follow, moving, take_command

H = 0.001  # [s]


def followed(servo, command, ticks):
    """Positions (ticks + 1, 12) of axes that stood at zero, commanded by a function of time."""
    axes = moving(servo, np.zeros(JOINTS), np.zeros(JOINTS), H)
    rows = [axes.q.copy()]
    for tick in range(ticks):
        if (tick + 1) % servo.cycle == 0:
            take_command(servo, axes, tick + 1, command((tick + 1) * H))
        follow(servo, axes, tick, H)
        rows.append(axes.q.copy())
    return np.array(rows)


@pytest.mark.parametrize("damping", [0.4, 1.0, 1.7])
def test_an_axis_is_a_damped_spring_behind_its_delay(damping):
    servo = Servo(40.0, damping, 20, 4)

    def wave(t):
        return np.full(JOINTS, 0.1 * (1.0 - np.cos(3.0 * t)))

    def rates(t, y):
        asked = float(np.interp(t - 0.02, corners, commands))
        return [y[1], 40.0**2 * (asked - y[0]) - 2.0 * damping * 40.0 * y[1]]

    corners = np.arange(0.0, 1.2, 0.004)
    commands = [wave(c)[0] for c in corners]
    ours = followed(servo, wave, 1000)[:, 3]
    times = np.arange(1001) * H
    exact = solve_ivp(rates, (0.0, 1.0), [0.0, 0.0], t_eval=times, rtol=1e-10, atol=1e-13,
                      max_step=0.2 * H).y[0]  # fmt: skip
    assert np.abs(ours - exact).max() < 1e-9


def test_a_ramp_is_followed_late_by_delay_and_lag():
    servo = Servo(40.0, 1.0, 20, 4)
    axes = moving(servo, np.zeros(JOINTS), np.full(JOINTS, 0.3), H)
    for tick in range(200):
        if (tick + 1) % servo.cycle == 0:
            take_command(servo, axes, tick + 1, np.full(JOINTS, 0.3 * (tick + 1) * H))
        follow(servo, axes, tick, H)
        late = 0.02 + 2.0 / 40.0
        assert np.abs(axes.q - 0.3 * ((tick + 1) * H - late)).max() < 1e-14
        assert np.abs(axes.qd - 0.3).max() < 1e-13
