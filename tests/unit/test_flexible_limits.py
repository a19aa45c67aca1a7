"""Warnings of appendages: tips that go too far, steps that leave the energy balance open."""

import math

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.assembly.flexible_limits import Vibrations, energy_error, tip_limits, vibrations
from proxops.results.ledger import ENERGY_CLOSED

BENT = proxops.load("flexible-symmetric").replace({"requirements": {}})
LEFT, RIGHT = (f"target.appendages.{side}" for side in ("left", "right"))


def timed(duration, step):
    """The mission's time with one phase of that step."""
    return {
        "time": {
            "duration_s": duration,
            "control_rate_hz": 1.0 / step,
            "record_rate_hz": 1.0 / step,
            "phases": {"only": {"until_s": duration, "step_s": step}},
        }
    }


def warned(run):
    return [event.detail for event in run.events if event.name == "warning"]


def residual(z, zeta, phase):
    """Largest |T - W| over the energy of a vibration that starts deflected, by Runge-Kutta."""

    def rates(y):
        x, v, _ = y
        return np.array([v, -x - 2.0 * zeta * v, -x * v - 2.0 * zeta * v * v])

    y, most = np.array([1.0, 0.0, 0.0]), 0.0
    for _ in range(round(phase / z)):
        k1 = rates(y)
        k2 = rates(y + 0.5 * z * k1)
        k3 = rates(y + 0.5 * z * k2)
        k4 = rates(y + z * k3)
        y = y + z / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        most = max(most, abs(0.5 * y[1] ** 2 - y[2]))
    return most / 0.5


@pytest.mark.parametrize("z", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("phase", [2.0 * math.pi, 100.0])
def test_an_undamped_vibration_leaves_the_energy_that_is_predicted(z, phase):
    """Next order: z, and the swinging part is at its largest somewhere else."""
    alone = Vibrations(np.ones(1), np.zeros(1), np.ones(1))
    assert energy_error(alone, z, 0.0, phase) == pytest.approx(residual(z, 0.0, phase), rel=0.15)


def test_a_damped_vibration_leaves_no_more_than_is_predicted_and_half_of_it():
    alone = Vibrations(np.ones(1), np.array([0.01]), np.ones(1))
    predicted = energy_error(alone, 0.1, 0.0, 500.0)
    assert 0.5 * predicted < residual(0.1, 0.01, 500.0) < predicted


def test_the_energy_at_the_start_is_that_of_the_bent_beams():
    """½ m ω² q_f² of each, clamped; on its hub a beam stores the same."""
    _, target, _ = describe(BENT)
    stored = sum(
        0.5 * (mode.omega * q / mode.per_eta) ** 2
        for each in target.appendages
        for mode, q in zip(each.modes, each.q_f, strict=True)
    )
    assert vibrations(target).energy.sum() == pytest.approx(stored, rel=1e-12)


def test_a_step_that_will_not_close_the_ledger_is_a_warning_and_the_step_it_names_closes_it():
    coarse = proxops.simulate(BENT.replace(timed(20.0, 0.025)))
    (text,) = [each for each in warned(coarse) if "energy balance" in each]
    assert text.startswith("time.phases.only.step_s: 0.025 s is long for the vibration of target")
    predicted = float(text.split("off by about ")[1].split(",")[0])
    assert coarse.ledger.energy_residual > ENERGY_CLOSED
    assert coarse.ledger.energy_residual == pytest.approx(predicted, rel=0.5)
    needed = float(text.split("it needs ")[1].split(" s")[0])
    step = next(each for each in (0.02, 0.0125, 0.01, 0.008) if each <= needed)
    finer = proxops.simulate(BENT.replace(timed(20.0, step)))
    assert finer.ledger.closed
    assert not [each for each in warned(finer) if "energy balance" in each]


@pytest.mark.parametrize(("share", "warns"), [(0.04, False), (0.06, True)])
def test_a_tip_that_deflects_beyond_a_tenth_of_the_length_is_a_warning(share, warns):
    """q_f moves the tip by twice as much."""
    length = BENT.mission.target.appendages["left"].length_m
    count = BENT.mission.target.appendages["left"].mode_count
    bent = [share * length] + [0.0] * (count - 1)
    still = [0.0] * count
    run = proxops.simulate(
        BENT.replace(timed(0.1, 0.0025) | {f"{LEFT}.q_f_m": bent, f"{RIGHT}.q_f_m": still})
    )
    told = [each for each in warned(run) if "tip" in each]
    assert [each.split(":")[0] for each in told] == [LEFT] * warns
    if warns:
        assert f"deflects by {2.0 * share:.3g} of its length" in told[0]


def test_tips_of_shapes_along_two_axes_add_up_axis_by_axis():
    changed = BENT.replace({f"{LEFT}.axes": "yz", f"{LEFT}.shapes": 2, f"{LEFT}.q_f_m": [0.0] * 4})
    limit = next(each for each in tip_limits(changed) if each.path == LEFT)
    np.testing.assert_allclose(limit.tips, [[2, 0, -2, 0], [0, 2, 0, -2]], atol=1e-9)
