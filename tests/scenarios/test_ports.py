"""Latches that draw one port onto another, commanded by their switches, and springs that part
them."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError

EXAMPLES = Path(__file__).parents[2] / "examples"
MISSION = EXAMPLES / "latches.toml"
Latching = runpy.run_path(str(EXAMPLES / "latches.py"))["Latching"]
OFFSET, ANGLE, SPEED, RATE = range(4)


@pytest.fixture(scope="module")
def flown():
    return proxops.simulate(proxops.load(MISSION), controller=Latching)


def when(run, kind):
    return [event.t_s for event in run.events if event.fits(kind)]


def test_the_example_is_latched_softly_then_hard_and_parted(flown):
    assert flown.outcome == "passed"
    order = [event.name for event in flown.events if event.name.startswith("hold")]
    assert order == ["hold-closes", "hold-closes", "hold-opens", "hold-opens"]
    assert when(flown, "hold-closes:soft") < when(flown, "hold-closes:hard")


def test_momentum_is_kept_and_the_ledger_closes_through_all_of_it(flown):
    """Closed 39 mm and 0.6 deg off, opened against springs: 1e-10 of all that moves."""
    assert flown.ledger.closed
    total = flown["ledger.momentum"][1]
    assert np.abs(total - total[0]).max() < 1e-10 * flown["ledger.sum_momentum"][1].max()
    about = flown["ledger.angular_momentum"][1]
    assert np.abs(about - about[0]).max() < 1e-10 * flown["ledger.sum_angular_momentum"][1].max()


def test_springs_part_the_two_with_the_speed_that_their_energy_makes(flown):
    """E from the gaps just before both latches open; v = √(2E (1/m₁ + 1/m₂)), when the last pad
    lets go: later the chaser is farther away in axes that rotate with the target."""
    t, gaps = flown["contacts.springs.gap"]
    latched = gaps[t <= when(flown, "hold-opens:hard")[0]][-1]
    energy = 0.5 * 125.0 * float(latched @ latched)
    meant = math.sqrt(2.0 * energy * (1.0 / 400.0 + 1.0 / 1000.0))
    parted = t >= when(flown, "separation")[0]
    assert flown["holds.hard.speed"][1][parted][0] == pytest.approx(meant, rel=1e-6)


def test_signals_of_a_port_tell_how_its_frames_lie(flown):
    """Against poses of the hubs: A is half a metre before the chaser's, B behind the target's."""
    from scipy.spatial.transform import Rotation

    def rotations(name):
        return Rotation.from_quat(np.roll(flown[name][1], -1, axis=1))

    R_NC, R_NT = rotations("chaser.q_NC"), rotations("target.q_NT")
    p_A = flown["chaser.p_HC"][1] + R_NC.apply([0.5, 0.0, 0.0])
    p_B = flown["target.p_HT"][1] + R_NT.apply([-0.5, 0.0, 0.0])
    t, p_BA = flown["holds.soft.p_BA"]
    np.testing.assert_allclose(p_BA, R_NT.inv().apply(p_A - p_B), atol=1e-12)
    angle = (R_NT.inv() * R_NC).magnitude()
    np.testing.assert_allclose(flown["holds.soft.angle"][1], angle, atol=1e-12)
    # Where nothing pushes, a difference over two rows is the speed
    free = t < when(flown, "hold-closes:soft")[0] - 0.1
    speed = np.linalg.norm(np.gradient(p_BA, t, axis=0), axis=1)
    np.testing.assert_allclose(flown["holds.soft.speed"][1][free][1:], speed[free][1:], rtol=1e-6)
    rate = np.linalg.norm(flown["relative.w_CT_C"][1], axis=1)
    np.testing.assert_allclose(flown["holds.soft.rate"][1], rate, atol=1e-14)


def test_what_a_latch_closed_with_stays_recorded_and_is_said(flown):
    """At a control instant, which has a row of its own here."""
    t, attempts = flown["holds.hard.attempt"]
    closed = when(flown, "hold-closes:hard")[0]
    at = np.flatnonzero(np.abs(t - closed) < 1e-9)[0]
    now = [
        np.linalg.norm(flown["holds.hard.p_BA"][1][at]),
        *(flown[f"holds.hard.{what}"][1][at] for what in ("angle", "speed", "rate")),
    ]
    assert attempts[-1] == pytest.approx(now, rel=1e-9)
    assert not attempts[t < closed].any()
    said = next(event.detail for event in flown.events if event.fits("hold-closes:hard"))
    assert said.startswith(f"holds.hard: offset {1e3 * now[OFFSET]:.4g} of at most 2 mm, angle ")


def test_switches_are_late_and_as_often_as_they_are_asked(flown):
    """10 Hz and 50 ms: a closing is seen at the first tenth of a second after it, and 50 ms on."""
    t, closed = flown["sensors.latches.closed"]
    for hold, name in enumerate(("soft", "hard")):
        happened = when(flown, f"hold-closes:{name}")[0]
        seen = t[np.flatnonzero(closed[:, hold])[0]]
        assert seen == pytest.approx(math.floor(10 * happened + 1 + 1e-9) / 10 + 0.05, abs=1e-9)
    ready = flown["sensors.latches.ready"][1][:, 0]
    inside = np.linalg.norm(flown["holds.soft.p_BA"][1], axis=1) <= 0.04
    assert set(np.unique(ready)) == {0.0, 1.0}
    assert np.abs(np.flatnonzero(ready)[0] - np.flatnonzero(inside)[0]) <= 4  # rows of 50 ms


class Hasty(Latching):
    """Tells the hard latch to close as soon as the soft one has, ready or not."""

    def closes(self, name, number, settled, t, switches, commands):
        if name == "hard" and self.told is None and not switches.closed[number]:
            commands.holds["hard"], self.told = True, t
            return False
        return super().closes(name, number, settled, t, switches, commands)


def test_a_latch_that_missed_says_by_how_much_and_closes_at_a_later_command():
    scenario = proxops.load(MISSION).replace({"time.duration_s": 12.0,
        "time.phases.all.until_s": 12.0, "requirements": {}})  # fmt: skip
    run = proxops.simulate(scenario, controller=Hasty)
    missed, closed = when(run, "hold-misses:hard"), when(run, "hold-closes:hard")
    assert len(missed) == len(closed) == 1
    assert closed[0] > missed[0] + 1.0
    said = next(event.detail for event in run.events if event.name == "hold-misses")
    assert said.startswith("holds.hard: offset ")
    assert " of at most 2 mm, angle " in said
    assert float(said.split()[2]) > 2.0


def test_a_chaser_beside_the_envelope_is_not_latched_and_the_springs_send_it_back():
    changes = {"chaser.p_HC_m": [-1.1, 0.06, 0.0], "requirements": {}, "time.duration_s": 20.0,
               "time.phases.all.until_s": 20.0}  # fmt: skip
    run = proxops.simulate(proxops.load(MISSION).replace(changes), controller=Latching)
    assert {event.name for event in run.events} == {
        "phase", "drifting", "touch-down", "lift-off", "separation"
    }  # fmt: skip
    assert not run["sensors.latches.ready"][1].any()
    assert run.ledger.closed
    assert run["holds.soft.p_BA"][1][-1][0] < -0.1


def test_a_port_on_an_arm_is_in_the_axes_of_its_end_effector():
    """With A at E and B at the grapple frame, A from B is what relative.p_GE is."""
    changes = {
        "time.duration_s": 0.1,
        "time.phases": {"only": {"until_s": 0.1, "step_s": 0.002}},
        "requirements": {},
        "target.grapple": {"p_TG_m": [0.2, -3.5, 0.5], "q_TG": [0.6, 0.0, 0.8, 0.0]},
        "holds.grip": {
            "arm": "main",
            "p_TB_m": [0.2, -3.5, 0.5],
            "q_TB": [0.6, 0.0, 0.8, 0.0],
            "port": {"p_CA_m": [0.0, 0.0, 0.0]},
            "envelope": {"offset_m": 0.01, "angle_deg": 1.0},
        },
    }
    run = proxops.simulate(proxops.load("free-tumble").replace(changes))
    p_GE, p_BA = run["relative.p_GE"][1], run["holds.grip.p_BA"][1]
    assert np.abs(p_GE).max() > 1.0
    np.testing.assert_allclose(p_BA, p_GE, atol=1e-12)
    assert [event.name for event in run.events if event.name.startswith("hold")] == ["hold-misses"]


def test_a_requirement_that_names_a_hold_that_is_not_there_is_rejected():
    changes = {"requirements.latched.event": "hold-closes:heart"}
    scenario = proxops.load(MISSION).replace(changes)
    with pytest.raises(InputError) as caught:
        proxops.simulate(scenario, controller=Latching)
    assert "requirements.latched.event: unknown 'hold-closes:heart'" in str(caught.value)
    assert "hold-closes:hard" in str(caught.value)


def test_a_mission_may_end_when_one_of_its_holds_closes():
    changes = {"time.ends_on": "hold-closes:hard", "requirements": {}}
    run = proxops.simulate(proxops.load(MISSION).replace(changes), controller=Latching)
    closed = when(run, "hold-closes:hard")[0]
    assert closed <= run.rows[-1, 0] <= closed + 0.05 + 1e-9  # at the end of that step
    assert run.events[-1].detail.startswith(f"on hold-closes at {closed:g} s (holds.hard: offset ")


@pytest.mark.parametrize(("beside", "collides"), [(0.0, False), (0.3, True)])
def test_buses_meet_where_an_open_port_is_at_its_place_and_collide_where_it_is_not(
    beside, collides
):
    """10 mm/s, 5 mm apart: after a second they are 5 mm deep, the port as near to its frame, or
    beside it by 0.3 m."""
    changes = {
        "time.duration_s": 1.0,
        "time.phases.all.until_s": 1.0,
        "requirements": {},
        "contacts": {},
        "sensors.latches": None,
        "chaser.p_HC_m": [-1.005, 0.0, 0.0],
        "chaser.v_HC_m_s": [0.01, 0.0, 0.0],
        "chaser.q_NC": [1.0, 0.0, 0.0, 0.0],
        "chaser.w_NC_C_deg_s": [0.0, 0.0, 0.0],
        "holds.soft.port.p_CA_m": [0.5, beside, 0.0],
        "holds.hard.port.p_CA_m": [0.5, beside, 0.0],
    }
    run = proxops.simulate(proxops.load(MISSION).replace(changes))
    assert any(event.name == "collision" for event in run.events) is collides
    assert run["relative.clearance"][1][-1] <= 0.0


class Catching:
    """Closes its only latch as soon as that is ready."""

    def start(self, briefing):
        pass

    def control(self, measurements, commands):
        if measurements.latches.count and measurements.latches.ready[0]:
            commands.holds["catch"] = True


def test_in_a_rehearsal_ports_and_switches_are_those_of_the_mock_ups():
    """The ball flies in at 50 mm/s: 5 mm before its place it is ready, seen up to 10 ms later,
    commanded, and drawn in; the mock-ups, which are behind the models, bring it there as well."""
    soft = {"stiffness_N_m": [2e3] * 3, "damping_N_s_m": [400.0] * 3}
    turns = {"stiffness_N_m_rad": [200.0] * 3, "damping_N_m_s_rad": [60.0] * 3}
    port = {"port": {"p_CA_m": [0.0, 0.0, 0.9]}, "envelope": {"offset_m": 5e-3, "angle_deg": 5.0}}
    latch = {"p_TB_m": [0.0, 0.0, -0.6], "commanded": True, **soft, **turns, **port}
    changes = {
        "holds.catch": latch,
        "sensors.latches": {"rate_hz": 100.0},
        "requirements": {},
        "time.duration_s": 2.0,
        "time.phases.bounces.until_s": 2.0,
    }
    scenario = proxops.load("contact-bounce").replace(changes)
    run = proxops.rehearse(scenario, controller=Catching)
    assert len(when(run, "hold-closes:catch")) == 1
    offset, _, speed, _ = run["holds.catch.attempt"][1][-1]
    assert 4e-3 < offset <= 5e-3
    assert speed == pytest.approx(0.05, rel=1e-3)
    assert np.linalg.norm(run["holds.catch.p_BA"][1][-1]) < 1e-4
    assert run["sensors.latches.closed"][1][-1] == 1.0
