"""A target that the arm's fingers and latches of the hub hold at the same time, rehearsed."""

from functools import cache

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.assembly.cell import build_cell
from proxops.assembly.facility import load_facility
from proxops.core.frame import Frame, frame, rotation_of
from proxops.facility.robot_cell.contact_wrench import contact_wrench
from proxops.feasibility.energy_port import margins_of
from proxops.feasibility.hold_delay import elastic_of_contact, elastic_of_hold
from proxops.plant import hold_array, layout
from proxops.plant.step import touch_at_start
from proxops.rehearsal import on_facility
from tests.facility.grip_cases import AHEAD, BOSS_X, E_X, SPRING, STEP, gripping

IDEAL = load_facility("ideal")
SIGNALS = ("holds.latch.f", "contacts.ring.f", "contacts.left.f", "contacts.right.f")
LEAD = 0.004  # of the port beyond its counterpart as the mission begins, along x [m]
PORT_Z = -0.2  # below the arm [m]


def latching(step=STEP, **more):
    """`gripping`, with a latch on the hub that closes while the fingers do and presses a ring on
    the target; forces of both begin without a jump."""
    place = [BOSS_X, 0.0, PORT_Z]
    hub = np.array([E_X + AHEAD, 0.0, PORT_Z])
    latch = {
        "p_TB_m": place,
        "stiffness_N_m": [600.0, 500.0, 400.0],
        "stiffness_N_m_rad": [200.0, 150.0, 100.0],
        "damping_N_s_m": [60.0, 50.0, 40.0],
        "damping_N_m_s_rad": [20.0, 15.0, 10.0],
        "from_s": 0.0,
        "port": {"p_CA_m": list(hub + np.array([LEAD, 0.0, 0.0]))},
        "envelope": {"offset_m": 0.1, "angle_deg": 5.0, "speed_m_s": 0.1, "rate_deg_s": 1.0},
    }
    ring = {
        "pads": {
            "on": "chaser",
            "centres_m": [
                list(hub + np.array([0.012, y, z])) for y, z in ((0.2, 0.1), (-0.2, 0.0))
            ],
        },
        "face": {
            "on": "target",
            "p_m": [BOSS_X + 0.01, 0.0, PORT_Z],
            "normal": [-1.0, 0.0, 0.0],
            "along": [0.0, 1.0, 0.0],
            "half_sizes_m": [0.4, 0.4],
        },
        "normal": SPRING,
        "friction": {
            "mu_static": 0.9,
            "mu_kinetic": 0.8,
            "stiffness_N_m": 300.0,
            "damping_N_s_m": 30.0,
        },
    }
    return gripping(step, **{"holds": {"latch": latch}, "contacts.ring": ring} | more)


@cache
def in_orbit(step):
    return proxops.simulate(latching(step))


@cache
def rehearsed(step):
    return on_facility(latching(step), IDEAL, "relative").run()


def apart(name, step):
    return float(np.abs(in_orbit(step)[name][1] - rehearsed(step)[name][1]).max())


@pytest.mark.parametrize("name", [*SIGNALS, "relative.p_GE"])
def test_arm_and_hub_hold_the_target_as_in_orbit_but_for_the_step(name):
    """All of what is measured acts one step late: differences are of first order in the step, but
    for the instants at which fingers touch."""
    errors = [apart(name, step) for step in (STEP, 0.5 * STEP, 0.25 * STEP)]
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.3)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("name", SIGNALS)
def test_all_of_them_act(name):
    assert np.abs(in_orbit(STEP)[name][1]).max() > 1.0  # [N]


def test_both_spacecraft_keep_their_momentum():
    assert rehearsed(STEP).ledger.closed


def test_the_flange_measures_what_the_latch_does_and_the_wrist_does_not():
    """The difference of perfect sensors is what acts on the hub, on the target and in T: of the
    record, to rounding."""
    run = rehearsed(STEP)
    on_hub = run["holds.latch.f"][1] + run["contacts.ring.f"][1]
    assert np.abs(run["lab.mismatch"][1][:, :3] - on_hub).max() < 1e-11


def test_joined_springs_and_dampers_are_those_of_the_laws():
    """K and B about To against the wrench on the mock-up for a small displacement and a slow
    motion of the chaser's hub: the laws are linear but for Hunt-Crossley, at its depth."""
    ring = {"kind": "spring", "stiffness_N_m": 900.0, "damping_N_s_m": 70.0}
    scenario = latching(**{"contacts.ring.normal": ring, "contacts.left": None})
    scenario = scenario.replace({"contacts.right": None})
    built = build(scenario)
    made = build_cell(scenario, IDEAL.facility, "relative")
    work, y0 = made.workspace.work, made.state.y.copy()
    touch_at_start(made.cell.plant, work, y0, 0.0)
    assert y0[layout.holds_start(made.cell.plant) + hold_array.ENGAGED] == hold_array.HOLDING
    target = layout.target_start(made.cell.plant)
    y0[:target][layout.V : layout.V + 6] = y0[target:][layout.V : layout.V + 6] = 0.0
    X_LT, X_LC = (frame(hub[:3], hub[3:7]) for hub in (y0[target:], y0))
    R, p = X_LT.R, X_LT.p

    def wrench(moved, twist):
        y = y0.copy()
        v, w = R @ twist[:3], R @ twist[3:]
        turn = rotation_of(np.array([1.0, *0.5 * (R @ moved[3:])]))
        there = Frame(turn @ X_LC.R, turn @ (X_LC.p - p) + p + R @ moved[:3])
        y[:7] = there.row()
        y[layout.V : layout.V + 3] = v + np.cross(w, there.p - p)
        y[layout.W : layout.W + 3] = there.R.T @ w
        return np.concatenate(contact_wrench.py_func(made.cell.plant, y, work.scratch))

    X_TC = X_LT.inverse() @ X_LC
    parts = [elastic_of_hold(built.holds[0]), elastic_of_contact(built.contacts[0], X_TC)]
    stiffness, damping = (sum(part[i] for part in parts) for i in (0, 1))
    none, small = np.zeros(6), 1e-6 * np.eye(6)
    found = np.array([(wrench(x, none) - wrench(-x, none)) / 2e-6 for x in small]).T
    slowed = np.array([(wrench(none, x) - wrench(none, -x)) / 2e-6 for x in small]).T
    # the wrench that is there already turns and moves with the displacement: 3 N and 1 N m
    assert found == pytest.approx(stiffness, abs=5.0)
    assert slowed == pytest.approx(damping, abs=1e-5)


def test_the_latch_and_what_presses_beside_it_are_judged_together():
    loops = {each.name: each for each in margins_of(in_orbit(STEP), load_facility("oos-sim"))}
    assert set(loops) == {"left", "right", "ring", "latch + ring"}
    assert loops["latch + ring"].margins.lateness == loops["left"].margins.lateness
