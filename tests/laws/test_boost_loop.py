"""Off-modulated engines in the loop: the torque asked for is the torque made, or it is said so."""

import subprocess
import sys

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe_thrusters

TICK = 0.001  # [s]
CYCLE = 1000  # ticks
CYCLES = 6


def boosted(cycles=CYCLES, **changes):
    duration = cycles * CYCLE * TICK
    time = {
        "duration_s": duration,
        "control_rate_hz": 1.0 / TICK,
        "record_rate_hz": 1.0 / TICK,
        "phases": {"boost": {"until_s": duration, "step_s": TICK}},
    }
    fixed = {"kp_N_m_rad": [0.0, 0.0, 0.0], "kd_N_m_s_rad": [0.0, 0.0, 0.0]}
    settings = {f"obsw.boost.{key}": value for key, value in (fixed | changes).items()}
    return proxops.load("deorbit-boost").replace({"time": time, "requirements": {}} | settings)


def mean_torque(scenario, run):
    """Over each cycle, about the believed centre of mass (cycles, 3) [N m], from the thrust that
    the engines had."""
    engines = describe_thrusters(scenario.mission)
    arms = np.array([each.p_C for each in engines]) - scenario.mission.obsw.boost.p_CS_m
    made = np.cross(arms, [each.direction for each in engines])
    thrust = run["chaser.thrusters.thrust"][1][1:]  # a row shows the step that ends with it
    return thrust.reshape(CYCLES, CYCLE, -1).mean(axis=1) @ made


@pytest.mark.parametrize("modulation", ["aligned", "staggered"])
@pytest.mark.parametrize("torque", [[0.0, 60.0, -40.0], [0.0, -30.0, 10.0], [0.0, 100.0, 0.0]])
def test_a_torque_within_reach_is_met_on_average(torque, modulation):
    """Within 1 %, with the separation rule at work.  A cycle alone is off by half a tick of each
    engine, of up to 225 N m: 0.1 N m; a pulse moved over the end of a cycle by more."""
    scenario = boosted(torque_N_m=torque, modulation=modulation)
    run = proxops.simulate(scenario)
    made = mean_torque(scenario, run)
    missed = np.linalg.norm(made.mean(axis=0) - torque)
    assert missed < 0.01 * np.linalg.norm(torque)
    assert not [event for event in run.events if event.name == "torque-missed"]
    np.testing.assert_allclose(run["obsw.boost.torque"][1][1:], [torque] * (CYCLES * CYCLE))


def test_the_torque_turns_the_bodies_as_one():
    """Held together by friction, I ẇ = τ about the common centre of mass, from the mean of one
    cycle to that of another.  The torque is rounded to ticks, 0.2 N m of 100, and the tide
    turns the bodies both with a torque and without."""
    still = proxops.simulate(boosted(torque_N_m=[0.0, 0.0, 0.0]))
    turned = proxops.simulate(boosted(torque_N_m=[0.0, 0.0, -100.0]))
    w = turned["target.w_NT_T"][1] - still["target.w_NT_T"][1]
    mean = w[1:].reshape(CYCLES, CYCLE, 3).mean(axis=1)
    gained = mean[-1] - mean[1]
    # in T, whose y axis is -x of C
    R_TC = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    mission = proxops.load("deorbit-boost").mission
    r = R_TC @ turned["relative.p_CT"][1][0]
    apart = 1200.0 * 8200.0 / 9400.0 * (r @ r * np.eye(3) - np.outer(r, r))
    inertia = (
        R_TC @ np.array(mission.chaser.inertia_kg_m2) @ R_TC.T
        + mission.target.inertia_kg_m2
        + apart
    )
    expected = np.linalg.solve(inertia, [0.0, 0.0, -100.0]) * (CYCLES - 2) * CYCLE * TICK
    np.testing.assert_allclose(gained, expected, rtol=0.0, atol=0.005 * np.linalg.norm(expected))


@pytest.mark.slow
def test_a_fixed_torque_out_of_reach_is_refused_before_the_run_with_what_is_possible(tmp_path):
    with pytest.raises(proxops.InputError) as caught:
        proxops.simulate(boosted(torque_N_m=[0.0, 200.0, 0.0]))
    assert str(caught.value) == (
        "obsw.boost.torque_N_m: commanded 200 N m along [0, 1, 0] in C, achievable up to "
        "142.9 N m; x with the others as commanded: none; y with the others as commanded: "
        "-284.5 to 142.9 N m; z with the others as commanded: none"
    )
    command = ["run", "deorbit-boost", "--set", "obsw.boost.torque_N_m=[0.0, 200.0, 0.0]"]
    done = subprocess.run(
        [sys.executable, "-m", "proxops", *command],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "achievable up to 142.9 N m" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_torque_named_as_achievable_is_accepted_and_a_little_more_is_not():
    """Along y it is the engine at +z, and the one at +y for as long as it takes to make up for its
    torque about z: 375 N (0.4 m - 0.1 m × 0.08/0.42) = 142.86 N m."""
    proxops.simulate(boosted(1, torque_N_m=[0.0, 142.8, 0.0]))
    with pytest.raises(proxops.InputError, match="achievable up to"):
        proxops.simulate(boosted(1, torque_N_m=[0.0, 143.0, 0.0]))


def test_an_attitude_law_that_asks_too_much_is_an_event_that_names_what_is_possible():
    run = proxops.simulate(boosted(2, kd_N_m_s_rad=[0.0, 1e6, 1e6]))
    missed = [event for event in run.events if event.name == "torque-missed"]
    assert len(missed) == 1  # told when it begins
    asked = np.linalg.norm(run["obsw.boost.torque"][1], axis=1).max()
    detail = missed[0].detail
    assert detail.startswith(f"obsw.boost: commanded {asked:.4g} N m along [0, ")
    assert "achievable up to" in detail
    assert "y with the others as commanded: " in detail
    assert run.ledger.closed
