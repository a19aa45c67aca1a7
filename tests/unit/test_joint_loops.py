"""Sampled joint control: where it is unstable, and what is said about it."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from tests.laws.written import written

import proxops
from proxops.assembly.build import build
from proxops.assembly.joint_loops import JointLoop, cycle_matrix, growth, unstable_loops
from proxops.core.clock import NS_PER_S
from proxops.results.warnings import foreseen
from proxops.sensors.encoders import SENSOR, Encoders, measure
from proxops.sensors.sampling import LAST
from proxops.sensors.sensor import Chaser
from proxops.sensors.sensor import build as build_sensor

BESIDE = 1e-3  # of a bound, on either side of it
KD = (45.0, 45.0, 25.0, 25.0, 10.0, 5.0)


def one(kp, kd, inertia, period, **more):
    """The loop of a single joint without friction."""
    made = {"B": np.zeros((1, 1))} | more
    gains = np.array([[kp]]), np.array([[kd]])
    return JointLoop(
        M=np.array([[inertia]]), B=made.pop("B"), Kp=gains[0], Kd=gains[1], period=period, **made
    )


def spread(rng, n):
    """A symmetric positive definite matrix."""
    A = rng.standard_normal((n, n))
    return A @ A.T + 0.1 * np.eye(n)


def discretised(loop):
    """Closed loop of q and q̇ from the series of exp(A T), commands held."""
    n = len(loop.M)
    A = np.zeros((3 * n, 3 * n))
    A[:n, n : 2 * n] = np.eye(n)
    A[n : 2 * n, n : 2 * n] = -np.linalg.solve(loop.M, loop.B)
    A[n : 2 * n, 2 * n :] = np.linalg.inv(loop.M)
    held, term = np.eye(3 * n), np.eye(3 * n)
    for k in range(1, 60):
        term = term @ A * (loop.period / k)
        held = held + term
    gains = np.hstack([loop.Kp, loop.Kd])
    return held[: 2 * n, : 2 * n] - held[: 2 * n, 2 * n :] @ gains


@pytest.mark.parametrize("seed", range(5))
def test_a_cycle_is_that_of_the_discretised_loop(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 4
    loop = JointLoop(spread(rng, n), spread(rng, n), spread(rng, n), spread(rng, n), period=0.3)
    ours = cycle_matrix(loop)[: 2 * n, : 2 * n]
    # Rounding of a series whose largest term is exp(|A| T), some 1e3
    np.testing.assert_allclose(ours, discretised(loop), atol=1e-11 * np.abs(ours).max())


@pytest.mark.parametrize("seed", range(5))
def test_one_joint_is_stable_between_half_kp_t_and_twice_inertia_over_t(seed):
    inertia, period, share = np.random.default_rng(seed).uniform(0.05, 1.0, 3)
    most = 2.0 * inertia / period
    kp = share * 2.0 * most / period  # kp T/2 is below the other bound
    for bound, inside in ((most, 1.0 - BESIDE), (0.5 * kp * period, 1.0 + BESIDE)):
        assert growth(one(kp, inside * bound, inertia, period)) < 1.0
        assert growth(one(kp, (2.0 - inside) * bound, inertia, period)) > 1.0


@pytest.mark.parametrize("seed", range(5))
def test_many_joints_are_stable_while_no_direction_has_more_than_two(seed):
    rng = np.random.default_rng(seed)
    M, Kp, Kd, period = spread(rng, 4), spread(rng, 4), spread(rng, 4), 0.1
    Kd += Kp * period  # beyond the other bound in every direction
    Kd *= 2.0 / period / np.linalg.eigvals(np.linalg.solve(M, Kd)).real.max()
    Kp *= 1e-3
    for factor, stable in ((1.0 - BESIDE, True), (1.0 + BESIDE, False)):
        loop = JointLoop(M, np.zeros((4, 4)), Kp, factor * Kd, period)
        assert (growth(loop) < 1.0) == stable


@pytest.mark.parametrize("late", [0, 1, 2, 5])
def test_damping_that_comes_late_bears_twice_the_sine_of_its_phase(late):
    """q̇⁺ = q̇ - c q̇ of `late` cycles before is stable up to c = 2 sin(π/(4 late + 2))."""
    bound = 2.0 * math.sin(math.pi / (4 * late + 2))
    assert growth(one(0.0, (1.0 - BESIDE) * bound, 1.0, 1.0, late=late)) <= 1.0 + 1e-9
    assert growth(one(0.0, (1.0 + BESIDE) * bound, 1.0, 1.0, late=late)) > 1.0 + 1e-5


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_filtered_rates_grow_as_the_encoders_own_ones_do(share):
    """The joint in time, with the encoders of a run; 1.99 is where `growth` has the bound."""
    period, inertia, corner = 1e-3, 0.36, 2.0 * math.pi * 50.0
    kd = share * 1.99 * inertia / period
    loop = one(500.0, kd, inertia, period, corner=corner)
    tick, none = round(period * NS_PER_S), np.zeros(1)
    params, memory = build_sensor(
        SENSOR, Encoders(corner=corner), Chaser(1, 0), tick, none, np.zeros((1, 2))
    )
    q, qd, sizes, read = 1e-3, 0.0, [], np.zeros(2)
    memory.own[:], memory.marks[LAST] = (q, 0.0), 0
    for cycle in range(1, 4001):
        truth = SimpleNamespace(q=np.array([q]), qd=np.array([qd]), clock=[cycle * tick])
        assert written(measure)(params, memory, truth, none, read)
        torque = -500.0 * read[0] - kd * read[1]
        q += period * qd + 0.5 * period**2 * torque / inertia
        qd += period * torque / inertia
        sizes.append(math.hypot(q, qd * period))
    grown = (max(sizes[-100:]) / max(sizes[1900:2000])) ** (1.0 / 2000.0)
    assert (grown > 1.0) == (share > 1.0)
    assert grown == pytest.approx(growth(loop), abs=1e-3 * abs(growth(loop) - 1.0) + 1e-4)


def arm(kd, rate=50.0):
    """fly-around with that damping at the last joint, controlled at that rate."""
    time = {
        "duration_s": 1.0,
        "control_rate_hz": rate,
        "record_rate_hz": 10.0,
        "phases": {"only": {"until_s": 1.0, "step_s": 5e-4}},
    }
    changes = {"obsw.joints.main.kd": [*KD, kd], "time": time, "requirements": {}}
    return proxops.load("fly-around").replace(changes)


def warned(scenario):
    return [text for _, text in unstable_loops(scenario, build(scenario))]


def test_the_gain_that_is_recommended_is_the_largest_that_is_not_warned_of():
    (text,) = warned(arm(60.0))
    gain = float(re.search(r"lower it below ([0-9.]+) N m s/rad for joint 'wrist_roll'", text)[1])
    assert not warned(arm(gain))
    assert warned(arm(1.01 * gain))
    # kd T/I = 2 with the inertia about the last axis: rotor 0.35 and the link's 1.5e-3 kg m2
    assert gain == pytest.approx(2.0 * 0.3515 / 0.02, rel=5e-3)


def test_the_rate_that_is_recommended_is_stable():
    (text,) = warned(arm(60.0))
    rate = float(re.search(r"or raise time.control_rate_hz above ([0-9.]+)", text)[1])
    # twice the inertia over the gain, as above
    assert rate == pytest.approx(0.5 * 60.0 / 0.3515, rel=5e-3)
    assert warned(arm(60.0, 80.0))
    assert not warned(arm(60.0, 100.0))


def test_where_all_joints_have_too_much_they_are_lowered_together():
    far = proxops.load("fly-around").replace({"obsw.joints.main.kd": 200.0})
    (text,) = warned(far)
    share = float(re.search(r"lower it to ([0-9.]+) of its value", text)[1])
    assert not warned(far.replace({"obsw.joints.main.kd": share * 200.0}))
    assert warned(far.replace({"obsw.joints.main.kd": 1.02 * share * 200.0}))


def test_a_spring_that_is_too_stiff_for_its_period_is_told_so():
    stiff = proxops.load("fly-around").replace({"obsw.joints.main.kp": 1e5})
    (text,) = warned(stiff)
    assert text.startswith("lower the stiffness to ")


def test_where_both_gains_are_too_large_both_are_lowered():
    far = proxops.load("fly-around").replace(
        {"obsw.joints.main.kp": 1e6, "obsw.joints.main.kd": 1e6}
    )
    (text,) = warned(far)
    share = float(re.search(r"lower damping and stiffness to ([0-9.e-]+) of their values", text)[1])
    less = {"obsw.joints.main.kp": share * 1e6, "obsw.joints.main.kd": share * 1e6}
    assert not warned(far.replace(less))
    assert share * 1e6 == pytest.approx(35.0, rel=0.02)  # as for all joints with the same damping


@pytest.mark.parametrize("gain", ["kp", "kd"])
def test_gains_without_measure_are_warned_of_too(gain):
    far = proxops.load("fly-around").replace({f"obsw.joints.main.{gain}": 1e19})
    (text,) = warned(far)
    assert "limit cycle" in text


@pytest.mark.parametrize(
    "key", ["joint_hold.kd", "gripper.gain_N_s_m", "impedance.damping_N_m_s_rad"]
)
def test_a_capture_is_warned_of_each_of_its_loops(key):
    scenario = proxops.load("envisat-capture")
    value = scenario.to_dict()["mission"]["obsw"]["capture"]
    for part in key.split("."):
        value = value[part]
    more = 100.0 * np.asarray(value)
    (text,) = foreseen(scenario.replace({f"obsw.capture.{key}": more.tolist()}))
    assert text.startswith(f"obsw.capture.{key.split('.damping')[0]}: lower it")
    assert "limit cycle" in text


@pytest.mark.parametrize(
    "name", ["fly-around", "free-tumble", "touch", "envisat-push", "envisat-capture"]
)
def test_shipped_arms_are_far_from_it(name):
    assert not foreseen(proxops.load(name))
