"""Every shipped mission runs, passes and makes the same bits each time."""

import json
import subprocess
import sys

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe
from proxops.onboard.functions.boost.boost import step as boost_step
from proxops.plant.frames import enter_from_hill
from proxops.scenario.shipped import shipped
from proxops.sim.worlds.orbit import advance_until
from proxops.sim.worlds.rendered import render_until
from tests.data.wheels import WHEEL
from tests.scenarios.flown import flown, group

MISSIONS = sorted(shipped())


# Motors that follow noisy encoders jump in every turn, and stir up what the integrator's fourth
# order leaves of it: 7.0e-9, 4.7e-10 and 2.6e-11 with steps of 1, 1/2 and 1/4 ms.
# Of unberthing 3.1e-9 and 4.0e-10 with steps of 2.5 and 1.25 ms; of berthing-ground 2.5e-9 since
# its hand is stiffer.
ENERGY = {"envisat-capture": 2e-8, "unberthing": 1e-8, "berthing-ground": 1e-8}


@pytest.mark.parametrize("name", [pytest.param(name, marks=group(name)) for name in MISSIONS])
def test_a_shipped_mission_meets_its_requirements_and_closes_its_ledger(name):
    run = flown(name)
    assert run.outcome == "passed"
    assert run.requirements
    assert all(item.passed and item.margin >= 0.0 for item in run.requirements)
    assert run.ledger.closed
    assert np.isfinite(run.rows).all()  # what is recorded can be drawn
    # far inside the bars: what remains is the integrator's error and rounding
    # (half an ulp a step, up to 1e5 steps)
    assert run.ledger.momentum_residual < 1e-11
    assert run.ledger.angular_momentum_residual < 1e-11
    assert run.ledger.energy_residual < ENERGY.get(name, 1e-9)


def short(name, duration=2.0):
    time = {
        "duration_s": duration,
        "control_rate_hz": 100.0,
        "record_rate_hz": 50.0,
        "phases": {"only": {"until_s": duration, "step_s": 0.002}},
    }
    return proxops.load(name).replace({"time": time, "requirements": {}})


