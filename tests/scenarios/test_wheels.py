"""A mission whose chaser has wheels: what is recorded, judged and shown of it."""

import math
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.viewer.hardware import hardware_of
from tests.data.wheels import WHEEL

ROLL = WHEEL | {"axis_C": [1.0, 0.0, 0.0], "speed_rpm": 1000.0}


@pytest.fixture(scope="module")
def run() -> proxops.Run:
    """free-tumble for 2 s with two wheels, one of them named as the arm."""
    time = {
        "duration_s": 2.0,
        "control_rate_hz": 100.0,
        "record_rate_hz": 50.0,
        "phases": {"only": {"until_s": 2.0, "step_s": 0.002}},
    }
    fast = {
        "signal": "chaser.wheels.roll.speed",
        "measure": "highest",
        "comparison": "<=",
        "limit": 1000.1,
        "unit": "rpm",
    }
    wheels = {"roll": ROLL, "main": WHEEL | {"axis_C": [0.0, 0.0, -1.0], "speed_rpm": -3000.0}}
    changes = {"time": time, "chaser.wheels": wheels, "requirements": {"slow": fast}}
    return proxops.simulate(proxops.load("free-tumble").replace(changes))


def test_the_ledger_closes_and_a_requirement_reads_the_speed(run: proxops.Run) -> None:
    assert run.ledger.closed
    assert run.ledger.angular_momentum_residual < 1e-11
    assert run.requirements[0].passed
    assert run.requirements[0].value == pytest.approx(1000.0, abs=0.1)


def test_speeds_and_torques_are_recorded_under_the_wheels_names(run: proxops.Run) -> None:
    """Friction and the turn of the hub, d(Ω + w_x)/dt = -b Ω/J, are all that changes a speed."""
    t, speed = run["chaser.wheels.roll.speed"]
    turn = run["chaser.w_NC_C"][1][:, 0]
    turned = np.cumsum(np.diff(t) * 0.5 * (speed[1:] + speed[:-1]))
    lost = 1e-3 / 0.08 * np.concatenate([[0.0], turned])
    # a sum of trapezoids: (b/J)³ dt² t Ω/12
    assert speed + turn == pytest.approx(speed[0] + turn[0] - lost, abs=1e-6)
    assert run["chaser.wheels.main.speed"][1][0] == pytest.approx(-3000.0 * math.pi / 30.0)
    assert not run["chaser.wheels.main.torque"][1].any()  # nobody asks for any
    arms = [signal.name for signal in run.signals() if signal.name.startswith("chaser.arms.")]
    assert arms == [f"chaser.arms.main.{each}" for each in ("q", "qd", "tau", "tau_peak")]
    assert np.abs(run["chaser.arms.main.q"][1]).max() < 2.0 * math.pi  # no rotor's angle among them
    assert not [event for event in run.events if event.name == "joint-stop"]


def test_wheels_are_no_arms_to_those_who_look_at_a_run(run: proxops.Run, tmp_path: Path) -> None:
    hardware = hardware_of(run.provenance, tuple(run.signals()))
    assert [mounted.name for mounted in hardware.chaser.arms] == ["main"]
    run.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "Speed of wheel roll" in text
    assert "Joint rates of arm roll" not in text
