"""A robot in the loop: what it renders, what it feels, and what is warned about."""

import json

import numpy as np
import pytest

import proxops
from proxops.scenario.history import COLUMNS
from proxops.scenario.load import parse_set
from proxops.sim.worlds.rendered import render_until

SPOT = 1e-9  # width of a stair's edge in a history [s]


def brief(name, duration=2.0, step=0.002, **changes):
    time = {
        "duration_s": duration,
        "control_rate_hz": 100.0,
        "record_rate_hz": 50.0,
        "phases": {"only": {"until_s": duration, "step_s": step}},
    }
    return proxops.load(name).replace({"time": time, "requirements": {}} | changes)


def warnings_of(run):
    return [event.detail for event in run.events if event.name == "warning"]


@pytest.mark.parametrize("name", ["free-tumble", "fly-around", "flexible-symmetric"])
def test_a_robot_that_feels_nothing_leaves_the_mission_as_it_is(name):
    """With arms, appendages and orbit; another kernel may round differently."""
    plain = proxops.simulate(brief(name))
    run = proxops.simulate(brief(name, robot={"renders": "spacecraft", "delay_s": 0.02}))
    assert run.ledger.closed
    for signal in plain:
        np.testing.assert_allclose(run[signal][1], plain[signal][1], rtol=1e-12, atol=1e-12)
    assert not run["lab.measured_wrench"][1].any()


def test_an_ideal_robot_shows_a_tumbling_target_where_it_is():
    """The carrier goes along a straight line of velocity in each step: h² ẅ/12 ≈ 1e-8 rad/s off."""
    spin = {"target.w_NT_T_deg_s": [2.0, 3.0, -1.0], "robot": {"renders": "spacecraft"}}
    run = proxops.simulate(brief("fly-around", **spin))
    assert np.abs(run["lab.p_TTl"][1]).max() < 1e-8
    assert np.abs(run["lab.q_TTl"][1][:, 1:]).max() < 1e-8
    # without an offset L is O, whose axes are N's
    np.testing.assert_allclose(run["lab.q_LTl"][1], run["target.q_NT"][1], atol=1e-8)


def test_an_ideal_robot_with_real_beams_shows_the_free_satellite():
    """But for the half step of the first reaction that a held reading misses: 3.2 N on 50 kg for
    1 ms of 2 ms, 6.4e-5 m/s, drifts 0.13 mm in 2 s; half of it at half the step, so that the two
    extrapolate to nothing, up to (ωh)² of the 2.3 mm."""
    free = proxops.simulate(brief("flexible-symmetric"))
    coarse, fine = (
        proxops.simulate(brief("flexible-symmetric", step=step, robot={"renders": "hub"}))
        for step in (0.002, 0.001)
    )
    for signal in ("target.p_HT", "target.appendages.left.q_f", "target.appendages.right.q_f"):
        meant = free[signal][1]
        assert 1e-5 < np.abs(coarse[signal][1] - meant).max() < 2e-4
        np.testing.assert_allclose(2.0 * fine[signal][1] - coarse[signal][1], meant, atol=1e-6)
    assert coarse.ledger.closed
    np.testing.assert_array_equal(free["target.p_HT"][1][0], coarse["target.p_HT"][1][0])


def test_the_push_of_the_probe_becomes_the_momentum_of_the_model():
    """Rows and samples come at 200 Hz both, so that every reading is recorded once and acts until
    the next row: their sum is the impulse, but for how the target turns in 5 ms."""
    run = proxops.simulate(proxops.load("flexible-rendered"))
    t, felt = run["lab.measured_wrench"]
    turned = run["target.q_NT"][1]
    z = 2.0 * np.arctan2(turned[:, 3], turned[:, 0])
    along = np.sin(z) * felt[:, 0] + np.cos(z) * felt[:, 1]
    impulse = along[:-1].sum() * (t[1] - t[0])
    gained = run["ledger.momentum"][1][-1] - run["ledger.momentum"][1][0]
    # the force turns by up to 5 ms × 0.016 rad/s = 8e-5 rad, against x where 0.003 N s were gained
    assert impulse == pytest.approx(gained[1], abs=2e-5)
    assert gained[1] > 2.0


def stairs(t, wrench):
    """A history of readings, each held until the next (CSV text)."""
    rows = np.repeat(np.column_stack([t, wrench]), 2, axis=0)
    rows[1:-1:2, 0] = t[1:] - SPOT
    lines = [",".join(map(repr, row)) for row in rows[:-1].tolist()]
    return "\n".join([",".join(COLUMNS), *lines])


