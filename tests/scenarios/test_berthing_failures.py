"""What goes wrong once the target is taken, or nearly: each leg ends with its reason, nothing
collides, and the target stays where something holds it."""

import numpy as np
import pytest

import proxops
from proxops.results.run import Event, Run
from tests.scenarios.berthing_cases import FREE, LEGS, events, quick

pytestmark = pytest.mark.slow  # some seconds of flight each


def fly(changes, after_s=5.0) -> Run:
    run = proxops.simulate(quick(changes, after_s))
    assert not events(run, "collision")
    assert run.ledger.closed
    for side in ("left", "right"):
        assert run[f"contacts.{side}.f_peak"][1].max() < 60.0
    assert events(run, "stop")
    return run


def aborted(run: Run) -> Event:
    """Why the leg ended that the way out follows; what happens afterwards may be noted as well."""
    stop = events(run, "stop")[0].t_s
    before = [event for event in events(run, "arm-aborts") if event.t_s <= stop]
    assert len(before) == 1, [event.detail for event in before]
    return before[0]


def test_a_clamp_that_jams_is_not_taken_for_a_grip():
    """It sticks as the gripper sets out to close: gears and motor stand.  Brakes are as stiff as
    their sampling bears; at 1 kHz this one yields by a degree."""
    jam = {"kind": "stuck-joint", "arm": "left", "joint": "pivot", "from_s": 26.5}
    fast = {"arm_rate_hz": 1000.0, "paces.arm.step_s": 0.001}
    changes = {f"time.{key}": value for key, value in fast.items()}
    run = fly({**changes, "faults": {"clamp": jam}})
    abort = aborted(run)
    assert "another size" in abort.detail
    assert not events(run, "gripped")


def test_a_grip_that_slips_while_carrying_ends_the_carry():
    """Sides of the bar as smooth as ice: the hand leaves, the bar stays."""
    smooth = {"mu_static": 0.01, "mu_kinetic": 0.008}
    run = fly({f"contacts.{side}.friction.{key}": mu for side in ("left", "right")
               for key, mu in smooth.items()})  # fmt: skip
    abort = aborted(run)
    assert "the grip slips" in abort.detail
    assert "limit 0.02 m" in abort.detail
    assert events(run, "gripped")[0].t_s < abort.t_s


def test_power_lost_with_the_target_held_leaves_it_in_the_hand():
    """Brakes hold the joints, and that of the gripper's motor the grip, through its gears."""
    loss = {"kind": "power-loss", "arm": "main", "from_s": 45.0}
    as_shipped = {"joints.behind_rad": 0.05, "limits.speed_m_s": 0.015}  # faster, the stop slips
    changes = {f"obsw.berthing.{key}": value for key, value in as_shipped.items()}
    run = fly({**changes, "faults": {"power": loss}}, 10.0)
    abort = aborted(run)
    assert "does not follow" in abort.detail
    assert not events(run, "gripper-opens")
    t, p_GE = run["relative.p_GE"]
    assert np.linalg.norm(p_GE[-1] - p_GE[np.searchsorted(t, 44.0)]) < 0.005
    presses = [np.linalg.norm(run[f"contacts.{side}.f"][1][-1]) for side in ("left", "right")]
    assert min(presses) > 30.0  # of the 40 N of the grip
    arm = run["chaser.arms.main.qd"][1]
    assert np.abs(arm[-1]).max() < 1e-4


def test_latches_that_miss_are_commanded_again_until_the_leg_ends():
    """A hard latch that takes 10 um/s at most; the soft one and the hand go on holding."""
    legs = {**LEGS, "hard_latch": {**LEGS["hard_latch"], "timeout_s": 20.0}}
    run = fly({"holds.hard.envelope.speed_m_s": 1e-5, "obsw.plan.legs": legs})
    misses = [each for each in events(run, "hold-misses") if "holds.hard" in each.detail]
    assert len(misses) >= 3
    assert "of at most 0.01 mm/s" in misses[0].detail
    assert "timed out" in events(run, "stop")[0].detail
    assert [event.detail for event in events(run, "hold-opens")] == []
    assert not events(run, "gripper-opens")


def test_a_port_out_of_line_is_not_latched():
    """Its frame on the target is turned by a degree against that of the soft latches."""
    half = np.radians(0.5)
    turned = [np.cos(half), 0.0, 0.0, np.sin(half)]
    a, b = np.array([0.7071067811865476, 0.0, 0.7071067811865476, 0.0]), np.array(turned)
    q = [a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))]
    run = fly({"holds.hard.q_TB": q, "obsw.berthing.port": "soft", "obsw.berthing.unready_s": 20.0})
    assert [each.detail[:10] for each in events(run, "hold-closes")] == ["holds.soft"]
    angle = run["holds.hard.angle"][1][-1].item()
    assert angle == pytest.approx(2.0 * half, rel=0.1)
    found, limit = aborted(run).detail.split(" rad off its port by the joints, ")
    found = found.split("not ready, ")[1]
    assert float(found) == pytest.approx(angle, abs=2e-3)  # of the grip, and of the encoders
    assert limit == "limit 0.001 rad"
    assert not events(run, "gripper-opens")


def test_a_target_that_is_released_with_a_rate_is_followed_as_the_hand_draws_back():
    """The pair turns by 0.2 deg/s against the Hill frame, about its normal; gripping takes from the
    target, and nothing makes both alike before the gripper opens: they part at 0.14 deg/s."""
    rate, away = 0.2, 2.5  # [deg/s, m] behind the target
    turning = {
        "chaser.v_HC_m_s": [np.radians(rate) * away, 0.0, 0.0],
        **{key: [0.0, 0.0, 0.0648225 + rate] for key in (
            "chaser.w_NC_C_deg_s", "target.w_NT_T_deg_s")},
    }  # fmt: skip
    up = {"points": [{"offset_m": [0.0, 0.0, 0.25], "straight": True}], "holds_target": False}
    legs = {
        **{name: LEGS[name] for name in ("acquire", "stop")},
        "grapple": {"does": "grapple", **FREE, "next": "let_go"},
        "let_go": {"does": "release", **FREE, "next": "withdraw"},
        "withdraw": {
            "does": "move-arm", "path": "up", "abort_if": ["navigation.w_NT_T > 0.1 deg/s"],
            "on_abort": "draw_back", **FREE, "next": "stop",
        },
        "draw_back": {"does": "retreat", **FREE, "next": "stop"},
    }  # fmt: skip
    paths = {"up": {**up, "target_gap_m": 0.88}}
    run = fly({**turning, "obsw.berthing.paths": paths, "obsw.plan.legs": legs}, 20.0)
    (way_out,) = events(run, "draw_back")
    assert "withdraw aborted: navigation.w_NT_T 0.1" in way_out.detail
    assert way_out.detail.endswith("limit > 0.1 deg/s")
    t, rate_apart = run["relative.w_CT_C"]
    assert np.degrees(np.linalg.norm(rate_apart[t < way_out.t_s][-1])) > 0.1
    t, p_GE = run["relative.p_GE"]
    stop = events(run, "stop")[0].t_s
    following = (t > way_out.t_s) & (t < stop)  # along z of G, which turns by a degree meanwhile
    assert np.abs(p_GE[following, :2]).max() < 0.01
    assert (p_GE[t > stop, 2] > 0.4).all()
