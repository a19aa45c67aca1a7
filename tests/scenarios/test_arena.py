"""Missions in the flight arena: flown, compared with the orbit, stopped where they must be."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import proxops
from proxops.assembly.arena import arena_of, load_arena
from proxops.core.errors import InputError, StoppedError
from proxops.rehearsal.arena import InArena
from tests.facility.arena_cases import stored as arena

pytestmark = pytest.mark.slow

FACILITY = "flight-arena"


@pytest.fixture(scope="module")
def approach(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena") / "run"
    return proxops.rehearse(proxops.load("arena-approach"), FACILITY, out=folder)


def test_the_approach_is_flown_and_stops_between_tips(approach):
    assert approach.outcome == "passed"
    assert approach.ledger.closed
    rows = {row.name: row.largest for row in approach.fidelity.rows}
    assert 1e-3 < rows["chaser's vehicle, in the arena"] < 0.06
    assert rows["relative position"] < 0.12
    assert approach["lab.gap"][1][-1] == pytest.approx(0.74, abs=0.01)
    names = [state.name for state in approach.procedure]
    assert names == ["take off", "move to start", "engage", "run", "stop", "land"]
    assert {state.verdict for state in approach.procedure} == {"passed"}
    run = approach.procedure[3]
    assert run.lasts_s == pytest.approx(440.0 / 5.0)


def test_what_is_flown_is_the_orbit_scaled_and_turned(approach):
    """Velocities in the arena are those in the Hill frame, five times faster."""
    _, v = approach["lab.vehicles.chaser.v"]
    t, p_HC = approach["chaser.p_HC"]
    coasting = (t > 40.0) & (t < 380.0)
    expected = 5.0 * np.gradient(p_HC, t, axis=0)
    # an error of 2 cm that swings at 1 rad/s
    assert np.linalg.norm(v - expected, axis=1)[coasting].max() < 0.03
    assert np.linalg.norm(expected, axis=1)[coasting].min() > 0.03


def test_a_recorded_flight_replays_to_the_bit(approach):
    stored = proxops.open(approach.folder)
    made = stored.provenance
    scenario = proxops.Scenario.from_dict(made["scenario"])
    again = proxops.rehearse(
        scenario, made["facility"], representation=made["representation"], nominal=made["nominal"]
    )
    assert again.hash == stored.hash


def test_a_start_above_the_target_is_refused():
    scenario = proxops.load("arena-circle-fast").replace(
        {
            "arena.up": "x",
            "time.duration_s": 1.0,
            "time.phases": {"circle": {"until_s": 1.0, "step_s": 0.02}},
        }
    )
    with pytest.raises(InputError, match="horizontally"):
        proxops.rehearse(scenario, FACILITY)  # the chaser would begin above its target


@pytest.fixture(scope="module")
def too_close():
    """The approach shown smaller, so that it ends in the column of the target's vehicle."""
    scenario = proxops.load("arena-approach").replace({"arena.length_scale": 0.8})
    return proxops.rehearse(scenario, FACILITY)


def test_what_comes_too_close_is_braked_held_and_landed(too_close):
    assert too_close.outcome == "stopped"
    (event,) = (event for event in too_close.events if event.name == "guard")
    assert "column of the target's vehicle and the column of the chaser's vehicle" in event.detail
    t, mode = too_close["lab.vehicles.chaser.mode"]
    lands = t[np.argmax(np.ravel(mode) != 0.0)]
    assert 5.0 * 1.0 < lands - event.t_s < 5.0 * 8.0  # held for a second, at 5:1
    p_T, p_C = too_close["lab.p_LTl"][1], too_close["lab.p_LCl"][1]
    assert np.linalg.norm((p_C - p_T)[:, :2], axis=1).min() > 1.185
    assert too_close.procedure[-1].verdict == "passed"


def test_the_operator_stops_and_lands_both_vehicles():
    ready = InArena(proxops.load("arena-circle-fast"), load_arena(FACILITY))
    run = ready.simulation.run(stop=lambda: True)
    assert run.outcome == "interrupted"
    judged = ready.judged(run, ablate=False)(run, lambda: True)
    *_, ran, braked, landed = judged.procedure
    assert [ran.name, braked.name, landed.name] == ["run", "emergency stop", "land"]
    assert braked.verdict == "emergency stop"
    assert 1.0 < braked.lasts_s < 5.0
    assert braked.clearance_m > 0.395
    assert landed.verdict == "passed"