def test_what_was_felt_moves_the_free_model_as_it_moved_the_rendered_one(tmp_path):
    """Recorded in every step.  The stairs' edges cost 9 N × 1e-9 s of impulse at most each, with
    random signs: some 1e-10 m/s after 2 s."""
    time = {
        "duration_s": 4.0,
        "control_rate_hz": 200.0,
        "record_rate_hz": 400.0,
        "phases": {"only": {"until_s": 4.0, "step_s": 0.0025}},
    }
    scenario = proxops.load("flexible-rendered").replace({"time": time, "requirements": {}})
    rendered = proxops.simulate(scenario)
    (tmp_path / "felt.csv").write_text(stairs(*rendered["lab.measured_wrench"]))
    played = {"robot": None, "target.wrench": {"file": str(tmp_path / "felt.csv")}}
    alone = scenario.replace(played)
    free = proxops.simulate(alone)
    assert free.ledger.closed
    for signal in ("target.p_HT", "target.q_NT", "target.appendages.right.q_f"):
        assert np.ptp(rendered[signal][1], axis=0).max() > 1e-3
        np.testing.assert_allclose(free[signal][1], rendered[signal][1], rtol=0.0, atol=1e-8)
    stored = json.loads(json.dumps(alone.to_dict()))
    (tmp_path / "felt.csv").unlink()
    assert proxops.simulate(proxops.Scenario.from_dict(stored)).hash == free.hash


def test_a_history_on_either_hub_gives_it_the_recorded_momentum(tmp_path):
    """Hubs that do not turn: impulse = ∫ f dt = ½ × 0.5 s × 3 N along x, rows off the steps."""
    rows = [[0.2501, *[0.0] * 6], [0.5001, 3.0, *[0.0] * 5], [0.7501, *[0.0] * 6]]
    lines = [",".join(map(repr, row)) for row in rows]
    (tmp_path / "push.csv").write_text("\n".join([",".join(COLUMNS), *lines]))
    wrench = {"file": str(tmp_path / "push.csv")}
    for craft, v, mass in (("chaser", "chaser.v_HC", 1200.0), ("target", "target.v_HT", 50.0)):
        run = proxops.simulate(
            brief("flexible-symmetric", 1.0, **{"target.appendages": {}, f"{craft}.wrench": wrench})
        )
        assert run[v][1][-1] == pytest.approx([0.75 / mass, 0.0, 0.0], abs=1e-12)
        assert run["ledger.impulse"][1][-1][0] == pytest.approx(0.75, abs=1e-12)
        assert run.ledger.closed


@pytest.mark.parametrize("robot", ["robot={bandwidth_hz=2.5, delay_s=0.1}", None])
def test_a_hub_too_light_for_the_robot_is_warned_about(robot):
    texts = [robot] if robot else ["robot.bandwidth_hz=2.5", "robot.delay_s=0.1"]
    bent = [f"target.appendages.{side}.q_f_m=[0.01,0.0]" for side in ("left", "right")]
    settings = dict(parse_set(text) for text in [*texts, *bent, "target.mass_kg=10"])
    light = proxops.simulate(brief("flexible-symmetric", 0.2).replace(settings))
    (text,) = warnings_of(light)
    assert text.startswith("robot: the rendered hub of 10 kg is too light for this robot")
    assert "the smallest it renders stably is 48." in text
    cube = {"target.mass_kg": 72.0, "target.inertia_kg_m2": (12.0 * np.eye(3)).tolist()}
    heavy = brief("flexible-symmetric", 0.2).replace(settings | cube)
    assert warnings_of(proxops.simulate(heavy)) == []


def test_noise_follows_the_seed():
    runs = [
        proxops.simulate(brief("flexible-rendered", 0.5, step=0.0025, seed=seed))
        for seed in (5, 5, 6)
    ]
    assert runs[0].hash == runs[1].hash
    assert runs[0].hash != runs[2].hash
    assert runs[0]["lab.measured_wrench"][1].any()


def test_no_robot_compiles_anything_new():
    """Hub and spacecraft, with and without probe, appendages, arms and orbit: one signature."""
    ideal = {"renders": "spacecraft"}
    variants = [
        brief("flexible-rendered", 0.1, step=0.0025),
        brief("flexible-symmetric", 0.1, robot={"bandwidth_hz": 2.0, "order": 2}),
        brief("fly-around", 0.1, robot=ideal),
        brief("free-tumble", 0.1, robot={"sensor": {"bias_N": [0.1, 0.0, 0.0]}}),
    ]
    for scenario in variants:
        assert proxops.simulate(scenario).ledger.closed
    assert len(render_until.signatures) == 1