@pytest.mark.slow
def test_the_same_scenario_gives_the_same_bits_in_one_process_and_in_another():
    scenario = short("free-tumble")
    here = [proxops.simulate(scenario).hash for _ in range(2)]
    code = (
        "import json, sys, proxops\n"
        "from proxops.scenario.load import Scenario\n"
        "scenario = Scenario.from_dict(json.load(sys.stdin))\n"
        "sys.stdout.write(proxops.simulate(scenario).hash)\n"
    )
    text = json.dumps(scenario.to_dict())
    there = [
        subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert len({*here, *there}) == 1


def test_another_scenario_gives_other_bits():
    assert proxops.simulate(short("free-tumble")).hash != proxops.simulate(short("fly-around")).hash


def beginning(name):
    """The first 0.5 s of a shipped mission, with the steps that it has."""
    scenario = proxops.load(name)
    time = scenario.mission.time.model_dump(exclude_none=True)
    only = {"duration_s": 0.5}
    if time["phases"]:
        first = next(iter(time["phases"].values()))
        only["phases"] = {"only": first | {"until_s": 0.5}}
    else:
        only |= {"duration_s": 1.0}  # a second between two rows
    return scenario.replace({"time": time | only, "requirements": {}})


@pytest.mark.slow
def test_no_scenario_compiles_anything_new():
    """Every shipped mission, and with one, two and no arms, with wheels, without contact, hold,
    thruster or boost, and with the robot: one signature per entry kernel."""
    base = short("fly-around", 0.1)
    arm = base.mission.chaser.arms["main"].model_dump(exclude_none=True)
    pushed = beginning("deorbit-boost")
    variants = [
        *(beginning(name) for name in MISSIONS),
        base.replace({"chaser.arms": {}, "obsw.joints": {}}),
        base.replace({"chaser.arms": {"left": arm, "right": arm}, "obsw.joints": {}}),
        base.replace({"chaser.wheels": {"roll": WHEEL, "more": WHEEL}}),
        base.replace({"chaser.arms": {}, "obsw.joints": {}, "chaser.wheels": {"roll": WHEEL}}),
        pushed.replace({"contacts": {}, "obsw.boost.separation_rule": False}),
        pushed.replace({"holds": {}}),
        pushed.replace({"obsw.boost": None}),
        pushed.replace({"obsw.boost": None, "chaser.thrusters": {}}),
    ]
    for scenario in variants:
        assert proxops.simulate(scenario).ledger.closed
    for entry in (advance_until, render_until, boost_step, enter_from_hill):
        assert len(entry.signatures) == 1


@pytest.mark.parametrize(
    ("ends", "rate", "times"),
    [
        ((1.0,), 4.0, [0.0, 0.25, 0.5, 0.75, 1.0]),
        ((0.9, 1.2), 1.0 / 0.3, [0.0, 0.3, 0.6, 0.9, 1.2]),
        ((0.8, 0.9), 1.0 / 0.3, [0.0, 0.3, 0.6, 0.9]),
        ((0.6,), 1.0 / 0.6, [0.0, 0.6]),
    ],
)
def test_rows_stand_at_every_record_instant_whatever_the_phases(ends, rate, times):
    phases = {f"p{i}": {"until_s": end, "step_s": 0.05} for i, end in enumerate(ends)}
    time = {
        "duration_s": ends[-1],
        "control_rate_hz": 20.0,
        "record_rate_hz": rate,
        "phases": phases,
    }
    calm = {"time": time, "requirements": {}, "obsw.joints": {}}
    run = proxops.simulate(proxops.load("fly-around").replace(calm))
    assert run.rows[:, 0].tolist() == times


def test_signals_carry_name_unit_frame_and_shape():
    run = proxops.simulate(short("free-tumble"))
    table = {signal.name: signal for signal in run.signals()}
    assert (table["chaser.p_HC"].unit, table["chaser.p_HC"].frame) == ("m", "H")
    assert table["target.q_NT"].shape == (4,)
    assert table["chaser.arms.main.tau"].shape == (7,)
    for name in run:
        t, samples = run[name]
        assert samples.shape == (len(t), *table[name].shape)
        assert np.isfinite(samples).all()


def test_an_unknown_signal_is_refused_with_the_nearest():
    run = proxops.simulate(short("free-tumble"))
    with pytest.raises(proxops.InputError, match=r"did you mean 'chaser\.p_HC'"):
        run["chaser.p_HX"]


def rotation(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_relative_signals_follow_from_the_absolute_ones():
    """Without an orbit H = N, so that positions and attitudes share their axes."""
    run = proxops.simulate(short("free-tumble"))
    for row in range(0, len(run.rows), 20):
        at = {name: run[name][1][row] for name in run}
        R_NC, R_NT = rotation(at["chaser.q_NC"]), rotation(at["target.q_NT"])
        p_CT = R_NC.T @ (at["target.p_HT"] - at["chaser.p_HC"])
        w_CT = R_NC.T @ R_NT @ at["target.w_NT_T"] - at["chaser.w_NC_C"]
        assert at["relative.p_CT"] == pytest.approx(p_CT, abs=1e-13)
        assert at["relative.w_CT_C"] == pytest.approx(w_CT, abs=1e-15)
        assert rotation(at["relative.q_CT"]) == pytest.approx(R_NC.T @ R_NT, abs=1e-14)


def test_the_whole_centre_of_mass_moves_with_the_momentum():
    """Without forces p_HCcm goes straight at P/m, whatever the arm does; the target has no arm."""
    run = proxops.simulate(short("free-tumble"))
    t, com = run["chaser.p_HCcm"]
    straight = com[0] + np.outer(t, (com[-1] - com[0]) / t[-1])
    assert com == pytest.approx(straight, abs=1e-12)
    assert np.abs(com - run["chaser.p_HC"][1]).max() > 0.05
    assert run["target.p_HTcm"][1] == pytest.approx(run["target.p_HT"][1], abs=0.0)
    P = run["ledger.momentum"][1][0]
    arm = describe(short("free-tumble"))[0].arms[0].arm
    mass = 1200.0 + arm.root.mass + sum(joint.link.mass for joint in arm.joints)
    # the target's centre of mass rests
    assert (com[-1] - com[0]) / t[-1] == pytest.approx(P / mass, abs=1e-12)


def test_recorded_velocity_is_the_derivative_of_position():
    run = proxops.simulate(short("fly-around"))
    p_HC = run["chaser.p_HC"][1]
    t, v = run["chaser.v_HC"]
    moved = np.trapezoid(v, t, axis=0)
    # trapezoid over 20 ms: h² v̈ T/12 ≈ 4e-4 × 1e-6 × 2/12
    assert p_HC[-1] - p_HC[0] == pytest.approx(moved, abs=1e-9)


def test_a_joint_that_runs_onto_its_stop_is_an_event():
    scenario = short("free-tumble")
    elbow = 3
    upper = describe(scenario)[0].arms[0].arm.joints[elbow].upper
    q = list(scenario.mission.chaser.arms["main"].q_deg)
    q[elbow] = float(np.degrees(upper)) - 2.0
    qd = [10.0 if joint == elbow else 0.0 for joint in range(7)]
    start = {"chaser.arms.main.q_deg": q, "chaser.arms.main.qd_deg_s": qd, "obsw.joints": {}}
    run = proxops.simulate(scenario.replace(start))
    stops = [event for event in run.events if event.name == "joint-stop"]
    assert "elbow_pitch on its upper stop" in stops[0].detail
    # 2 deg at 10 deg/s take 0.2 s, a little more with friction
    assert 0.19 < stops[0].t_s < 0.3
    assert run.ledger.closed


def test_a_failed_requirement_fails_the_run_and_an_unseen_window_is_not_reached():
    demand = {
        "signal": "relative.p_CT",
        "measure": "max-norm",
        "comparison": "<=",
        "limit": 1.0,
        "unit": "m",
    }
    scenario = short("free-tumble").replace({"requirements": {"near": demand}})
    run = proxops.simulate(scenario)
    assert run.outcome == "failed"
    assert [item.status for item in run.requirements] == ["failed"]
    assert run.requirements[0].margin < 0.0


def test_a_step_too_long_for_the_forces_is_an_invalid_run_not_a_crash():
    scenario = short("free-tumble").replace(
        {
            "obsw.joints.main.kp": 1e9,
            "obsw.joints.main.kd": 1e9,
        }
    )
    run = proxops.simulate(scenario)
    assert run.outcome == "invalid"