def test_a_lost_pose_stops_the_rehearsal():
    scenario = proxops.load("arena-circle-fast")
    given = load_arena(arena(motion_capture__lost_at_s=4.0))
    run = InArena(scenario, given).simulation.run()
    assert run.outcome == "stopped"
    (event,) = (event for event in run.events if event.name == "guard")
    assert 4.0 < event.t_s < 4.5
    assert "motion capture" in event.detail
    assert run["lab.p_LCl"][1][-1, 2] == pytest.approx(0.0, abs=0.05)


def test_what_an_arena_has_no_use_for_is_refused():
    scenario = proxops.load("arena-approach")
    with pytest.raises(InputError, match="speed"):
        proxops.rehearse(scenario, FACILITY, speed=0.5)
    with pytest.raises(InputError, match=r"step_s of 0\.02"):
        proxops.rehearse(scenario.replace({"arena.time_scale": 1.0}), FACILITY)
    with pytest.raises(InputError, match="scale: leave out"):
        proxops.check(scenario, facility="oos-sim", scale=True)
    with pytest.raises(InputError, match="flight arena"):
        proxops.campaign(scenario, facility=FACILITY)


def test_the_predicted_speed_is_flown(approach):
    found = {each.name: each.value for each in proxops.check(approach, facility=FACILITY).limits}
    _, v = approach["lab.vehicles.chaser.v"]
    assert np.linalg.norm(v, axis=1).max() == pytest.approx(
        found["chaser's vehicle: speed"], abs=0.02
    )


def test_newtons_law_holds_on_the_record():
    """Recorded velocities change by what recorded thrusts, gravity and drag give; a vehicle that
    were moved instead of flown would have no such thrusts: on this circle it lacks 0.7 m/s2."""
    scenario = proxops.load("arena-circle-fast").replace(
        {
            "time.duration_s": 6.0,
            "time.phases": {"circle": {"until_s": 6.0, "step_s": 0.02}},
            "requirements": {},
        }
    )
    given = load_arena(FACILITY)
    run = InArena(scenario, given).simulation.run()
    craft = arena_of(given.file).vehicle
    own = "lab.vehicles.chaser."
    t, v = run[own + "v"]
    R = Rotation.from_euler("ZYX", run[own + "rpy"][1][:, ::-1])
    force = R.apply(run[own + "thrust"][1] @ craft.mixer[:3].T) - craft.drag * v
    a = force / craft.mass - [0.0, 0.0, 9.80665]
    steps = 0.5 * (a[1:] + a[:-1]) * np.diff(t)[:, None]
    second = 50
    gained = v[second:] - v[:-second]
    given_by_thrust = np.cumsum(np.vstack([np.zeros(3), steps]), axis=0)
    explained = given_by_thrust[second:] - given_by_thrust[:-second]
    # rows every 20 ms of thrusts that lag by 30 ms behind noisy commands: a trapezium misses some
    # 0.1 m/s2 of each step, at random, so 0.1 x 0.02 x sqrt(50) = 0.014 m/s in a second
    assert np.linalg.norm(gained - explained, axis=1).max() < 0.04
    hovering = np.linalg.norm(gained, axis=1).max()
    assert hovering > 0.6


# --- faults --------------------------------------------------------------------------------------


def test_a_lost_rotor_stops_the_rehearsal_and_says_that_the_vehicle_fell():
    scenario = proxops.load("arena-circle-fast")
    lost = {"kind": "lost-rotor", "vehicle": "chaser", "rotor": 2, "from_s": 3.0}
    run = InArena(scenario, load_arena(arena(faults={"one": lost}))).simulation.run()
    assert run.outcome == "stopped"
    happened = {event.name: event for event in run.events}
    assert happened["fault-injected"].t_s == 3.0
    assert 3.0 < happened["guard"].t_s < 3.5
    assert "limit 15 deg" in happened["guard"].detail
    assert "chaser" in happened["falls"].detail
    assert "inside the fence" in happened["falls"].detail
    assert "target" in happened["lands"].detail


def test_nobody_takes_off_where_a_vehicle_does_not_arm():
    given = arena(faults={"one": {"kind": "does-not-arm", "vehicle": "chaser"}})
    with pytest.raises(StoppedError, match="does not arm"):
        proxops.rehearse(proxops.load("arena-circle-fast"), given)
